// SPDX-License-Identifier: Apache-2.0
//
// Shape rules of the layers: output extents from input extents, and the errors of
// inputs that a layer cannot take. Extents are bounded here, so later products of
// four of them are checked in one place (the tensor table).
#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include <cmath>

using namespace mlir;

namespace tr::arch {
namespace {
using Emit = function_ref<InFlightDiagnostic()>;
using Inputs = ArrayRef<ImageShape>;

// Output extent of a window along one axis, or a message.
FailureOr<int64_t> slide(Emit emitError, StringRef axis, int64_t in, int64_t kernel, int64_t stride,
                         int64_t pad, int64_t dilation) {
  int64_t window = dilation * (kernel - 1) + 1;
  int64_t padded = in + 2 * pad;
  if (window > padded)
    return emitError() << "expected a kernel no larger than the padded input, but got kernel "
                       << axis << " " << window << " on padded " << axis << " " << padded;
  return trf::windowExtent(in, kernel, stride, pad, dilation);
}

FailureOr<ImageShape> slide(Emit emitError, ImageShape in, int64_t out, Dims2 kernel, Dims2 stride,
                            Dims2 pad, Dims2 dilation = {1, 1}) {
  FailureOr<int64_t> h = slide(emitError, "height", in.h, kernel.h, stride.h, pad.h, dilation.h);
  if (failed(h))
    return failure();
  FailureOr<int64_t> w = slide(emitError, "width", in.w, kernel.w, stride.w, pad.w, dilation.w);
  if (failed(w))
    return failure();
  return ImageShape{*h, *w, out};
}

FailureOr<ImageShape> convolve(Emit emitError, ImageShape in, ConvAttr geometry) {
  if (in.c % geometry.getGroups() != 0)
    return emitError() << "expected input channels divisible by groups " << geometry.getGroups()
                       << ", but got " << in.c;
  return slide(emitError, in, geometry.getOut(), geometry.getKernel(), geometry.getStride(),
               geometry.getPad(), geometry.getDilation());
}

FailureOr<ImageShape> pool(Emit emitError, ImageShape in, PoolAttr window) {
  return slide(emitError, in, in.c, window.getKernel(), window.getStride(), window.getPad());
}

// A 3x3 with pad 1 or a 1x1 with pad 0 at this stride.
ImageShape strided(ImageShape in, int64_t out, int64_t stride) {
  return {(in.h - 1) / stride + 1, (in.w - 1) / stride + 1, out};
}

LogicalResult checkRange(Emit emitError, StringRef what, int64_t value, int64_t least = 1) {
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  if (value >= least && value <= most)
    return success();
  return emitError() << "expected " << what << " in [" << least << ", " << most << "], but got "
                     << value;
}

LogicalResult checkBn(Emit emitError, APFloat epsAttr, APFloat momentumAttr) {
  double eps = epsAttr.convertToDouble(), momentum = momentumAttr.convertToDouble();
  if (!(eps > 0) || !std::isfinite(eps))
    return emitError() << "expected eps > 0, but got " << eps;
  if (!(momentum >= 0 && momentum <= 1))
    return emitError() << "expected momentum in [0, 1], but got " << momentum;
  return success();
}
} // namespace

FailureOr<ImageShape> ConvOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  return convolve(emitError, in, getGeometry());
}
FailureOr<ImageShape> BnOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  return in;
}
FailureOr<ImageShape> Bn1dOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  if (in.h != 1 || in.w != 1)
    return emitError() << "expected a 1x1xC input, but got " << toString(in);
  return in;
}
FailureOr<ImageShape> Bn2dOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  return in;
}
FailureOr<ImageShape> ActOp::inferOutputShape(Inputs inputs, Emit) { return inputs.front(); }
FailureOr<ImageShape> DropoutOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  double p = getP().convertToDouble();
  if (!(p >= 0 && p < 1))
    return emitError() << "expected p in [0, 1), but got " << p;
  return in;
}
FailureOr<ImageShape> FlattenOp::inferOutputShape(Inputs inputs, Emit) {
  ImageShape in = inputs.front();
  return ImageShape{1, 1, in.h * in.w * in.c};
}
FailureOr<ImageShape> ChannelPaddingOp::inferOutputShape(Inputs inputs, Emit) {
  ImageShape in = inputs.front();
  return ImageShape{in.h, in.w, (in.c + 7) / 8 * 8};
}
FailureOr<ImageShape> MaxPoolOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  return pool(emitError, in, getWindow());
}
FailureOr<ImageShape> AvgPoolOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  return pool(emitError, in, getWindow());
}
FailureOr<ImageShape> GapOp::inferOutputShape(Inputs inputs, Emit) {
  ImageShape in = inputs.front();
  return ImageShape{1, 1, in.c};
}
FailureOr<ImageShape> FcOp::inferOutputShape(Inputs, Emit emitError) {
  if (failed(checkRange(emitError, "out features", getOut())))
    return failure();
  return ImageShape{1, 1, static_cast<int64_t>(getOut())};
}
FailureOr<ImageShape> IdentityOp::inferOutputShape(Inputs inputs, Emit) { return inputs.front(); }
FailureOr<ImageShape> SoftmaxCeOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  // One that step 3 will move to the end takes any input where it stands.
  bool last = llvm::any_of(getOutput().getUsers(), [](Operation *user) {
    return isa<YieldOp>(user) && isa<NetworkOp>(user->getParentOp());
  });
  if (!last)
    return in;
  int64_t classes = getClasses();
  // A map of so many elements gets a Flatten in step 5.
  if (in.h * in.w * in.c != classes)
    return emitError() << "expected " << classes << " logits for " << classes
                       << " classes, but got " << toString(in);
  return in;
}

FailureOr<ImageShape> Add2Op::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape stem = inputs[0], shortcut = inputs[1];
  if (stem == shortcut)
    return stem;
  return emitError() << "expected stem and shortcut of equal shape, but got stem " << toString(stem)
                     << " and shortcut " << toString(shortcut);
}

FailureOr<ImageShape> CbrOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  return convolve(emitError, in, getGeometry());
}
FailureOr<ImageShape> CbrpOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  FailureOr<ImageShape> out = convolve(emitError, in, getGeometry());
  if (failed(out))
    return failure();
  return pool(emitError, *out, getWindow());
}
FailureOr<ImageShape> GapFcOp::inferOutputShape(Inputs, Emit emitError) {
  if (failed(checkRange(emitError, "out features", getOut())))
    return failure();
  return ImageShape{1, 1, static_cast<int64_t>(getOut())};
}

FailureOr<ImageShape> BottleneckProjectionOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  if (failed(checkRange(emitError, "mid", getMid())) ||
      failed(checkRange(emitError, "out", getOut())) ||
      failed(checkRange(emitError, "stride", getStride())))
    return failure();
  return strided(in, getOut(), getStride());
}
FailureOr<ImageShape> BottleneckIdentityOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  if (failed(checkRange(emitError, "mid", getMid())))
    return failure();
  return in;
}
FailureOr<ImageShape> BasicBlockProjectionOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  if (failed(checkRange(emitError, "out", getOut())) ||
      failed(checkRange(emitError, "stride", getStride())))
    return failure();
  return strided(in, getOut(), getStride());
}
FailureOr<ImageShape> BasicBlockIdentityOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  return in;
}
FailureOr<ImageShape> InvResidualNoShortcutOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  if (failed(checkRange(emitError, "expand", getExpand(), 0)))
    return failure();
  if (failed(checkRange(emitError, "out", getOut())) ||
      failed(checkRange(emitError, "stride", getStride())))
    return failure();
  return strided(in, getOut(), getStride());
}
FailureOr<ImageShape> InvResidualIdentityOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (failed(checkRange(emitError, "expand", getExpand(), 0)))
    return failure();
  if (failed(checkBn(emitError, getEps(), getMomentum())))
    return failure();
  return in;
}

} // namespace tr::arch
