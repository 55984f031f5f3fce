// SPDX-License-Identifier: Apache-2.0
//
// Small text helpers of error messages.
#ifndef TRRT_BASE_TEXT_H
#define TRRT_BASE_TEXT_H

#include "trs/text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

using trs::printable;

// "[3, 5, 5]"
std::string shapeText(const std::vector<int64_t> &shape);

// "0.001", "1e+39", "nan"
std::string shortNumber(double value);

std::string joined(const std::vector<std::string> &texts, const char *between);

// "; did you mean 'x'?" or nothing where no candidate is near.
std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates);

} // namespace trrt

#endif // TRRT_BASE_TEXT_H
