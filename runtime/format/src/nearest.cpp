// SPDX-License-Identifier: Apache-2.0
//
// Names by their distance (Damerau 1964): insertions, deletions, substitutions and swaps of
// neighbours count one each.
#include "trf/nearest.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace trf {
namespace {

constexpr size_t kLongest = 256; // the distance takes time with the product of the lengths

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

size_t distanceOf(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const size_t substituted = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({substituted, d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

} // namespace

std::string_view findNearest(std::string_view name,
                             const std::vector<std::string_view> &candidates) {
  std::string_view best;
  if (name.size() > kLongest)
    return best;
  const std::string wanted = lower(name);
  const size_t most = name.size() / 3 + 1;
  // Among equally distant names the one of equal length comes first: a wrong letter is likelier
  // than a missing one.
  size_t bestScore = 2 * most + 2;
  for (std::string_view candidate : candidates) {
    if (candidate.size() > kLongest)
      continue;
    const std::string text = lower(candidate);
    // A candidate that begins like this is near, however long the rest is.
    const bool begins = name.size() >= 3 && text.compare(0, wanted.size(), wanted) == 0;
    const size_t distance =
        begins ? std::min<size_t>(1, distanceOf(wanted, text)) : distanceOf(wanted, text);
    const size_t score = 2 * distance + (candidate.size() != name.size());
    // A candidate that shares no letter with the name was not meant.
    if (distance <= most && distance < candidate.size() && score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

} // namespace trf
