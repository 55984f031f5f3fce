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

std::string joined(const std::vector<std::string> &texts, const char *between) {
  std::string out;
  for (size_t i = 0; i < texts.size(); ++i)
    out += (i ? between : "") + texts[i];
  return out;
}

// Insertions, deletions, substitutions and swaps of neighbours count one each.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const size_t substitute = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({substitute, d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
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
    // The beginning of a candidate is near, however long the rest.
    const bool begins = name.size() >= 3 && candidate.compare(0, name.size(), name) == 0;
    const size_t distance = begins ? 1 : editDistance(name, candidate);
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
