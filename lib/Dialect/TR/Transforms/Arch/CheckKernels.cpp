// SPDX-License-Identifier: Apache-2.0
//
// Whether the layers can run at all: each describes its kernel ops itself, and the table of
// instances says in which types those exist. Nothing here knows a layer or a kernel op by name.
#include "../LevelPass.h"
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

// The first kernel op of a layer whose kernels come in instances.
std::optional<trf::Opcode> findInstancedKernel(LayerOpInterface layer) {
  LayerContext context;
  for (Value input : getLayerInputs(layer)) {
    context.inputs.push_back(*shapeOf(input));
    context.inputNeedsGrad.push_back(true);
  }
  context.output = *shapeOf(layer->getResult(0));
  context.features = context.inputs.front();
  LayerDescription description(context);
  layer.describe(description);
  const LayerFacts &facts = description.getFacts();
  for (ArrayRef<KernelCall> calls :
       {ArrayRef(facts.forward), ArrayRef(facts.backward), ArrayRef(facts.inference)})
    for (const KernelCall &call : calls)
      if (trf::hasInstances(trf::info(call.kernel)))
        return call.kernel;
  return std::nullopt;
}

struct ArchCheckKernelsPass
    : LevelPass<tr::impl::ArchCheckKernelsBase<ArchCheckKernelsPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    markAllAnalysesPreserved();
    trf::Precision wanted = getOptions(network).getValues().precision;
    if (trf::row(wanted).findInstance())
      return success();
    WalkResult result = network.walk([&](LayerOpInterface layer) {
      for (Value value :
           llvm::concat<Value>(getLayerInputs(layer), SmallVector<Value>(layer->getResults())))
        if (failed(shapeOf(value))) {
          emitLayerError(layer) << "expected inferred shapes, but got " << value.getType()
                                << "; run --tr-arch-infer-shapes first";
          return WalkResult::interrupt();
        }
      std::optional<trf::Opcode> missing = findInstancedKernel(layer);
      if (!missing)
        return WalkResult::advance();
      emitLayerError(layer) << "expected kernel op '" << spell(*missing) << "' for precision "
                            << spell(wanted) << ", but the kernel table has none; compile for fp32";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
