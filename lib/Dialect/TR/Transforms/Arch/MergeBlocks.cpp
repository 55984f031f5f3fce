// SPDX-License-Identifier: Apache-2.0
//
// Step 7: residual blocks and inverted residuals, written with primitives or with
// cbr, become one layer each. Everything that the fused layer fixes is checked.
#include "../Counts.h"
#include "BlockMatcher.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHMERGEBLOCKS
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {
constexpr StringLiteral kFlag = "tr-arch-merge-blocks";

constexpr StageSpec kBottleneck[] = {{"conv1", 1, false, false, Activation::ReLU},
                                     {"conv2", 3, true, false, Activation::ReLU},
                                     {"conv3", 1, false, false, Activation::None}};
constexpr StageSpec kBasicBlock[] = {{"conv1", 3, true, false, Activation::ReLU},
                                     {"conv2", 3, false, false, Activation::None}};
constexpr StageSpec kProjection[] = {{"proj.conv", 1, true, false, Activation::None}};
constexpr StageSpec kInverted[] = {{"expand.conv", 1, false, false, Activation::ReLU6},
                                   {"dw.conv", 3, true, true, Activation::ReLU6},
                                   {"project.conv", 1, false, false, Activation::None}};

enum class BlockKind { Bottleneck, BasicBlock, Inverted, InvertedUnexpanded };

StringRef getName(BlockKind kind) {
  switch (kind) {
  case BlockKind::Bottleneck:
    return "a bottleneck";
  case BlockKind::BasicBlock:
    return "a basic block";
  case BlockKind::Inverted:
  case BlockKind::InvertedUnexpanded:
    return "an inverted residual";
  }
  llvm_unreachable("unknown block kind");
}

ArrayRef<StageSpec> getStages(BlockKind kind) {
  switch (kind) {
  case BlockKind::Bottleneck:
    return kBottleneck;
  case BlockKind::BasicBlock:
    return kBasicBlock;
  case BlockKind::Inverted:
    return kInverted;
  case BlockKind::InvertedUnexpanded:
    return ArrayRef(kInverted).drop_front();
  }
  llvm_unreachable("unknown block kind");
}

bool usesRelu6(ArrayRef<Operation *> layers) {
  return llvm::any_of(layers, [](Operation *op) {
    if (auto act = dyn_cast<ActOp>(op))
      return act.getKind() == Activation::ReLU6;
    auto cbr = dyn_cast<CbrOp>(op);
    return cbr && cbr.getAct() == Activation::ReLU6;
  });
}

// The block that a stem comes closest to: by the number of its convolutions, and
// whether the one in the middle is depthwise. A single channel is depthwise and
// dense at once; there the activation decides.
std::optional<BlockKind> guessKind(ArrayRef<Operation *> stem) {
  SmallVector<ConvView> convs;
  for (Operation *op : stem)
    if (std::optional<ConvView> conv = getConv(op))
      convs.push_back(*conv);
  if (convs.size() != 2 && convs.size() != 3)
    return std::nullopt;
  const ConvView &middle = convs[convs.size() - 2];
  bool inverted = isDepthwise(middle) && (middle.inChannels > 1 || usesRelu6(stem));
  if (convs.size() == 3)
    return inverted ? BlockKind::Inverted : BlockKind::Bottleneck;
  return inverted ? BlockKind::InvertedUnexpanded : BlockKind::BasicBlock;
}

// Location and parts of a fused layer that replaces `layers`.
struct FusedLayer {
  Location loc;
  RankedTensorType type;
  Value input;
  ArrayAttr parts;
};

// Expanded channels of a matched inverted residual, 0 without an expansion.
int64_t getExpand(BlockKind kind, const BlockMatcher &matcher) {
  return kind == BlockKind::Inverted ? matcher.getOut(0) : 0;
}

Operation *build(OpBuilder &builder, BlockKind kind, bool projection, const FusedLayer &layer,
                 const BlockMatcher &m) {
  auto create = [&](auto tag, auto... attributes) -> Operation * {
    using OpTy = decltype(tag);
    return OpTy::create(builder, layer.loc, layer.type, layer.input, layer.parts,
                        builder.getI64IntegerAttr(attributes)..., m.eps, m.momentum, UnitAttr());
  };
  switch (kind) {
  case BlockKind::Bottleneck:
    if (projection)
      return create(BottleneckProjectionOp(), m.getOut(0), m.getOut(2), m.stride);
    return create(BottleneckIdentityOp(), m.getOut(0));
  case BlockKind::BasicBlock:
    if (projection)
      return create(BasicBlockProjectionOp(), m.getOut(0), m.stride);
    return create(BasicBlockIdentityOp());
  case BlockKind::Inverted:
  case BlockKind::InvertedUnexpanded:
    return create(InvResidualIdentityOp(), getExpand(kind, m));
  }
  llvm_unreachable("unknown block kind");
}

//===----------------------------------------------------------------------===//
// Blocks with a shortcut
//===----------------------------------------------------------------------===//

struct MergeResidual : OpRewritePattern<Add2Op> {
  MergeResidual(MLIRContext *context, MergeCounts *counts)
      : OpRewritePattern(context), counts(counts) {}

  LogicalResult matchAndRewrite(Add2Op add, PatternRewriter &rewriter) const override {
    std::string reason;
    FailureOr<SmallVector<Operation *>> stem = collectChain(add.getStem().front(), reason);
    if (failed(stem))
      return reportMissed(add, kFlag, "not a block: " + reason, counts);
    FailureOr<SmallVector<Operation *>> shortcut = collectChain(add.getShortcut().front(), reason);
    if (failed(shortcut))
      return reportMissed(add, kFlag, "not a block: " + reason, counts);
    // Step 4 gives an empty shortcut an identity.
    llvm::erase_if(*shortcut, [](Operation *op) { return isa<IdentityOp>(op); });

    std::optional<BlockKind> kind = guessKind(*stem);
    if (!kind)
      return reportMissed(add, kFlag, "not a block: expected 2 or 3 convolutions in the stem",
                          counts);
    BlockMatcher matcher;
    Operation *relu = nullptr;
    if (!match(*kind, *stem, *shortcut, matcher) || !matchEnd(*kind, add, relu, matcher))
      return reportMissed(add, kFlag, "not " + getName(*kind) + ": " + matcher.reason, counts);

    Operation *last = relu ? relu : add.getOperation();
    SmallVector<Operation *> layers{add};
    llvm::append_range(layers, matcher.layers);
    layers.push_back(last);
    FusedLayer layer{fuseLocations(layers), cast<RankedTensorType>(last->getResult(0).getType()),
                     add.getInput(), rewriter.getArrayAttr(matcher.parts)};
    rewriter.setInsertionPoint(last);
    Operation *merged = build(rewriter, *kind, !shortcut->empty(), layer, matcher);
    copyDiscardableAttributes(layers, merged);
    reportMerged(layers, merged, kFlag, "they agree with " + getName(*kind), counts);
    rewriter.replaceOp(last, merged);
    if (relu)
      rewriter.eraseOp(add);
    return success();
  }

private:
  static bool match(BlockKind kind, ArrayRef<Operation *> stem, ArrayRef<Operation *> shortcut,
                    BlockMatcher &m) {
    if (!m.match(getStages(kind), stem, "stem"))
      return false;
    bool inverted = kind == BlockKind::Inverted || kind == BlockKind::InvertedUnexpanded;
    size_t last = getStages(kind).size() - 1;
    // The depthwise check has already tied the middle of an inverted residual.
    if (!inverted && !m.checkEqualOut(0, 1))
      return false;
    if (shortcut.empty()) {
      if (m.stride != 1)
        return m.fail("expected stride 1x1 beside an identity shortcut, but got " +
                      Twine(m.stride) + "x" + Twine(m.stride));
      return m.checkIdentity(last);
    }
    if (inverted)
      return m.fail("expected an identity shortcut, but got " + describe(shortcut.front()));
    return m.match(kProjection, shortcut, "shortcut") && m.checkEqualOut(last, last + 1);
  }

  // ResNet blocks contain their closing ReLU, inverted residuals have none.
  static bool matchEnd(BlockKind kind, Add2Op add, Operation *&relu, BlockMatcher &m) {
    if (kind == BlockKind::Inverted || kind == BlockKind::InvertedUnexpanded)
      return true;
    Operation *user = getSoleUser(add.getOutput());
    if (!user)
      return m.fail(describeUses(add.getOutput()));
    auto act = dyn_cast<ActOp>(user);
    if (!act || act.getKind() != Activation::ReLU)
      return m.fail("expected tr.arch.act <relu> directly after the add, but got " +
                    describe(user));
    relu = act;
    return true;
  }

  MergeCounts *counts;
};

//===----------------------------------------------------------------------===//
// Inverted residuals without a shortcut
//===----------------------------------------------------------------------===//

// The layers that feed `value` when they are a 1x1 expansion: conv, bn2d, act or cbr.
SmallVector<Operation *> collectExpansion(Block *block, Value value) {
  auto isExpansion = [](Operation *op) {
    ConvAttr geometry = getConv(op)->geometry;
    return geometry.getKernel() == Dims2{1, 1} && geometry.getGroups() == 1;
  };
  if (auto cbr = getDefiningOpIn<CbrOp>(block, value))
    return isExpansion(cbr) ? SmallVector<Operation *>{cbr} : SmallVector<Operation *>{};
  auto act = getDefiningOpIn<ActOp>(block, value);
  auto bn = act ? getDefiningOpIn<Bn2dOp>(block, act.getInput()) : Bn2dOp();
  auto conv = bn ? getDefiningOpIn<ConvOp>(block, bn.getInput()) : ConvOp();
  if (!conv || !isExpansion(conv))
    return {};
  return {conv, bn, act};
}

// Adds the layers after a depthwise convolution up to the bn2d of the projection, as
// far as they are there. Returns whether there is a projection.
bool collectProjection(SmallVectorImpl<Operation *> &layers) {
  Operation *next = getSoleUser(layers.back()->getResult(0));
  while (isa_and_present<Bn2dOp, ActOp>(next)) {
    layers.push_back(next);
    next = getSoleUser(next->getResult(0));
  }
  std::optional<ConvView> projection = next ? getConv(next) : std::nullopt;
  if (!projection || projection->geometry.getKernel() != Dims2{1, 1})
    return false;
  layers.push_back(next);
  if (isa<ConvOp>(next))
    if (auto bn = dyn_cast_or_null<Bn2dOp>(getSoleUser(next->getResult(0))))
      layers.push_back(bn);
  return true;
}

template <typename OpTy> struct MergeInvertedChain : OpRewritePattern<OpTy> {
  MergeInvertedChain(MLIRContext *context, MergeCounts *counts)
      : OpRewritePattern<OpTy>(context), counts(counts) {}

  LogicalResult matchAndRewrite(OpTy depthwise, PatternRewriter &rewriter) const override {
    ConvView view = *getConv(depthwise);
    if (!isDepthwise(view))
      return failure();
    Block *block = depthwise->getBlock();
    SmallVector<Operation *> layers = collectExpansion(block, depthwise.getInput());
    BlockKind kind = layers.empty() ? BlockKind::InvertedUnexpanded : BlockKind::Inverted;
    layers.push_back(depthwise);
    bool projected = collectProjection(layers);
    // A single channel is depthwise and dense at once; there ReLU6 makes a candidate.
    if (!projected || (view.inChannels == 1 && !usesRelu6(layers)))
      return failure();

    BlockMatcher m;
    if (!m.match(getStages(kind), layers, "chain") || !matchUses(layers, m)) {
      // A branch's add2 reports its own near miss.
      if (isa<Add2Op>(block->getParentOp()))
        return failure();
      return reportMissed(depthwise, kFlag, "not " + getName(kind) + ": " + m.reason, counts);
    }
    Value output = layers.back()->getResult(0);
    int64_t out = m.getOut(getStages(kind).size() - 1);
    // In a branch this would be the stem of an identity block, which has not matched
    // yet or is a near miss.
    if (isa<Add2Op>(block->getParentOp()) &&
        layers.front()->getOperand(0).getType() == output.getType())
      return failure();
    rewriter.setInsertionPoint(layers.back());
    auto merged = InvResidualNoShortcutOp::create(
        rewriter, fuseLocations(layers), output.getType(), layers.front()->getOperand(0),
        rewriter.getArrayAttr(m.parts), rewriter.getI64IntegerAttr(getExpand(kind, m)),
        rewriter.getI64IntegerAttr(out), rewriter.getI64IntegerAttr(m.stride), m.eps, m.momentum,
        layers.front()->getAttrOfType<UnitAttr>("first"));
    reportMerged(layers, merged, kFlag, "they agree with " + getName(kind), counts);
    replaceChain(rewriter, layers, merged);
    return success();
  }

private:
  static bool matchUses(ArrayRef<Operation *> layers, BlockMatcher &m) {
    for (Operation *layer : layers.drop_back())
      if (!getSoleUser(layer->getResult(0)))
        return m.fail(describeUses(layer->getResult(0)));
    for (Operation *user : layers.back()->getUsers())
      if (isa<ActOp>(user))
        return m.fail("expected no activation after project.conv, but got " + describe(user));
    return true;
  }

  MergeCounts *counts;
};

struct ArchMergeBlocksPass : tr::impl::ArchMergeBlocksBase<ArchMergeBlocksPass> {
  void runOnOperation() override {
    MergeCounts counts = merge(getOperation(), populateArchMergeBlocksPatterns);
    addCount(numMerged, kFlag, "num-merged", counts.merged, getOperation());
    addCount(numNearMisses, kFlag, "num-near-misses", counts.missed, getOperation());
  }
};
} // namespace

void tr::populateArchMergeBlocksPatterns(RewritePatternSet &patterns, MergeCounts *counts) {
  patterns.add<MergeResidual, MergeInvertedChain<ConvOp>, MergeInvertedChain<CbrOp>>(
      patterns.getContext(), counts);
}
