// SPDX-License-Identifier: Apache-2.0
//
// A plan made runnable on a device. A session is used by one thread at a time; only the
// input halves may be filled by another one meanwhile.
#ifndef TRRT_SESSION_SESSION_H
#define TRRT_SESSION_SESSION_H

#include "session/bound_plan.h"
#include "session/input_half.h"
#include "session/named_tensors.h"
#include "session/parameter_store.h"
#include "session/poison.h"

#include <memory>

namespace trrt {

// Poison: steps run node by node and fill memory that holds nothing with NaN.
enum class Debug { None, Poison };

// One line on standard error.
void warnOnStderr(const std::string &text);

struct SessionOptions {
  Debug debug = Debug::None;
  WarningSink warn = warnOnStderr;
};

class Session {
public:
  // Throws Error where the plan lacks something that a session needs or the device cannot
  // run it.
  Session(std::shared_ptr<const trf::Plan> plan, std::unique_ptr<Device> device,
          const SessionOptions &options = {});

  const trf::Plan &plan() const { return *sharedPlan; }
  const Device &device() const { return *ownedDevice; }

  // Position of a variant; throws with the known names.
  uint32_t variant(const std::string &name) const;
  uint32_t variant(trf::StandardVariant variant) const {
    return this->variant(std::string(name(variant)));
  }

  // ---- steps
  const InputHalf &input(trf::Half half) const { return halves[half]; }
  void trainStep(uint32_t variant, trf::Half half) { run(trf::StepKind::Train, variant, half); }
  void evalStep(uint32_t variant, trf::Half half) { run(trf::StepKind::Validate, variant, half); }
  void inferStep(uint32_t variant, trf::Half half) { run(trf::StepKind::Infer, variant, half); }
  bool canRun(uint32_t variant, trf::Schedule schedule) const;
  // Throws where the variant has no such step.
  void requireStep(uint32_t variant, trf::StepKind step, trf::Half half) const {
    captureOf(variant, trf::scheduleOf(step, half));
  }
  // A step with a clock around every node of its schedule; for benchmarks.
  void observeStep(uint32_t variant, trf::Schedule schedule, CallObserver &observer);
  // The implementation of each node of the variant's schedule, empty where an op has one.
  std::vector<std::string> implementations(uint32_t variant, trf::Schedule schedule) const;
  // Folds the running statistics and the BN parameters into inference scales;
  // needed after training steps or loaded weights, before evaluation.
  void foldBn() { runBetween(trf::Subgraph::UpdateBnInfParams); }
  void clearMetrics() { runBetween(trf::Subgraph::ClearMetrics); }

  // ---- what is on the device
  NamedTensors &tensors() { return namedTensors; }
  const NamedTensors &tensors() const { return namedTensors; }
  // The content of a tensor, as it lies on the device.
  void upload(uint32_t tensor, const void *bytes, uint64_t size) {
    ownedDevice->upload(sharedPlan->tensors[tensor].offset, bytes, size);
  }
  ParameterStore &parameters() { return parameterStore; }
  const ParameterStore &parameters() const { return parameterStore; }

private:
  void make(const SessionOptions &options);
  void makePoisoned();
  void run(trf::StepKind step, uint32_t variant, trf::Half half);
  void runBetween(trf::Subgraph subgraph);
  const BoundPlan::Captured &captureOf(uint32_t variant, trf::Schedule schedule) const;

  std::shared_ptr<const trf::Plan> sharedPlan;
  std::unique_ptr<Device> ownedDevice;
  InputHalves halves;
  BoundPlan bound;
  NamedTensors namedTensors;
  ParameterStore parameterStore;
  std::map<CaptureId, PoisonedSteps> poisoned; // by the capture of the schedule; for debugging
};

} // namespace trrt

#endif // TRRT_SESSION_SESSION_H
