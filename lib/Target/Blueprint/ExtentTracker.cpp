// SPDX-License-Identifier: Apache-2.0
//
// Layers in a chain as they come; repetitions are followed as long as they change anything.
#include "ExtentTracker.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

ExtentTracker::ExtentTracker(Location loc, ImageShape input, int64_t classes)
    : scratch(ModuleOp::create(loc)) {
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  auto network = arch::NetworkOp::create(builder, loc, builder.getStringAttr("scratch"),
                                         builder.getI64IntegerAttr(classes));
  int64_t extents[] = {ShapedType::kDynamic, input.h, input.w, input.c};
  BlockArgument images = network.getBody().emplaceBlock().addArgument(
      RankedTensorType::get(extents, builder.getF32Type()), loc);
  chain.emplace(images, input, classes, /*fuse=*/true);
}

LogicalResult ExtentTracker::add(Operation *layer, StringRef path) {
  return cast<TreeOpInterface>(layer).expand(*chain, {layer->getLoc(), path});
}

void ExtentTracker::openJoin(Operation *join, StringRef path) {
  std::string name = ("tr.arch." + join->getName().getStringRef().rsplit('.').second).str();
  joins.push_back(chain->openJoin({join->getLoc(), path}, name, join->getNumRegions()));
}

void ExtentTracker::openBranch(unsigned index) { chain->openBranch(joins.back(), index); }

void ExtentTracker::closeJoin() { chain->closeJoin(joins.back()), joins.pop_back(); }

LogicalResult ExtentTracker::repeat(Operation *repeat, StringRef path) {
  auto times = static_cast<int64_t>(cast<bp::RepeatOp>(repeat).getTimes());
  for (int64_t i = 1; i < times; ++i) {
    ImageShape before = chain->getShape();
    std::string prefix = (path.empty() ? "" : path + ".").str() + std::to_string(i);
    if (failed(replayLayers(repeat->getRegion(0), prefix)))
      return failure();
    if (chain->getShape() == before)
      break;
  }
  return success();
}

LogicalResult ExtentTracker::replayLayers(Region &region, StringRef path) {
  for (auto [index, layer] : llvm::enumerate(region.front()))
    if (failed(replay(&layer, bp::getLayerPath(region, path, &layer, index))))
      return failure();
  return success();
}

LogicalResult ExtentTracker::replay(Operation *layer, StringRef path) {
  if (layer->getNumRegions() == 0)
    return add(layer, path);
  if (isa<bp::RepeatOp>(layer)) {
    std::string prefix = (path.empty() ? "" : path + ".").str() + "0";
    return success(succeeded(replayLayers(layer->getRegion(0), prefix)) &&
                   succeeded(repeat(layer, path)));
  }
  if (!cast<TreeOpInterface>(layer).joinsBranches())
    return replayLayers(layer->getRegion(0), path);
  openJoin(layer, path);
  for (Region &region : layer->getRegions()) {
    openBranch(region.getRegionNumber());
    if (failed(replayLayers(region, path)))
      return failure();
  }
  closeJoin();
  return success();
}

} // namespace tr::blueprint
