// SPDX-License-Identifier: Apache-2.0
//
// Matching of convolution sequences against the layers of a fused block.
#include "BlockMatcher.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr::arch {
namespace {
std::string toText(Dims2 dims) { return std::to_string(dims.h) + "x" + std::to_string(dims.w); }

// The shortest of two forms that is exact.
std::string toText(FloatAttr attr) {
  double value = attr.getValueAsDouble();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  if (std::strtod(text.c_str(), nullptr) == value)
    return text;
  text.clear();
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

int64_t getChannels(Value value) { return cast<RankedTensorType>(value.getType()).getDimSize(3); }
} // namespace

std::optional<ConvView> getConv(Operation *op) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return ConvView{conv.getGeometry(), getChannels(conv.getInput())};
  if (auto cbr = dyn_cast<CbrOp>(op))
    return ConvView{cbr.getGeometry(), getChannels(cbr.getInput())};
  return std::nullopt;
}

bool isDepthwise(const ConvView &conv) {
  return conv.geometry.getGroups() == conv.inChannels &&
         conv.geometry.getGroups() == conv.geometry.getOut();
}

FailureOr<SmallVector<Operation *>> collectChain(Block &branch, std::string &reason) {
  SmallVector<Operation *> layers;
  Value value = branch.getArgument(0);
  auto checkOneUse = [&] {
    if (getSoleUser(value))
      return true;
    reason = describeUses(value);
    return false;
  };
  for (Operation &op : branch.without_terminator()) {
    if (!checkOneUse())
      return failure();
    if (op.getNumOperands() != 1 || op.getNumResults() != 1 || op.getOperand(0) != value) {
      reason = "expected a chain of layers, but " + describe(&op) + " reads another value";
      return failure();
    }
    layers.push_back(&op);
    value = op.getResult(0);
  }
  if (!checkOneUse())
    return failure();
  if (branch.getTerminator()->getOperand(0) != value) {
    reason = "expected a chain of layers, but the branch yields another value";
    return failure();
  }
  return layers;
}

bool BlockMatcher::fail(const Twine &text) {
  reason = text.str();
  return false;
}

bool BlockMatcher::expected(const Twine &what, const Twine &actual, Operation *at) {
  return fail("expected " + what + ", but got " + actual + " at " + describe(at));
}

bool BlockMatcher::match(ArrayRef<StageRow> stages, ArrayRef<Operation *> branch, StringRef where) {
  ArrayRef<Operation *> rest = branch;
  for (const StageRow &row : stages)
    if (!matchStage(row, rest, where))
      return false;
  if (!rest.empty())
    return fail("expected the end of the " + where + " after " + stages.back().conv + ", but got " +
                describe(rest.front()));
  llvm::append_range(layers, branch);
  return true;
}

bool BlockMatcher::matchPooledProjection(AvgPoolOp pool, ArrayRef<Operation *> rest) {
  PoolAttr window = pool.getWindow();
  Dims2 size{stride, stride};
  if (stride == 1 || window.getKernel() != size || window.getStride() != size ||
      window.getPad() != Dims2{0, 0} || window.getMore() != Dims2{0, 0} || !window.getCeil())
    return expected(
        "an average over windows of the block's stride " + Twine(stride) + ", rounding up",
        "kernel " + toText(window.getKernel()) + ", stride " + toText(window.getStride()) +
            " and pad " + toText(window.getPad()) + (window.getCeil() ? "" : ", rounding down"),
        pool);
  StageRow projection = getProjectionRow();
  projection.strided = false;
  layers.push_back(pool);
  return match(projection, rest, "shortcut");
}

bool BlockMatcher::matchStage(const StageRow &row, ArrayRef<Operation *> &rest, StringRef where) {
  if (rest.empty())
    return fail("expected a convolution (" + row.conv + "), but got the end of the " + where);
  Operation *op = rest.front();
  std::optional<ConvView> conv = getConv(op);
  if (!conv)
    return fail("expected a convolution (" + row.conv + "), but got " + describe(op));
  if (!checkGeometry(row, op, *conv))
    return false;
  matched.push_back({*conv, row.conv});
  size_t consumed = 1;
  if (auto cbr = dyn_cast<CbrOp>(op)) {
    if (!checkNormalisation(op, cbr.getEpsAttr(), cbr.getMomentumAttr()) ||
        !checkActivation(row, op, cbr.getAct()))
      return false;
  } else {
    if (!matchSeparate(row, rest))
      return false;
    consumed = row.activated ? 3 : 2;
  }
  for (Operation *layer : rest.take_front(std::min<size_t>(consumed, 2)))
    llvm::append_range(parts, cast<LayerOpInterface>(layer).getParts());
  rest = rest.drop_front(consumed);
  return true;
}

bool BlockMatcher::matchSeparate(const StageRow &row, ArrayRef<Operation *> rest) {
  auto bn = rest.size() > 1 ? dyn_cast<Bn2dOp>(rest[1]) : Bn2dOp();
  if (!bn)
    return expected("a bn2d after " + row.conv,
                    rest.size() > 1 ? describe(rest[1]) : std::string("none"), rest[0]);
  if (std::string why = describeUnmergeable(bn); !why.empty())
    return fail(why);
  if (!checkNormalisation(bn, bn.getEpsAttr(), bn.getMomentumAttr()))
    return false;
  if (!row.activated)
    return true;
  auto act = rest.size() > 2 ? dyn_cast<ActOp>(rest[2]) : ActOp();
  if (!act)
    return expected("an activation after the bn2d of " + row.conv,
                    rest.size() > 2 ? describe(rest[2]) : std::string("none"), bn);
  return checkActivation(row, act, act.getKind());
}

bool BlockMatcher::checkGeometry(const StageRow &row, Operation *op, const ConvView &conv) {
  ConvAttr geometry = conv.geometry;
  Dims2 kernel{row.kernel, row.kernel};
  if (geometry.getKernel() != kernel)
    return expected("a " + toText(kernel) + " kernel in " + row.conv, toText(geometry.getKernel()),
                    op);
  if (!checkStride(row, op, geometry.getStride()))
    return false;
  // Before the pad, which follows from it.
  if (geometry.getDilation() != Dims2{1, 1})
    return expected("dilation 1x1 in " + row.conv, toText(geometry.getDilation()), op);
  Dims2 pad{row.kernel / 2, row.kernel / 2};
  if (geometry.getPad() != pad)
    return expected("pad " + toText(pad) + " in " + row.conv, toText(geometry.getPad()), op);
  if (geometry.getMore() != Dims2{0, 0})
    return expected("equal pads at both ends in " + row.conv, "others", op);
  if (geometry.getBias())
    return expected("no bias in " + row.conv, "one", op);
  return checkGroups(row, op, conv);
}

bool BlockMatcher::checkStride(const StageRow &row, Operation *op, Dims2 actual) {
  if (!row.strided) {
    if (actual == Dims2{1, 1})
      return true;
    return expected("stride 1x1 in " + row.conv, toText(actual), op);
  }
  if (actual.h != actual.w)
    return expected("equal strides in " + row.conv, toText(actual), op);
  if (strideKnown && actual.h != stride)
    return expected("stride " + toText(Dims2{stride, stride}) + " in " + row.conv, toText(actual),
                    op);
  strideKnown = true;
  stride = actual.h;
  return true;
}

bool BlockMatcher::checkGroups(const StageRow &row, Operation *op, const ConvView &conv) {
  if (ShapedType::isDynamic(conv.inChannels))
    return expected("inferred channels before " + row.conv, "?", op);
  int64_t actual = conv.geometry.getGroups();
  switch (row.groups) {
  case StageGroups::One:
    return actual == 1 || expected("groups 1 in " + row.conv, Twine(actual), op);
  case StageGroups::Block:
    groups = actual;
    return true;
  case StageGroups::Depthwise:
    return isDepthwise(conv) || expected("a depthwise convolution of " + Twine(conv.inChannels) +
                                             " channels as " + row.conv,
                                         "groups " + Twine(actual) + " and " +
                                             Twine(conv.geometry.getOut()) + " output channels",
                                         op);
  }
  llvm_unreachable("all kinds of groups handled");
}

bool BlockMatcher::checkNormalisation(Operation *op, FloatAttr newEps, FloatAttr newMomentum) {
  if (!eps) {
    eps = newEps;
    momentum = newMomentum;
    return true;
  }
  if (eps != newEps)
    return expected("eps " + toText(eps) + " as before", toText(newEps), op);
  if (momentum != newMomentum)
    return expected("momentum " + toText(momentum) + " as before", toText(newMomentum), op);
  return true;
}

bool BlockMatcher::checkActivation(const StageRow &row, Operation *op, Act actual) {
  if (row.activated && act == Activation::None)
    act = actual;
  Act wanted = row.activated ? act : Act();
  if (wanted == actual && (actual != Activation::None || !row.activated))
    return true;
  return expected(Twine("activation ") + spell(wanted) + " in " + row.conv, spell(actual), op);
}

bool BlockMatcher::checkEqualOut(size_t i, size_t j) {
  if (getOut(i) == getOut(j))
    return true;
  return fail("expected as many output channels in " + matched[j].role + " as in " +
              matched[i].role + ", " + Twine(getOut(i)) + ", but got " + Twine(getOut(j)));
}

bool BlockMatcher::checkIdentity(size_t i) {
  if (getOut(i) == getInChannels())
    return true;
  return fail("expected the input's " + Twine(getInChannels()) + " channels from " +
              matched[i].role + ", but got " + Twine(getOut(i)));
}

} // namespace tr::arch
