// SPDX-License-Identifier: Apache-2.0
//
// Copies, activations, addition, channel padding and dropout.
#include "cpu/cpu.h"
#include "trk/activation.h"
#include "trk/philox.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {
namespace {

void copy(const Call &call) {
  const Tensor &x = call.operand(0), &y = call.operand(1);
  if (x.data == y.data)
    return;
  forBytes(call, y.bytes(),
           [&](Range r) { std::memcpy(y.u8() + r.begin, x.u8() + r.begin, size_t(r.size())); });
}

void actFwd(const Call &call) {
  const Tensor &x = call.operand(0), &y = call.operand(1);
  forElements(call, y.elements(), [&](Range r) {
    loops().act(activationAttr(call), x.f32() + r.begin, y.f32() + r.begin, r.size());
  });
}

void addFwd(const Call &call) {
  const Tensor &a = call.operand(0), &b = call.operand(1), &y = call.operand(2);
  forElements(call, y.elements(), [&](Range r) {
    loops().add(activationAttr(call), a.f32() + r.begin, b.f32() + r.begin, y.f32() + r.begin,
                r.size());
  });
}

// From the input, or from the output where the derivative is the same function of it.
void actBwd(const Call &call) {
  const Tensor &dy = call.operand(0), &x = call.operand(1), &dx = call.operand(2);
  forElements(call, dx.elements(), [&](Range r) {
    loops().act_bwd(activationAttr(call), dy.f32() + r.begin, x.f32() + r.begin, dx.f32() + r.begin,
                    r.size());
  });
}

std::string prepareActBwdOut(const Call &call, void **) {
  if (hasGradientFromOutput(activationAttr(call)))
    return std::string();
  return "expected act relu or relu6, but got " + std::to_string(call.attrs[0].i);
}

// Copies the channels that both have; the rest of `to` becomes zero.
void copyChannels(const Call &call) {
  const Tensor &from = call.operand(0), &to = call.operand(1);
  int64_t common = std::min(from.c(), to.c());
  RowParts parts(call, to);
  forParts(call, parts.count, [&](int i) {
    Range rows = parts.range(i);
    for (int64_t r = rows.begin; r < rows.end; ++r) {
      float *y = to.f32() + r * to.c();
      std::memcpy(y, from.f32() + r * from.c(), size_t(common) * sizeof(float));
      std::memset(y + common, 0, size_t(to.c() - common) * sizeof(float));
    }
  });
}

// Fills mask[begin, end); begin is a multiple of 4.
void drawMask(const Call &call, double p, Range r, uint8_t *mask) {
  const int32_t *seed = call.operand(1).i32();
  PhiloxKey key = {uint32_t(seed[0]), uint32_t(seed[1])};
  uint32_t step = uint32_t(call.operand(2).i32()[0]), stream = uint32_t(call.attrs[1].i);
  // word / 2^32 >= p, in integers.
  uint64_t threshold = uint64_t(std::ceil(p * 4294967296.0));
  for (int64_t e = r.begin; e < r.end; e += 4) {
    uint64_t block = uint64_t(e) / 4;
    PhiloxCounter words = philox4x32({uint32_t(block), uint32_t(block >> 32), stream, step}, key);
    for (int64_t k = 0; k < std::min<int64_t>(4, r.end - e); ++k)
      mask[e + k] = words[size_t(k)] >= threshold;
  }
}

void dropoutFwd(const Call &call) {
  double p = call.attrs[0].f;
  const Tensor &x = call.operand(0), &y = call.operand(3), &mask = call.operand(4);
  forElements(call, y.elements(), [&](Range r) {
    drawMask(call, p, r, mask.u8());
    loops().mask(x.f32() + r.begin, mask.u8() + r.begin, float(1.0 / (1.0 - p)), y.f32() + r.begin,
                 r.size());
  });
}

void dropoutBwd(const Call &call) {
  const Tensor &dy = call.operand(0), &mask = call.operand(1), &dx = call.operand(2);
  float factor = float(1.0 / (1.0 - call.attrs[0].f));
  forElements(call, dx.elements(), [&](Range r) {
    loops().mask(dy.f32() + r.begin, mask.u8() + r.begin, factor, dx.f32() + r.begin, r.size());
  });
}

} // namespace

void addElementwiseKernels(KernelTable &table) {
  slot(table, Opcode::copy).run = copy;
  slot(table, Opcode::act_fwd).run = actFwd;
  slot(table, Opcode::add_fwd).run = addFwd;
  slot(table, Opcode::act_bwd).run = actBwd;
  slot(table, Opcode::act_bwd_out) = {nullptr, prepareActBwdOut, actBwd, nullptr};
  slot(table, Opcode::channel_pad_fwd).run = copyChannels;
  slot(table, Opcode::channel_pad_bwd).run = copyChannels;
  slot(table, Opcode::dropout_fwd).run = dropoutFwd;
  slot(table, Opcode::dropout_bwd).run = dropoutBwd;
}

} // namespace trk::cpu
