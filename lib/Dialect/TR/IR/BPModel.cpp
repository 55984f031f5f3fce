// SPDX-License-Identifier: Apache-2.0
//
// Checks of a whole layer tree: nesting, names, empty lists, activations.
#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace mlir;

namespace tr::bp {
namespace {

StringAttr getName(Operation *node) { return node->getAttrOfType<StringAttr>("name"); }

bool joinsBranches(Operation *node) {
  auto tree = dyn_cast<TreeOpInterface>(node);
  return tree && tree.joinsBranches();
}

// What a region adds to the paths of its layers beside their own index or name.
std::string getBranch(Region &region) {
  return joinsBranches(region.getParentOp()) ? std::to_string(region.getRegionNumber()) : "";
}

std::string getComponent(Region &region, Operation *layer, unsigned index) {
  if (StringAttr name = getName(layer))
    return name.str();
  return isLayerList(region) ? std::to_string(index) : getBranch(region);
}

void append(std::string &path, StringRef component) {
  if (!path.empty() && !component.empty())
    path += '.';
  path += component;
}

LogicalResult checkNode(Operation *node) {
  if (!isLayer(node))
    return emitError(node->getLoc(), "expected a layer of tr.bp, but got ") << node->getName();
  if (StringAttr name = getName(node); name && !isNodeName(name.getValue()))
    return emitError(node->getLoc(), "expected a name of 1 to ")
           << kMaxNodeName << " letters, digits, '_' or '-', but got \"" << name.getValue() << "\"";
  ActivationAttr act = node->getAttrOfType<ActivationAttr>(isa<ActOp>(node) ? "kind" : "act");
  if (act && act.getValue() == Activation::None)
    return emitError(node->getLoc(), "expected an activation other than none");
  if (joinsBranches(node) && node->getNumRegions() == 0)
    return emitError(node->getLoc(), "expected at least one branch, but got none");
  for (Region &region : node->getRegions())
    if (!region.hasOneBlock())
      return emitError(node->getLoc(), "expected one block in each region of a layer");
    else if (region.front().empty() && !joinsBranches(node) &&
             !(isa<SeqOp>(node) && joinsBranches(node->getParentOp())))
      return emitError(node->getLoc(), "expected at least one layer, but got none");
  return success();
}

LogicalResult checkComponents(Operation *parent) {
  StringMap<Operation *> branches, members;
  auto add = [](StringMap<Operation *> &seen, const std::string &component, Operation *layer) {
    auto [it, isNew] = seen.try_emplace(component, layer);
    if (isNew)
      return success();
    InFlightDiagnostic diagnostic = emitError(layer->getLoc(), "expected a name of its own for ")
                                    << "each of these layers, but got '" << component << "' twice";
    diagnostic.attachNote(it->second->getLoc()) << "the other one is here";
    return LogicalResult(diagnostic);
  };
  for (Region &region : parent->getRegions()) {
    bool list = isLayerList(region);
    members.clear();
    if (list && failed(add(branches, getBranch(region), parent)))
      return failure();
    for (auto [index, layer] : llvm::enumerate(region.front()))
      if (failed(add(list ? members : branches, getComponent(region, &layer, index), &layer)))
        return failure();
  }
  return success();
}
} // namespace

bool isLayer(Operation *op) { return isa<TreeOpInterface>(op); }

bool isNodeName(StringRef name) {
  return !name.empty() && name.size() <= kMaxNodeName &&
         llvm::all_of(name, [](char c) { return isAlnum(c) || c == '_' || c == '-'; });
}

bool isLayerList(Region &region) {
  return isa<SeqOp>(region.getParentOp()) || !llvm::hasSingleElement(region.front());
}

std::string getLayerPath(Region &region, StringRef prefix, Operation *layer, unsigned index) {
  std::string path = prefix.str();
  if (isLayerList(region))
    append(path, getBranch(region));
  append(path, getComponent(region, layer, index));
  return path;
}

LogicalResult verifyModel(ModelOp model) {
  if (model.getBody().front().empty())
    return emitError(model.getLoc(), "expected at least one layer, but got none");
  SmallVector<std::pair<Operation *, unsigned>> pending{{model, 0}};
  while (!pending.empty()) {
    auto [parent, depth] = pending.pop_back_val();
    if (failed(checkComponents(parent)))
      return failure();
    for (Region &region : parent->getRegions())
      for (Operation &layer : region.front()) {
        if (failed(checkNode(&layer)))
          return failure();
        if (layer.getNumRegions() == 0)
          continue;
        if (depth + 1 == kMaxNesting)
          return emitError(layer.getLoc(), "expected at most ")
                 << kMaxNesting << " nested layers, but got more";
        pending.push_back({&layer, depth + 1});
      }
  }
  return success();
}

} // namespace tr::bp
