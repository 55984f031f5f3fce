// SPDX-License-Identifier: Apache-2.0
//
// A plan made runnable: its arena, every kernel call bound to addresses in it, and
// one captured call list per (variant, schedule). A session is used by one thread
// at a time; only the input halves may be filled by another one meanwhile.
#ifndef TRRT_SESSION_SESSION_H
#define TRRT_SESSION_SESSION_H

#include "backend/backend.h"
#include "plan/plan.h"
#include "session/poison.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace trrt {

// The host side of an input half: what the next step on this half will read.
// Rows are images in H, W, C order; `valid` counts the samples that are real.
struct InputHalf {
  float *images = nullptr;
  int32_t *labels = nullptr;
  int32_t *valid = nullptr;
};

// Poison: steps run node by node and fill memory that holds nothing with NaN.
enum class Debug { None, Poison };

class Session {
public:
  // Throws Error where the plan lacks something that a session needs or the backend
  // has no kernel for one of its ops.
  Session(std::shared_ptr<const Plan> plan, std::unique_ptr<Backend> backend,
          Debug debug = Debug::None);

  const Plan &plan() const { return *thePlan; }
  const Backend &backend() const { return *device; }

  // Position of a variant; throws with the known names.
  uint32_t variant(const std::string &name) const;

  // ---- steps. `half` is 0 (A) or 1 (B).
  const InputHalf &input(int half) const { return halves[half]; }
  void trainStep(uint32_t variant, int half);
  void evalStep(uint32_t variant, int half);
  void inferStep(uint32_t variant, int half);
  bool canRun(uint32_t variant, ScheduleKind kind) const;
  // A step with a clock around every node of its schedule; for benchmarks.
  void observeStep(uint32_t variant, ScheduleKind kind, CallObserver &observer);
  // The implementation behind each node of the variant's schedule, empty where an op has one.
  std::vector<std::string> implementations(uint32_t variant, ScheduleKind kind) const;
  // Folds the running statistics and the BN parameters into inference scales;
  // needed after training steps or loaded weights, before evaluation.
  void foldBn();
  void clearMetrics();

  // ---- scalars on the device, by name ("lr"). The id stays valid.
  bool hasTensor(const std::string &name) const;
  uint32_t scalarId(const std::string &name) const;
  void setScalar(uint32_t id, double value);
  void setScalar(const std::string &name, double value) { setScalar(scalarId(name), value); }
  double scalar(const std::string &name) const;
  // The key of dropout; nothing happens where the plan has none.
  void setSeed(uint64_t seed);

  // ---- tensors by name, with the extents that they have in a variant. Activations and
  // gradients of layers can be read in plans that reuse no memory only.
  const Dims &dims(const std::string &name, uint32_t variant) const;
  std::vector<float> readF32(const std::string &name, uint32_t variant) const;
  std::vector<int32_t> readI32(const std::string &name, uint32_t variant) const;

  // ---- parameters and running statistics by position, in the layouts of files.
  void initParameters(uint64_t seed);
  std::vector<float> readParam(uint32_t index) const;
  std::vector<float> readGrad(uint32_t index) const; // empty: it has none
  void writeParam(uint32_t index, const std::vector<float> &values);

private:
  static constexpr size_t kScheduleKinds = 6;
  static constexpr CaptureId kNoCapture = kNone;
  // The bound calls of the subgraphs that share one capture number.
  struct BoundSubgraph {
    uint32_t firstOp = 0;
    std::vector<CallId> calls;
  };

  void checkPlan() const;
  void checkIsa() const;
  void noteSlow(const Op &op, CallId call);
  void checkKernels() const;
  uint64_t halfBytes(int half) const;
  void makeHalf(int half);
  void bindSubgraphs();
  void captureSchedules();
  void captureSubgraph(Subgraph subgraph, std::vector<CaptureId> &perVariant);
  CaptureId captureOnce(const std::vector<CallId> &calls);
  CaptureId captureSchedule(uint32_t variant, const Schedule &schedule);
  CallSpec resolve(const Op &op, uint32_t variant) const;
  trk::Tensor rangeTensor(const Range &range) const;
  const void *stagingOf(const Range &range) const;
  CaptureId captureOf(uint32_t variant, ScheduleKind kind) const;
  void run(uint32_t variant, ScheduleKind kind, int half);
  void runOnce(const std::vector<CaptureId> &perVariant);
  uint32_t tensorId(const std::string &name) const;
  uint32_t readableId(const std::string &name, uint32_t variant) const;
  std::vector<float> readLayout(const Param &param, uint32_t tensor) const;
  uint8_t *address(uint32_t tensor) const { return arena + thePlan->tensors[tensor].offset; }

  std::shared_ptr<const Plan> thePlan;
  std::unique_ptr<Backend> device;
  uint8_t *arena = nullptr;
  std::array<uint8_t *, 2> staging = {};
  std::array<InputHalf, 2> halves;
  std::set<uint32_t> slowLayers;           // that a warning was printed for
  std::map<uint32_t, BoundSubgraph> bound; // by capture number
  std::map<std::vector<CallId>, CaptureId> captured;
  std::vector<std::array<CaptureId, kScheduleKinds>> schedules; // [variant][kind]
  std::vector<CaptureId> foldCaptures, clearCaptures;           // [variant]
  Debug debug;
  std::map<CaptureId, PoisonedSteps> poisoned; // by the capture of the schedule
};

} // namespace trrt

#endif // TRRT_SESSION_SESSION_H
