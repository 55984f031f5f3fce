// SPDX-License-Identifier: Apache-2.0
//
// 1x1 convolution as matrix products on blocks of pixels that stay in the cache.
#include "cpu/convolution.h"

#include <cstring>

namespace trk::cpu {
namespace {

// Bytes of the rows of a block, and pixels that it should have at least: each block
// reads the weights once.
constexpr int64_t kBlockBytes = 512 << 10;
constexpr int64_t kLeastPixels = 112;

int64_t panelFloats(int64_t rows, int64_t columns) {
  return rows * roundUp(columns, loops().panel);
}

class Pointwise : public Convolution {
public:
  Pointwise(const ConvShape &original, int sliceCount) : shape(original) {
    ConvShape &s = shape;
    if (s.cutImages && s.window.strideH == 1) { // rows are as independent as images
      s.n *= s.h;
      s.h = s.oh = 1;
    }
    count = int(std::clamp<int64_t>(s.n, 1, std::max(sliceCount, 1)));
    strided = s.window.strideH > 1 || s.window.strideW > 1;
    int64_t row = (s.c + s.outputs) * int64_t(sizeof(float));
    int64_t most = std::max(kBlockBytes / row, kLeastPixels);
    int64_t pixels = images(0).size() * s.oh * s.ow, blocks = (pixels + most - 1) / most;
    block = std::min(pixels, roundUp((pixels + blocks - 1) / blocks, loops().tileRows));
  }
  int slices() const override { return count; }
  Range images(int slice) const override { return part(shape.n, count, slice); }
  std::string implementation() const override { return "pointwise"; }

protected:
  // body(first output pixel, count) over a slice.
  template <typename Body> void forBlocks(int slice, Body body) const {
    Range r = images(slice);
    int64_t last = r.end * shape.oh * shape.ow;
    for (int64_t pixel = r.begin * shape.oh * shape.ow; pixel < last; pixel += block)
      body(pixel, std::min(block, last - pixel));
  }
  // body(position in the block, address of the input's pixel) for each output pixel.
  template <typename Body>
  void forInputs(const Pixels &x, int64_t first, int64_t pixels, Body body) const {
    for (int64_t i = 0; i < pixels; ++i) {
      int64_t p = first + i, col = p % shape.ow, row = p / shape.ow % shape.oh;
      int64_t image = p / (shape.oh * shape.ow);
      body(i, skip(x, (image * shape.h + row * shape.window.strideH) * shape.w +
                          col * shape.window.strideW)
                  .data);
    }
  }
  // Rows of x that a block reads: x itself, or copies of them in `rows`.
  ConstPixels gather(const ConvData &data, int64_t first, int64_t pixels, float *rows) const {
    if (!strided)
      return constPixelsOf(skip(data.x, first));
    forInputs(data.x, first, pixels, [&](int64_t i, const float *x) {
      std::memcpy(rows + i * shape.c, x, size_t(shape.c) * sizeof(float));
    });
    return {rows, shape.c};
  }

  // Packed weights, and for a stride the rows of a block of each slice.
  struct Scratch {
    float *weights, *rows = nullptr;
    int64_t bytes;
    Scratch(const Pointwise &p, void *base, int slice, int64_t weightFloats) {
      Carver carver(base);
      weights = carver.take<float>(weightFloats);
      for (int i = 0; i < p.count && p.strided; ++i) {
        float *mine = carver.take<float>(p.block * p.shape.c);
        rows = i == slice ? mine : rows;
      }
      bytes = carver.bytes();
    }
  };

  ConvShape shape;
  int count = 1;
  int64_t block = 0;
  bool strided = false;
};

class PointwiseForward final : public Pointwise {
public:
  using Pointwise::Pointwise;
  int64_t scratchBytes() const override { return scratchOf(nullptr, 0).bytes; }
  int64_t packedBytes() const override {
    return panelFloats(shape.c, shape.outputs) * int64_t(sizeof(float));
  }
  bool hasEpilogue() const override { return true; }

  void packWeights(const Call &call, const float *w, void *scratch) override {
    float *to = scratchOf(scratch, 0).weights;
    int64_t panel = loops().panel, panels = roundUp(shape.outputs, panel) / panel;
    int parts = partCount(call, panels, panel * shape.c);
    forParts(call, parts, [&](int i) {
      Range r = part(panels, parts, i);
      int64_t columns = std::min(r.end * panel, shape.outputs) - r.begin * panel;
      loops().packPanels(w + r.begin * panel * shape.c, 1, shape.c, shape.c, columns,
                         to + r.begin * panel * shape.c);
    });
  }

  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Scratch s = scratchOf(scratch, slice);
    PanelProduct g;
    g.aCol = 1;
    g.b = data.packed ? static_cast<const float *>(data.packed) : s.weights;
    g.bPanel = shape.c * loops().panel;
    g.cRow = data.y.pitch;
    g.cPanel = loops().panel;
    g.n = shape.outputs;
    g.k = shape.c;
    g.accumulate = data.bias || data.shortcut.data;
    forBlocks(slice, [&](int64_t first, int64_t pixels) {
      const ConstPixels x = gather(data, first, pixels, s.rows);
      const Pixels y = skip(data.y, first);
      g.a = x.data;
      g.aRow = x.pitch;
      g.c = y.data;
      g.m = pixels;
      if (data.shortcut.data)
        addBias(data, first, pixels);
      else if (data.bias)
        loops().broadcast(data.bias, y, pixels, shape.outputs);
      loops().multiplyPanels(g);
      activate(data.act, y, pixels);
      int64_t image = shape.oh * shape.ow;
      if (data.progress && (first + pixels) / image > first / image)
        data.progress->reached(slice, (first + pixels) / image);
    });
  }
  void finishGradients(const Call &, const ConvData &, void *) override {}

private:
  Scratch scratchOf(void *base, int slice) const {
    return Scratch(*this, base, slice, panelFloats(shape.c, shape.outputs));
  }

  // y = shortcut + bias, for the product to be added to. They may be the same memory.
  void addBias(const ConvData &data, int64_t first, int64_t pixels) const {
    NormApply add;
    add.x = {skip(data.shortcut, first), data.zeros, data.ones, data.bias};
    add.y = skip(data.y, first);
    add.rows = pixels;
    add.c = shape.outputs;
    loops().normApply(add);
  }

  void activate(Act act, const Pixels &y, int64_t pixels) const {
    const Block b = blockOf(y, pixels, shape.outputs);
    if (act != Activation::None)
      loops().act(act, constPixelsOf(y), y, b.rows, b.count);
  }
};

class PointwiseDataGradient final : public Pointwise {
public:
  using Pointwise::Pointwise;
  int64_t scratchBytes() const override { return scratchOf(nullptr, 0).bytes; }

  void packWeights(const Call &call, const float *w, void *scratch) override {
    float *to = scratchOf(scratch, 0).weights;
    int64_t panel = loops().panel, panels = roundUp(shape.c, panel) / panel;
    int parts = partCount(call, panels, panel * shape.outputs);
    forParts(call, parts, [&](int i) {
      Range r = part(panels, parts, i);
      int64_t columns = std::min(r.end * panel, shape.c) - r.begin * panel;
      loops().packPanels(w + r.begin * panel, shape.c, 1, shape.outputs, columns,
                         to + r.begin * panel * shape.outputs);
    });
  }

  // Pixels between those of a strided convolution have no gradient.
  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Scratch s = scratchOf(scratch, slice);
    Range r = images(slice);
    int64_t image = shape.h * shape.w;
    if (strided)
      clear(skip(data.x, r.begin * image), r.size() * image);
    PanelProduct g;
    g.aRow = data.y.pitch;
    g.aCol = 1;
    g.b = s.weights;
    g.bPanel = shape.outputs * loops().panel;
    g.cRow = strided ? shape.c : data.x.pitch;
    g.cPanel = loops().panel;
    g.n = shape.c;
    g.k = shape.outputs;
    forBlocks(slice, [&](int64_t first, int64_t pixels) {
      g.a = skip(data.y, first).data;
      g.c = strided ? s.rows : skip(data.x, first).data;
      g.m = pixels;
      loops().multiplyPanels(g);
      if (strided)
        forInputs(data.x, first, pixels, [&](int64_t i, float *dx) {
          std::memcpy(dx, s.rows + i * shape.c, size_t(shape.c) * sizeof(float));
        });
    });
  }
  void finishGradients(const Call &, const ConvData &, void *) override {}

private:
  Scratch scratchOf(void *base, int slice) const {
    return Scratch(*this, base, slice, panelFloats(shape.outputs, shape.c));
  }
  void clear(const Pixels &dx, int64_t pixels) const {
    const Block b = blockOf(dx, pixels, shape.c);
    for (int64_t i = 0; i < b.rows; ++i)
      std::memset(skip(dx, i).data, 0, size_t(b.count) * sizeof(float));
  }
};

// dw = dy' * x over blocks of pixels. The first slice sums in dw, the others in scratch.
class PointwiseWeightGradient final : public Pointwise {
public:
  using Pointwise::Pointwise;
  int64_t scratchBytes() const override { return Scratch(*this, nullptr, 0).bytes; }
  void packWeights(const Call &, const float *, void *) override {}

  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Scratch s(*this, scratch, slice);
    PanelProduct g;
    g.aRow = 1;
    g.aCol = data.y.pitch;
    g.b = s.panels;
    g.c = slice == 0 ? data.w : s.sum;
    g.cRow = shape.c;
    g.cPanel = loops().panel;
    g.m = shape.outputs;
    g.n = shape.c;
    forBlocks(slice, [&](int64_t first, int64_t pixels) {
      const ConstPixels x = gather(data, first, pixels, s.rows);
      loops().packPanels(x.data, x.pitch, 1, pixels, shape.c, s.panels);
      g.a = skip(data.y, first).data;
      g.bPanel = pixels * loops().panel;
      g.k = pixels;
      loops().multiplyPanels(g);
      g.accumulate = true;
    });
    if (!shape.bias)
      return;
    Range r = images(slice);
    int64_t pixels = shape.oh * shape.ow, k = shape.outputs;
    loops().columnSums(constPixelsOf(skip(data.y, r.begin * pixels)), r.size() * pixels, k,
                       s.biasSums + slice * k, s.work + slice * k);
  }

  void finishGradients(const Call &call, const ConvData &data, void *scratch) override {
    for (int i = 1; i < count; ++i) {
      const float *term = Scratch(*this, scratch, i).sum;
      forElements(call, shape.outputs * shape.c, [&](Range r) {
        const float *from = term + r.begin;
        loops().accumulate(data.w + r.begin, &from, 1, r.size());
      });
    }
    Scratch s(*this, scratch, 0);
    for (int64_t k = 0; shape.bias && k < shape.outputs; ++k) {
      double sum = 0;
      for (int i = 0; i < count; ++i)
        sum += s.biasSums[i * shape.outputs + k];
      data.bias[k] = float(sum);
    }
  }

private:
  struct Scratch {
    float *rows = nullptr, *panels = nullptr, *sum = nullptr, *work;
    double *biasSums;
    int64_t bytes;
    Scratch(const PointwiseWeightGradient &g, void *base, int slice) {
      Carver carver(base);
      int64_t sums = g.shape.bias ? g.count * g.shape.outputs : 0;
      biasSums = carver.take<double>(sums);
      work = carver.take<float>(sums);
      for (int i = 0; i < g.count; ++i) {
        float *a = carver.take<float>(g.strided ? g.block * g.shape.c : 0),
              *b = carver.take<float>(panelFloats(g.block, g.shape.c)),
              *c = carver.take<float>(i > 0 ? g.shape.outputs * g.shape.c : 0);
        if (i == slice) {
          rows = a;
          panels = b;
          sum = c;
        }
      }
      bytes = carver.bytes();
    }
  };
};

} // namespace

bool pointwiseSupports(const ConvShape &s) {
  const Window &a = s.window;
  return a.kernelH == 1 && a.kernelW == 1 && a.padH == 0 && a.padW == 0 && a.moreH == 0 &&
         a.moreW == 0 && a.groups == 1;
}

std::unique_ptr<Convolution> buildPointwise(ConvPass pass, const ConvShape &shape, int slices) {
  switch (pass) {
  case ConvPass::Forward:
    return std::make_unique<PointwiseForward>(shape, slices);
  case ConvPass::BackwardData:
    return std::make_unique<PointwiseDataGradient>(shape, slices);
  case ConvPass::BackwardWeight:
    break;
  }
  return std::make_unique<PointwiseWeightGradient>(shape, slices);
}

} // namespace trk::cpu
