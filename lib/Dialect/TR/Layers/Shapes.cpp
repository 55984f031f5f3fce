// SPDX-License-Identifier: Apache-2.0
//
// Extents of windows.
#include "Shapes.h"

using namespace mlir;

namespace tr::shapes {
namespace {

// A window along one axis.
struct Axis {
  StringRef name;
  int64_t in, kernel, stride, pad, dilation;
  bool ceil = false;

  LogicalResult check(Emit emitError) const {
    int64_t window = dilation * (kernel - 1) + 1;
    int64_t padded = in + 2 * pad;
    if (window <= padded)
      return success();
    return emitError() << "expected a kernel no larger than the padded input, but got kernel "
                       << name << " " << window << " on padded " << name << " " << padded;
  }
  int64_t extent() const { return trf::windowExtent(in, kernel, stride, pad, dilation, ceil); }
};

struct Window {
  Axis height, width;

  Window(ImageShape in, ConvAttr g)
      : height{"height", in.h, g.getKernel().h, g.getStride().h, g.getPad().h, g.getDilation().h},
        width{"width", in.w, g.getKernel().w, g.getStride().w, g.getPad().w, g.getDilation().w} {}
  Window(ImageShape in, PoolAttr p)
      : height{"height", in.h, p.getKernel().h, p.getStride().h, p.getPad().h, 1, p.getCeil()},
        width{"width", in.w, p.getKernel().w, p.getStride().w, p.getPad().w, 1, p.getCeil()} {}

  ImageShape over(int64_t channels) const { return {height.extent(), width.extent(), channels}; }
  FailureOr<ImageShape> over(Emit emitError, int64_t channels) const {
    if (failed(height.check(emitError)) || failed(width.check(emitError)))
      return failure();
    return over(channels);
  }
};

} // namespace

FailureOr<ImageShape> convolve(Emit emitError, ImageShape in, ConvAttr geometry) {
  if (in.c % geometry.getGroups() != 0)
    return emitError() << "expected input channels divisible by groups " << geometry.getGroups()
                       << ", but got " << in.c;
  return Window(in, geometry).over(emitError, geometry.getOut());
}

FailureOr<ImageShape> pool(Emit emitError, ImageShape in, PoolAttr window) {
  return Window(in, window).over(emitError, in.c);
}

LogicalResult checkRange(Emit emitError, StringRef what, int64_t value) {
  if (value >= 1 && value <= kMostExtent)
    return success();
  return emitError() << "expected " << what << " in [1, " << kMostExtent << "], but got " << value;
}

ImageShape convolved(ImageShape in, ConvAttr geometry) {
  return Window(in, geometry).over(geometry.getOut());
}
ImageShape pooled(ImageShape in, PoolAttr window) { return Window(in, window).over(in.c); }

} // namespace tr::shapes
