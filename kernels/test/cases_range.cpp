// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the ops on whole regions and on scalars.
#include "conformance.h"

#include <limits>

namespace trk::test {
namespace {

std::string nameOf(int64_t count, int32_t nonfinite) {
  return std::to_string(count) + " nonfinite " + std::to_string(nonfinite);
}

void addClears(Cases &cases, int64_t count) {
  namespace op = ops::range_clear;
  Dims dims = {1, 1, 1, count};
  add(cases, std::to_string(count), {op::kOpcode, {{op::dst, Host::f32(dims)}}});
  add(cases, "u8 " + std::to_string(count), {op::kOpcode, {{op::dst, Host(DType::U8, dims)}}});
}

void addCommits(Cases &cases, int64_t count, Data &data) {
  namespace op = ops::range_commit;
  Dims dims = {1, 1, 1, count};
  for (int32_t skip : {0, 1})
    add(cases, nameOf(count, skip),
        {op::kOpcode,
         {{op::src, data.values(dims)},
          {op::nonfinite, Host::scalarInt(skip)},
          {op::dst, data.values(dims)}}});
}

void addChecks(Cases &cases, int64_t count, Data &data) {
  namespace op = ops::range_check_finite;
  Dims dims = {1, 1, 1, count};
  const float infinity = std::numeric_limits<float>::infinity();
  auto addCheck = [&](const Host &grads, const std::string &what) {
    add(cases, std::to_string(count) + " " + what, {op::kOpcode, {{op::grads, grads}}});
  };
  addCheck(data.values(dims), "finite");
  for (int64_t place : {int64_t(0), count / 2, count - 1})
    for (float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                      std::numeric_limits<float>::max(), 1e-45f}) {
      Host grads = data.values(dims);
      grads.f()[place] = bad;
      addCheck(grads, std::to_string(bad) + " at " + std::to_string(place));
    }
}

void addSgd(Cases &cases, int64_t count, int32_t skip, Data &data) {
  namespace op = ops::range_sgd;
  Dims dims = {1, 1, 1, count};
  add(cases, nameOf(count, skip),
      {op::kOpcode,
       {{op::w, data.values(dims)},
        {op::g, data.values(dims)},
        {op::m, data.values(dims)},
        {op::lr, Host::scalar(0.1f)},
        {op::momentum, Host::scalar(0.9f)},
        {op::weight_decay, Host::scalar(count % 2 ? 1e-2f : 0.0f)},
        {op::nonfinite, Host::scalarInt(skip)}}});
}

void addAdamW(Cases &cases, int64_t count, int32_t skip, Data &data) {
  namespace op = ops::range_adamw;
  Dims dims = {1, 1, 1, count};
  Host v = data.values(dims, 0, 2);
  v.f()[0] = 0;
  add(cases, nameOf(count, skip),
      {op::kOpcode,
       {{op::w, data.values(dims)},
        {op::g, data.values(dims)},
        {op::m, data.values(dims)},
        {op::v, v},
        {op::lr, Host::scalar(0.01f)},
        {op::beta1, Host::scalar(0.9f)},
        {op::beta2, Host::scalar(0.999f)},
        {op::eps, Host::scalar(1e-3f)},
        {op::weight_decay, Host::scalar(count % 2 ? 1e-2f : 0.0f)},
        {op::bias_correction1, Host::scalar(0.19f)},
        {op::bias_correction2, Host::scalar(0.001999f)},
        {op::nonfinite, Host::scalarInt(skip)}}});
}

void addAdamSteps(Cases &cases) {
  namespace op = ops::adam_step;
  for (int32_t step : {0, 1, 2, 10, 1000, 100000})
    for (int32_t skip : {0, 1})
      add(cases, nameOf(step, skip),
          {op::kOpcode,
           {{op::adam_step, Host::scalarInt(step)},
            {op::beta1, Host::scalar(0.9f)},
            {op::beta2, Host::scalar(0.999f)},
            {op::nonfinite, Host::scalarInt(skip)}}});
}

void addCounters(Cases &cases) {
  namespace op = ops::counter_add;
  for (int amount : {1, 5, -3})
    add(cases, "", {op::kOpcode, {{op::counter, Host::scalarInt(41)}}, op::Attrs{amount}});
}

void addMetrics(Cases &cases) {
  namespace op = ops::accum_metrics;
  for (int32_t valid : {0, 1, 64})
    add(cases, std::to_string(valid),
        {op::kOpcode,
         {{op::loss, Host::scalar(0.75f)},
          {op::top1, Host::scalar(3)},
          {op::top5, Host::scalar(7)},
          {op::valid, Host::scalarInt(valid)},
          {op::accum_loss, Host::scalar(10.5f)},
          {op::accum_top1, Host::scalar(20)},
          {op::accum_top5, Host::scalar(30)}}});
}

} // namespace

void addRangeCases(Cases &cases) {
  Data data(16);
  for (int64_t count : {1, 7, 64, 1023, 4096, 20001}) {
    addClears(cases, count);
    addCommits(cases, count, data);
    addChecks(cases, count, data);
    for (int32_t skip : {0, 1}) {
      addSgd(cases, count, skip, data);
      addAdamW(cases, count, skip, data);
    }
  }
  addAdamSteps(cases);
  addCounters(cases);
  addMetrics(cases);
}

} // namespace trk::test
