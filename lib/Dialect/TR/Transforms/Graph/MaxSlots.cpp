// SPDX-License-Identifier: Apache-2.0
//
// Phase 2, --tr-graph-max-slots: one slot size that serves every variant.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"
#include "renaissance/Target/PlanTables.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tr {
#define GEN_PASS_DEF_GRAPHMAXSLOTS
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

constexpr int64_t kMaxElements = int64_t(1) << 48; // keeps byte counts far from overflow

struct GraphMaxSlotsPass : tr::impl::GraphMaxSlotsBase<GraphMaxSlotsPass> {
  void runOnOperation() override {
    for (auto tensor : getOperation().getOps<graph::TensorOp>()) {
      if (failed(setSlot(tensor)))
        return signalPassFailure();
      ++numSlots;
    }
  }

  LogicalResult setSlot(graph::TensorOp tensor) {
    int64_t most = 0;
    DenseI64ArrayAttr largest;
    for (auto shape : tensor.getShapes().getAsRange<DenseI64ArrayAttr>()) {
      int64_t elements = 1;
      for (int64_t dim : shape.asArrayRef())
        if (llvm::MulOverflow(elements, dim, elements) || elements > kMaxElements)
          return tensor.emitOpError("expected at most ")
                 << kMaxElements << " elements, but got shape " << shape;
      if (elements > most || !largest)
        largest = shape;
      most = std::max(most, elements);
    }
    plan::DType dtype = *plan::symbolizeDType(tensor.getDtype());
    tensor.setSlot(plan::getSlotBytes(dtype, most));
    trace(tensor.getLoc(), getArgumentName(), [&] {
      return llvm::formatv("{0}: slot of {1} bytes for shape {2}", tensor.getName(),
                           *tensor.getSlot(), Attribute(largest));
    });
    return success();
  }
};

} // namespace
