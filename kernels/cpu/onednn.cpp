// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and matrix products of oneDNN (2.x interface).
#include "cpu/onednn.h"

#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

namespace trk::cpu {
namespace {

using dnnl::memory;
using Desc = memory::desc;

// oneDNN splits a primitive by the OpenMP thread count, which it asks for when the primitive
// is made and again when it runs. While this object lives, that count is one.
class OneThread {
public:
  OneThread() : saved(omp_get_max_threads()) { set(1); }
  ~OneThread() { set(saved); }
  OneThread(const OneThread &) = delete;
  OneThread &operator=(const OneThread &) = delete;

private:
  static void set(int threads) {
    if (omp_get_max_threads() != threads)
      omp_set_num_threads(threads);
  }
  int saved;
};

// Shapes were checked when the primitive was built, so this is a fault of the machine.
void check(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return;
  std::fprintf(stderr, "error: oneDNN failed to %s (status %d)\n", what, int(status));
  std::abort();
}

// Output that a primitive may write before someone reads it from the cache, and copies of
// operands that stay there with everything else.
constexpr int64_t kCachedBytes = 1 << 20, kStagedBytes = 1 << 19;

int64_t align(int64_t bytes) { return roundUp(bytes, 64); }

// A primitive for one slice size and the layouts that it wants.
struct Primitive {
  dnnl::primitive run;
  Desc x, w, bias, y, scratchpad;
  std::string implementation;

  template <typename Pd> void take(const Pd &pd) {
    scratchpad = pd.scratchpad_desc();
    implementation = pd.impl_info_str();
  }
};

// Descriptors of one pass at batch `n`.
struct Geometry {
  memory::dims strides, dilates, pads, endPads;
  Desc x, w, bias, y, plainWeights;

  Geometry(const ConvShape &s, int64_t n) {
    constexpr auto kF32 = memory::data_type::f32;
    const Window &a = s.window;
    strides = {a.strideH, a.strideW};
    dilates = {a.dilationH - 1, a.dilationW - 1};
    pads = {a.padH, a.padW};
    endPads = {a.padH + a.moreH, a.padW + a.moreW};
    x = Desc({n, s.c, s.h, s.w}, kF32, memory::format_tag::nhwc);
    y = Desc({n, s.outputs, s.oh, s.ow}, kF32, memory::format_tag::nhwc);
    memory::dims weights = {s.outputs / a.groups, s.c / a.groups, a.kernelH, a.kernelW};
    if (a.groups > 1)
      weights.insert(weights.begin(), a.groups);
    w = Desc(weights, kF32, memory::format_tag::any);
    plainWeights =
        Desc(weights, kF32, a.groups > 1 ? memory::format_tag::gohwi : memory::format_tag::ohwi);
    if (s.bias)
      bias = Desc({s.outputs}, kF32, memory::format_tag::x);
  }
};

Primitive makePrimitive(ConvPass pass, const ConvShape &s, int64_t n, const dnnl::engine &engine) {
  using namespace dnnl;
  constexpr auto kDirect = algorithm::convolution_direct;
  Geometry g(s, n);
  primitive_attr attr;
  attr.set_scratchpad_mode(scratchpad_mode::user);
  Primitive p;
  p.x = g.x;
  p.y = g.y;
  p.bias = g.bias;
  convolution_forward::primitive_desc forward({prop_kind::forward_training, kDirect, g.x, g.w,
                                               g.bias, g.y, g.strides, g.dilates, g.pads,
                                               g.endPads},
                                              attr, engine);
  switch (pass) {
  case ConvPass::Forward:
    p.take(forward);
    p.w = forward.weights_desc();
    p.run = convolution_forward(forward);
    break;
  case ConvPass::BackwardData: {
    convolution_backward_data::primitive_desc pd(
        {kDirect, g.x, g.w, g.y, g.strides, g.dilates, g.pads, g.endPads}, attr, engine, forward);
    p.take(pd);
    p.w = pd.weights_desc();
    p.run = convolution_backward_data(pd);
    break;
  }
  case ConvPass::BackwardWeight: {
    convolution_backward_weights::primitive_desc pd(
        {kDirect, g.x, g.w, g.bias, g.y, g.strides, g.dilates, g.pads, g.endPads}, attr, engine,
        forward);
    p.take(pd);
    p.w = pd.diff_weights_desc();
    p.run = convolution_backward_weights(pd);
    break;
  }
  }
  return p;
}

// A memory object whose pointer changes rarely.
class Bound {
public:
  Bound() = default;
  Bound(const Desc &desc, const dnnl::engine &engine) : object(desc, engine, DNNL_MEMORY_NONE) {}
  explicit operator bool() const { return bool(object); }
  dnnl_memory_t get() const { return object.get(true); }
  void bind(const void *data) {
    if (data == current)
      return;
    current = data;
    check(dnnl_memory_set_data_handle(object.get(), const_cast<void *>(data)), "bind a buffer");
  }

private:
  memory object;
  const void *current = nullptr;
};

// Some pixels of x or y, and where a primitive finds or leaves them: oneDNN's fast
// implementations take dense tensors only, so channels of a wider one are copied.
struct Staged {
  Pixels at;
  float *dense;
  int64_t pixels, c;

  void pack() const { copy(at, {dense, c}); }
  void unpack() const { copy({dense, c}, at); }

private:
  void copy(const Pixels &from, const Pixels &to) const {
    if (at.data != dense)
      loops().act(Activation::None, constPixelsOf(from), to, pixels, c);
  }
};

struct Slice {
  Range images;
  int64_t step = 0; // images that a primitive takes
  int primitive = 0;
  Bound x, w, bias, y, scratchpad;
  std::vector<dnnl_exec_arg_t> args;
};

class ConvolutionImpl final : public Convolution {
public:
  ConvolutionImpl(ConvPass p, const ConvShape &s, int sliceCount)
      : pass(p), shape(s), engine(dnnl::engine::kind::cpu, 0), stream(engine) {
    int count = int(std::clamp<int64_t>(s.n, 1, std::max(sliceCount, 1)));
    slice.resize(size_t(count));
    for (int i = 0; i < count; ++i) {
      slice[size_t(i)].images = part(s.n, count, i);
      slice[size_t(i)].step = imagesAtOnce(slice[size_t(i)].images.size());
    }
    // The first slice is the largest, the last the smallest; no third size exists.
    primitives.push_back(makePrimitive(pass, s, slice.front().step, engine));
    if (slice.back().step != slice.front().step)
      primitives.push_back(makePrimitive(pass, s, slice.back().step, engine));
    plain = Geometry(s, 1).plainWeights;
    layOut();
    for (Slice &one : slice)
      bindArguments(one);
    if (packs())
      makeReorder();
  }

  int slices() const override { return int(slice.size()); }
  Range images(int i) const override { return slice[size_t(i)].images; }
  int64_t scratchBytes() const override { return total; }
  int64_t packedBytes() const override { return packs() ? weightBytes : 0; }
  std::string packedLayout() const override {
    const dnnl_memory_desc_t &raw = packedDesc().data;
    return std::string(reinterpret_cast<const char *>(&raw), sizeof(raw));
  }
  std::string implementation() const override {
    std::string text = primitives.front().implementation;
    if (primitives.back().implementation != text)
      text += ", " + primitives.back().implementation;
    return text;
  }

  // oneDNN's fallbacks for shapes that it has no kernel for.
  std::string slowness() const override {
    const std::string name = implementation();
    const char *kind = name.rfind("ref", 0) == 0    ? "reference"
                       : name.rfind("gemm", 0) == 0 ? "gemm"
                                                    : nullptr;
    if (!kind)
      return std::string();
    return std::string("runs on oneDNN's slow ") + kind + " implementation (" + name + ")";
  }

  void packWeights(const Call &, const float *w, void *scratch) override {
    if (!packs())
      return;
    OneThread one;
    plainMemory.bind(w);
    packedMemory.bind(scratch);
    execute(reorder, stream, reorderArgs);
  }

  void runSlice(int i, const ConvData &data, void *scratch) override {
    OneThread one;
    Slice &mine = slice[size_t(i)];
    char *base = static_cast<char *>(scratch);
    char *copies = base + stagedAt + i * (stagedXBytes + stagedYBytes);
    mine.w.bind(weightsOf(i, data, base));
    if (mine.bias)
      mine.bias.bind(biasOf(i, data, base));
    if (mine.scratchpad)
      mine.scratchpad.bind(base + scratchpadAt + i * scratchpadBytes);
    for (int64_t n = mine.images.begin; n < mine.images.end; n += mine.step) {
      runImages(
          mine, staged(data.x, n, mine.step, shape.h * shape.w, shape.c, copies),
          staged(data.y, n, mine.step, shape.oh * shape.ow, shape.outputs, copies + stagedXBytes));
      if (data.progress)
        data.progress->reached(i, n + mine.step);
    }
  }

  void finishGradients(const Call &call, const ConvData &data, void *scratch) override {
    char *base = static_cast<char *>(scratch);
    std::vector<const float *> &terms = partials;
    for (int i = 1; i < slices(); ++i)
      terms[size_t(i - 1)] = static_cast<const float *>(weightsOf(i, data, base));
    float *sum = static_cast<float *>(weightsOf(0, data, base));
    if (!terms.empty())
      forElements(call, weightBytes / 4, [&](Range r) { addPartials(sum, r, terms); });
    if (shape.bias && slices() > 1) {
      for (int i = 1; i < slices(); ++i)
        terms[size_t(i - 1)] = static_cast<const float *>(biasOf(i, data, base));
      addPartials(data.bias, {0, shape.outputs}, terms);
    }
    if (!packs())
      return;
    FlushDenormals flush;
    OneThread one;
    packedMemory.bind(sum);
    plainMemory.bind(data.w);
    execute(reorder, stream, reorderArgs);
  }

private:
  int64_t xBytes() const { return shape.h * shape.w * shape.c * int64_t(sizeof(float)); }
  int64_t yBytes() const { return shape.oh * shape.ow * shape.outputs * int64_t(sizeof(float)); }

  // All of a slice; or what leaves outputs and copies in the cache and divides the slice, because
  // an image gets the same bits however many a primitive takes. The gradient of weights is one sum.
  int64_t imagesAtOnce(int64_t count) const {
    const int64_t staged = (shape.denseX ? 0 : xBytes()) + (shape.denseY ? 0 : yBytes());
    if (gradient() || (staged == 0 && !shape.reportsProgress))
      return count;
    const int64_t most = shape.reportsProgress ? kCachedBytes / yBytes() : kStagedBytes / staged;
    int64_t step = std::clamp<int64_t>(most, 1, count);
    while (count % step)
      --step;
    return step;
  }
  const Desc &packedDesc() const { return primitives.front().w; }
  bool packs() const { return packedDesc() != plain; }
  bool gradient() const { return pass == ConvPass::BackwardWeight; }

  // Scratch: packed weights (one copy per slice in backward weight), partial biases,
  // library scratchpads, dense copies of x and y.
  void layOut() {
    weightBytes = int64_t(packedDesc().get_size());
    biasAt = (gradient() ? slices() : 1) * align(weightBytes);
    biasBytes = gradient() && shape.bias ? align(shape.outputs * int64_t(sizeof(float))) : 0;
    scratchpadAt = biasAt + slices() * biasBytes;
    for (const Primitive &p : primitives)
      scratchpadBytes = std::max(scratchpadBytes, align(int64_t(p.scratchpad.get_size())));
    stagedAt = scratchpadAt + slices() * scratchpadBytes;
    const int64_t step = std::max(slice.front().step, slice.back().step);
    stagedXBytes = shape.denseX ? 0 : align(step * xBytes());
    stagedYBytes = shape.denseY ? 0 : align(step * yBytes());
    total = stagedAt + slices() * (stagedXBytes + stagedYBytes);
    partials.resize(size_t(slices() - 1));
  }

  // Images [first, first + count) of `pixels` pixels each. What is dense now needs no copy, even if
  // there is room for one.
  static Staged staged(const Pixels &all, int64_t first, int64_t count, int64_t pixels, int64_t c,
                       char *copy) {
    const Pixels at = skip(all, first * pixels);
    float *dense = at.pitch == c ? at.data : reinterpret_cast<float *>(copy);
    return {at, dense, count * pixels, c};
  }

  void runImages(Slice &mine, const Staged &x, const Staged &y) {
    mine.x.bind(x.dense);
    mine.y.bind(y.dense);
    if (pass != ConvPass::BackwardData)
      x.pack();
    if (pass != ConvPass::Forward)
      y.pack();
    execute(primitives[size_t(mine.primitive)].run, stream, mine.args);
    if (pass == ConvPass::BackwardData)
      x.unpack();
    if (pass == ConvPass::Forward)
      y.unpack();
  }

  // Where slice i finds or leaves its weights.
  void *weightsOf(int i, const ConvData &data, char *base) const {
    if (!packs() && (i == 0 || !gradient()))
      return data.w;
    if (data.packed)
      return data.packed;
    return base + (gradient() ? i : 0) * align(weightBytes);
  }
  void *biasOf(int i, const ConvData &data, char *base) const {
    return gradient() && i > 0 ? base + biasAt + i * biasBytes : static_cast<void *>(data.bias);
  }

  static void addPartials(float *sum, Range r, const std::vector<const float *> &terms) {
    for (const float *term : terms) {
      const float *from = term + r.begin;
      loops().accumulate(sum + r.begin, &from, 1, r.size());
    }
  }

  void bindArguments(Slice &s) {
    s.primitive = s.step == slice.front().step ? 0 : 1;
    const Primitive &p = primitives[size_t(s.primitive)];
    auto add = [&](Bound &bound, const Desc &desc, int argument) {
      bound = Bound(desc, engine);
      s.args.push_back({argument, bound.get()});
    };
    bool data = pass == ConvPass::BackwardData, forward = pass == ConvPass::Forward;
    add(s.x, p.x, data ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC);
    add(s.w, p.w, gradient() ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS);
    add(s.y, p.y, forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST);
    if (shape.bias && !data)
      add(s.bias, p.bias, gradient() ? DNNL_ARG_DIFF_BIAS : DNNL_ARG_BIAS);
    if (p.scratchpad.get_size())
      add(s.scratchpad, p.scratchpad, DNNL_ARG_SCRATCHPAD);
  }

  void makeReorder() {
    plainMemory = Bound(plain, engine);
    packedMemory = Bound(packedDesc(), engine);
    const Desc &from = gradient() ? packedDesc() : plain, &to = gradient() ? plain : packedDesc();
    reorder = dnnl::reorder(dnnl::reorder::primitive_desc(engine, from, engine, to));
    reorderArgs = {{DNNL_ARG_FROM, (gradient() ? packedMemory : plainMemory).get()},
                   {DNNL_ARG_TO, (gradient() ? plainMemory : packedMemory).get()}};
  }

  static void execute(const dnnl::primitive &primitive, const dnnl::stream &on,
                      const std::vector<dnnl_exec_arg_t> &args) {
    check(dnnl_primitive_execute(primitive.get(), on.get(), int(args.size()), args.data()),
          "run a primitive");
  }

  ConvPass pass;
  ConvShape shape;
  dnnl::engine engine;
  dnnl::stream stream;
  std::vector<Primitive> primitives;
  std::vector<Slice> slice;
  std::vector<const float *> partials;
  Desc plain;
  dnnl::primitive reorder;
  Bound plainMemory, packedMemory;
  std::vector<dnnl_exec_arg_t> reorderArgs;
  int64_t weightBytes = 0, biasAt = 0, biasBytes = 0;
  int64_t scratchpadAt = 0, scratchpadBytes = 0;
  int64_t stagedAt = 0, stagedXBytes = 0, stagedYBytes = 0, total = 0;
};

} // namespace

std::string buildDirect(ConvPass pass, const ConvShape &shape, int slices,
                        std::unique_ptr<Convolution> &result) {
  OneThread one;
  try {
    result = std::make_unique<ConvolutionImpl>(pass, shape, slices);
  } catch (const dnnl::error &e) {
    return std::string("oneDNN: ") + e.what();
  }
  return std::string();
}

void multiply(int64_t m, int64_t n, int64_t k, const Matrix &a, const Matrix &b, float *c,
              int64_t strideC) {
  OneThread one;
  check(dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0f, a.data,
                   a.stride, b.data, b.stride, 0.0f, c, strideC),
        "multiply matrices");
}

} // namespace trk::cpu
