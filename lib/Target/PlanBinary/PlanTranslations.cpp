// SPDX-License-Identifier: Apache-2.0
//
// --mlir-to-plan and --plan-to-mlir.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tr {
namespace {

LogicalResult moduleToPlan(ModuleOp module, StringRef network, raw_ostream &os) {
  FailureOr<graph::ProgramOp> program = findProgram(module, network);
  if (failed(program))
    return failure();
  FailureOr<trf::PlanRecords> records = exportPlan(*program);
  if (failed(records))
    return failure();
  std::vector<uint8_t> bytes = trf::writeRecords(*records);
  os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return success();
}

OwningOpRef<Operation *> planToModule(const llvm::MemoryBuffer &buffer, MLIRContext *context) {
  Location loc = FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0);
  trf::Plan plan;
  std::string error;
  if (!trf::readPlan(reinterpret_cast<const uint8_t *>(buffer.getBufferStart()),
                     buffer.getBufferSize(), plan, error)) {
    emitError(loc) << error;
    return {};
  }
  OwningOpRef<ModuleOp> module = importPlan(plan, loc);
  return module ? OwningOpRef<Operation *>(module.release().getOperation())
                : OwningOpRef<Operation *>();
}

} // namespace

void registerPlanTranslations(std::function<std::string()> getNetwork) {
  static TranslateFromMLIRRegistration toPlan(
      "mlir-to-plan", "write the tr.graph.program of a module as a plan file",
      [getNetwork = std::move(getNetwork)](ModuleOp module, raw_ostream &os) {
        return moduleToPlan(module, getNetwork(), os);
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
  static TranslateToMLIRRegistration fromPlan(
      "plan-to-mlir", "read a plan file as a tr.graph.program",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return planToModule(*sources.getMemoryBuffer(sources.getMainFileID()), context);
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
}

} // namespace tr
