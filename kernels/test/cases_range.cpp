// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the ops on whole regions and on scalars.
#include "conformance.h"

#include <cstring>
#include <limits>

namespace trk::test {
namespace {

std::vector<uint8_t> bytesOf(const Host &h) { return h.bytes; }

void addPlain(Cases &cases, int64_t count, Data &data) {
  Dims dims = {1, 1, 1, count};
  std::string name = std::to_string(count);
  cases.push_back(
      {Opcode::range_h2d, "range_h2d " + name, {Host::f32(dims)}, {}, bytesOf(data.values(dims))});
  cases.push_back({Opcode::range_h2d,
                   "range_h2d i32 " + name,
                   {Host(DType::I32, dims)},
                   {},
                   bytesOf(data.ints(dims, -5, 5))});
  cases.push_back({Opcode::range_clear, "range_clear " + name, {Host::f32(dims)}, {}, {}});
  cases.push_back({Opcode::range_clear, "range_clear u8 " + name, {Host(DType::U8, dims)}, {}, {}});
  for (int32_t skip : {0, 1})
    cases.push_back({Opcode::range_commit,
                     "range_commit " + name + " nonfinite " + std::to_string(skip),
                     {data.values(dims), Host::scalarInt(skip), data.values(dims)},
                     {},
                     {}});
}

void addChecks(Cases &cases, int64_t count, Data &data) {
  Dims dims = {1, 1, 1, count};
  const float infinity = std::numeric_limits<float>::infinity();
  Host flag(DType::I32, {1, 1, 1, 1});
  auto add = [&](const Host &grads, const std::string &what) {
    cases.push_back({Opcode::range_check_finite,
                     "range_check_finite " + std::to_string(count) + " " + what,
                     {grads, flag},
                     {},
                     {}});
  };
  add(data.values(dims), "finite");
  for (int64_t place : {int64_t(0), count / 2, count - 1})
    for (float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                      std::numeric_limits<float>::max(), 1e-45f}) {
      Host grads = data.values(dims);
      grads.f()[place] = bad;
      add(grads, std::to_string(bad) + " at " + std::to_string(place));
    }
}

void addOptimizers(Cases &cases, int64_t count, int32_t skip, Data &data) {
  Dims dims = {1, 1, 1, count};
  std::string name = std::to_string(count) + " nonfinite " + std::to_string(skip);
  Host flag = Host::scalarInt(skip);
  cases.push_back({Opcode::range_sgd,
                   "range_sgd " + name,
                   {data.values(dims), data.values(dims), data.values(dims), Host::scalar(0.1f),
                    Host::scalar(0.9f), Host::scalar(count % 2 ? 1e-2f : 0.0f), flag},
                   {},
                   {}});
  Host v = data.values(dims, 0, 2);
  v.f()[0] = 0;
  cases.push_back(
      {Opcode::range_adamw,
       "range_adamw " + name,
       {data.values(dims), data.values(dims), data.values(dims), v, Host::scalar(0.01f),
        Host::scalar(0.9f), Host::scalar(0.999f), Host::scalar(1e-3f),
        Host::scalar(count % 2 ? 1e-2f : 0.0f), Host::scalar(0.19f), Host::scalar(0.001999f), flag},
       {},
       {}});
}

void addScalars(Cases &cases) {
  Host out = Host::f32({1, 1, 1, 1});
  for (int32_t step : {0, 1, 2, 10, 1000, 100000})
    for (int32_t skip : {0, 1})
      cases.push_back({Opcode::adam_step,
                       "adam_step " + std::to_string(step) + " nonfinite " + std::to_string(skip),
                       {Host::scalarInt(step), Host::scalar(0.9f), Host::scalar(0.999f),
                        Host::scalarInt(skip), out, out},
                       {},
                       {}});
  for (int amount : {1, 5, -3})
    cases.push_back(
        {Opcode::counter_add, "counter_add", {Host::scalarInt(41)}, {attr(amount)}, {}});
  for (int32_t valid : {0, 1, 64})
    cases.push_back({Opcode::accum_metrics,
                     "accum_metrics " + std::to_string(valid),
                     {Host::scalar(0.75f), Host::scalar(3), Host::scalar(7), Host::scalarInt(valid),
                      Host::scalar(10.5f), Host::scalar(20), Host::scalar(30)},
                     {},
                     {}});
}

} // namespace

void addRangeCases(Cases &cases) {
  Data data(16);
  for (int64_t count : {1, 7, 64, 1023, 4096, 20001}) {
    addPlain(cases, count, data);
    addChecks(cases, count, data);
    for (int32_t skip : {0, 1})
      addOptimizers(cases, count, skip, data);
  }
  addScalars(cases);
}

} // namespace trk::test
