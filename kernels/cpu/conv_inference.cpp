// SPDX-License-Identifier: Apache-2.0
//
// Convolution of inference with folded normalisation, shortcut and activation. Scaled and
// packed weights are kept between runs until `folds` changes, and shared by all calls on the
// same weights: both input halves, and variants of other batches.
#include "cpu/convolution.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace trk::cpu {
namespace {

namespace op = ops::conv_inf;

// What is kept: the weights, and vectors with a value for each output channel.
struct Kept {
  struct Header {
    int32_t made, folds; // 1, and the count that they were made for
  } * header;
  float *bias, *zeros, *ones;
  char *weights;
  int64_t bytes;

  Kept(void *base, int64_t outputs, int64_t weightBytes) {
    Carver carver(base);
    header = carver.take<Header>(1);
    bias = carver.take<float>(outputs);
    zeros = carver.take<float>(outputs);
    ones = carver.take<float>(outputs);
    weights = carver.take<char>(weightBytes);
    bytes = carver.bytes();
  }
};

struct FreeBlock {
  void operator()(void *p) const { std::free(p); }
};

struct State {
  std::unique_ptr<Convolution> conv;
  std::unique_ptr<void, FreeBlock> own; // where there is no shared memory
  void *base = nullptr;

  int64_t weightBytes(const Call &call) const {
    return conv->packedBytes() ? conv->packedBytes() : call[op::w].bytes();
  }
  Kept kept(const Call &call) const { return Kept(base, call[op::y].c(), weightBytes(call)); }
};

State &state(const Call &call) { return *static_cast<State *>(call.state); }
void release(void *state) { delete static_cast<State *>(state); }

std::string makeConvolution(const Call &call, std::unique_ptr<Convolution> &conv) {
  ConvShape s = convShape(convWindow(call.attrs<op::Attrs>()), call[op::x], call[op::y]);
  s.bias = true;
  s.cutImages = true;
  return buildConvolution(call, ConvPass::Forward, s, conv);
}

std::string prepare(const Call &call, void **result) {
  auto made = std::make_unique<State>();
  std::string error = makeConvolution(call, made->conv);
  if (!error.empty())
    return error;
  int64_t bytes = Kept(nullptr, call[op::y].c(), made->weightBytes(call)).bytes;
  if (call.shared) {
    std::string name = "conv_inf " + std::to_string(reinterpret_cast<uintptr_t>(call[op::w].data));
    made->base = call.shared->block(name + " " + made->conv->packedLayout(), bytes);
  } else {
    made->own.reset(std::aligned_alloc(64, size_t(bytes)));
    made->base = made->own.get();
    if (!made->base)
      return "no memory for packed weights";
    std::memset(made->base, 0, size_t(bytes));
  }
  *result = made.release();
  return std::string();
}

// An output on its shortcut is computed elsewhere first, unless the convolution adds to it.
bool needsCopy(const Call &call) {
  return !state(call).conv->hasEpilogue() && call[op::shortcut] &&
         call[op::shortcut].data == call[op::y].data;
}

struct Scratch {
  char *conv;
  float *scaled, *y;
  int64_t bytes;
  Scratch(const Call &call, void *base) {
    Carver carver(base);
    conv = carver.take<char>(state(call).conv->scratchBytes());
    scaled = carver.take<float>(call[op::w].elements());
    // Whether operands coincide is not known before they are bound.
    bool shortcut = bool(call[op::shortcut]) && !state(call).conv->hasEpilogue();
    y = carver.take<float>(shortcut ? call[op::y].elements() : 0);
    bytes = carver.bytes();
  }
};

int64_t scratch(const Call &call) { return Scratch(call, nullptr).bytes; }

// Rows of w times scale, packed; bias*scale + shift.
void makeKept(const Call &call, const Kept &kept, float *scaled) {
  const Tensor &w = call[op::w];
  const float *scale = call[op::scale].f32(), *shift = call[op::shift].f32();
  const float *bias = call[op::bias].f32();
  Convolution &conv = *state(call).conv;
  float *to = conv.packedBytes() ? scaled : reinterpret_cast<float *>(kept.weights);
  int64_t outputs = w.n(), row = w.elements() / outputs;
  int parts = partCount(call, outputs, row);
  forParts(call, parts, [&](int i) {
    Range r = part(outputs, parts, i);
    for (int64_t o = r.begin; o < r.end; ++o)
      for (int64_t k = 0; k < row; ++k)
        to[o * row + k] = w.f32()[o * row + k] * (scale ? scale[o] : 1);
  });
  for (int64_t o = 0; o < outputs; ++o) {
    const float factor = scale ? scale[o] : 1, added = shift ? shift[o] : 0;
    kept.bias[o] = bias ? bias[o] * factor + added : added;
    if (std::isnan(factor)) // also where a window sees nothing but padding
      kept.bias[o] = factor;
    kept.zeros[o] = 0;
    kept.ones[o] = 1;
  }
  if (conv.packedBytes())
    conv.packWeights(call, scaled, kept.weights);
  *kept.header = {1, call[op::folds].i32()[0]};
}

// y = act(conv [+ shortcut]).
void finish(const Call &call, const Pixels &conv) {
  const Tensor &y = call[op::y], &shortcut = call[op::shortcut];
  Act act = call.attrs<op::Attrs>().act;
  if (!shortcut && act == Activation::None)
    return;
  forElements(call, {&y, &shortcut}, [&](const Block &b) {
    const ConstPixels from = constPixelsOf(skip(conv, b.pixel, b.channel));
    if (shortcut)
      loops().add(act, from, constPixelsOf(shortcut, b), pixelsOf(y, b), b.rows, b.count);
    else
      loops().act(act, from, pixelsOf(y, b), b.rows, b.count);
  });
}

void run(const Call &call) {
  Convolution &conv = *state(call).conv;
  Kept kept = state(call).kept(call);
  Scratch s(call, call.scratch);
  if (!kept.header->made || kept.header->folds != call[op::folds].i32()[0])
    makeKept(call, kept, s.scaled);
  ConvData data;
  data.x = pixelsOf(call[op::x]);
  data.w = reinterpret_cast<float *>(kept.weights);
  data.bias = kept.bias;
  const Tensor &y = call[op::y], &shortcut = call[op::shortcut];
  data.y = needsCopy(call) ? Pixels{s.y, y.c()} : pixelsOf(y);
  data.packed = conv.packedBytes() ? kept.weights : nullptr;
  if (conv.hasEpilogue()) {
    data.shortcut = constPixelsOf(shortcut);
    data.zeros = kept.zeros;
    data.ones = kept.ones;
    data.act = call.attrs<op::Attrs>().act;
  }
  forParts(call, conv.slices(), [&](int i) { conv.runSlice(i, data, s.conv); });
  if (!conv.hasEpilogue())
    finish(call, data.y);
}

std::string describe(const Call &call) { return state(call).conv->implementation(); }
std::string slowness(const Call &call) { return state(call).conv->slowness(); }

} // namespace

void addConvInferenceKernels(const Registrar &kernels) {
  kernels.add(Opcode::conv_inf, {scratch, prepare, run, release, describe, slowness});
}

} // namespace trk::cpu
