// SPDX-License-Identifier: Apache-2.0
//
// Step 6. Types are refined in place, in program order, so one walk does: a layer's
// operands are shaped before it. A branch starts from the add2's input, not from the
// other branch.
#include "../Counts.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
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

  LogicalResult run(PlanOp plan) {
    Value images = imagesOf(plan);
    FailureOr<ImageShape> shape = shapeOf(images);
    if (failed(shape))
      return plan.emitError("plan '")
             << plan.getSymName() << "': expected images of known height, width and channels, "
             << "but got " << images.getType();
    auto emit = [&] { return plan.emitError("plan '") << plan.getSymName() << "': images: "; };
    if (failed(tr::detail::checkExtents(*shape, emit)))
      return failure();
    return inferBlock(plan.getBody().front());
  }

private:
  LogicalResult inferBlock(Block &block) {
    for (Operation &op : block) {
      LogicalResult result = success();
      if (auto add2 = dyn_cast<Add2Op>(op))
        result = inferAdd2(add2);
      else if (auto layer = dyn_cast<LayerOpInterface>(op))
        result = inferLayer(layer);
      if (failed(result))
        return failure();
    }
    return success();
  }

  LogicalResult inferLayer(LayerOpInterface layer) {
    auto emit = [&] { return emitLayerError(layer); };
    // Operands come from above, so their shapes are known.
    FailureOr<ImageShape> output = layer.inferOutputShape(*shapeOf(layer->getOperand(0)), emit);
    if (failed(output) || failed(tr::detail::checkExtents(*output, emit)))
      return failure();
    return refine(layer, layer->getResult(0), *output);
  }

  LogicalResult inferAdd2(Add2Op add2) {
    for (Region *branch : {&add2.getShortcut(), &add2.getStem()}) {
      branch->front().getArgument(0).setType(add2.getInput().getType());
      if (failed(inferBlock(branch->front())))
        return failure();
    }
    Value shortcut = yieldOf(add2.getShortcut()).getValue();
    Value stem = yieldOf(add2.getStem()).getValue();
    ImageShape shortcutShape = *shapeOf(shortcut), stemShape = *shapeOf(stem);
    if (shortcutShape == stemShape)
      return refine(add2, add2.getOutput(), stemShape);
    InFlightDiagnostic error = emitLayerError(add2);
    error << "expected stem and shortcut of equal shape, but got stem " << toString(stemShape)
          << " and shortcut " << toString(shortcutShape);
    error.attachNote(stem.getLoc()) << "the stem gives " << toString(stemShape) << " here";
    error.attachNote(shortcut.getLoc())
        << "the shortcut gives " << toString(shortcutShape) << " here";
    return error;
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

  int64_t *changed;
};

struct ArchInferShapesPass : tr::impl::ArchInferShapesBase<ArchInferShapesPass> {
  void runOnOperation() override {
    int64_t changed = 0;
    if (failed(inferArchShapes(getOperation(), &changed)))
      signalPassFailure();
    addCount(numLayersShaped, DEBUG_TYPE, "num-layers-shaped", changed, getOperation());
  }
};

} // namespace

LogicalResult tr::inferArchShapes(PlanOp plan, int64_t *changed) {
  return Inference(changed).run(plan);
}
