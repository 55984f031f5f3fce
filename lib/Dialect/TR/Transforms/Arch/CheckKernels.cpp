// SPDX-License-Identifier: Apache-2.0
//
// Whether the fused layers can run at all: each describes its kernel ops itself, and
// the kernel table says what element types those take. Nothing here knows a layer
// or a kernel by name.
#include "Layers.h"

#include "renaissance/Dialect/TR/IR/LayerDescription.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHCHECKKERNELS
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-check-kernels"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

struct PrecisionName {
  StringLiteral precision, activations;
};

PrecisionName nameOf(Precision precision) {
  switch (precision) {
  case Precision::FP32:
    return {"fp32", "f32"};
  case Precision::AmpFP16:
    return {"amp_fp16", "f16"};
  case Precision::AmpBF16:
    return {"amp_bf16", "bf16"};
  }
  llvm_unreachable("a precision without a name");
}

// A kernel op takes a type that one of its operands has; where the first operand has
// any type, it takes all.
bool takes(const plan::KernelInfo &kernel, StringRef activations) {
  if (!kernel.operands.empty() && !kernel.operands.front().dtype)
    return true;
  std::optional<plan::DType> wanted = plan::symbolizeDType(activations);
  return wanted && llvm::any_of(kernel.operands, [&](const plan::OperandInfo &operand) {
           return operand.dtype == wanted;
         });
}

// The first kernel op of a fused layer that does not take the type.
const plan::KernelInfo *findMissingKernel(LayerOpInterface layer, StringRef activations) {
  LayerContext context;
  context.input = *shapeOf(layer->getOperand(0));
  context.output = *shapeOf(layer->getResult(0));
  context.features = context.input;
  context.inputNeedsGrad = true;
  context.partCount = layer->getAttrOfType<ArrayAttr>("parts").size();
  LayerDescription description(context);
  layer.describe(description);
  if (!description.fused)
    return nullptr;
  for (const auto &calls : {description.forwardCalls, description.backwardCalls,
                            description.inferenceCalls, description.foldCalls})
    for (const KernelCall &call : calls)
      if (!takes(plan::getInfo(call.kernel), activations))
        return &plan::getInfo(call.kernel);
  return nullptr;
}

struct ArchCheckKernelsPass : tr::impl::ArchCheckKernelsBase<ArchCheckKernelsPass> {
  using ArchCheckKernelsBase::ArchCheckKernelsBase;

  void runOnOperation() override {
    PrecisionName name = nameOf(precision);
    WalkResult result = getOperation().walk([&](LayerOpInterface layer) {
      if (failed(shapeOf(layer->getOperand(0))) || failed(shapeOf(layer->getResult(0)))) {
        emitLayerError(layer) << "expected inferred shapes, but got "
                              << layer->getOperand(0).getType()
                              << "; run --tr-arch-infer-shapes first";
        return WalkResult::interrupt();
      }
      const plan::KernelInfo *missing = findMissingKernel(layer, name.activations);
      if (!missing)
        return WalkResult::advance();
      emitLayerError(layer) << "expected kernel op '" << missing->name << "' for precision "
                            << name.precision << ", which this fused layer needs, but the kernel "
                            << "table has none; use fuse=false or precision=fp32";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
