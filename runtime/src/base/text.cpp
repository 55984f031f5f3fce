// SPDX-License-Identifier: Apache-2.0
//
// Text helpers of error messages.
#include "base/text.h"

#include "trf/nearest.h"

namespace trrt {

std::string printable(const std::string &text) {
  static const char *const kHex = "0123456789abcdef";
  constexpr size_t kLongest = 120;
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() < kLongest; ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) {
      out += "\\x";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += text[i];
    }
  }
  if (out.size() >= kLongest) {
    // Never end inside a UTF-8 character.
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80)
      out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xc0)
      out.pop_back();
    out += "...";
  }
  return out;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + "]";
}

std::string joined(const std::vector<std::string> &texts, const char *between) {
  std::string out;
  for (size_t i = 0; i < texts.size(); ++i)
    out += (i ? between : "") + texts[i];
  return out;
}

std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates) {
  const std::string candidate(trf::findNearest(name, {candidates.begin(), candidates.end()}));
  return candidate.empty() ? "" : "; did you mean '" + printable(candidate) + "'?";
}

} // namespace trrt
