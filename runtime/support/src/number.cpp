// SPDX-License-Identifier: Apache-2.0
//
// std::from_chars knows neither locale, nor white space, nor a base that hides in the text.
#include "trs/number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace trs {

static bool isHexadecimal(std::string_view text) {
  const size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > sign + 1 && text[sign] == '0' &&
         (text[sign + 1] == 'x' || text[sign + 1] == 'X');
}

template <typename T>
static std::string parse(std::string_view text, T &value, const char *kind, const char *beyond) {
  T parsed{};
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (isHexadecimal(text))
    return "it is hexadecimal, and numbers are decimal";
  if (text.empty() || error == std::errc::invalid_argument || stop != end)
    return kind;
  if (error != std::errc())
    return beyond;
  value = parsed;
  return "";
}

std::string parseInteger(std::string_view text, int64_t &value) {
  return parse(text, value, "it is no integer", "it has more than 64 bits");
}

std::string parseUnsigned(std::string_view text, uint64_t &value) {
  return parse(text, value, "it is no integer without a sign", "it has more than 64 bits");
}

std::string parseReal(std::string_view text, double &value) {
  double parsed = 0;
  std::string reason = parse(text, parsed, "it is no number", "it is beyond what FP64 holds");
  if (reason.empty() && !std::isfinite(parsed))
    reason = "it is not finite";
  if (reason.empty())
    value = parsed;
  return reason;
}

std::string narrow(double value, float &narrowed) {
  const float inFp32 = static_cast<float>(value);
  if (std::isnan(value))
    return "it is not a number";
  if (std::isinf(inFp32))
    return std::isinf(value) ? "it is infinite" : "it is infinite in FP32";
  if (value != 0 && std::fabs(inFp32) < std::numeric_limits<float>::min())
    return "it is 0 in FP32";
  narrowed = inFp32;
  return "";
}

} // namespace trs
