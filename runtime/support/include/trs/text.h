// SPDX-License-Identifier: Apache-2.0
//
// Texts from outside in messages.
#ifndef TRS_TEXT_H
#define TRS_TEXT_H

#include <string>
#include <string_view>

namespace trs {

// `text` with control characters and what is no UTF-8 as \xNN, cut to the length of a line: names
// come from files that we did not write.
std::string printable(std::string_view text);

// Whether escape codes for colour may go to `descriptor`: a terminal, neither NO_COLOR nor
// TERM=dumb.
bool hasColour(int descriptor);

} // namespace trs

#endif // TRS_TEXT_H
