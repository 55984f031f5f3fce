// SPDX-License-Identifier: Apache-2.0
//
// Depthwise weight gradient: each slice sums its images into gradients of its own, channels
// innermost; the end adds them in order and turns them round.
#include "cpu/convolution.h"

#include <cstring>
#include <vector>

namespace trk::cpu {
namespace {

constexpr int64_t kLargeWindow = 7;

class DepthwiseGradientPass final : public Convolution {
public:
  DepthwiseGradientPass(const ConvShape &convShape, int count)
      : s(convShape), count(int(std::clamp<int64_t>(s.n, 1, std::max(count, 1)))) {
    const Window &a = s.window;
    for (int64_t k = 0; k < a.kernelW; ++k) {
      const int64_t offset = k * a.dilationW - a.padW; // of the input's column from ow * stride
      const int64_t before = offset < 0 ? (-offset + a.strideW - 1) / a.strideW : 0;
      const int64_t end = s.w > offset ? (s.w - offset + a.strideW - 1) / a.strideW : 0;
      first.push_back(std::min(before, s.ow));
      last.push_back(std::clamp(end, first.back(), s.ow));
    }
  }

  int slices() const override { return count; }
  Range images(int slice) const override { return part(s.n, count, slice); }
  std::string implementation() const override { return "depthwise"; }
  int64_t scratchBytes() const override {
    Carver carver(nullptr);
    Scratch(carver, *this);
    return carver.bytes();
  }
  void packWeights(const Call &, const float *, void *) override {}

  void runSlice(int slice, const ConvData &data, void *scratch) override {
    Carver carver(scratch);
    const Scratch mine(carver, *this);
    const Range r = images(slice);
    DepthwiseGradient args = shapeArgs();
    const Pixels x = skip(data.x, r.begin * s.h * s.w), dy = skip(data.y, r.begin * s.oh * s.ow);
    args.x = {x.data, x.pitch};
    args.dy = {dy.data, dy.pitch};
    args.images = r.size();
    args.dw = mine.dw + slice * cells() * s.c;
    std::memset(args.dw, 0, size_t(cells() * s.c) * sizeof(float));
    loops().depthwiseWeightGradient(args);
    if (s.bias)
      loops().columnSums(args.dy, r.size() * s.oh * s.ow, s.c, mine.dbias + slice * s.c,
                         mine.work + slice * s.c);
  }

  void finishGradients(const Call &, const ConvData &data, void *scratch) override {
    Carver carver(scratch);
    const Scratch mine(carver, *this);
    for (int64_t i = 0; i < s.c; ++i) {
      for (int64_t cell = 0; cell < cells(); ++cell) {
        float sum = 0;
        for (int slice = 0; slice < count; ++slice)
          sum += mine.dw[(slice * cells() + cell) * s.c + i];
        data.w[i * cells() + cell] = sum;
      }
      double bias = 0;
      for (int slice = 0; s.bias && slice < count; ++slice)
        bias += mine.dbias[slice * s.c + i];
      if (s.bias)
        data.bias[i] = float(bias);
    }
  }

private:
  struct Scratch {
    double *dbias;
    float *dw, *work;
    Scratch(Carver &carver, const DepthwiseGradientPass &p)
        : dbias(carver.take<double>(p.count * p.s.c)),
          dw(carver.take<float>(p.count * p.cells() * p.s.c)),
          work(carver.take<float>(p.count * p.s.c)) {}
  };

  int64_t cells() const { return s.window.kernelH * s.window.kernelW; }

  DepthwiseGradient shapeArgs() const {
    const Window &a = s.window;
    DepthwiseGradient args;
    args.h = s.h;
    args.w = s.w;
    args.c = s.c;
    args.oh = s.oh;
    args.ow = s.ow;
    args.kernelH = a.kernelH;
    args.kernelW = a.kernelW;
    args.strideH = a.strideH;
    args.strideW = a.strideW;
    args.padH = a.padH;
    args.padW = a.padW;
    args.dilationH = a.dilationH;
    args.dilationW = a.dilationW;
    args.first = first.data();
    args.last = last.data();
    return args;
  }

  ConvShape s;
  int count;
  std::vector<int64_t> first, last; // DepthwiseGradient
};

} // namespace

bool depthwiseSupports(ConvPass pass, const ConvShape &s) {
  const Window &a = s.window;
  return pass == ConvPass::BackwardWeight && a.groups == s.c && s.outputs == s.c && s.c > 1 &&
         (std::max(a.kernelH, a.kernelW) >= kLargeWindow || a.dilationH > 1 || a.dilationW > 1);
}

std::unique_ptr<Convolution> buildDepthwise(const ConvShape &shape, int slices) {
  return std::make_unique<DepthwiseGradientPass>(shape, slices);
}

} // namespace trk::cpu
