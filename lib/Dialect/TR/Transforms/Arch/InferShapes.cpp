// SPDX-License-Identifier: Apache-2.0
//
// Types are refined in place, in program order, so one walk suffices: a layer's
// operands are shaped before it. A branch starts from the add2's input, not from the
// other branch.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHINFERSHAPES
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-infer-shapes"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

class Inference {
public:
  explicit Inference(int64_t *changed) : changed(changed) {}

  LogicalResult run(NetworkOp network) {
    Value images = imagesOf(network);
    FailureOr<ImageShape> shape = shapeOf(images);
    if (failed(shape))
      return network.emitError("network '")
             << network.getSymName() << "': expected images of known height, width and channels, "
             << "but got " << images.getType();
    return inferBlock(network.getBody().front());
  }

private:
  // Goes on behind a faulty layer, for faults that do not follow from it.
  LogicalResult inferBlock(Block &block) {
    LogicalResult result = success();
    for (Operation &op : block)
      if (auto layer = dyn_cast<LayerOpInterface>(op); layer && failed(inferLayer(layer))) {
        unknown.insert(layer->getResult(0));
        result = failure();
      }
    return result;
  }

  LogicalResult inferLayer(LayerOpInterface layer) {
    if (llvm::any_of(layer->getOperands(), [&](Value v) { return unknown.contains(v); }))
      return failure();
    auto branches = dyn_cast<JoinOpInterface>(layer.getOperation());
    if (branches && failed(inferBranches(branches)))
      return failure();
    SmallVector<ImageShape, 2> inputs;
    for (Value input : getLayerInputs(layer))
      inputs.push_back(*shapeOf(input)); // made by a layer before, or the images
    auto emit = [&] {
      InFlightDiagnostic error = emitLayerError(layer);
      if (branches)
        noteBranches(error, branches, inputs);
      return error;
    };
    FailureOr<ImageShape> output = layer.inferOutputShape(inputs, emit);
    if (failed(output) || failed(tr::detail::checkExtents(*output, emit)))
      return failure();
    return refine(layer, layer->getResult(0), *output);
  }

  LogicalResult inferBranches(JoinOpInterface op) {
    LogicalResult result = success();
    for (Region *branch : op.getBranches()) {
      branch->front().getArgument(0).setType(op->getOperand(0).getType());
      if (failed(inferBlock(branch->front())))
        result = failure();
    }
    return result;
  }

  static void noteBranches(InFlightDiagnostic &error, JoinOpInterface op,
                           ArrayRef<ImageShape> shapes) {
    for (auto [branch, shape] : llvm::zip_equal(op.getBranches(), shapes))
      error.attachNote(yieldOf(*branch).getValue().getLoc())
          << op.getBranchName(branch) << " gives " << toString(shape) << " here";
  }

  // Fills in what is unknown; a type that says something else is an error.
  LogicalResult refine(Operation *op, Value result, ImageShape shape) {
    auto type = cast<RankedTensorType>(result.getType());
    int64_t extents[] = {shape.h, shape.w, shape.c};
    for (int i = 0; i < 3; ++i)
      if (!type.isDynamicDim(i + 1) && type.getDimSize(i + 1) != extents[i])
        return emitLayerError(op) << "expected result extents " << toString(shape) << ", but got "
                                  << type;
    RankedTensorType refined = tensorOf(op->getContext(), shape);
    if (refined == type)
      return success();
    result.setType(refined);
    if (changed)
      ++*changed;
    return success();
  }

  llvm::DenseSet<Value> unknown; // results of faulty layers and of those behind them
  int64_t *changed;
};

struct ArchInferShapesPass
    : LevelPass<tr::impl::ArchInferShapesBase<ArchInferShapesPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    int64_t changed = 0;
    LogicalResult result = inferArchShapes(network, &changed);
    addCount(numLayersShaped, DEBUG_TYPE, "num-layers-shaped", changed, network);
    return result;
  }
};

} // namespace

LogicalResult tr::inferArchShapes(NetworkOp network, int64_t *changed) {
  return failure(failed(requireOnlyLayers(network)) || failed(Inference(changed).run(network)));
}
