// SPDX-License-Identifier: Apache-2.0
//
// Copies, activations, addition, channel padding and dropout.
#include "reference/reference.h"
#include "reference/view.h"
#include "trk/activation.h"
#include "trk/philox.h"

#include <algorithm>
#include <cstring>

namespace trk::reference {
namespace {

void copy(const Call &call) {
  std::memmove(call.operand(1).data, call.operand(0).data, call.operand(1).bytes());
}

void actFwd(const Call &call) {
  Activation act = activationAttr(call);
  const float *x = call.operand(0).f32();
  View<float> y = operandView(call, 1);
  forEach(y, [&](int64_t e, int64_t) { y.data[e] = float(activate(act, double(x[e]))); });
}

void addFwd(const Call &call) {
  Activation act = activationAttr(call);
  const float *a = call.operand(0).f32(), *b = call.operand(1).f32();
  View<float> y = operandView(call, 2);
  forEach(y, [&](int64_t e, int64_t) {
    y.data[e] = float(activate(act, double(a[e]) + double(b[e])));
  });
}

void actBwd(const Call &call) {
  Activation act = activationAttr(call);
  const float *dy = call.operand(0).f32(), *x = call.operand(1).f32();
  View<float> dx = operandView(call, 2);
  forEach(dx, [&](int64_t e, int64_t) {
    dx.data[e] = float(double(dy[e]) * activationGradient(act, double(x[e])));
  });
}

std::string prepareActBwdOut(const Call &call, void **) {
  if (hasGradientFromOutput(activationAttr(call)))
    return std::string();
  return "expected act relu or relu6, but got " + std::to_string(call.attrs[0].i);
}

void actBwdOut(const Call &call) {
  Activation act = activationAttr(call);
  const float *dy = call.operand(0).f32(), *y = call.operand(1).f32();
  View<float> dx = operandView(call, 2);
  forEach(dx, [&](int64_t e, int64_t) {
    dx.data[e] = float(double(dy[e]) * activationGradientFromOutput(act, double(y[e])));
  });
}

// Copies the channels that both have; the rest of `to` becomes zero.
void copyChannels(const View<float> &from, const View<float> &to) {
  int64_t common = std::min(from.c, to.c);
  for (int64_t p = 0; p < to.pixels(); ++p) {
    std::copy_n(from.data + p * from.c, common, to.data + p * to.c);
    std::fill_n(to.data + p * to.c + common, to.c - common, 0.0f);
  }
}

void channelPadFwd(const Call &call) { copyChannels(operandView(call, 0), operandView(call, 1)); }
void channelPadBwd(const Call &call) { copyChannels(operandView(call, 0), operandView(call, 1)); }

void dropoutFwd(const Call &call) {
  double p = call.attrs[0].f;
  const float *x = call.operand(0).f32();
  const int32_t *seed = call.operand(1).i32();
  PhiloxKey key = {uint32_t(seed[0]), uint32_t(seed[1])};
  uint32_t step = uint32_t(call.operand(2).i32()[0]), stream = uint32_t(call.attrs[1].i);
  View<float> y = operandView(call, 3);
  uint8_t *mask = call.operand(4).u8();
  PhiloxCounter words{};
  forEach(y, [&](int64_t e, int64_t) {
    uint64_t block = uint64_t(e) / 4;
    if (e % 4 == 0)
      words = philox4x32({uint32_t(block), uint32_t(block >> 32), stream, step}, key);
    mask[e] = philoxUniform(words[e % 4]) >= p;
    y.data[e] = mask[e] ? float(x[e] / (1.0 - p)) : 0.0f;
  });
}

void dropoutBwd(const Call &call) {
  double p = call.attrs[0].f;
  const float *dy = call.operand(0).f32();
  const uint8_t *mask = call.operand(1).u8();
  View<float> dx = operandView(call, 2);
  forEach(dx, [&](int64_t e, int64_t) { dx.data[e] = mask[e] ? float(dy[e] / (1.0 - p)) : 0.0f; });
}

} // namespace

void addElementwiseKernels(KernelTable &table) {
  slot(table, Opcode::copy).run = copy;
  slot(table, Opcode::act_fwd).run = actFwd;
  slot(table, Opcode::add_fwd).run = addFwd;
  slot(table, Opcode::act_bwd).run = actBwd;
  slot(table, Opcode::act_bwd_out) = {nullptr, prepareActBwdOut, actBwdOut, nullptr};
  slot(table, Opcode::channel_pad_fwd).run = channelPadFwd;
  slot(table, Opcode::channel_pad_bwd).run = channelPadBwd;
  slot(table, Opcode::dropout_fwd).run = dropoutFwd;
  slot(table, Opcode::dropout_bwd).run = dropoutBwd;
}

} // namespace trk::reference
