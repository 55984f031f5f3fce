// SPDX-License-Identifier: Apache-2.0
//
// Text helpers of error messages.
#include "base/text.h"

#include <algorithm>

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

static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearest(const std::string &name, const std::vector<std::string> &candidates) {
  constexpr size_t kLongest = 256;
  std::string best;
  size_t bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  if (name.size() > kLongest)
    return best;
  for (const std::string &candidate : candidates) {
    if (candidate.size() > kLongest)
      continue;
    const size_t distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates) {
  const std::string candidate = nearest(name, candidates);
  return candidate.empty() ? "" : "; did you mean '" + printable(candidate) + "'?";
}

} // namespace trrt
