// SPDX-License-Identifier: Apache-2.0
//
// Copies, activations, addition, multiplication, channel padding and dropout.
#include "common/requirements.h"
#include "reference/multiply.h"
#include "reference/reference.h"
#include "trf/philox.h"
#include "trk/activation.h"

#include <algorithm>
#include <cstring>

namespace trk::reference {
namespace {

void copy(const Call &call) {
  namespace op = ops::copy;
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t size = trf::bytesOf(y.dtype);
  if (x.isDense() && y.isDense()) {
    std::memmove(y.data, x.data, y.bytes());
    return;
  }
  for (int64_t p = 0; p < y.pixels(); ++p)
    std::memmove(y.u8() + p * y.pitch * size, x.u8() + p * x.pitch * size, y.c() * size);
}

void actFwd(const Call &call) {
  namespace op = ops::act_fwd;
  Act act = call.attrs<op::Attrs>().act;
  View<float> x = view(call[op::x]), y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) { y.at(p, c) = float(activate(act, double(x.at(p, c)))); });
}

void addFwd(const Call &call) {
  namespace op = ops::add_fwd;
  Act act = call.attrs<op::Attrs>().act;
  View<float> a = view(call[op::a]), b = view(call[op::b]), y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = float(activate(act, double(a.at(p, c)) + double(b.at(p, c))));
  });
}

void mulFwd(const Call &call) {
  namespace op = ops::mul_fwd;
  multiply(view(call[op::a]), view(call[op::b]), view(call[op::y]));
}

// to = dy * other, summed over the pixels for which a value of `to` holds.
void multiplyGradient(const View<float> &dy, const View<float> &other, const View<float> &to) {
  const Spread<float> factor(other, dy);
  const int64_t share = dy.pixels() / to.pixels();
  forEach(to, [&](int64_t p, int64_t c) {
    double sum = 0;
    for (int64_t from = p * share; from < (p + 1) * share; ++from)
      sum += double(dy.at(from, c)) * double(factor.at(from, c));
    to.at(p, c) = float(sum);
  });
}

void mulBwd(const Call &call) {
  namespace op = ops::mul_bwd;
  const Tensor &dy = call[op::dy], &da = call[op::da], &db = call[op::db];
  const auto gradient = [&](const Tensor &other, const Tensor &to) {
    if (to)
      multiplyGradient(view(dy), view(other), view(to));
  };
  const bool overwrites = da.data == dy.data; // then dy is needed before
  if (!overwrites)
    gradient(call[op::b], da);
  gradient(call[op::a], db);
  if (overwrites)
    gradient(call[op::b], da);
}

void actBwd(const Call &call) {
  namespace op = ops::act_bwd;
  Act act = call.attrs<op::Attrs>().act;
  View<float> dy = view(call[op::dy]), x = view(call[op::x]), dx = view(call[op::dx]);
  forEach(dx, [&](int64_t p, int64_t c) {
    dx.at(p, c) = float(double(dy.at(p, c)) * activationGradient(act, double(x.at(p, c))));
  });
}

void actBwdOut(const Call &call) {
  namespace op = ops::act_bwd_out;
  Act act = call.attrs<op::Attrs>().act;
  View<float> dy = view(call[op::dy]), y = view(call[op::y]), dx = view(call[op::dx]);
  forEach(dx, [&](int64_t p, int64_t c) {
    dx.at(p, c) =
        float(double(dy.at(p, c)) * activationGradientFromOutput(act, double(y.at(p, c))));
  });
}

// Copies the channels that both have; the rest of `to` becomes zero.
void copyChannels(const View<float> &from, const View<float> &to) {
  int64_t common = std::min(from.c, to.c);
  for (int64_t p = 0; p < to.pixels(); ++p) {
    std::copy_n(from.channels(p), common, to.channels(p));
    std::fill_n(to.channels(p) + common, to.c - common, 0.0f);
  }
}

void channelPadFwd(const Call &call) {
  namespace op = ops::channel_pad_fwd;
  copyChannels(view(call[op::x]), view(call[op::y]));
}
void channelPadBwd(const Call &call) {
  namespace op = ops::channel_pad_bwd;
  copyChannels(view(call[op::dy]), view(call[op::dx]));
}

void dropoutFwd(const Call &call) {
  namespace op = ops::dropout_fwd;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  const int32_t *seed = call[op::seed].i32();
  trf::PhiloxKey key = {uint32_t(seed[0]), uint32_t(seed[1])};
  uint32_t step = uint32_t(call[op::step].i32()[0]), stream = uint32_t(attrs.stream);
  View<float> x = view(call[op::x]), y = view(call[op::y]);
  uint8_t *mask = call[op::mask].u8();
  trf::PhiloxCounter words{};
  forEach(y, [&](int64_t p, int64_t c) {
    int64_t e = p * y.c + c;
    uint64_t block = uint64_t(e) / 4;
    if (e % 4 == 0)
      words = trf::philox4x32({uint32_t(block), uint32_t(block >> 32), stream, step}, key);
    mask[e] = trf::philoxUniform(words[e % 4]) >= attrs.p;
    y.at(p, c) = mask[e] ? float(x.at(p, c) / (1.0 - attrs.p)) : 0.0f;
  });
}

void dropoutBwd(const Call &call) {
  namespace op = ops::dropout_bwd;
  const double drop = call.attrs<op::Attrs>().p;
  const uint8_t *mask = call[op::mask].u8();
  View<float> dy = view(call[op::dy]), dx = view(call[op::dx]);
  forEach(dx, [&](int64_t p, int64_t c) {
    dx.at(p, c) = mask[p * dx.c + c] ? float(dy.at(p, c) / (1.0 - drop)) : 0.0f;
  });
}

} // namespace

void addElementwiseKernels(const Registrar &kernels) {
  kernels.add(Opcode::copy, {nullptr, requireCopyOperands, copy});
  kernels.add(Opcode::act_fwd, actFwd);
  kernels.add(Opcode::add_fwd, addFwd);
  kernels.add(Opcode::mul_fwd, mulFwd);
  kernels.add(Opcode::mul_bwd, mulBwd);
  kernels.add(Opcode::act_bwd, actBwd);
  kernels.add(Opcode::act_bwd_out, {nullptr, requireGradientFromOutput, actBwdOut});
  kernels.add(Opcode::channel_pad_fwd, channelPadFwd);
  kernels.add(Opcode::channel_pad_bwd, channelPadBwd);
  kernels.add(Opcode::dropout_fwd, dropoutFwd);
  kernels.add(Opcode::dropout_bwd, dropoutBwd);
}

} // namespace trk::reference
