// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules.
#include "train/lr_schedule.h"

#include "base/text.h"
#include "trs/number.h"

#include <cmath>

namespace trrt {

double LrSchedule::factor(int64_t step, int64_t stepsPerEpoch, int64_t totalSteps) const {
  constexpr double kPi = 3.141592653589793;
  const int64_t warmup =
      static_cast<int64_t>(std::llround(warmupEpochs * static_cast<double>(stepsPerEpoch)));
  if (step < warmup)
    return static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (kind == Kind::Constant)
    return 1.0;
  if (step >= totalSteps)
    return 0.0;
  const double progress =
      static_cast<double>(step - warmup) / static_cast<double>(totalSteps - warmup);
  return 0.5 * (1.0 + std::cos(kPi * progress));
}

bool parseLrSchedule(const std::string &text, LrSchedule &schedule, std::string &error) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  schedule = {};
  if (name == "cosine")
    schedule.kind = LrSchedule::Kind::Cosine;
  else if (name != "constant") {
    error = "expected constant or cosine[:warmup=N], but got '" + printable(text) + "'" +
            didYouMean(name, {"constant", "cosine"});
    return false;
  }
  if (colon == std::string::npos)
    return true;
  const std::string option = text.substr(colon + 1), key = "warmup=";
  if (option.compare(0, key.size(), key) != 0 ||
      !trs::parseReal(std::string_view(option).substr(key.size()), schedule.warmupEpochs).empty() ||
      schedule.warmupEpochs < 0 || schedule.warmupEpochs > 1e6) {
    error = "expected warmup=N with N >= 0 epochs after ':', but got '" + printable(option) + "'";
    return false;
  }
  return true;
}

} // namespace trrt
