// SPDX-License-Identifier: Apache-2.0
//
// tr-compile: a BluePrint or MLIR file to a plan in one step.
#include "DeviceMemory.h"
#include "DumpDir.h"
#include "HtmlReport.h"
#include "Options.h"
#include "Report.h"
#include "WriteFile.h"

#include "renaissance/InitAll.h"
#include "renaissance/Pipelines/Pipelines.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

class Compiler {
public:
  Compiler(const tr::CompileOptions &options, MLIRContext &context)
      : options(options), context(context), handler(sources, &context, llvm::errs()) {}

  LogicalResult run();

private:
  LogicalResult load();
  LogicalResult lower(TimingScope &timing);
  LogicalResult report(tr::graph::ProgramOp program);
  LogicalResult checkDevice(const tr::MemoryUse &use);
  LogicalResult write(tr::graph::ProgramOp program);
  LogicalResult writeDump();
  LogicalResult reportFault(const std::string &fault); // empty: none

  const tr::CompileOptions &options;
  MLIRContext &context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  OwningOpRef<ModuleOp> arch; // before the phases, where a device's memory is asked for
  std::vector<tr::LayerRow> rows;
  std::optional<tr::DumpRecorder> dump;      // with --dump-dir
  std::vector<tr::FusionDecision> decisions; // with --html
};

LogicalResult Compiler::load() {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(options.input, &message);
  if (!buffer) {
    llvm::errs() << "error: " << message << '\n';
    return failure();
  }
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  if (!StringRef(options.input).ends_with(".bp")) {
    module = parseSourceFile<ModuleOp>(sources, &context);
    return success(static_cast<bool>(module));
  }
  tr::BlueprintOptions blueprint;
  blueprint.model = options.model;
  blueprint.input = options.shape;
  if (options.classes != 0)
    blueprint.classes = options.classes;
  module = tr::importBlueprint(sources, &context, blueprint);
  return success(static_cast<bool>(module));
}

// The IR is verified at the borders of families; tests verify it after each pass.
LogicalResult Compiler::lower(TimingScope &timing) {
  if (!options.html.empty() && failed(tr::recordDecisions(context, decisions)))
    return failure();
  PassManager toArch(&context), toGraph(&context);
  if (!options.dumpDir.empty())
    dump.emplace(*module);
  for (PassManager *pm : {&toArch, &toGraph}) {
    pm->enableTiming(timing);
    pm->enableVerifier(false);
    if (dump)
      pm->addInstrumentation(dump->createInstrumentation());
  }
  tr::ArchPipelineOptions archOptions;
  archOptions.fuse = options.fuse;
  tr::buildArchPipeline(toArch, archOptions);
  tr::GraphPipelineOptions graphOptions;
  graphOptions.reuse = options.reuse;
  graphOptions.winograd = options.winograd;
  tr::buildGraphPipeline(toGraph, graphOptions);
  if (failed(verify(*module)) || failed(toArch.run(*module)) || failed(verify(*module)))
    return failure();
  if (options.summary || !options.html.empty())
    for (auto plan : module->getOps<tr::arch::NetworkOp>())
      rows = tr::collectLayers(plan);
  if (options.deviceMemory != 0)
    arch = module->clone();
  if (failed(toGraph.run(*module)))
    return failure();
  return verify(*module);
}

LogicalResult Compiler::report(tr::graph::ProgramOp program) {
  if (options.summary)
    tr::printSummary(llvm::outs(), rows, program);
  if (!options.memory && options.deviceMemory == 0 && options.html.empty())
    return success();
  FailureOr<tr::MemoryUse> use = tr::measureMemory(program);
  if (failed(use))
    return failure();
  if (options.memory)
    tr::printMemory(llvm::outs(), program, *use);
  if (!options.html.empty() &&
      failed(reportFault(tr::writeFile(
          options.html, tr::renderReport(tr::collectReport({program, rows, decisions, *use}))))))
    return failure();
  return options.deviceMemory == 0 ? success() : checkDevice(*use);
}

LogicalResult Compiler::checkDevice(const tr::MemoryUse &use) {
  int64_t largest = tr::findLargestBatch(*arch, options);
  std::string batch = largest == 0 ? std::string("not even batch 1 fits")
                                   : "the largest batch that fits is " + std::to_string(largest);
  if (use.arenaBytes <= options.deviceMemory) {
    llvm::outs() << "fits: the arena has " << tr::grouped(use.arenaBytes) << " of "
                 << tr::grouped(options.deviceMemory) << " bytes at batch "
                 << options.variants.batch << "; " << batch << '\n';
    return success();
  }
  llvm::outs().flush();
  llvm::errs() << "error: expected an arena of at most " << tr::grouped(options.deviceMemory)
               << " bytes, but got " << tr::grouped(use.arenaBytes) << " at batch "
               << options.variants.batch << "; " << batch << '\n';
  return failure();
}

LogicalResult Compiler::write(tr::graph::ProgramOp program) {
  FailureOr<trf::PlanRecords> records = tr::exportPlan(program);
  if (failed(records))
    return failure();
  if (options.dryRun)
    return success();
  std::vector<uint8_t> bytes = trf::writeRecords(*records);
  return reportFault(tr::writeFile(
      options.output, StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size())));
}

LogicalResult Compiler::writeDump() {
  return reportFault(dump ? dump->write(options.dumpDir) : "");
}

LogicalResult Compiler::reportFault(const std::string &fault) {
  if (!fault.empty())
    llvm::errs() << "error: " << fault << '\n';
  return success(fault.empty());
}

LogicalResult Compiler::run() {
  DefaultTimingManager manager;
  manager.setEnabled(options.time);
  manager.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  TimingScope root = manager.getRootScope();
  {
    TimingScope scope = root.nest("Load");
    if (failed(load()) || failed(tr::attachOptions(*module, options)))
      return failure();
  }
  TimingScope scope = root.nest("Passes");
  LogicalResult lowered = lower(scope);
  // What a failing pass was given is what one wants to see.
  if (failed(writeDump()) || failed(lowered))
    return failure();
  scope.stop();
  FailureOr<tr::graph::ProgramOp> program = tr::findProgram(*module);
  if (failed(program) || failed(report(*program)))
    return failure();
  TimingScope output = root.nest("Write plan");
  return write(*program);
}

} // namespace

int main(int argc, char **argv) {
  tr::CompileOptions options;
  if (std::optional<int> code = tr::parseCommandLine(argc, argv, options))
    return *code;
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  // Neither is destroyed: the process ends, and taking a large module apart op by op would only
  // keep the user waiting.
  auto *context = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false); // the user wrote no ops
  context->loadAllAvailableDialects();
  auto *compiler = new Compiler(options, *context);
  return succeeded(compiler->run()) ? 0 : 1;
}
