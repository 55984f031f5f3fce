// SPDX-License-Identifier: Apache-2.0
//
// Walks the layer tree with a stack of its own and appends the layers of
// `tr.arch`. One visit per layer and repetition.
#include "renaissance/Conversion/BPToArch.h"
#include "renaissance/Conversion/Passes.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"
#include "renaissance/Dialect/TR/IR/LayerChain.h"
#include "renaissance/Dialect/TR/IR/Levels.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tr {
#define GEN_PASS_DEF_ARCHEXPANDTREE
#include "renaissance/Conversion/Passes.h.inc"

namespace {
/// Most visits of layers; a repeat could ask for any number. The body of a repeat is
/// never empty, so this bounds the iterations too.
constexpr int64_t kMaxVisits = 1'000'000;

/// An op of the tree whose layers are being visited.
struct Frame {
  Operation *op;
  std::string path;   // of the op
  std::string prefix; // of its layers: for a repeat with the iteration
  Block::iterator next;
  unsigned region = 0;
  unsigned index = 0;
  int64_t iteration = 0;
  OpenJoin join = {};
  bool isFaulty = false; // a branch has a faulty layer

  Region &getRegion() const { return op->getRegion(region); }
  void enter() {
    next = getRegion().front().begin();
    index = 0;
  }
};

// Merging passes tell what they fuse; this is what was written as one layer.
void reportFused(Operation *node, Operation *layer, StringRef path) {
  auto what = [&] {
    return (node->getName().getStringRef() + " '" + path + "' is one " +
            layer->getName().getStringRef() + ": it is written as one layer")
        .str();
  };
  remark::passed(node->getLoc(), remark::RemarkOpts::name("fused").category("tr-arch-expand-tree"))
      << remark::detail::LazyTextBuild{"Reason", what};
}

class TreeExpander {
public:
  TreeExpander(LayerChain &chain, bp::ModelOp model) : chain(chain), model(model) {}

  // Faults that do not follow from others are all told.
  LogicalResult run() {
    LogicalResult result = success();
    push(model, "");
    while (!frames.empty()) {
      Frame &frame = frames.back();
      if (frame.next == frame.getRegion().front().end()) {
        leave(frame);
        continue;
      }
      Operation *layer = &*frame.next++;
      std::string path = bp::getLayerPath(frame.getRegion(), frame.prefix, layer, frame.index++);
      if (failed(count(layer)))
        return failure();
      if (layer->getNumRegions() > 0)
        push(layer, std::move(path));
      else if (failed(expandLeaf(layer, path))) {
        result = failure();
        leaveFaulty();
      }
    }
    return result;
  }

private:
  LogicalResult expandLeaf(Operation *node, StringRef path) {
    if (failed(cast<TreeOpInterface>(node).expand(chain, {node->getLoc(), path})))
      return failure();
    auto layer = chain.getValue().getDefiningOp<LayerOpInterface>();
    if (layer && layer.isFused())
      reportFused(node, layer, path);
    return success();
  }

  LogicalResult count(Operation *layer) {
    if (++visits <= kMaxVisits)
      return success();
    return emitError(layer->getLoc(), "expected at most ")
           << kMaxVisits << " layers after repetition, but got more";
  }

  static std::string getIterationPath(StringRef path, int64_t iteration) {
    std::string number = std::to_string(iteration);
    return path.empty() ? number : (path + "." + number).str();
  }

  void push(Operation *op, std::string path) {
    Frame frame{op, path, path, {}};
    if (isa<bp::RepeatOp>(op))
      frame.prefix = getIterationPath(path, 0);
    if (joins(op)) {
      std::string name = ("tr.arch." + op->getName().getStringRef().rsplit('.').second).str();
      frame.join = chain.openJoin({op->getLoc(), path}, name, op->getNumRegions());
      chain.openBranch(frame.join, 0);
    }
    frame.enter();
    frames.push_back(std::move(frame));
  }

  // All layers of the frame's region are done: repeat it, go on to the next region,
  // or return to the parent.
  void leave(Frame &frame) {
    if (auto repeat = dyn_cast<bp::RepeatOp>(frame.op);
        repeat && ++frame.iteration < static_cast<int64_t>(repeat.getTimes())) {
      frame.prefix = getIterationPath(frame.path, frame.iteration);
      frame.enter();
      return;
    }
    if (joins(frame.op)) {
      if (enterNextBranch(frame))
        return;
      if (frame.isFaulty) {
        frames.pop_back();
        return leaveFaulty();
      }
      chain.closeJoin(frame.join);
    }
    frames.pop_back();
  }

  // What is behind a faulty layer follows from it, but the other branches of joins do not.
  void leaveFaulty() {
    while (!frames.empty()) {
      Frame &frame = frames.back();
      frame.isFaulty = true;
      if (joins(frame.op) && enterNextBranch(frame))
        return;
      frames.pop_back();
    }
  }

  bool enterNextBranch(Frame &frame) {
    if (++frame.region >= frame.op->getNumRegions())
      return false;
    chain.openBranch(frame.join, frame.region);
    frame.enter();
    return true;
  }

  static bool joins(Operation *op) {
    auto tree = dyn_cast<TreeOpInterface>(op);
    return tree && tree.joinsBranches();
  }

  LayerChain &chain;
  bp::ModelOp model;
  SmallVector<Frame> frames;
  int64_t visits = 0;
};

struct ArchExpandTreePass : impl::ArchExpandTreeBase<ArchExpandTreePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkLevels(module)))
      return signalPassFailure();
    bool fuse = getOptions(module).getValues().fuse;
    int64_t models = 0, layers = 0;
    bool failedAny = false;
    for (auto model : llvm::make_early_inc_range(module.getOps<bp::ModelOp>())) {
      FailureOr<arch::NetworkOp> network = expandModel(model, fuse);
      failedAny |= failed(network);
      if (failed(network))
        continue;
      ++models;
      network->walk([&](Operation *op) { layers += isa<LayerOpInterface>(op); });
    }
    if (failedAny)
      return signalPassFailure();
    addCount(numModels, getArgumentName(), "num-models", models, getOperation());
    addCount(numLayers, getArgumentName(), "num-layers", layers, getOperation());
  }

private:
  // Networks that are there already are for the passes after this one.
  LogicalResult checkLevels(ModuleOp module) const {
    for (StringRef level : {bp::ModelOp::getOperationName(), arch::NetworkOp::getOperationName()})
      if (failed(requireAtTop(module, level)))
        return failure();
    if (!module.getOps<bp::ModelOp>().empty())
      return success();
    if (module.getOps<arch::NetworkOp>().empty())
      return reportNoneOf(module, bp::ModelOp::getOperationName());
    reportNothingToDo(module, getArgumentName(), "the module has networks and no tr.bp.model");
    return success();
  }
};
} // namespace

FailureOr<arch::NetworkOp> expandModel(bp::ModelOp model, bool fuse) {
  if (failed(bp::verifyModel(model)))
    return failure();
  ArrayRef<int64_t> input = model.getInput();
  ImageShape shape{input[0], input[1], input[2]};
  auto emit = [&] {
    return emitError(model.getLoc()) << "model '" << model.getSymName() << "': input: ";
  };
  if (failed(detail::checkExtents(shape, emit)))
    return failure();
  OpBuilder builder(model);
  auto network = arch::NetworkOp::create(builder, model.getLoc(), model.getSymNameAttr(),
                                         model.getClassesAttr());
  int64_t extents[] = {ShapedType::kDynamic, shape.h, shape.w, shape.c};
  Block &body = network.getBody().emplaceBlock();
  BlockArgument images =
      body.addArgument(RankedTensorType::get(extents, builder.getF32Type()), model.getLoc());
  LayerChain chain(images, shape, model.getClasses(), fuse);
  if (failed(TreeExpander(chain, model).run())) {
    network.erase();
    return failure();
  }
  arch::YieldOp::create(chain.builder, model.getLoc(), chain.getValue());
  model.erase();
  return network;
}

} // namespace tr
