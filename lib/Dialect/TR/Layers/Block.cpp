// SPDX-License-Identifier: Apache-2.0
//
// block and mbconv: residual and inverted residual blocks (He et al. 2015, Xie et al. 2016, Sandler
// et al. 2018, He et al. 2018), whose convolutions BlockSpec.h spells out.
#include "BlockDescription.h"
#include "Layer.h"

#include "renaissance/Dialect/TR/IR/BlockSpec.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr Param kMid = required("mid", ParamKind::Int);
static constexpr Param kStyle = required("style", ParamKind::Style);
static constexpr Param kRelu6 = named(optional("act", ParamKind::Activation, "relu6"));
static constexpr Param kGroups32 = named(optional("groups", ParamKind::Int, "32", kPositive));
static constexpr Param kNamedMomentum = named(kMomentum);
static constexpr Param kNamedEps = named(kEps);

static constexpr Param kBottleneck[] = {kMid, kOut, kStyle, kAct, kNamedMomentum, kNamedEps};
static constexpr Param kGrouped[] = {kMid, kOut,           kStyle,   kGroups32,
                                     kAct, kNamedMomentum, kNamedEps};
static constexpr Param kBasic[] = {kOut, kStyle, kAct, kNamedMomentum, kNamedEps};
static constexpr Param kInverted[] = {kOut, kStyle, kRelu6, kNamedMomentum, kNamedEps};
static constexpr Param kMbconv[] = {required("expand", ParamKind::Int, {1, 6}),
                                    kOut,
                                    required("stride", ParamKind::Int, {1, 2}),
                                    kRelu6,
                                    kNamedMomentum,
                                    kNamedEps};

static bool isBottleneck(BlockStyle style) {
  return getRow(style).family == BlockFamily::Bottleneck && getRow(style).groups == 1;
}
static bool isGrouped(BlockStyle style) { return getRow(style).groups != 1; }
static bool isBasic(BlockStyle style) { return getRow(style).family == BlockFamily::BasicBlock; }
static bool isInverted(BlockStyle style) {
  return getRow(style).family == BlockFamily::InvResidual;
}

// An attribute for an argument that was given; the style decides about others.
static IntegerAttr integerIfGiven(OpBuilder &builder, const BoundCall &call, StringRef name) {
  const ArgumentValue *value = call.find(name);
  return value && value->given ? builder.getI64IntegerAttr(value->integer) : IntegerAttr();
}
static FloatAttr realIfGiven(OpBuilder &builder, const BoundCall &call, StringRef name) {
  const ArgumentValue &value = call[name];
  return value.given ? makeReal(builder, value) : FloatAttr();
}

static Operation *createBlock(OpBuilder &builder, Location loc, BlockStyle style,
                              const BoundCall &call) {
  const ArgumentValue &act = call["act"];
  return bp::BlockOp::create(
      builder, loc, BlockStyleAttr::get(builder.getContext(), style),
      integerIfGiven(builder, call, "mid"), builder.getI64IntegerAttr(call["out"].integer),
      integerIfGiven(builder, call, "groups"),
      act.given ? makeAct(builder, act.activation) : ActivationAttr(),
      realIfGiven(builder, call, "eps"), realIfGiven(builder, call, "momentum"), call.name);
}

static Operation *buildBlock(OpBuilder &builder, Location loc, const BoundCall &call) {
  return createBlock(builder, loc, call["style"].style, call);
}

static Operation *buildMbconv(OpBuilder &builder, Location loc, const BoundCall &call) {
  int64_t expand = call["expand"].integer, stride = call["stride"].integer;
  for (const BlockStyleRow &row : kBlockStyles)
    if (row.family == BlockFamily::InvResidual && row.stride == stride &&
        (row.factor == 0 ? 1 : row.factor) == expand)
      return createBlock(builder, loc, row.value, call);
  emitError(loc) << "expected expand 1 or 6, but got " << expand;
  return nullptr;
}

ArrayRef<Signature> bp::BlockOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"block", kBottleneck, "bottleneck residual block", buildBlock, isBottleneck},
      {"block", kGrouped, "bottleneck residual block with a grouped 3x3", buildBlock, isGrouped},
      {"block", kBasic, "basic residual block", buildBlock, isBasic},
      {"block", kInverted, "inverted residual block", buildBlock, isInverted},
      {"mbconv", kMbconv, "inverted residual block: expand 1 or 6, stride 1 or 2", buildMbconv},
  };
  return calls;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

LogicalResult bp::BlockOp::verify() {
  StringRef style = spell(getStyle());
  bool bottleneck = getRow(getStyle()).family == BlockFamily::Bottleneck;
  if (bottleneck && !getMid())
    return emitOpError("expected mid for style ") << style;
  if (!bottleneck && getMid())
    return emitOpError("expected no mid for style ") << style << ", but got " << *getMid();
  if (!bottleneck && getGroups())
    return emitOpError("expected no groups for style ") << style << ", but got " << *getGroups();
  if ((getMid() && failed(checkPositive(*this, "mid", *getMid()))) ||
      (getGroups() && failed(checkPositive(*this, "groups", *getGroups()))))
    return failure();
  if (failed(params::checkNorm([&] { return emitOpError(); },
                               getEps() ? getEps()->convertToDouble() : 1e-5,
                               getMomentum() ? getMomentum()->convertToDouble() : 0.1)))
    return failure();
  return checkPositive(*this, "out", getOut());
}

namespace {

// A block as primitives, whose parameters have the names of the fused layer's.
class UnfusedBlock {
public:
  UnfusedBlock(LayerChain &chain, const LayerSite &site, BlockAttr block, FloatAttr eps,
               FloatAttr momentum)
      : chain(chain), site(site), block(block), eps(eps), momentum(momentum) {}

  LogicalResult append() {
    SmallVector<BlockStage, 3> stem = getStem(block, chain.getShape().c);
    OpenJoin sum;
    if (hasShortcut(block)) {
      sum = chain.openJoin(site, arch::Add2Op::getOperationName(), /*branches=*/2);
      chain.openBranch(sum, 0);
      if (failed(appendShortcut()))
        return failure();
      chain.openBranch(sum, 1);
    }
    for (const BlockStage &stage : stem) {
      if (failed(appendStage(stage)) ||
          (stage.row->activated && failed(appendAct(*stage.row, block.getAct()))))
        return failure();
    }
    if (hasShortcut(block))
      chain.closeJoin(sum);
    Act act = getFinalAct(block);
    return act == Activation::None ? success() : appendAct(*stem.back().row, act);
  }

private:
  LogicalResult appendShortcut() {
    if (PoolAttr pool = getShortcutPool(block))
      if (failed(chain.append<arch::AvgPoolOp>(site, {kShortcutPool}, pool)))
        return failure();
    std::optional<BlockStage> projection = getProjection(block);
    return projection ? appendStage(*projection) : success();
  }
  LogicalResult appendStage(const BlockStage &stage) {
    return failure(failed(chain.append<arch::ConvOp>(site, {stage.row->conv}, stage.geometry)) ||
                   failed(chain.append<arch::BnOp>(site, {stage.row->bn}, eps, momentum)));
  }
  LogicalResult appendAct(const StageRow &row, Act act) {
    return chain.append<arch::ActOp>(site, {row.act}, ActivationAttr::get(block.getContext(), act));
  }

  LayerChain &chain;
  const LayerSite &site;
  BlockAttr block;
  FloatAttr eps, momentum;
};

} // namespace

LogicalResult bp::BlockOp::expand(LayerChain &chain, const LayerSite &site) {
  auto emit = [&] { return emitError() << "block layer '" << site.path << "': "; };
  BlockRequest request;
  request.style = getStyle();
  request.mid = getMid().value_or(0);
  request.out = getOut();
  request.groups = getGroups().value_or(0);
  request.act = getAct();
  BlockAttr block = makeBlock(getContext(), request, chain.getShape().c, emit);
  if (!block)
    return failure();
  FloatAttr eps = getEpsAttr() ? getEpsAttr() : chain.builder.getF64FloatAttr(1e-5);
  FloatAttr momentum = getMomentumAttr() ? getMomentumAttr() : chain.builder.getF64FloatAttr(0.1);
  if (!chain.fuses())
    return UnfusedBlock(chain, site, block, eps, momentum).append();
  return chain.append<arch::BlockOp>(site, getBlockParts(block), block, eps, momentum);
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

size_t arch::BlockOp::countParts() { return getBlockParts(getBlock()).size(); }

StringRef arch::BlockOp::getLayerKind() {
  // Kept by the context, as the interface hands out a reference.
  return StringAttr::get(getContext(), getBlockKind(getBlock())).getValue();
}

LogicalResult arch::BlockOp::checkFields(Emit emitError) {
  return shapes::checkNorm(emitError, *this);
}

FailureOr<ImageShape> arch::BlockOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape shape = inputs.front();
  BlockAttr block = getBlock();
  if (block.getShortcut() == BlockShortcut::Identity && shape.c != block.getOut())
    return emitError() << "expected the " << block.getOut()
                       << " channels of the output beside an identity shortcut, but got "
                       << shape.c;
  for (const BlockStage &stage : getStem(block, shape.c)) {
    FailureOr<ImageShape> out = shapes::convolve(emitError, shape, stage.geometry);
    if (failed(out))
      return failure();
    shape = *out;
  }
  return shape;
}

void arch::BlockOp::describe(LayerDescription &d) {
  units::BlockDescription description(d, getParts(), getBlock(), getEps().convertToDouble(),
                                      getMomentum().convertToDouble());
  description.describeForward();
  description.describeBackward();
}

FailureOr<Value> arch::BlockOp::lower(TensorBuilder &b, ValueRange inputs) {
  BlockAttr block = getBlock();
  unsigned part = 0;
  auto stage = [&](const BlockStage &stage, Value x) {
    Value y = b.convolve(units::partOf(getParts(), part++), stage.geometry, x);
    return b.normalise(units::partOf(getParts(), part++), getEps().convertToDouble(),
                       /*affine=*/true, y);
  };
  Value x = inputs.front(), y = x;
  for (const BlockStage &each : getStem(block, b.shapeOf(x)[3])) {
    y = stage(each, y);
    if (each.row->activated)
      y = b.activate(block.getAct(), y);
  }
  if (!hasShortcut(block))
    return y;
  if (PoolAttr pool = getShortcutPool(block))
    x = b.poolAverage(pool, x);
  if (std::optional<BlockStage> projection = getProjection(block))
    x = stage(*projection, x);
  return b.activate(getFinalAct(block), b.add(y, x));
}
