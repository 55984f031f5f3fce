// SPDX-License-Identifier: Apache-2.0
//
// The table of calls.
#include "Signatures.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {
namespace {

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

constexpr double kMaxInt = std::numeric_limits<int32_t>::max();
constexpr Range kPositive = {1, kMaxInt};
constexpr Range kNotNegative = {0, kMaxInt};

constexpr Param required(StringLiteral name, ParamKind kind, Range range = kPositive) {
  return {name, kind, "", range};
}
constexpr Param optional(StringLiteral name, ParamKind kind, StringLiteral fallback, Range range) {
  return {name, kind, fallback, range};
}
constexpr Param named(Param param) {
  param.namedOnly = true;
  return param;
}

constexpr Param kOut = required("out", ParamKind::Int);
constexpr Param kKernel = required("kernel", ParamKind::Dims);
constexpr Param kStride = required("stride", ParamKind::Dims);
constexpr Param kPad = required("pad", ParamKind::Dims, kNotNegative);
constexpr Param kStride1 = optional("stride", ParamKind::Dims, "1", kPositive);
constexpr Param kPad0 = optional("pad", ParamKind::Dims, "0", kNotNegative);
constexpr Param kMomentum = optional("momentum", ParamKind::Real, "0.1", {0, 1});
constexpr Param kEps =
    optional("eps", ParamKind::Real, "1e-5", {0, std::numeric_limits<double>::infinity(), true});
constexpr Param kDilation = named(optional("dilation", ParamKind::Dims, "1", kPositive));
constexpr Param kGroups = named(optional("groups", ParamKind::Int, "1", kPositive));
constexpr Param kConvBias = named(optional("bias", ParamKind::Bool, "false", {}));
constexpr Param kAct = named(optional("act", ParamKind::Activation, "relu", {}));
constexpr Param kFcBias = required("bias", ParamKind::Bool);
constexpr Param kMid = required("mid", ParamKind::Int);
constexpr Param kStyle = required("style", ParamKind::Style);

constexpr Param kConvParams[] = {kOut, kKernel, kStride1, kPad0, kDilation, kGroups, kConvBias};
constexpr Param kConvDwParams[] = {kKernel, kStride1, kPad0, kDilation, kConvBias};
constexpr Param kGroupConvParams[] = {
    kOut, required("groups", ParamKind::Int), kKernel, kStride1, kPad0, kDilation, kConvBias};
constexpr Param kBnParams[] = {kMomentum, kEps};
constexpr Param kDropoutParams[] = {required("p", ParamKind::Real, {0, 1, false, true})};
constexpr Param kFlattenParams[] = {optional("start_dim", ParamKind::Int, "1", {1, 1})};
constexpr Param kPoolParams[] = {kKernel, kStride, kPad};
constexpr Param kFcParams[] = {kOut, kFcBias};
constexpr Param kSeqParams[] = {required("layers", ParamKind::Layers)};
constexpr Param kAdd2Params[] = {required("shortcut", ParamKind::Layer),
                                 required("stem", ParamKind::Layer)};
constexpr Param kRepeatParams[] = {required("body", ParamKind::Layer),
                                   required("times", ParamKind::Int)};
constexpr Param kCbrParams[] = {kOut, kKernel,   kStride, kPad,      kMomentum,
                                kEps, kDilation, kGroups, kConvBias, kAct};
constexpr Param kCbrpParams[] = {kOut,
                                 kKernel,
                                 kStride,
                                 kPad,
                                 required("pool_kernel", ParamKind::Dims),
                                 required("pool_stride", ParamKind::Dims),
                                 required("pool_pad", ParamKind::Dims, kNotNegative),
                                 named(kMomentum),
                                 named(kEps),
                                 kDilation,
                                 kGroups,
                                 kConvBias,
                                 kAct};
constexpr Param kBottleneckParams[] = {kMid, kOut, kStyle};
constexpr Param kBlockParams[] = {kOut, kStyle};
constexpr Param kMbconvParams[] = {required("expand", ParamKind::Int, {1, 6}), kOut,
                                   required("stride", ParamKind::Int, {1, 2})};
constexpr Param kNameParam = {"name", ParamKind::Text, "none", {}, true};

constexpr BlockStyle kBottleneckStyles[] = {BlockStyle::RESNET_1_3_1, BlockStyle::RESNET_1_3_1_DS};
constexpr BlockStyle kOtherStyles[] = {BlockStyle::RESNET_3_3, BlockStyle::RESNET_3_3_DS,
                                       BlockStyle::MB_E1_K3,   BlockStyle::MB_E1_K3_DS,
                                       BlockStyle::MB_E6_K3,   BlockStyle::MB_E6_K3_DS};

//===----------------------------------------------------------------------===//
// Builders; null after an error of an attribute's verifier
//===----------------------------------------------------------------------===//

ConvAttr makeConv(Location loc, const BoundCall &call, int64_t groups) {
  return ConvAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), call["out"].integer,
                              call["kernel"].dims, call["stride"].dims, call["pad"].dims,
                              call["dilation"].dims, groups, call["bias"].boolean);
}

PoolAttr makePool(Location loc, Dims2 kernel, Dims2 stride, Dims2 pad) {
  return PoolAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), kernel, stride,
                              pad);
}

SmallVector<int64_t, 2> toArray(Dims2 dims) { return {dims.h, dims.w}; }

FloatAttr makeReal(OpBuilder &builder, const Value &value) {
  return builder.getF64FloatAttr(value.real);
}

ActivationAttr makeAct(OpBuilder &builder, Activation kind) {
  return ActivationAttr::get(builder.getContext(), kind);
}

Operation *buildConv(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call, call["groups"].integer);
  return geometry ? bp::ConvOp::create(builder, loc, geometry, call.name).getOperation() : nullptr;
}

Operation *buildConvDw(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ConvDwOp::create(builder, loc, toArray(call["kernel"].dims),
                              toArray(call["stride"].dims), toArray(call["pad"].dims),
                              toArray(call["dilation"].dims), call["bias"].boolean, call.name);
}

Operation *buildBn(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::BnOp::create(builder, loc, makeReal(builder, call["eps"]),
                          makeReal(builder, call["momentum"]), call.name);
}

template <Activation kind>
Operation *buildAct(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ActOp::create(builder, loc, makeAct(builder, kind), call.name);
}

template <typename OpT>
Operation *buildPlain(OpBuilder &builder, Location loc, const BoundCall &call) {
  return OpT::create(builder, loc, call.name);
}

Operation *buildDropout(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::DropoutOp::create(builder, loc, makeReal(builder, call["p"]), call.name);
}

Operation *buildFlatten(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::FlattenOp::create(builder, loc, call["start_dim"].integer, call.name);
}

template <typename OpT>
Operation *buildPool(OpBuilder &builder, Location loc, const BoundCall &call) {
  PoolAttr window = makePool(loc, call["kernel"].dims, call["stride"].dims, call["pad"].dims);
  return window ? OpT::create(builder, loc, window, call.name).getOperation() : nullptr;
}

template <typename OpT>
Operation *buildFc(OpBuilder &builder, Location loc, const BoundCall &call) {
  return OpT::create(builder, loc, call["out"].integer, call["bias"].boolean, call.name);
}

Operation *buildSeq(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::SeqOp::create(builder, loc, call.name);
  op.getBody().emplaceBlock();
  return op;
}

Operation *buildAdd2(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::Add2Op::create(builder, loc, call.name);
  op.getShortcut().emplaceBlock();
  op.getStem().emplaceBlock();
  return op;
}

Operation *buildRepeat(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::RepeatOp::create(builder, loc, call["times"].integer, call.name);
  op.getBody().emplaceBlock();
  return op;
}

Operation *buildCbr(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call, call["groups"].integer);
  if (!geometry)
    return nullptr;
  return bp::CbrOp::create(builder, loc, geometry, makeReal(builder, call["eps"]),
                           makeReal(builder, call["momentum"]),
                           makeAct(builder, call["act"].activation), call.name);
}

Operation *buildCbrp(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call, call["groups"].integer);
  PoolAttr window =
      makePool(loc, call["pool_kernel"].dims, call["pool_stride"].dims, call["pool_pad"].dims);
  if (!geometry || !window)
    return nullptr;
  return bp::CbrpOp::create(builder, loc, geometry, makeReal(builder, call["eps"]),
                            makeReal(builder, call["momentum"]),
                            makeAct(builder, call["act"].activation), window, call.name);
}

Operation *makeBlock(OpBuilder &builder, Location loc, BlockStyle style, IntegerAttr mid,
                     const BoundCall &call) {
  return bp::BlockOp::create(builder, loc, BlockStyleAttr::get(builder.getContext(), style), mid,
                             builder.getI64IntegerAttr(call["out"].integer), call.name);
}

Operation *buildBottleneck(OpBuilder &builder, Location loc, const BoundCall &call) {
  return makeBlock(builder, loc, call["style"].style,
                   builder.getI64IntegerAttr(call["mid"].integer), call);
}

Operation *buildBlock(OpBuilder &builder, Location loc, const BoundCall &call) {
  return makeBlock(builder, loc, call["style"].style, IntegerAttr(), call);
}

Operation *buildMbconv(OpBuilder &builder, Location loc, const BoundCall &call) {
  int64_t expand = call["expand"].integer;
  if (expand != 1 && expand != 6) {
    emitError(loc) << "expected expand 1 or 6, but got " << expand;
    return nullptr;
  }
  bool strided = call["stride"].integer == 2;
  BlockStyle style = expand == 1 ? (strided ? BlockStyle::MB_E1_K3_DS : BlockStyle::MB_E1_K3)
                                 : (strided ? BlockStyle::MB_E6_K3_DS : BlockStyle::MB_E6_K3);
  return makeBlock(builder, loc, style, IntegerAttr(), call);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

const Signature kSignatures[] = {
    {"seq", kSeqParams, "layers in order; empty only as a branch of add2", buildSeq},
    {"repeat", kRepeatParams, "the body several times, each with parameters of its own",
     buildRepeat},
    {"add2", kAdd2Params, "sum of two branches; the shortcut may be seq()", buildAdd2},
    {"conv", kConvParams, "convolution", buildConv},
    {"conv_dw", kConvDwParams, "depthwise convolution", buildConvDw},
    {"group_conv", kGroupConvParams, "grouped convolution", buildConv},
    {"bn", kBnParams, "batch normalisation", buildBn},
    {"relu", {}, "max(x, 0)", buildAct<Activation::ReLU>},
    {"relu6", {}, "min(max(x, 0), 6)", buildAct<Activation::ReLU6>},
    {"tanh_act", {}, "hyperbolic tangent", buildAct<Activation::Tanh>},
    {"silu", {}, "x * sigmoid(x)", buildAct<Activation::SiLU>},
    {"leaky_relu", {}, "x, or 0.01 x below 0", buildAct<Activation::LeakyReLU>},
    {"hardswish", {}, "x * relu6(x + 3) / 6", buildAct<Activation::Hardswish>},
    {"elu", {}, "x, or exp(x) - 1 below 0", buildAct<Activation::ELU>},
    {"sigmoid", {}, "1 / (1 + exp(-x))", buildAct<Activation::Sigmoid>},
    {"dropout", kDropoutParams, "zeroes with probability p in training", buildDropout},
    {"flatten", kFlattenParams, "HxWxC to 1x1x(H*W*C)", buildFlatten},
    {"channel_padding",
     {},
     "zero channels up to the next multiple of 8",
     buildPlain<bp::ChannelPaddingOp>},
    {"maxpool", kPoolParams, "maximum pooling", buildPool<bp::MaxPoolOp>},
    {"avgpool", kPoolParams, "average pooling over the cells inside the input",
     buildPool<bp::AvgPoolOp>},
    {"gap", {}, "global average pooling", buildPlain<bp::GapOp>},
    {"fc", kFcParams, "fully connected layer", buildFc<bp::FcOp>},
    {"identity", {}, "passes its input on", buildPlain<bp::IdentityOp>},
    {"softmax_ce", {}, "the loss; added at the end when not written", buildPlain<bp::SoftmaxCeOp>},
    {"cbr", kCbrParams, "convolution, batch normalisation, activation", buildCbr},
    {"conv_bn_relu", kCbrParams, "the same as cbr", buildCbr},
    {"cbrp", kCbrpParams, "cbr, then maximum pooling", buildCbrp},
    {"gap_fc", kFcParams, "global average pooling, then fc", buildFc<bp::GapFcOp>},
    {"block", kBottleneckParams, "bottleneck residual block", buildBottleneck, kBottleneckStyles},
    {"block", kBlockParams, "basic or inverted residual block", buildBlock, kOtherStyles},
    {"mbconv", kMbconvParams, "inverted residual block: expand 1 or 6, stride 1 or 2", buildMbconv},
};
} // namespace

ArrayRef<Signature> getSignatures() { return kSignatures; }

ArrayRef<Signature> findSignatures(StringRef name) {
  auto isNamed = [&](const Signature &signature) { return signature.name == name; };
  const Signature *first = llvm::find_if(kSignatures, isNamed);
  const Signature *last = std::find_if_not(first, std::end(kSignatures), isNamed);
  return {first, last};
}

const Param &getNameParam() { return kNameParam; }

const Value &BoundCall::operator[](StringRef param) const {
  for (auto [index, candidate] : llvm::enumerate(signature->params))
    if (candidate.name == param)
      return values[index];
  llvm_unreachable("parameter of another call");
}

bool Range::contains(double value) const {
  return (openLeast ? value > least : value >= least) &&
         (openMost ? value < most : value <= most) &&
         value < std::numeric_limits<double>::infinity();
}

std::string Range::describe() const {
  auto print = [](double value) {
    std::string text;
    raw_string_ostream os(text);
    if (value == std::numeric_limits<double>::infinity())
      os << "inf";
    else
      os << static_cast<int64_t>(value);
    return text;
  };
  bool unbounded = most == std::numeric_limits<double>::infinity();
  return (openLeast ? "(" : "[") + print(least) + ", " + print(most) +
         (openMost || unbounded ? ")" : "]");
}

size_t Signature::countPositional() const {
  return llvm::count_if(params, [](const Param &param) { return !param.namedOnly; });
}

std::string Signature::describe() const {
  std::string text;
  raw_string_ostream os(text);
  os << name << '(';
  StringRef separator = "";
  bool byName = false;
  for (const Param &param : params) {
    if (param.namedOnly && !byName)
      separator = "; ";
    byName = param.namedOnly;
    os << separator << (param.kind == ParamKind::Layers ? "..." : param.name);
    if (!param.isRequired())
      os << " = " << param.fallback;
    separator = ", ";
  }
  os << ')';
  return text;
}

StringRef findNearest(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  if (name.size() > 100) // the distance takes time with the product of the lengths
    return best;
  const unsigned most = static_cast<unsigned>(name.size()) / 3 + 1;
  // Among equally distant names the one of equal length: a wrong letter is likelier
  // than a missing one.
  unsigned bestScore = 2 * most + 2;
  for (StringRef candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(candidate, true, most);
    unsigned score = 2 * distance + (candidate.size() != name.size());
    // A candidate of which nothing is left was not meant.
    if (distance <= most && distance < candidate.size() && score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

SmallVector<StringRef> getActivationNames() {
  SmallVector<StringRef> names;
  for (unsigned i = 1; i < trf::kCount<Activation>; ++i) // without none
    names.push_back(spell(static_cast<Activation>(i)));
  return names;
}

SmallVector<StringRef> getStyleNames() {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i <= getMaxEnumValForBlockStyle(); ++i)
    names.push_back(stringifyBlockStyle(static_cast<BlockStyle>(i)));
  return names;
}

} // namespace tr::blueprint
