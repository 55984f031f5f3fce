// SPDX-License-Identifier: Apache-2.0
//
// The translations of tr-translate, one file for each target.
#ifndef RENAISSANCE_TOOLS_TR_TRANSLATE_TRANSLATIONS_H
#define RENAISSANCE_TOOLS_TR_TRANSLATE_TRANSLATIONS_H

namespace tr {
void registerBlueprintTranslations();
/// --arch-to-dot.
void registerDotTranslation();
/// --plan-table-reference.
void registerTableReference();
} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_TRANSLATE_TRANSLATIONS_H
