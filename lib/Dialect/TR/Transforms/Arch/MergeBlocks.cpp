// SPDX-License-Identifier: Apache-2.0
//
// Residual blocks and inverted residuals, written with primitives or with
// cbr, become one layer each. Everything that the fused layer fixes is checked.
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

// What the layers of a stem come closest to.
struct BlockGuess {
  BlockFamily family;
  bool hasInner; // a first convolution changes the channels

  ArrayRef<StageRow> getStages() const { return getStageRows(family, hasInner); }
  bool isInverted() const { return family == BlockFamily::InvResidual; }
  StringRef getName() const {
    switch (family) {
    case BlockFamily::Bottleneck:
      return "a bottleneck";
    case BlockFamily::BasicBlock:
      return "a basic block";
    case BlockFamily::InvResidual:
      return "an inverted residual";
    }
    llvm_unreachable("all families handled");
  }
};

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
std::optional<BlockGuess> guess(ArrayRef<Operation *> stem) {
  SmallVector<ConvView> convs;
  for (Operation *op : stem)
    if (std::optional<ConvView> conv = getConv(op))
      convs.push_back(*conv);
  if (convs.size() != 2 && convs.size() != 3)
    return std::nullopt;
  const ConvView &middle = convs[convs.size() - 2];
  bool expands = convs.size() == 3;
  if (isDepthwise(middle) && (middle.inChannels > 1 || usesRelu6(stem)))
    return BlockGuess{BlockFamily::InvResidual, expands};
  return BlockGuess{expands ? BlockFamily::Bottleneck : BlockFamily::BasicBlock, expands};
}

// The layer that replaces `layers`, of which the last one stands for all.
BlockOp createBlock(OpBuilder &builder, BlockGuess kind, BlockShortcut shortcut,
                    const BlockMatcher &m, ArrayRef<Operation *> layers, Value input) {
  Operation *last = layers.back();
  builder.setInsertionPoint(last);
  int64_t inner = kind.hasInner ? m.getOut(0) : 0;
  auto block =
      BlockAttr::get(builder.getContext(), kind.family, inner,
                     m.getOut(kind.getStages().size() - 1), m.stride, m.groups, shortcut, m.act);
  return BlockOp::create(builder, fuseLocations(layers), last->getResult(0).getType(), input,
                         builder.getArrayAttr(m.parts), block, m.eps, m.momentum,
                         /*first=*/UnitAttr());
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
    // --tr-arch-normalize-identity gives an empty shortcut an identity.
    llvm::erase_if(*shortcut, [](Operation *op) { return isa<IdentityOp>(op); });

    std::optional<BlockGuess> kind = guess(*stem);
    if (!kind)
      return reportMissed(add, kFlag, "not a block: expected 2 or 3 convolutions in the stem",
                          counts);
    BlockMatcher matcher;
    BlockShortcut shape = BlockShortcut::Identity;
    Operation *act = nullptr;
    if (!match(*kind, *stem, *shortcut, matcher, shape) || !matchEnd(*kind, add, act, matcher))
      return reportMissed(add, kFlag, "not " + kind->getName() + ": " + matcher.reason, counts);

    SmallVector<Operation *> layers{add};
    llvm::append_range(layers, matcher.layers);
    layers.push_back(act ? act : add.getOperation());
    BlockOp merged = createBlock(rewriter, *kind, shape, matcher, layers, add.getInput());
    copyDiscardableAttributes(layers, merged);
    reportMerged(layers, merged, kFlag, "they agree with " + kind->getName(), counts);
    rewriter.replaceOp(layers.back(), merged);
    if (act)
      rewriter.eraseOp(add);
    return success();
  }

private:
  static bool match(BlockGuess kind, ArrayRef<Operation *> stem, ArrayRef<Operation *> shortcut,
                    BlockMatcher &m, BlockShortcut &shape) {
    if (!m.match(kind.getStages(), stem, "stem"))
      return false;
    size_t last = kind.getStages().size() - 1;
    // The depthwise check has already tied the middle of an inverted residual.
    if (!kind.isInverted() && !m.checkEqualOut(0, 1))
      return false;
    if (shortcut.empty()) {
      if (m.stride != 1)
        return m.fail("expected stride 1x1 beside an identity shortcut, but got " +
                      Twine(m.stride) + "x" + Twine(m.stride));
      return m.checkIdentity(last);
    }
    if (kind.isInverted())
      return m.fail("expected an identity shortcut, but got " + describe(shortcut.front()));
    shape = BlockShortcut::Projection;
    if (auto pool = dyn_cast<AvgPoolOp>(shortcut.front())) {
      shape = BlockShortcut::PooledProjection;
      return m.matchPooledProjection(pool, shortcut.drop_front()) &&
             m.checkEqualOut(last, last + 1);
    }
    return m.match(getProjectionRow(), shortcut, "shortcut") && m.checkEqualOut(last, last + 1);
  }

  // ResNet blocks contain their closing activation, inverted residuals have none.
  static bool matchEnd(BlockGuess kind, Add2Op add, Operation *&act, BlockMatcher &m) {
    if (!getRow(kind.family).activatesSum)
      return true;
    Operation *user = getSoleUser(add.getOutput());
    if (!user)
      return m.fail(describeUses(add.getOutput()));
    auto found = dyn_cast<ActOp>(user);
    if (!found || found.getKind() != m.act)
      return m.fail("expected tr.arch.act <" + spell(m.act) + "> directly after the add, but got " +
                    describe(user));
    act = found;
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
    BlockGuess kind{BlockFamily::InvResidual, /*hasInner=*/!layers.empty()};
    layers.push_back(depthwise);
    bool projected = collectProjection(layers);
    // A single channel is depthwise and dense at once; there ReLU6 makes a candidate.
    if (!projected || (view.inChannels == 1 && !usesRelu6(layers)))
      return failure();

    BlockMatcher m;
    if (!m.match(kind.getStages(), layers, "chain") || !matchUses(layers, m)) {
      // A branch's add2 reports its own near miss.
      if (isa<Add2Op>(block->getParentOp()))
        return failure();
      return reportMissed(depthwise, kFlag, "not " + kind.getName() + ": " + m.reason, counts);
    }
    Value output = layers.back()->getResult(0);
    // In a branch this would be the stem of an identity block, which has not matched
    // yet or is a near miss.
    if (isa<Add2Op>(block->getParentOp()) &&
        layers.front()->getOperand(0).getType() == output.getType())
      return failure();
    BlockOp merged =
        createBlock(rewriter, kind, BlockShortcut::None, m, layers, layers.front()->getOperand(0));
    merged.setFirstAttr(layers.front()->getAttrOfType<UnitAttr>("first"));
    reportMerged(layers, merged, kFlag, "they agree with " + kind.getName(), counts);
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

struct ArchMergeBlocksPass : MergePass<tr::impl::ArchMergeBlocksBase<ArchMergeBlocksPass>,
                                       populateArchMergeBlocksPatterns> {};
} // namespace

void tr::populateArchMergeBlocksPatterns(RewritePatternSet &patterns, MergeCounts *counts) {
  patterns.add<MergeResidual, MergeInvertedChain<ConvOp>, MergeInvertedChain<CbrOp>>(
      patterns.getContext(), counts);
}
