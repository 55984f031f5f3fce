// SPDX-License-Identifier: Apache-2.0
//
// tr-compile: a BluePrint or MLIR file to a plan in one step.
#include "DeviceMemory.h"
#include "DumpDir.h"
#include "HtmlReport.h"
#include "Options.h"
#include "Report.h"

#include "support/Diagnostics.h"
#include "support/Output.h"
#include "support/StatisticsReport.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"
#include "renaissance/InitAll.h"
#include "renaissance/Pipelines/Pipelines.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"

#include "trs/output_file.h"
#include "trs/process.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;

namespace {

class Compiler {
public:
  Compiler(const tr::CommandLine &line, MLIRContext &context)
      : line(line), context(context), handler(sources, &context, llvm::errs()) {
    tr::showWindows(sources);
  }

  LogicalResult run();

private:
  // Calls lookAtLayers() where the last pass of `tr.arch` has run.
  struct Border : PassInstrumentation {
    explicit Border(Compiler &compiler) : compiler(compiler) {}
    void runBeforePass(Pass *pass, Operation *) override {
      if (pass->getArgument() == "tr-arch-to-graph")
        compiler.lookAtLayers();
    }
    Compiler &compiler;
  };

  LogicalResult checkOutputs();
  LogicalResult load();
  LogicalResult listen();
  LogicalResult keepOneNetwork();
  LogicalResult lower(TimingScope &timing);
  void lookAtLayers();
  LogicalResult report(tr::graph::ProgramOp program);
  LogicalResult checkDevice(const tr::MemoryUse &use);
  LogicalResult write(tr::graph::ProgramOp program);
  LogicalResult writeDump();
  LogicalResult reportFault(const std::string &fault); // empty: none

  const tr::CommandLine &line;
  MLIRContext &context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  OwningOpRef<ModuleOp> arch; // before it is lowered, where a device's memory is asked for
  bool isArchSound = false;
  std::vector<tr::LayerRow> rows;
  std::optional<tr::DumpRecorder> dump;      // with --dump-dir
  std::vector<tr::FusionDecision> decisions; // with --html
  tr::Statistics statistics;                 // with --tr-statistics
};

LogicalResult Compiler::load() {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(line.input, &message);
  if (!buffer)
    return reportFault(message);
  tr::InputFormat format = tr::guessInputFormat(line.input, buffer->getBuffer(), message);
  if (!message.empty())
    return reportFault(line.input + ": " + message);
  format = line.format.value_or(format);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  switch (format) {
  case tr::InputFormat::Mlir: {
    // What the modules of other compilers hold beside our networks; only what occurs is loaded.
    DialectRegistry upstream;
    registerAllDialects(upstream);
    context.appendDialectRegistry(upstream);
    module = parseSourceFile<ModuleOp>(sources, &context);
    break;
  }
  case tr::InputFormat::Yaml:
    module = tr::yamlToArch(sources, &context);
    break;
  case tr::InputFormat::BluePrint: {
    tr::BlueprintOptions blueprint;
    blueprint.model = line.model.empty() ? line.network : line.model;
    blueprint.input = line.shape;
    if (line.classes != 0)
      blueprint.classes = line.classes;
    module = tr::importBlueprint(sources, &context, blueprint);
    break;
  }
  }
  return success(module && succeeded(keepOneNetwork()));
}

// Those that were not chosen are not compiled either.
LogicalResult Compiler::keepOneNetwork() {
  SmallVector<Operation *> networks;
  for (Operation &op : *module->getBody())
    if (isa<tr::bp::ModelOp, tr::arch::NetworkOp, tr::graph::ProgramOp>(op))
      networks.push_back(&op);
  if (networks.empty() && line.network.empty())
    return success(); // the passes say what they miss
  FailureOr<Operation *> chosen = tr::chooseNetwork(*module, networks, line.network);
  if (failed(chosen))
    return failure();
  for (Operation *network : networks)
    if (network != *chosen)
      network->erase();
  return success();
}

// Before any work: a mistake of the command line must not cost the user a compilation.
LogicalResult Compiler::checkOutputs() {
  std::vector<trs::NamedPath> outputs;
  if (!line.dryRun)
    outputs.push_back({"--output", line.output});
  if (!line.html.empty())
    outputs.push_back({"--html", line.html});
  if (!line.statistics.file.empty())
    outputs.push_back({"--tr-statistics-output", line.statistics.file});
  if (std::string fault = trs::checkDistinct({{"MODEL", line.input}}, outputs); !fault.empty())
    return reportFault(fault);
  for (const trs::NamedPath &output : outputs)
    if (std::string fault = trs::checkWritable(output.path); !fault.empty())
      return reportFault(fault);
  return success();
}

// To what passes say of their work.
LogicalResult Compiler::listen() {
  std::vector<tr::RemarkListener> listeners;
  if (!line.html.empty())
    listeners.push_back(tr::recordDecisions(decisions));
  if (line.statistics.isWanted())
    listeners.push_back(statistics.listen());
  return listeners.empty() ? success() : tr::listenToRemarks(context, std::move(listeners));
}

// The IR is verified at the borders of families; tests verify it after each pass.
LogicalResult Compiler::lower(TimingScope &timing) {
  if (failed(listen()))
    return failure();
  PassManager pm(&context);
  pm.enableTiming(timing);
  pm.enableVerifier(false);
  if (!line.dumpDir.empty()) {
    dump.emplace(*module);
    pm.addInstrumentation(dump->createInstrumentation());
  }
  pm.addInstrumentation(std::make_unique<Border>(*this));
  tr::buildCompilePipeline(pm, line.options);
  if (failed(verify(*module)) || failed(pm.run(*module)) || !isArchSound)
    return failure();
  return verify(*module);
}

// Between the layers and the graph.
void Compiler::lookAtLayers() {
  isArchSound = succeeded(verify(*module));
  if (line.summary || !line.html.empty())
    for (auto network : module->getOps<tr::arch::NetworkOp>())
      rows = tr::collectLayers(network);
  if (line.deviceMemory != 0)
    arch = module->clone();
}

LogicalResult Compiler::report(tr::graph::ProgramOp program) {
  if (line.summary)
    tr::printSummary(llvm::outs(), rows, program);
  if (!line.memory && line.deviceMemory == 0 && line.html.empty())
    return success();
  FailureOr<tr::MemoryUse> use = tr::measureMemory(program);
  if (failed(use))
    return failure();
  if (line.memory)
    tr::printMemory(llvm::outs(), program, *use);
  if (!line.html.empty() &&
      failed(reportFault(trs::writeWholeFile(
          line.html, tr::renderReport(tr::collectReport({program, rows, decisions, *use}))))))
    return failure();
  return line.deviceMemory == 0 ? success() : checkDevice(*use);
}

LogicalResult Compiler::checkDevice(const tr::MemoryUse &use) {
  int64_t largest = tr::findLargestBatch(*arch, line);
  std::string batch = largest == 0 ? std::string("not even batch 1 fits")
                                   : "the largest batch that fits is " + std::to_string(largest);
  if (use.arenaBytes <= line.deviceMemory) {
    llvm::outs() << "fits: the arena has " << tr::grouped(use.arenaBytes) << " of "
                 << tr::grouped(line.deviceMemory) << " bytes at batch " << line.options.batch
                 << "; " << batch << '\n';
    return success();
  }
  llvm::outs().flush();
  llvm::errs() << "error: expected an arena of at most " << tr::grouped(line.deviceMemory)
               << " bytes, but got " << tr::grouped(use.arenaBytes) << " at batch "
               << line.options.batch << "; " << batch << '\n';
  return failure();
}

LogicalResult Compiler::write(tr::graph::ProgramOp program) {
  // The pipeline ends with the checks that exportPlan() would run.
  FailureOr<trf::PlanRecords> records = tr::makeRecords(program);
  if (failed(records))
    return failure();
  if (line.dryRun)
    return success();
  std::vector<uint8_t> bytes = trf::writeRecords(*records);
  return reportFault(trs::writeWholeFile(
      line.output, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
}

LogicalResult Compiler::writeDump() { return reportFault(dump ? dump->write(line.dumpDir) : ""); }

LogicalResult Compiler::reportFault(const std::string &fault) {
  if (!fault.empty())
    llvm::errs() << "error: " << fault << '\n';
  return success(fault.empty());
}

LogicalResult Compiler::run() {
  if (failed(checkOutputs()))
    return failure();
  DefaultTimingManager manager;
  manager.setEnabled(line.time);
  manager.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  TimingScope root = manager.getRootScope();
  {
    TimingScope scope = root.nest("Load");
    if (failed(load()))
      return failure();
  }
  TimingScope scope = root.nest("Passes");
  LogicalResult lowered = lower(scope);
  // What a failing pass was given is what one wants to see.
  if (failed(writeDump()) || failed(line.statistics.write(statistics)) || failed(lowered))
    return failure();
  scope.stop();
  FailureOr<tr::graph::ProgramOp> program = tr::findProgram(*module);
  if (failed(program) || failed(report(*program)))
    return failure();
  TimingScope output = root.nest("Write plan");
  return write(*program);
}

// Ends the process as it is: taking a large module apart op by op would only keep the user waiting.
[[noreturn]] void finishFast(int code) {
  code = tr::finishOutput(code);
  llvm::errs().flush();
  std::quick_exit(code);
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::CommandLine line;
  if (std::optional<int> code = tr::parseCommandLine(argc, argv, line))
    return *code;
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the user wrote no ops
  context.loadAllAvailableDialects();
  Compiler compiler(line, context);
  finishFast(succeeded(compiler.run()) ? 0 : 1);
}
