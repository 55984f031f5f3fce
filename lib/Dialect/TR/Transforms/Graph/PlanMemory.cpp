// SPDX-License-Identifier: Apache-2.0
//
// Phase 3, --tr-graph-plan-memory: offsets in the arena, region by region.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"
#include "renaissance/Target/PlanTables.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_GRAPHPLANMEMORY
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

constexpr int64_t kMaxArena = int64_t(1) << 60;

struct GraphPlanMemoryPass : tr::impl::GraphPlanMemoryBase<GraphPlanMemoryPass> {
  void runOnOperation() override {
    graph::ProgramOp program = getOperation();
    std::array<SmallVector<graph::TensorOp>, plan::kRegionCount> byRegion;
    for (auto tensor : program.getOps<graph::TensorOp>()) {
      if (!tensor.getSlot()) {
        tensor.emitOpError("expected a slot size; --tr-graph-max-slots sets it");
        return signalPassFailure();
      }
      plan::Region region = *plan::symbolizeRegion(tensor.getRegion());
      byRegion[static_cast<uint32_t>(region)].push_back(tensor);
    }
    for (graph::RegionOp region : llvm::to_vector(program.getOps<graph::RegionOp>()))
      region.erase();

    OpBuilder builder = OpBuilder::atBlockBegin(&program.getBody().front());
    for (auto variant : program.getOps<graph::VariantOp>())
      builder.setInsertionPointAfter(variant);
    int64_t offset = 0;
    for (uint32_t i = 0; i < plan::kRegionCount; ++i) {
      int64_t start = offset;
      for (graph::TensorOp tensor : byRegion[i]) {
        tensor.setOffset(offset);
        offset += *tensor.getSlot();
        if (offset > kMaxArena) {
          tensor.emitOpError("expected an arena of at most ") << kMaxArena << " bytes";
          return signalPassFailure();
        }
      }
      StringRef name = plan::stringify(static_cast<plan::Region>(i));
      graph::RegionOp::create(builder, program.getLoc(), name, start, offset - start);
      trace(program.getLoc(), getArgumentName(), [&] {
        return llvm::formatv("region {0}: {1} tensors, {2} bytes at {3}", name, byRegion[i].size(),
                             offset - start, start);
      });
    }
    numBytes += offset;
  }
};

} // namespace
