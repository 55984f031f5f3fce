// SPDX-License-Identifier: Apache-2.0
//
// Channels in other places, and a bias for each. Work is split by rows.
#include "common/requirements.h"
#include "cpu/cpu.h"

#include <cstring>

namespace trk::cpu {
namespace {

template <typename Body> void forRowRanges(const Call &call, const Tensor &t, Body body) {
  const RowParts parts(call, t);
  forParts(call, parts.count, [&](int i) { body(parts.range(i)); });
}

void place(const Call &call) {
  namespace op = ops::channel_place;
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t at = call.attrs<op::Attrs>().at, after = y.c() - at - x.c();
  forRowRanges(call, y, [&](Range rows) {
    for (int64_t r = rows.begin; r < rows.end; ++r) {
      float *to = pixelsOf(y, r).data;
      std::memset(to, 0, size_t(at) * sizeof(float));
      std::memcpy(to + at, pixelsOf(x, r).data, size_t(x.c()) * sizeof(float));
      std::memset(to + at + x.c(), 0, size_t(after) * sizeof(float));
    }
  });
}

void take(const Call &call) {
  namespace op = ops::channel_take;
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t at = call.attrs<op::Attrs>().at;
  forRowRanges(call, y, [&](Range rows) {
    const ConstPixels from = {constPixelsOf(x, rows.begin).data + at, x.pitch};
    loops().act(Activation::None, from, pixelsOf(y, rows.begin), rows.size(), y.c());
  });
}

void shuffle(const Call &call) {
  namespace op = ops::channel_shuffle;
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t groups = call.attrs<op::Attrs>().groups;
  forRowRanges(call, y, [&](Range rows) {
    loops().interleave(constPixelsOf(x, rows.begin), pixelsOf(y, rows.begin), rows.size(), y.c(),
                       groups);
  });
}

void addBias(const Call &call) {
  namespace op = ops::bias_add;
  const Tensor &x = call[op::x], &bias = call[op::bias], &y = call[op::y];
  forRowRanges(call, y, [&](Range rows) {
    loops().add(Activation::None, constPixelsOf(x, rows.begin), {bias.f32(), 0},
                pixelsOf(y, rows.begin), rows.size(), y.c());
  });
}

int64_t sumBiasScratch(const Call &call) {
  const Tensor &dy = call[ops::bias_sum::dy];
  Carver carver(nullptr);
  SumScratch(carver, RowParts(call, dy).count, dy.c());
  return carver.bytes();
}

// The sums of the parts, in order.
void sumBias(const Call &call) {
  namespace op = ops::bias_sum;
  const Tensor &dy = call[op::dy], &dbias = call[op::dbias];
  const int64_t c = dy.c();
  const RowParts parts(call, dy);
  Carver carver(call.scratch);
  const SumScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    const Range rows = parts.range(i);
    loops().columnSums(constPixelsOf(dy, rows.begin), rows.size(), c, s.sums + i * c,
                       s.work + i * c);
  });
  for (int64_t k = 0; k < c; ++k) {
    double sum = 0;
    for (int i = 0; i < parts.count; ++i)
      sum += s.sums[i * c + k];
    dbias.f32()[k] = float(sum);
  }
}

} // namespace

void addChannelKernels(const Registrar &kernels) {
  kernels.add(Opcode::channel_place, place);
  kernels.add(Opcode::channel_take, take);
  kernels.add(Opcode::channel_shuffle, {nullptr, requireWholeGroups, shuffle});
  kernels.add(Opcode::bias_add, addBias);
  kernels.add(Opcode::bias_sum, {sumBiasScratch, nullptr, sumBias});
}

} // namespace trk::cpu
