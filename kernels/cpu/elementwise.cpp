// SPDX-License-Identifier: Apache-2.0
//
// Copies, activations, addition, channel padding and dropout.
#include "common/requirements.h"
#include "cpu/cpu.h"
#include "trf/philox.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {
namespace {

void copy(const Call &call) {
  namespace op = ops::copy;
  const Tensor &x = call[op::x], &y = call[op::y];
  if (x.data == y.data)
    return;
  const int64_t size = trf::bytesOf(y.dtype);
  if (x.isDense() && y.isDense())
    return forBytes(call, y.bytes(), [&](Range r) {
      std::memcpy(y.u8() + r.begin, x.u8() + r.begin, size_t(r.size()));
    });
  forElements(call, {&y, &x}, [&](const Block &b) {
    if (size == sizeof(float)) // whatever they hold
      return loops().act(Activation::None, constPixelsOf(x, b), pixelsOf(y, b), b.rows, b.count);
    for (int64_t pixel = b.pixel; pixel < b.pixel + b.rows; ++pixel)
      std::memcpy(y.u8() + (pixel * y.pitch + b.channel) * size,
                  x.u8() + (pixel * x.pitch + b.channel) * size, size_t(b.count * size));
  });
}

void actFwd(const Call &call) {
  namespace op = ops::act_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  const Act act = call.attrs<op::Attrs>().act;
  forElements(call, {&y, &x}, [&](const Block &b) {
    loops().act(act, constPixelsOf(x, b), pixelsOf(y, b), b.rows, b.count);
  });
}

void addFwd(const Call &call) {
  namespace op = ops::add_fwd;
  const Tensor &a = call[op::a], &b = call[op::b], &y = call[op::y];
  const Act act = call.attrs<op::Attrs>().act;
  forElements(call, {&y, &a, &b}, [&](const Block &block) {
    loops().add(act, constPixelsOf(a, block), constPixelsOf(b, block), pixelsOf(y, block),
                block.rows, block.count);
  });
}

void activationGradients(const Call &call, Act act, const Tensor &dy, const Tensor &x,
                         const Tensor &dx) {
  forElements(call, {&dx, &dy, &x}, [&](const Block &b) {
    loops().actBwd(act, constPixelsOf(dy, b), constPixelsOf(x, b), pixelsOf(dx, b), b.rows,
                   b.count);
  });
}

void actBwd(const Call &call) {
  namespace op = ops::act_bwd;
  activationGradients(call, call.attrs<op::Attrs>().act, call[op::dy], call[op::x], call[op::dx]);
}

// The derivative is the same function of the output as of the input.
void actBwdOut(const Call &call) {
  namespace op = ops::act_bwd_out;
  activationGradients(call, call.attrs<op::Attrs>().act, call[op::dy], call[op::y], call[op::dx]);
}

// Copies the channels that both have; the rest of `to` becomes zero.
void copyChannels(const Call &call, const Tensor &from, const Tensor &to) {
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

void channelPadFwd(const Call &call) {
  namespace op = ops::channel_pad_fwd;
  copyChannels(call, call[op::x], call[op::y]);
}

void channelPadBwd(const Call &call) {
  namespace op = ops::channel_pad_bwd;
  copyChannels(call, call[op::dy], call[op::dx]);
}

// Fills mask[begin, end); begin is a multiple of 4.
void drawMask(const Call &call, Range r) {
  namespace op = ops::dropout_fwd;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  const int32_t *seed = call[op::seed].i32();
  uint8_t *mask = call[op::mask].u8();
  trf::PhiloxKey key = {uint32_t(seed[0]), uint32_t(seed[1])};
  uint32_t step = uint32_t(call[op::step].i32()[0]), stream = uint32_t(attrs.stream);
  // word / 2^32 >= p, in integers.
  uint64_t threshold = uint64_t(std::ceil(attrs.p * 4294967296.0));
  for (int64_t e = r.begin; e < r.end; e += 4) {
    uint64_t block = uint64_t(e) / 4;
    trf::PhiloxCounter words =
        trf::philox4x32({uint32_t(block), uint32_t(block >> 32), stream, step}, key);
    for (int64_t k = 0; k < std::min<int64_t>(4, r.end - e); ++k)
      mask[e + k] = words[size_t(k)] >= threshold;
  }
}

void applyMask(const Tensor &x, const Tensor &mask, double p, const Tensor &y, Range elements) {
  forRows({&y, &x}, elements, [&](const Block &b) {
    loops().mask(constPixelsOf(x, b), mask.u8() + b.pixel * mask.pitch + b.channel,
                 float(1.0 / (1.0 - p)), pixelsOf(y, b), b.rows, b.count);
  });
}

void dropoutFwd(const Call &call) {
  namespace op = ops::dropout_fwd;
  const double p = call.attrs<op::Attrs>().p;
  forElements(call, call[op::y].elements(), [&](Range r) {
    drawMask(call, r);
    applyMask(call[op::x], call[op::mask], p, call[op::y], r);
  });
}

void dropoutBwd(const Call &call) {
  namespace op = ops::dropout_bwd;
  const double p = call.attrs<op::Attrs>().p;
  forElements(call, call[op::dx].elements(),
              [&](Range r) { applyMask(call[op::dy], call[op::mask], p, call[op::dx], r); });
}

} // namespace

void addElementwiseKernels(const Registrar &kernels) {
  kernels.add(Opcode::copy, {nullptr, requireCopyOperands, copy});
  kernels.add(Opcode::act_fwd, actFwd);
  kernels.add(Opcode::add_fwd, addFwd);
  kernels.add(Opcode::act_bwd, actBwd);
  kernels.add(Opcode::act_bwd_out, {nullptr, requireGradientFromOutput, actBwdOut});
  kernels.add(Opcode::channel_pad_fwd, channelPadFwd);
  kernels.add(Opcode::channel_pad_bwd, channelPadBwd);
  kernels.add(Opcode::dropout_fwd, dropoutFwd);
  kernels.add(Opcode::dropout_bwd, dropoutBwd);
}

} // namespace trk::cpu
