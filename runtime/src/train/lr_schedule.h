// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules, as a factor of the base rate per step.
#ifndef TRRT_TRAIN_LR_SCHEDULE_H
#define TRRT_TRAIN_LR_SCHEDULE_H

#include <cstdint>
#include <string>

namespace trrt {

struct LrSchedule {
  enum class Kind { Constant, Cosine } kind = Kind::Constant;
  double warmupEpochs = 0;

  // Step 0 is the first. The factor rises linearly over the warm-up and reaches 1
  // in its last step; the cosine starts at 1 there and is 0 at `totalSteps`.
  double factor(int64_t step, int64_t stepsPerEpoch, int64_t totalSteps) const;
};

// "constant", "cosine", each with ":warmup=N" (N in epochs, 0 or more). Returns
// false and what was expected in `error`.
bool parseLrSchedule(const std::string &text, LrSchedule &schedule, std::string &error);

} // namespace trrt

#endif // TRRT_TRAIN_LR_SCHEDULE_H
