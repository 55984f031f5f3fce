// SPDX-License-Identifier: Apache-2.0
//
// Small text helpers of error messages.
#ifndef TRRT_BASE_TEXT_H
#define TRRT_BASE_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

// `text` with control characters as \xNN and cut to a line's length: names come
// from files that we did not write.
std::string printable(const std::string &text);

// "[3, 5, 5]"
std::string shapeText(const std::vector<int64_t> &shape);

std::string joined(const std::vector<std::string> &texts, const char *between);

// "; did you mean 'x'?" or nothing where no candidate is near.
std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates);

} // namespace trrt

#endif // TRRT_BASE_TEXT_H
