// SPDX-License-Identifier: Apache-2.0
//
// Numbers of command lines: decimal, and checked in the type in which they are used.
#ifndef TRS_NUMBER_H
#define TRS_NUMBER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace trs {

// Whole texts only: digits in base ten with an optional '-' in front, zeros before them do not
// count ("010" is 10). Each returns an empty text, or why `text` is no such number ("it is
// hexadecimal"); `value` is then untouched.
std::string parseInteger(std::string_view text, int64_t &value);
std::string parseUnsigned(std::string_view text, uint64_t &value);
// Finite, with or without a point and an exponent.
std::string parseReal(std::string_view text, double &value);

// `value` in FP32, as kernels see it: finite, and 0 only for 0, as they take denormals for 0. The
// reason reads "it is infinite in FP32".
std::string narrow(double value, float &narrowed);

} // namespace trs

#endif // TRS_NUMBER_H
