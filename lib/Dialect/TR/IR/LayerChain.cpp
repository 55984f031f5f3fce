// SPDX-License-Identifier: Apache-2.0
//
// Layers in a row, with their parts and extents.
#include "renaissance/Dialect/TR/IR/LayerChain.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"

using namespace mlir;

namespace tr {

LayerChain::LayerChain(BlockArgument images, ImageShape shape, int64_t classes, bool fuse)
    : builder(OpBuilder::atBlockEnd(images.getOwner())), value(images), shape(shape),
      classes(classes), fuse(fuse) {}

Type LayerChain::makeType(ImageShape shape) {
  int64_t extents[] = {ShapedType::kDynamic, shape.h, shape.w, shape.c};
  return RankedTensorType::get(extents, builder.getF32Type());
}

ArrayAttr LayerChain::makeParts(StringRef path, ArrayRef<StringRef> parts, StringRef opName) {
  SmallVector<std::string, 8> names;
  for (StringRef part : parts)
    names.push_back(path.empty() ? part.str() : (path + "." + part).str());
  // A network of one layer has an empty path; the kind tells more than nothing.
  if (parts.empty())
    names.push_back(path.empty() ? opName.rsplit('.').second.str() : path.str());
  return builder.getStrArrayAttr(SmallVector<StringRef, 8>(names.begin(), names.end()));
}

LogicalResult LayerChain::finish(LayerOpInterface layer) {
  auto emit = [&] { return emitLayerError(layer); };
  FailureOr<ImageShape> out = layer.inferOutputShape(shape, emit);
  if (failed(out) || failed(detail::checkExtents(*out, emit)))
    return failure();
  shape = *out;
  value = layer->getResult(0);
  value.setType(makeType(shape));
  return success();
}

LogicalResult LayerChain::append(const LayerSite &site, StringRef opName, ArrayRef<StringRef> parts,
                                 ArrayRef<NamedAttribute> attributes) {
  OperationState state(site.loc, opName);
  state.addOperands(value);
  state.addTypes(value.getType());
  state.addAttribute("parts", makeParts(site.path, parts, opName));
  state.addAttributes(attributes);
  return finish(cast<LayerOpInterface>(builder.create(state)));
}

// A loss that does not fit here is for later passes to move or to report at its layer.
// Until then its extents are left open, which its verifier lets pass.
void LayerChain::appendLoss(const LayerSite &site) {
  if (shape.h * shape.w * shape.c != classes && value.getDefiningOp()) {
    SmallVector<int64_t, 4> open(4, ShapedType::kDynamic);
    value.setType(RankedTensorType::get(open, builder.getF32Type()));
  }
  ArrayAttr parts = makeParts(site.path, {}, arch::SoftmaxCeOp::getOperationName());
  value = arch::SoftmaxCeOp::create(builder, site.loc, value.getType(), value, parts,
                                    builder.getI64IntegerAttr(classes));
}

OpenJoin LayerChain::openJoin(const LayerSite &site, StringRef opName, unsigned branches) {
  OperationState state(site.loc, opName);
  state.addOperands(value);
  state.addTypes(value.getType());
  state.addAttribute("parts", makeParts(site.path, {}, opName));
  for (unsigned i = 0; i < branches; ++i)
    state.addRegion();
  return {builder.create(state), value, shape};
}

void LayerChain::openBranch(OpenJoin &join, unsigned index) {
  if (index > 0)
    arch::YieldOp::create(builder, join.op->getLoc(), value);
  Block &branch = join.op->getRegion(index).emplaceBlock();
  value = branch.addArgument(join.input.getType(), join.op->getLoc());
  shape = join.shape;
  builder.setInsertionPointToEnd(&branch);
}

// Branches that disagree are for shape inference to report, with both places.
void LayerChain::closeJoin(OpenJoin &join) {
  arch::YieldOp::create(builder, join.op->getLoc(), value);
  value = join.op->getResult(0);
  builder.setInsertionPointAfter(join.op);
  SmallVector<ImageShape, 2> inputs;
  for (Value input : getLayerInputs(cast<LayerOpInterface>(join.op)))
    inputs.push_back(getImageShape(input.getType()));
  ScopedDiagnosticHandler silence(builder.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<ImageShape> joined = cast<LayerOpInterface>(join.op).inferOutputShape(
      inputs, [&] { return join.op->emitError(); });
  if (succeeded(joined))
    shape = *joined;
  value.setType(makeType(shape));
}

LogicalResult detail::expandAlike(Operation *node, LayerChain &chain, const LayerSite &site) {
  StringRef mnemonic = node->getName().getStringRef().rsplit('.').second;
  std::string opName = ("tr.arch." + mnemonic).str();
  // What others have put on the node goes along, but not under a name that means something there.
  ArrayRef<StringAttr> taken = OperationName(opName, node->getContext()).getAttributeNames();
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : node->getAttrs()) {
    bool discardable = node->getDiscardableAttr(attribute.getName()) == attribute.getValue();
    if (attribute.getName() != "name" &&
        !(discardable && llvm::is_contained(taken, attribute.getName())))
      attributes.push_back(attribute);
  }
  return chain.append(site, opName, cast<TreeOpInterface>(node).getPartNames(), attributes);
}

} // namespace tr
