// SPDX-License-Identifier: Apache-2.0
//
// The name that a misspelt one was meant to be.
#ifndef TRF_NEAREST_H
#define TRF_NEAREST_H

#include <string_view>
#include <vector>

namespace trf {

// The closest of `candidates`, or an empty text where none is close enough to be meant. Capital
// and small letters are alike.
std::string_view findNearest(std::string_view name,
                             const std::vector<std::string_view> &candidates);

} // namespace trf

#endif // TRF_NEAREST_H
