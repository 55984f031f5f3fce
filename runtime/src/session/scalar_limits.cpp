// SPDX-License-Identifier: Apache-2.0
//
// One row for each scalar that has limits.
#include "session/scalar_limits.h"

#include "trf/regions.h"
#include "trs/number.h"

#include <limits>

namespace trrt {

using namespace trf;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Not below 0 and below `end`; 0 itself where `zero`.
struct Limits {
  SharedTensor tensor;
  float end;
  bool zero;
};

constexpr Limits kLimits[] = {
    {SharedTensor::Lr, kInfinity, true},
    {SharedTensor::Momentum, 1, true},
    {SharedTensor::WeightDecay, kInfinity, true},
    {SharedTensor::BiasWeightDecay, kInfinity, true},
    {SharedTensor::Beta1, 1, true},
    {SharedTensor::Beta2, 1, true},
    {SharedTensor::AdamEps, kInfinity, false},
    {SharedTensor::LabelSmoothing, 1, true},
};

const Limits *findLimits(SharedTensor scalar) {
  for (const Limits &limits : kLimits)
    if (limits.tensor == scalar)
      return &limits;
  return nullptr;
}

const Limits *findLimits(std::string_view scalar) {
  for (const Limits &limits : kLimits)
    if (name(limits.tensor) == scalar)
      return &limits;
  return nullptr;
}

std::string expectedText(const Limits *limits) {
  if (!limits)
    return "a finite number";
  if (limits->end != kInfinity)
    return "a number in [0, 1)";
  return limits->zero ? "a number not below 0" : "a number above 0";
}

bool isInside(const Limits *limits, double value) {
  return !limits ||
         (value < static_cast<double>(limits->end) && (value > 0 || (limits->zero && value == 0)));
}

} // namespace

bool isSettable(SharedTensor scalar) { return findLimits(scalar) != nullptr; }

std::optional<ScalarFault> checkScalar(std::string_view scalar, double value, float &narrowed) {
  const Limits *limits = findLimits(scalar);
  float inFp32 = 0;
  std::string reason = trs::narrow(value, inFp32);
  if (reason.empty() && isInside(limits, static_cast<double>(inFp32))) {
    narrowed = inFp32;
    return std::nullopt;
  }
  // Outside in FP32 only.
  if (reason.empty() && isInside(limits, value))
    reason = "it is 1 in FP32";
  return ScalarFault{expectedText(limits), reason};
}

} // namespace trrt
