// SPDX-License-Identifier: Apache-2.0
//
// The dialect, and the layer that it adds: its shape, its tensors, and the kernel ops of training
// and inference.
#include "Vision.h"

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "VisionDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "VisionTypes.cpp.inc"
#define GET_OP_CLASSES
#include "VisionOps.cpp.inc"

using namespace mlir;
using namespace trf;
using tr::KernelCall;
using tr::LayerDescription;
using tr::TensorRef;

void vision::VisionDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "VisionTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "VisionOps.cpp.inc"
      >();
}

LogicalResult vision::ClassifierOp::verify() {
  if (getImage().size() != 3)
    return emitOpError("expected height, width and channels of the image, but got ")
           << getImage().size() << " extents";
  Block &block = getBody().front();
  if (block.getNumArguments() != 1 || !isa<MapType>(block.getArgument(0).getType()) ||
      block.empty() || !isa<DecideOp>(block.back()))
    return emitOpError("expected a block from one map, the images, to a vision.decide");
  return success();
}

FailureOr<tr::ImageShape>
vision::SumReluOp::inferOutputShape(ArrayRef<tr::ImageShape> inputs,
                                    llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (inputs[0] == inputs[1])
    return inputs[0];
  return emitError() << "expected branches of equal shape, but got " << tr::toString(inputs[0])
                     << " and " << tr::toString(inputs[1]);
}

// One kernel op forward; backward, one for each branch that needs a gradient.
void vision::SumReluOp::describe(LayerDescription &d) {
  namespace add = ops::add_fwd;
  namespace act = ops::act_bwd_out;
  TensorRef y = d.declareOutput(getPath());
  d.forwardAndInference(KernelCall(add::kOpcode,
                                   {{add::a, d.input(0)}, {add::b, d.input(1)}, {add::y, y}},
                                   add::Attrs{Activation::ReLU}));
  for (int branch : {0, 1})
    if (d.needsInputGrad(branch))
      d.backward(KernelCall(
          act::kOpcode, {{act::dy, d.outputGrad()}, {act::y, y}, {act::dx, d.inputGrad(branch)}},
          act::Attrs{Activation::ReLU}));
}
