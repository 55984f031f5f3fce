// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules, as a factor of the base rate per step.
#ifndef TRRT_TRAIN_LR_SCHEDULE_H
#define TRRT_TRAIN_LR_SCHEDULE_H

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace trrt {

// Formulas are those of torch.optim.lr_scheduler; docs/runtime.md lists them.
struct LrSchedule {
  enum class Kind {
    Constant,
    Step,
    MultiStep,
    Exponential,
    Cosine,
    OneCycle,
    Polynomial,
    Plateau
  } kind = Kind::Constant;
  double warmupEpochs = 0;
  double gamma = 0.1;        // Step, MultiStep, Plateau: at each fall; Exponential: each epoch
  double every = 0;          // Step, in epochs
  std::vector<double> at;    // MultiStep, in epochs, rising
  double least = 0;          // Cosine, Polynomial: where they end
  double power = 1;          // Polynomial
  double start = 1.0 / 25;   // OneCycle: at the first step
  double end = 1.0 / 250000; // OneCycle: at the last
  double peak = 0.3;         // OneCycle: the part of all steps that rises
  double patience = 10;      // Plateau: epochs without a better loss before a fall
  double threshold = 1e-4;   // Plateau: the part by which a loss must be lower to be better

  // Step 0 is the first. The factor rises linearly over the warm-up and reaches 1
  // in its last step. Epochs count from the beginning. A plateau's falls are not in it.
  double factor(int64_t step, int64_t stepsPerEpoch, int64_t totalSteps) const;
};

// The factor that a plateau has come to.
class Plateau {
public:
  explicit Plateau(LrSchedule given) : schedule(std::move(given)) {}

  // Of the validation after an epoch; NaN is no better loss.
  void see(double loss);
  double factor() const { return state.factor; }

  struct State {
    double factor = 1, best = std::numeric_limits<double>::infinity();
    int64_t bad = 0;
  };
  State state;

private:
  LrSchedule schedule;
};

// Whether a run should end: `patience` epochs in a row had no lower loss than the best.
class EarlyStop {
public:
  explicit EarlyStop(int64_t patience) : patience(patience) {} // 0: never

  bool see(double loss);

  struct State {
    double best = std::numeric_limits<double>::infinity();
    int64_t bad = 0;
  };
  State state;

private:
  int64_t patience;
};

// "cosine", "step:every=30,gamma=0.1", "multistep:at=30/60", ... each with "warmup=N" (N in epochs,
// 0 or more). Returns false and what was expected in `error`.
bool parseLrSchedule(const std::string &text, LrSchedule &schedule, std::string &error);

// "constant, step:every=E[,gamma=G], ..." for help texts.
std::string lrScheduleForms();

} // namespace trrt

#endif // TRRT_TRAIN_LR_SCHEDULE_H
