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
  int64_t more = 0; // of a pad at the end

  LogicalResult check(Emit emitError) const {
    int64_t window = dilation * (kernel - 1) + 1;
    int64_t padded = in + 2 * pad + more;
    if (window <= padded)
      return success();
    return emitError() << "expected a kernel no larger than the padded input, but got kernel "
                       << name << " " << window << " on padded " << name << " " << padded;
  }
  // Of a pooling, whose windows all hold a cell of the input.
  LogicalResult checkCells(Emit emitError) const {
    if (pad == 0 || dilation <= in)
      return success();
    return emitError() << "expected a dilation no larger than the padded input, but got dilation "
                       << dilation << " on " << name << " " << in;
  }
  int64_t extent() const {
    return trf::windowExtent(in, kernel, stride, pad, dilation, ceil, more);
  }
};

struct Window {
  Axis height, width;

  Window(ImageShape in, ConvAttr g)
      : height(makeAxis("height", in.h, g, &Dims2::h)),
        width(makeAxis("width", in.w, g, &Dims2::w)) {}
  Window(ImageShape in, PoolAttr p)
      : height(makeAxis("height", in.h, p, &Dims2::h)),
        width(makeAxis("width", in.w, p, &Dims2::w)) {
    height.ceil = width.ceil = p.getCeil();
  }

  template <typename AttrT>
  static Axis makeAxis(StringRef name, int64_t in, AttrT a, int64_t Dims2::*of) {
    return {name,
            in,
            a.getKernel().*of,
            a.getStride().*of,
            a.getPad().*of,
            a.getDilation().*of,
            /*ceil=*/false,
            a.getMore().*of};
  }

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
  Window axes(in, window);
  if (failed(axes.height.checkCells(emitError)) || failed(axes.width.checkCells(emitError)))
    return failure();
  return axes.over(emitError, in.c);
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
