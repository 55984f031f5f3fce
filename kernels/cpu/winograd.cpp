// SPDX-License-Identifier: Apache-2.0
//
// Winograd convolution F(4x4, 3x3): blocks of tiles are transformed, multiplied as 36
// matrix products and transformed back, so that a block's matrices stay in the cache.
#include "cpu/convolution.h"

#include <vector>

namespace trk::cpu {
namespace {

constexpr int64_t kPoints = kWinogradPoints;
// Bytes of a block's two matrices, and tiles that a block should have at least: each
// block reads the weights' matrices once.
constexpr int64_t kBlockBytes = 1 << 20;
constexpr int64_t kLeastTiles = 84;

// An odd number of cache lines from point to point: the transforms touch all points of an
// element at once, which must not fall into the same set of the cache.
int64_t pointStride(int64_t floats) {
  int64_t lines = roundUp(floats, 16) / 16;
  return (lines + (lines % 2 == 0)) * 16;
}

// Rows for multiplyPanels to broadcast from. Not a power of two: rows would share
// lines of the first-level cache.
WinogradMatrix rowMatrix(int64_t rows, int64_t columns) {
  int64_t row = roundUp(columns, 16) + 16;
  return {nullptr, pointStride(rows * row), loops().panel, row};
}
WinogradMatrix panelMatrix(int64_t rows, int64_t columns) {
  int64_t panel = rows * loops().panel, panels = roundUp(columns, loops().panel) / loops().panel;
  return {nullptr, pointStride(panels * panel), panel, loops().panel};
}
int64_t floats(const WinogradMatrix &m) { return kPoints * m.point; }
float *take(Carver &carver, WinogradMatrix &m) { return m.data = carver.take<float>(floats(m)); }

// c[point] (+)= a[point] * b[point]; rows of a are its columns where `transposed`.
void multiply(const WinogradMatrix &a, bool transposed, const WinogradMatrix &b,
              const WinogradMatrix &c, int64_t m, int64_t n, int64_t k, bool accumulate) {
  PanelProduct product;
  product.aRow = transposed ? 1 : a.row;
  product.aCol = transposed ? a.row : 1;
  product.bPanel = b.panel;
  product.cRow = c.row;
  product.cPanel = c.panel;
  product.m = m;
  product.n = n;
  product.k = k;
  product.accumulate = accumulate;
  product.wholePanels = true;
  for (int64_t point = 0; point < kPoints; ++point) {
    product.a = a.data + point * a.point;
    product.b = b.data + point * b.point;
    product.c = c.data + point * c.point;
    loops().multiplyPanels(product);
  }
}

class Winograd : public Convolution {
public:
  Winograd(const ConvShape &s, int sliceCount)
      : batch(s.n), byRows(s.cutImages && s.n < sliceCount),
        count(int(std::clamp<int64_t>(byRows ? s.n * ((s.oh + 3) / 4) : s.n, 1,
                                      std::max(sliceCount, 1)))) {}
  int slices() const override { return count; }
  Range images(int slice) const override { return part(batch, count, slice); }
  std::string implementation() const override { return "winograd_4x4_3x3"; }

protected:
  // Extents of a pass whose transforms read (h, w, c) and write (oh, ow, k).
  void setShape(int64_t h, int64_t w, int64_t c, int64_t oh, int64_t ow, int64_t k, int64_t padH,
                int64_t padW) {
    shape = {h, w, c, oh, ow, k, padH, padW, (oh + 3) / 4, (ow + 3) / 4};
    int64_t tile = kPoints * (c + k) * int64_t(sizeof(float)), unit = loops().tileRows;
    int64_t most = std::max(kBlockBytes / tile / unit * unit, roundUp(kLeastTiles, unit));
    int64_t tiles = tilesOf(0).size();
    int64_t blocks = (tiles + most - 1) / most;
    block = std::min(tiles, roundUp((tiles + blocks - 1) / blocks, unit));
  }
  // Tiles of whole images, or of rows of tiles.
  Range tilesOf(int slice) const {
    Range r = byRows ? part(batch * shape.tilesH, count, slice) : images(slice);
    int64_t tiles = byRows ? shape.tilesW : shape.tilesH * shape.tilesW;
    return {r.begin * tiles, r.end * tiles};
  }
  // body(first tile, count) over a slice.
  template <typename Body> void forBlocks(int slice, Body body) const {
    Range r = tilesOf(slice);
    for (int64_t tile = r.begin; tile < r.end; tile += block)
      body(tile, std::min(block, r.end - tile));
  }

  WinogradShape shape;
  int64_t batch = 0, block = 0;
  bool byRows = false;
  int count = 1;
};

// Forward, and the gradient of the input as a forward pass of the mirrored weights.
class WinogradForward final : public Winograd {
public:
  WinogradForward(const ConvShape &s, int sliceCount, bool gradient)
      : Winograd(s, sliceCount), mirrored(gradient) {
    if (gradient)
      setShape(s.oh, s.ow, s.outputs, s.h, s.w, s.c, 2 - s.window.padH, 2 - s.window.padW);
    else
      setShape(s.h, s.w, s.c, s.oh, s.ow, s.outputs, s.window.padH, s.window.padW);
    weightShape.c = s.c;
    weightShape.k = s.outputs;
  }

  int64_t scratchBytes() const override { return Scratch(*this, nullptr).bytes; }
  int64_t packedBytes() const override {
    return floats(panelMatrix(shape.c, shape.k)) * int64_t(sizeof(float));
  }

  void packWeights(const Call &call, const float *w, void *scratch) override {
    Scratch s(*this, scratch);
    int64_t blocks = (shape.c + 15) / 16;
    int parts = partCount(call, blocks, 16 * 9 * shape.k);
    forParts(call, parts, [&](int i) {
      Range r = part(blocks, parts, i);
      int64_t last = std::min(r.end * 16, shape.c);
      auto transform = mirrored ? loops().winogradWeightsMirrored : loops().winogradWeights;
      transform(weightShape, w, r.begin * 16, last, s.weights);
    });
  }

  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Scratch s(*this, scratch, slice);
    if (data.packed)
      s.weights.data = static_cast<float *>(data.packed);
    const Pixels &from = mirrored ? data.y : data.x, &to = mirrored ? data.x : data.y;
    forBlocks(slice, [&](int64_t first, int64_t tiles) {
      loops().winogradInput(shape, constPixelsOf(from), first, tiles, s.in);
      multiply(s.in, false, s.weights, s.out, tiles, shape.k, shape.c, false);
      loops().winogradOutput(shape, s.out, data.bias, first, tiles, to);
      report(slice, first, tiles, data);
    });
  }

  void finishGradients(const Call &, const ConvData &, void *) override {}

private:
  // Images that end with the tiles of this block.
  void report(int slice, int64_t first, int64_t tiles, const ConvData &data) const {
    int64_t image = shape.tilesH * shape.tilesW;
    if (data.progress && (first + tiles) / image > first / image)
      data.progress->reached(slice, (first + tiles) / image);
  }

  struct Scratch {
    WinogradMatrix weights, in, out;
    int64_t bytes;
    Scratch(const WinogradForward &f, void *base, int slice = 0)
        : weights(panelMatrix(f.shape.c, f.shape.k)), in(rowMatrix(f.block, f.shape.c)),
          out(panelMatrix(f.block, f.shape.k)) {
      Carver carver(base);
      take(carver, weights);
      for (int i = 0; i < f.count; ++i) {
        Scratch &mine = *this;
        float *a = carver.take<float>(floats(in)), *b = carver.take<float>(floats(out));
        if (i == slice) {
          mine.in.data = a;
          mine.out.data = b;
        }
      }
      bytes = carver.bytes();
    }
  };

  bool mirrored;
  WinogradShape weightShape;
};

// The gradient of the weights: products over tiles are summed in the transformed form,
// one set of matrices per slice, and mapped back once.
class WinogradWeightGradient final : public Winograd {
public:
  WinogradWeightGradient(const ConvShape &s, int sliceCount)
      : Winograd(s, sliceCount), bias(s.bias), terms(size_t(count)) {
    setShape(s.h, s.w, s.c, s.oh, s.ow, s.outputs, s.window.padH, s.window.padW);
  }

  int64_t scratchBytes() const override { return Scratch(*this, nullptr).bytes; }
  void packWeights(const Call &, const float *, void *) override {}

  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Scratch s(*this, scratch, slice);
    bool accumulate = false;
    forBlocks(slice, [&](int64_t first, int64_t tiles) {
      loops().winogradInput(shape, constPixelsOf(data.x), first, tiles, s.in);
      loops().winogradOutputGradient(shape, constPixelsOf(data.y), first, tiles, s.out);
      multiply(s.out, true, s.in, s.sum, shape.k, shape.c, tiles, accumulate);
      accumulate = true;
    });
    if (!bias)
      return;
    Range r = images(slice);
    int64_t pixels = shape.oh * shape.ow;
    loops().columnSums(constPixelsOf(skip(data.y, r.begin * pixels)), r.size() * pixels, shape.k,
                       s.biasSums + slice * shape.k, s.work + slice * shape.k);
  }

  void finishGradients(const Call &call, const ConvData &data, void *scratch) override {
    for (int i = 0; i < count; ++i)
      terms[size_t(i)] = Scratch(*this, scratch, i).sum.data;
    Scratch s(*this, scratch);
    int parts = partCount(call, shape.k, shape.c * kPoints);
    forParts(call, parts, [&](int i) {
      Range r = part(shape.k, parts, i);
      loops().winogradWeightGradient(shape, s.sum, terms.data(), count, r.begin, r.end, data.w);
    });
    for (int64_t k = 0; bias && k < shape.k; ++k) {
      double sum = 0;
      for (int i = 0; i < count; ++i)
        sum += s.biasSums[i * shape.k + k];
      data.bias[k] = float(sum);
    }
  }

private:
  struct Scratch {
    WinogradMatrix in, out, sum;
    double *biasSums;
    float *work;
    int64_t bytes;
    Scratch(const WinogradWeightGradient &g, void *base, int slice = 0)
        : in(panelMatrix(g.block, g.shape.c)), out(rowMatrix(g.block, g.shape.k)),
          sum(panelMatrix(g.shape.k, g.shape.c)) {
      Carver carver(base);
      biasSums = carver.take<double>(g.bias ? g.count * g.shape.k : 0);
      work = carver.take<float>(g.bias ? g.count * g.shape.k : 0);
      for (int i = 0; i < g.count; ++i) {
        float *a = carver.take<float>(floats(in)), *b = carver.take<float>(floats(out)),
              *c = carver.take<float>(floats(sum));
        if (i == slice) {
          in.data = a;
          out.data = b;
          sum.data = c;
        }
      }
      bytes = carver.bytes();
    }
  };

  bool bias;
  std::vector<const float *> terms;
};

} // namespace

bool winogradSupports(const ConvShape &s) {
  const Window &a = s.window;
  return a.kernelH == 3 && a.kernelW == 3 && a.strideH == 1 && a.strideW == 1 && a.dilationH == 1 &&
         a.dilationW == 1 && a.groups == 1 && a.padH <= 2 && a.padW <= 2 && a.moreH == 0 &&
         a.moreW == 0;
}

std::unique_ptr<Convolution> buildWinograd(ConvPass pass, const ConvShape &shape, int slices) {
  if (pass == ConvPass::BackwardWeight)
    return std::make_unique<WinogradWeightGradient>(shape, slices);
  return std::make_unique<WinogradForward>(shape, slices, pass == ConvPass::BackwardData);
}

} // namespace trk::cpu
