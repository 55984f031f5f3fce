// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the merging patterns.
#include "MergeSupport.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tr::arch {

Operation *getSoleUser(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Operation *user = *value.user_begin();
  return user->getBlock() == value.getParentBlock() ? user : nullptr;
}

std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto act = dyn_cast<ActOp>(op))
    text += " <" + spell(act.getKind()) + ">";
  if (auto layer = dyn_cast<LayerOpInterface>(op))
    text += (" '" + layer.getPath() + "'").str();
  return text;
}

std::string describeUses(Value value) {
  Operation *def = value.getDefiningOp();
  std::string what = def ? "the result of " + describe(def) : std::string("the branch's input");
  size_t uses = std::distance(value.use_begin(), value.use_end());
  if (uses == 1)
    return "expected the use of " + what + " beside it, but got one in another block";
  return "expected one use of " + what + ", but got " + std::to_string(uses);
}

std::string describeUnmergeable(Bn2dOp bn) {
  if (bn.getPlain())
    return "expected factors and shifts in " + describe(bn) + ", but got affine = false";
  if (bn.getCumulative())
    return "expected a momentum in " + describe(bn) + ", but got cumulative";
  return "";
}

ArrayAttr concatParts(ArrayRef<Operation *> layers) {
  SmallVector<Attribute> parts;
  for (Operation *layer : layers)
    llvm::append_range(parts, cast<LayerOpInterface>(layer).getParts());
  return ArrayAttr::get(layers.front()->getContext(), parts);
}

Location fuseLocations(ArrayRef<Operation *> layers) {
  SmallVector<Location> locations;
  for (Operation *layer : layers)
    locations.push_back(layer->getLoc());
  return FusedLoc::get(layers.front()->getContext(), locations);
}

void copyDiscardableAttributes(ArrayRef<Operation *> layers, Operation *merged) {
  for (Operation *layer : layers)
    for (NamedAttribute attribute : layer->getDiscardableAttrs())
      if (!merged->hasAttr(attribute.getName()) &&
          !llvm::is_contained(merged->getName().getAttributeNames(), attribute.getName()))
        merged->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

void replaceChain(PatternRewriter &rewriter, ArrayRef<Operation *> layers, Operation *merged) {
  copyDiscardableAttributes(layers, merged);
  rewriter.replaceOp(layers.back(), merged);
  for (Operation *layer : llvm::reverse(layers.drop_back()))
    rewriter.eraseOp(layer);
}

static StringRef networkOf(Operation *op) {
  auto network = op->getParentOfType<NetworkOp>();
  return network ? network.getSymName() : StringRef();
}

LogicalResult reportMissed(Operation *op, StringRef flag, const Twine &reason,
                           MergeCounts *counts) {
  if (counts)
    ++counts->missed;
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("near-miss").category(flag).function(networkOf(op)))
      << remark::metric("Reason", reason.str());
  return failure();
}

void reportMerged(ArrayRef<Operation *> layers, Operation *merged, StringRef flag,
                  const Twine &reason, MergeCounts *counts) {
  if (counts)
    ++counts->merged;
  auto what = [&] {
    std::string text;
    for (Operation *layer : layers)
      text += (layer == layers.front()  ? ""
               : layer == layers.back() ? " and "
                                        : ", ") +
              describe(layer);
    return text + " are one " + merged->getName().getStringRef().str() + ": " + reason.str();
  };
  remark::passed(merged->getLoc(),
                 remark::RemarkOpts::name("merged").category(flag).function(networkOf(merged)))
      << remark::detail::LazyTextBuild{"Reason", what};
}

} // namespace tr::arch
