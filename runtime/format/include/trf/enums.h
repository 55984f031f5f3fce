// SPDX-License-Identifier: Apache-2.0
//
// tables.def as C++: for each table an enumeration and an array of rows, the row of an
// enumerator by row(), its spelling by name(), and back by symbolize().
#ifndef TRF_ENUMS_H
#define TRF_ENUMS_H

#include "trf/tables.def"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace trf {

inline constexpr uint32_t kNone = 0xffffffffu; // TRF_NONE

// The rows of an enumeration, and what several of them are called in messages.
template <typename E> struct Table;

#define TRF_TABLE(Enum, rowsName, nounText)                                                        \
  template <> struct Table<Enum> {                                                                 \
    static constexpr const auto &rows = rowsName;                                                  \
    static constexpr const char *noun = nounText;                                                  \
  };                                                                                               \
  static_assert(detail::isDense(rowsName), "ids of " #rowsName " count from 0");

namespace detail {
template <typename Rows> constexpr bool isDense(const Rows &rows) {
  size_t next = 0;
  for (const auto &row : rows)
    if (static_cast<size_t>(row.value) != next++)
      return false;
  return true;
}
} // namespace detail

template <typename E> inline constexpr uint32_t kCount = std::size(Table<E>::rows);

template <typename E> constexpr const auto &row(E value) {
  return Table<E>::rows[static_cast<uint32_t>(value)];
}
template <typename E> constexpr std::string_view name(E value) { return row(value).name; }
template <typename E> constexpr std::optional<E> symbolize(std::string_view text) {
  for (const auto &candidate : Table<E>::rows)
    if (candidate.name == text)
      return candidate.value;
  return std::nullopt;
}

enum class DType : uint8_t {
#define X(id, value, name, bytes, suffix) value = id,
  TRF_DTYPES(X)
#undef X
};
struct DTypeRow {
  DType value;
  std::string_view name;
  uint32_t bytes;
  std::string_view suffix; // of the name of a region
};
inline constexpr DTypeRow kDTypes[] = {
#define X(id, value, name, bytes, suffix) {DType::value, name, bytes, suffix},
    TRF_DTYPES(X)
#undef X
};
TRF_TABLE(DType, kDTypes, "element types")
constexpr int64_t bytesOf(DType dtype) { return row(dtype).bytes; }

enum class Instance : uint8_t {
#define X(id, value, name, activation, parameter, statistic) value = id,
  TRF_INSTANCES(X)
#undef X
};
struct InstanceRow {
  Instance value;
  std::string_view name;
  DType activation, parameter, statistic;
};
inline constexpr InstanceRow kInstances[] = {
#define X(id, value, name, activation, parameter, statistic)                                       \
  {Instance::value, name, DType::activation, DType::parameter, DType::statistic},
    TRF_INSTANCES(X)
#undef X
};
TRF_TABLE(Instance, kInstances, "instances")

enum class Precision : uint8_t {
#define X(id, value, name, instance) value = id,
  TRF_PRECISIONS(X)
#undef X
};
struct PrecisionRow {
  Precision value;
  std::string_view name;
  std::string_view instance; // of the layers' kernel ops

  // None: no kernel exists in this precision.
  constexpr std::optional<Instance> findInstance() const { return symbolize<Instance>(instance); }
};
inline constexpr PrecisionRow kPrecisions[] = {
#define X(id, value, name, instance) {Precision::value, name, instance},
    TRF_PRECISIONS(X)
#undef X
};
TRF_TABLE(Precision, kPrecisions, "precisions")

// Tables of spellings alone.
#define TRF_ENUMERATOR(id, value, name) value = id,
#define TRF_NAME(id, value, name) name,
#define TRF_PLAIN_TABLE(Enum, TABLE, noun)                                                         \
  enum class Enum : uint8_t { TABLE(TRF_ENUMERATOR) };                                             \
  namespace detail {                                                                               \
  inline constexpr std::string_view k##Enum##Names[] = {TABLE(TRF_NAME)};                          \
  inline constexpr auto k##Enum##Rows = plainRows<Enum>(k##Enum##Names);                           \
  }                                                                                                \
  TRF_TABLE(Enum, detail::k##Enum##Rows, noun)

template <typename E> struct PlainRow {
  E value{};
  std::string_view name;
};

namespace detail {
template <typename E, size_t N>
constexpr std::array<PlainRow<E>, N> plainRows(const std::string_view (&names)[N]) {
  std::array<PlainRow<E>, N> rows{};
  for (size_t i = 0; i < N; ++i)
    rows[i] = {static_cast<E>(i), names[i]};
  return rows;
}
} // namespace detail

enum class Activation : uint8_t {
#define X(id, value, name, slopeFromOutput, parameter, fallback) value = id,
  TRF_ACTIVATIONS(X)
#undef X
};
struct ActivationRow {
  Activation value;
  std::string_view name;
  bool slopeFromOutput;
  std::string_view parameter; // empty: it has none
  float fallback;

  constexpr bool hasParameter() const { return !parameter.empty(); }
};
inline constexpr ActivationRow kActivations[] = {
#define X(id, value, name, slopeFromOutput, parameter, fallback)                                   \
  {Activation::value, name, slopeFromOutput, parameter, fallback},
    TRF_ACTIVATIONS(X)
#undef X
};
TRF_TABLE(Activation, kActivations, "activations")
inline constexpr float kMostActParameter = 1e6f;

// An activation with its parameter.
struct Act {
  Activation kind = Activation::None;
  float parameter = 0;

  constexpr Act() = default;
  constexpr Act(Activation which) : kind(which), parameter(row(which).fallback) {}
  constexpr Act(Activation which, float value) : kind(which), parameter(value) {}

  friend constexpr bool operator==(Act a, Act b) {
    return a.kind == b.kind && a.parameter == b.parameter;
  }
  friend constexpr bool operator!=(Act a, Act b) { return !(a == b); }

  // Whether the parameter is one that the activation may have.
  constexpr bool isValid() const {
    return row(kind).hasParameter() ? parameter >= 0 && parameter <= kMostActParameter
                                    : parameter == row(kind).fallback;
  }
};
// "relu", "leaky_relu(0.2)"; without the parameter where it is the row's own.
std::string name(Act act);
// And back: the shortest or any other spelling of the parameter.
std::optional<Act> symbolizeAct(std::string_view text);

TRF_PLAIN_TABLE(ConvAlgorithm, TRF_CONV_ALGORITHMS, "algorithms")
TRF_PLAIN_TABLE(Init, TRF_INITS, "rules")
TRF_PLAIN_TABLE(ParamLayout, TRF_PARAM_LAYOUTS, "layouts")
TRF_PLAIN_TABLE(TensorLayout, TRF_TENSOR_LAYOUTS, "layouts")

enum class Optimizer : uint8_t {
#define X(id, value, name, secondMoment) value = id,
  TRF_OPTIMIZERS(X)
#undef X
};
struct OptimizerRow {
  Optimizer value;
  std::string_view name;
  bool secondMoment; // keeps one beside the first
};
inline constexpr OptimizerRow kOptimizers[] = {
#define X(id, value, name, secondMoment) {Optimizer::value, name, secondMoment},
    TRF_OPTIMIZERS(X)
#undef X
};
TRF_TABLE(Optimizer, kOptimizers, "optimizers")

enum class DeviceKind : uint8_t {
#define X(id, value, name, noun) value = id,
  TRF_DEVICES(X)
#undef X
};
struct DeviceKindRow {
  DeviceKind value;
  std::string_view name;
  std::string_view noun; // "this CPU has ..."
};
inline constexpr DeviceKindRow kDeviceKinds[] = {
#define X(id, value, name, noun) {DeviceKind::value, name, noun},
    TRF_DEVICES(X)
#undef X
};
TRF_TABLE(DeviceKind, kDeviceKinds, "kinds of devices")

enum class Target : uint8_t {
#define X(id, value, device, name, rank) value = id,
  TRF_TARGETS(X)
#undef X
};
struct TargetRow {
  Target value;
  DeviceKind device;
  std::string_view name; // of the feature
  int rank;
};
inline constexpr TargetRow kTargets[] = {
#define X(id, value, device, name, rank) {Target::value, DeviceKind::device, name, rank},
    TRF_TARGETS(X)
#undef X
};
TRF_TABLE(Target, kTargets, "targets")
// Whether a device that has one target runs plans that are made for the other.
constexpr bool covers(Target has, Target needs) {
  return row(has).device == row(needs).device && row(has).rank >= row(needs).rank;
}
struct CpuFeatureRow {
  Target target;
  std::string_view name;
};
inline constexpr CpuFeatureRow kCpuFeatures[] = {
#define X(target, name) {Target::target, name},
    TRF_CPU_FEATURES(X)
#undef X
};
// "cpu:x86-64-v3"; without a device one of cpu is meant, without a feature "any".
std::string targetName(Target target);
std::optional<Target> symbolizeTarget(std::string_view text);

// ---- what a step is made of

enum class Half : uint8_t { Both, A, B };
enum class StepKind : uint8_t { Train, Validate, Infer };

enum class Schedule : uint8_t {
#define X(id, value, name, step, half) value = id,
  TRF_SCHEDULES(X)
#undef X
};
struct ScheduleRow {
  Schedule value;
  std::string_view name;
  StepKind step;
  Half half;
};
inline constexpr ScheduleRow kSchedules[] = {
#define X(id, value, name, step, half) {Schedule::value, name, StepKind::step, Half::half},
    TRF_SCHEDULES(X)
#undef X
};
TRF_TABLE(Schedule, kSchedules, "schedules")
constexpr Schedule scheduleOf(StepKind step, Half half) {
  for (const ScheduleRow &candidate : kSchedules)
    if (candidate.step == step && candidate.half == half)
      return candidate.value;
  return Schedule{}; // not reached: every kind of step has both
}

// In which kind of variants a subgraph runs.
enum class RunsIn : uint8_t { Train, Validate, Always, Between };
// Positions in the order of a step; 0: not there.
struct Places {
  constexpr Places(int train, int validate, int infer) : at{train, validate, infer} {}
  constexpr int operator[](StepKind step) const { return at[static_cast<int>(step)]; }
  int at[3];
};

enum class Subgraph : uint8_t {
#define X(id, value, name, half, runsIn, places, reason) value = id,
  TRF_SUBGRAPHS(X)
#undef X
};
struct SubgraphRow {
  Subgraph value;
  std::string_view name;
  Half half;
  RunsIn runsIn;
  Places places;
  std::string_view reason; // why it may be empty

  constexpr bool isRunBy(bool trainingVariant) const {
    return runsIn == RunsIn::Always || runsIn == RunsIn::Between ||
           (runsIn == RunsIn::Train) == trainingVariant;
  }
};
inline constexpr SubgraphRow kSubgraphs[] = {
#define X(id, value, name, half, runsIn, places, reason)                                           \
  {Subgraph::value, name, Half::half, RunsIn::runsIn, Places places, reason},
    TRF_SUBGRAPHS(X)
#undef X
};
TRF_TABLE(Subgraph, kSubgraphs, "subgraphs")

enum class StandardVariant : uint8_t {
#define X(id, value, name, trains, lastBatch, lowResolution) value = id,
  TRF_VARIANTS(X)
#undef X
};
struct StandardVariantRow {
  StandardVariant value;
  std::string_view name;
  bool trains;
  bool lastBatch;     // of an epoch: what whole batches leave over
  bool lowResolution; // of the first epochs
};
inline constexpr StandardVariantRow kStandardVariants[] = {
#define X(id, value, name, trains, lastBatch, lowResolution)                                       \
  {StandardVariant::value, name, trains, lastBatch, lowResolution},
    TRF_VARIANTS(X)
#undef X
};
TRF_TABLE(StandardVariant, kStandardVariants, "variants")

#undef TRF_TABLE
#undef TRF_PLAIN_TABLE
#undef TRF_ENUMERATOR
#undef TRF_NAME

} // namespace trf

#endif // TRF_ENUMS_H
