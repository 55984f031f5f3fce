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

bool BlockMatcher::match(ArrayRef<StageSpec> stages, ArrayRef<Operation *> branch,
                         StringRef where) {
  ArrayRef<Operation *> rest = branch;
  for (const StageSpec &spec : stages)
    if (!matchStage(spec, rest, where))
      return false;
  if (!rest.empty())
    return fail("expected the end of the " + where + " after " + stages.back().role + ", but got " +
                describe(rest.front()));
  llvm::append_range(layers, branch);
  return true;
}

bool BlockMatcher::matchStage(const StageSpec &spec, ArrayRef<Operation *> &rest, StringRef where) {
  if (rest.empty())
    return fail("expected a convolution (" + spec.role + "), but got the end of the " + where);
  Operation *op = rest.front();
  std::optional<ConvView> conv = getConv(op);
  if (!conv)
    return fail("expected a convolution (" + spec.role + "), but got " + describe(op));
  if (!checkGeometry(spec, op, *conv))
    return false;
  matched.push_back({*conv, spec.role});
  size_t consumed = 1;
  if (auto cbr = dyn_cast<CbrOp>(op)) {
    if (!checkNormalisation(op, cbr.getEpsAttr(), cbr.getMomentumAttr()) ||
        !checkActivation(spec, op, cbr.getAct()))
      return false;
  } else {
    if (!matchSeparate(spec, rest))
      return false;
    consumed = spec.act == Activation::None ? 2 : 3;
  }
  for (Operation *layer : rest.take_front(std::min<size_t>(consumed, 2)))
    llvm::append_range(parts, layer->getAttrOfType<ArrayAttr>("parts"));
  rest = rest.drop_front(consumed);
  return true;
}

bool BlockMatcher::matchSeparate(const StageSpec &spec, ArrayRef<Operation *> rest) {
  auto bn = rest.size() > 1 ? dyn_cast<Bn2dOp>(rest[1]) : Bn2dOp();
  if (!bn)
    return expected("a bn2d after " + spec.role,
                    rest.size() > 1 ? describe(rest[1]) : std::string("none"), rest[0]);
  if (!checkNormalisation(bn, bn.getEpsAttr(), bn.getMomentumAttr()))
    return false;
  if (spec.act == Activation::None)
    return true;
  auto act = rest.size() > 2 ? dyn_cast<ActOp>(rest[2]) : ActOp();
  if (!act)
    return expected("an activation after the bn2d of " + spec.role,
                    rest.size() > 2 ? describe(rest[2]) : std::string("none"), bn);
  return checkActivation(spec, act, act.getKind());
}

bool BlockMatcher::checkGeometry(const StageSpec &spec, Operation *op, const ConvView &conv) {
  ConvAttr geometry = conv.geometry;
  Dims2 kernel{spec.kernel, spec.kernel};
  if (geometry.getKernel() != kernel)
    return expected("a " + toText(kernel) + " kernel in " + spec.role, toText(geometry.getKernel()),
                    op);
  if (!checkStride(spec, op, geometry.getStride()))
    return false;
  // Before the pad, which follows from it.
  if (geometry.getDilation() != Dims2{1, 1})
    return expected("dilation 1x1 in " + spec.role, toText(geometry.getDilation()), op);
  Dims2 pad{spec.kernel / 2, spec.kernel / 2};
  if (geometry.getPad() != pad)
    return expected("pad " + toText(pad) + " in " + spec.role, toText(geometry.getPad()), op);
  if (geometry.getBias())
    return expected("no bias in " + spec.role, "one", op);
  return checkGroups(spec, op, conv);
}

bool BlockMatcher::checkStride(const StageSpec &spec, Operation *op, Dims2 actual) {
  if (!spec.strided) {
    if (actual == Dims2{1, 1})
      return true;
    return expected("stride 1x1 in " + spec.role, toText(actual), op);
  }
  if (actual.h != actual.w)
    return expected("equal strides in " + spec.role, toText(actual), op);
  if (strideKnown && actual.h != stride)
    return expected("stride " + toText(Dims2{stride, stride}) + " in " + spec.role, toText(actual),
                    op);
  strideKnown = true;
  stride = actual.h;
  return true;
}

bool BlockMatcher::checkGroups(const StageSpec &spec, Operation *op, const ConvView &conv) {
  if (ShapedType::isDynamic(conv.inChannels))
    return expected("inferred channels before " + spec.role, "?", op);
  int64_t groups = conv.geometry.getGroups();
  if (!spec.depthwise) {
    if (groups == 1)
      return true;
    return expected("groups 1 in " + spec.role, Twine(groups), op);
  }
  if (isDepthwise(conv))
    return true;
  return expected(
      "a depthwise convolution of " + Twine(conv.inChannels) + " channels as " + spec.role,
      "groups " + Twine(groups) + " and " + Twine(conv.geometry.getOut()) + " output channels", op);
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

bool BlockMatcher::checkActivation(const StageSpec &spec, Operation *op, Activation act) {
  if (act == spec.act)
    return true;
  return expected("activation " + spell(spec.act) + " in " + spec.role, spell(act), op);
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
