// SPDX-License-Identifier: Apache-2.0
//
// conv_transpose: the gradient of a convolution from its output to its input, as a layer. Its
// kernel ops are those of the convolution with the parts of input and output exchanged.
#include "Layer.h"

#include <cmath>

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kTransposed[] = {
    kOut,
    kKernel,
    kStride1,
    withWords(kPad0, {}),
    named(optional("output_pad", ParamKind::Dims, "0", kNotNegative)),
    kDilation,
    kGroups,
    kConvBias,
    kPadEnd};

static Operation *buildTransposed(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call);
  Dims2 extra = call["output_pad"].dims, stride = call["stride"].dims;
  if (!geometry)
    return nullptr;
  if (extra.h >= stride.h || extra.w >= stride.w) {
    emitError(loc) << "expected output_pad smaller than stride " << stride.h << "x" << stride.w
                   << ", but got " << extra.h << "x" << extra.w;
    return nullptr;
  }
  return bp::ConvTransposeOp::create(builder, loc, geometry, extra.h, extra.w, call.name);
}

ArrayRef<Signature> bp::ConvTransposeOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"conv_transpose", kTransposed, "transposed convolution", buildTransposed}};
  return calls;
}

// The extent of which a convolution makes `in`, with `extra` cells at the end.
static int64_t stretch(int64_t in, int64_t kernel, int64_t stride, int64_t pads, int64_t dilation,
                       int64_t extra) {
  return (in - 1) * stride - pads + dilation * (kernel - 1) + 1 + extra;
}

FailureOr<ImageShape> arch::ConvTransposeOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ConvAttr g = getGeometry();
  ImageShape in = inputs.front();
  const auto extraH = static_cast<int64_t>(getExtraH()), extraW = static_cast<int64_t>(getExtraW());
  if (in.c % g.getGroups() != 0)
    return emitError() << "expected input channels divisible by groups " << g.getGroups()
                       << ", but got " << in.c;
  if (extraH < 0 || extraW < 0 || extraH >= g.getStride().h || extraW >= g.getStride().w)
    return emitError() << "expected output_pad smaller than stride " << g.getStride().h << "x"
                       << g.getStride().w << ", but got " << extraH << "x" << extraW;
  ImageShape out = {stretch(in.h, g.getKernel().h, g.getStride().h,
                            2 * g.getPad().h + g.getMore().h, g.getDilation().h, extraH),
                    stretch(in.w, g.getKernel().w, g.getStride().w,
                            2 * g.getPad().w + g.getMore().w, g.getDilation().w, extraW),
                    g.getOut()};
  if (out.h < 1 || out.w < 1)
    return emitError() << "expected pads smaller than what the windows cover, but got an output of "
                       << toString(out);
  return out;
}

void arch::ConvTransposeOp::describe(LayerDescription &d) {
  namespace product = trf::ops::conv_bwd_data;
  namespace weightGrad = trf::ops::conv_bwd_weight;
  namespace conv = trf::ops::conv_fwd;
  namespace bias = trf::ops::bias_add;
  namespace biasGrad = trf::ops::bias_sum;
  ConvAttr g = getGeometry();
  StringRef part = units::partOf(getParts(), 0);
  const double window = static_cast<double>(g.getKernel().h) * static_cast<double>(g.getKernel().w);
  const TensorDims dims = {d.getInput().c, g.getKernel().h, g.getKernel().w,
                           g.getOut() / g.getGroups()};
  const auto group = d.getContext().first ? trf::Group::FirstConv : trf::Group::DeepConv;
  LayerDescription::Parameter w =
      d.parameter(part, "weight", group, dims, trf::ParamLayout::Conv, trf::Init::Normal,
                  std::sqrt(2.0 / (static_cast<double>(dims[0]) * window)));
  LayerDescription::Parameter b;
  if (g.getBias())
    b = d.parameter(part, "bias", trf::Group::FcBias, {1, 1, 1, g.getOut()},
                    trf::ParamLayout::Vector, trf::Init::Uniform,
                    1.0 / std::sqrt(static_cast<double>(dims[3]) * window));
  TensorRef y = d.feature(part + ".output", d.getOutput()), sum = y;
  if (b.value)
    sum = d.feature(part + ".product", d.getOutput());
  d.setOutput(y);
  d.forwardAndInference(KernelCall(
      product::kOpcode, {{product::dy, d.input()}, {product::w, w.value}, {product::dx, sum}},
      units::withGeometry<product::Attrs>(g)));
  if (b.value)
    d.forwardAndInference(
        KernelCall(bias::kOpcode, {{bias::x, sum}, {bias::bias, b.value}, {bias::y, y}}));
  d.backward(KernelCall(
      weightGrad::kOpcode,
      {{weightGrad::x, d.outputGrad()}, {weightGrad::dy, d.input()}, {weightGrad::dw, w.grad}},
      units::withGeometry<weightGrad::Attrs>(g)));
  if (b.value)
    d.backward(
        KernelCall(biasGrad::kOpcode, {{biasGrad::dy, d.outputGrad()}, {biasGrad::dbias, b.grad}}));
  if (d.needsInputGrad())
    d.backward(KernelCall(conv::kOpcode,
                          {{conv::x, d.outputGrad()}, {conv::w, w.value}, {conv::y, d.inputGrad()}},
                          units::withGeometry<conv::Attrs>(g)));
}

FailureOr<Value> arch::ConvTransposeOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.convolveTransposed(getPath(), getGeometry(), getImageShape(getOutput().getType()),
                              inputs.front());
}
