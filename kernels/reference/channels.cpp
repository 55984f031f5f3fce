// SPDX-License-Identifier: Apache-2.0
//
// Channels in other places, and a bias for each.
#include "common/requirements.h"
#include "reference/reference.h"
#include "reference/view.h"

#include <algorithm>

namespace trk::reference {
namespace {

void place(const Call &call) {
  namespace op = ops::channel_place;
  const View<float> x = view(call[op::x]), y = view(call[op::y]);
  const int64_t at = call.attrs<op::Attrs>().at;
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = c >= at && c < at + x.c ? x.at(p, c - at) : 0.0f;
  });
}

void take(const Call &call) {
  namespace op = ops::channel_take;
  const View<float> x = view(call[op::x]), y = view(call[op::y]);
  const int64_t at = call.attrs<op::Attrs>().at;
  forEach(y, [&](int64_t p, int64_t c) { y.at(p, c) = x.at(p, at + c); });
}

void shuffle(const Call &call) {
  namespace op = ops::channel_shuffle;
  const View<float> x = view(call[op::x]), y = view(call[op::y]);
  const int64_t groups = call.attrs<op::Attrs>().groups, each = x.c / groups;
  forEach(y, [&](int64_t p, int64_t c) { y.at(p, c) = x.at(p, c % groups * each + c / groups); });
}

void addBias(const Call &call) {
  namespace op = ops::bias_add;
  const View<float> x = view(call[op::x]), y = view(call[op::y]);
  const float *bias = call[op::bias].f32();
  forEach(y,
          [&](int64_t p, int64_t c) { y.at(p, c) = float(double(x.at(p, c)) + double(bias[c])); });
}

void sumBias(const Call &call) {
  namespace op = ops::bias_sum;
  const View<float> dy = view(call[op::dy]);
  for (int64_t c = 0; c < dy.c; ++c) {
    double sum = 0;
    for (int64_t p = 0; p < dy.pixels(); ++p)
      sum += double(dy.at(p, c));
    call[op::dbias].f32()[c] = float(sum);
  }
}

} // namespace

void addChannelKernels(const Registrar &kernels) {
  kernels.add(Opcode::channel_place, place);
  kernels.add(Opcode::channel_take, take);
  kernels.add(Opcode::channel_shuffle, {nullptr, requireWholeGroups, shuffle});
  kernels.add(Opcode::bias_add, addBias);
  kernels.add(Opcode::bias_sum, sumBias);
}

} // namespace trk::reference
