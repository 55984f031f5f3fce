// SPDX-License-Identifier: Apache-2.0
//
// What can be written at a place of a BluePrint, and the call that is being written there.
#ifndef RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTCOMPLETION_H
#define RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTCOMPLETION_H

#include "BlueprintDocument.h"

#include "llvm/Support/LSP/Protocol.h"

namespace tr {

/// The words that fit at `place`: definitions between models, calls and lets where a layer stands,
/// values and parameters inside a call.
llvm::lsp::CompletionList completeAt(const BlueprintDocument &document, TextPlace place);

/// The forms of the innermost call that is open at `place` and the parameter that the place is for.
llvm::lsp::SignatureHelp describeOpenCall(const BlueprintDocument &document, TextPlace place);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTCOMPLETION_H
