// SPDX-License-Identifier: Apache-2.0
//
// A check of what a program has set, for those who do not go through text.
#ifndef RENAISSANCE_OPTIONS_CHECKOPTIONS_H
#define RENAISSANCE_OPTIONS_CHECKOPTIONS_H

#include "renaissance/Options/CompileOptions.h"

namespace tr {

/// What is wrong with the values, a text for each: "slices: expected an integer in [1, 1024], but
/// got '0'".
std::vector<std::string> checkOptions(const CompileOptions &options);

} // namespace tr

#endif // RENAISSANCE_OPTIONS_CHECKOPTIONS_H
