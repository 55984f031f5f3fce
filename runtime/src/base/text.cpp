// SPDX-License-Identifier: Apache-2.0
//
// Text helpers of error messages.
#include "base/text.h"

#include "trf/nearest.h"

#include <cmath>
#include <cstdio>

namespace trrt {

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + "]";
}

std::string shortNumber(double value) {
  if (std::isnan(value))
    return "nan"; // whatever its sign
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
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
