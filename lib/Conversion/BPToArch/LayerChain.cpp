// SPDX-License-Identifier: Apache-2.0
//
// Layers in a row, with their parts and extents.
#include "LayerChain.h"

using namespace mlir;

namespace tr {

LayerChain::LayerChain(BlockArgument images, ImageShape shape)
    : builder(OpBuilder::atBlockEnd(images.getOwner())), value(images), shape(shape) {}

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

// A loss that does not fit here is for later steps to move or to report at its layer.
// Until then its extents are left open, which its verifier lets pass.
void LayerChain::appendLoss(LayerSite site, int64_t classes) {
  if (shape.h * shape.w * shape.c != classes && value.getDefiningOp()) {
    SmallVector<int64_t, 4> open(4, ShapedType::kDynamic);
    value.setType(RankedTensorType::get(open, builder.getF32Type()));
  }
  ArrayAttr parts = makeParts(site.path, {}, arch::SoftmaxCeOp::getOperationName());
  value = arch::SoftmaxCeOp::create(builder, site.loc, value.getType(), value, parts,
                                    builder.getI64IntegerAttr(classes));
}

OpenAdd2 LayerChain::openAdd2(LayerSite site) {
  ArrayAttr parts = makeParts(site.path, {}, arch::Add2Op::getOperationName());
  OpenAdd2 sum{arch::Add2Op::create(builder, site.loc, value.getType(), value, parts), value,
               shape};
  Block &shortcut = sum.op.getShortcut().emplaceBlock();
  value = shortcut.addArgument(value.getType(), site.loc);
  builder.setInsertionPointToEnd(&shortcut);
  return sum;
}

void LayerChain::openStem(OpenAdd2 &sum) {
  arch::YieldOp::create(builder, sum.op.getLoc(), value);
  Block &stem = sum.op.getStem().emplaceBlock();
  value = stem.addArgument(sum.input.getType(), sum.op.getLoc());
  shape = sum.shape;
  builder.setInsertionPointToEnd(&stem);
}

// Branches that disagree are for shape inference to report, with both places.
void LayerChain::closeAdd2(OpenAdd2 &sum) {
  arch::YieldOp::create(builder, sum.op.getLoc(), value);
  sum.op.getOutput().setType(cast<RankedTensorType>(makeType(shape)));
  value = sum.op.getOutput();
  builder.setInsertionPointAfter(sum.op);
}

} // namespace tr
