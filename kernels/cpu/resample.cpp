// SPDX-License-Identifier: Apache-2.0
//
// Means over a grid and larger maps, both directions: one loop over tables of weights along each
// axis. Work is split by output rows.
#include "common/axis_map.h"
#include "cpu/cpu.h"

namespace trk::cpu {
namespace {

// The weights of an axis, from inputs to outputs or back.
class TapTable {
public:
  TapTable(const AxisMap &axis, bool isBackward, Carver &carver)
      : map(axis), backward(isBackward), count(backward ? map.inputExtent() : map.outputExtent()),
        taps(carver.take<Tap>(count)) {
    int64_t weightCount = 0;
    for (int64_t i = 0; i < count; ++i)
      weightCount += sizeOf(i);
    weights = carver.take<float>(weightCount);
  }
  const Tap *fill() const {
    float *next = weights;
    for (int64_t i = 0; i < count; ++i) {
      const AxisMap::Span span = spanOf(i);
      taps[i] = {span.begin, span.end - span.begin, next};
      for (int64_t k = span.begin; k < span.end; ++k)
        *next++ = float(backward ? map.weight(k, i) : map.weight(i, k));
    }
    return taps;
  }

private:
  AxisMap::Span spanOf(int64_t i) const { return backward ? map.outputs(i) : map.inputs(i); }
  int64_t sizeOf(int64_t i) const { return spanOf(i).end - spanOf(i).begin; }

  AxisMap map;
  bool backward;
  int64_t count;
  Tap *taps;
  float *weights;
};

struct Tables {
  TapTable rows, columns;
  Tables(const MapAxes &axes, bool backward, Carver &carver)
      : rows(axes.h, backward, carver), columns(axes.w, backward, carver) {}
};

// From operand In to operand Out.
template <AxisMap::Kind Of, int In, int Out, bool Backward> struct Op {
  static MapAxes axes(const Call &call) {
    return Backward ? mapAxes(Of, call[Out], call[In]) : mapAxes(Of, call[In], call[Out]);
  }
  static int64_t scratch(const Call &call) {
    Carver carver(nullptr);
    Tables(axes(call), Backward, carver);
    return carver.bytes();
  }
  static void run(const Call &call) {
    const Tensor &in = call[In], &out = call[Out];
    Carver carver(call.scratch);
    const Tables tables(axes(call), Backward, carver);
    Resample args;
    args.in = constPixelsOf(in);
    args.out = pixelsOf(out);
    args.h = in.h();
    args.w = in.w();
    args.oh = out.h();
    args.ow = out.w();
    args.c = out.c();
    args.rows = tables.rows.fill();
    args.columns = tables.columns.fill();
    const int64_t rows = out.n() * out.h();
    const int count = partCount(call, rows, out.w() * out.c());
    forParts(call, count, [&](int i) {
      Resample mine = args;
      const Range range = part(rows, count, i);
      mine.first = range.begin;
      mine.last = range.end;
      loops().resample(mine);
    });
  }
  static Kernel kernel() { return {scratch, nullptr, run}; }
};

} // namespace

void addResampleKernels(const Registrar &kernels) {
  namespace mean = ops::adaptive_avgpool_fwd;
  namespace meanBwd = ops::adaptive_avgpool_bwd;
  namespace nearest = ops::upsample_nearest_fwd;
  namespace nearestBwd = ops::upsample_nearest_bwd;
  namespace linear = ops::upsample_bilinear_fwd;
  namespace linearBwd = ops::upsample_bilinear_bwd;
  kernels.add(mean::kOpcode, Op<AxisMap::Mean, mean::x, mean::y, false>::kernel());
  kernels.add(meanBwd::kOpcode, Op<AxisMap::Mean, meanBwd::dy, meanBwd::dx, true>::kernel());
  kernels.add(nearest::kOpcode, Op<AxisMap::Nearest, nearest::x, nearest::y, false>::kernel());
  kernels.add(nearestBwd::kOpcode,
              Op<AxisMap::Nearest, nearestBwd::dy, nearestBwd::dx, true>::kernel());
  kernels.add(linear::kOpcode, Op<AxisMap::Linear, linear::x, linear::y, false>::kernel());
  kernels.add(linearBwd::kOpcode,
              Op<AxisMap::Linear, linearBwd::dy, linearBwd::dx, true>::kernel());
}

} // namespace trk::cpu
