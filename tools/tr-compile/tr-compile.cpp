// SPDX-License-Identifier: Apache-2.0
//
// tr-compile: a BluePrint or MLIR file to a plan in one step.
#include "Report.h"

#include "renaissance/Conversion/VariantSpecs.h"
#include "renaissance/InitAll.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace mlir;

namespace {

struct Options {
  std::string input, output, model, shape, optimizer = "sgd";
  int64_t classes = 0, slices = 2;
  tr::VariantRequest variants;
  std::string trainResolution, valResolution;
  bool fuse = true, zeroGamma = false, noReuse = false;
  bool summary = false, memory = false, time = false;
};

void declareVariantOptions(CLI::App &app, Options &options) {
  const auto extent = CLI::Range(int64_t(1), (int64_t(1) << 31) - 1);
  tr::VariantRequest &variants = options.variants;
  app.add_option("--batch", variants.batch, "training batch")->check(extent)->capture_default_str();
  app.add_option("--val-batch", variants.valBatch, "validation batch (default: --batch)")
      ->check(extent);
  app.add_option("--train-samples", variants.trainSamples,
                 "size of the training set, so that its last batch has a shape of its own")
      ->check(extent);
  app.add_option("--val-samples", variants.valSamples, "size of the validation set")->check(extent);
  app.add_flag("--drop-last", variants.dropLast, "training leaves out a partial last batch");
  app.add_option("--train-res", options.trainResolution,
                 "R or HxW of training images, and from an epoch (0-based) on another one: "
                 "R[,R@EPOCH] (default: the input's)");
  app.add_option("--val-res", options.valResolution,
                 "R or HxW of validation images (default: the input's)");
}

void declareOptions(CLI::App &app, Options &options) {
  const auto extent = CLI::Range(int64_t(1), (int64_t(1) << 31) - 1);
  app.add_option("MODEL", options.input, "a .bp or .mlir file")->required();
  app.add_option("-o,--output", options.output, "the plan to write")->required();
  app.add_option("--model", options.model, "which model of a file that holds several");
  declareVariantOptions(app, options);
  app.add_option("--input", options.shape, "HxWxC of a sample instead of the model's own");
  app.add_option("--classes", options.classes, "classes instead of the model's own")->check(extent);
  app.add_option("--fuse", options.fuse, "merge layers into fused ones")->capture_default_str();
  app.add_option("--optimizer", options.optimizer, "sgd or adamw")
      ->check(CLI::IsMember({"sgd", "adamw"}))
      ->capture_default_str();
  app.add_flag("--zero-gamma", options.zeroGamma, "start the last BN of a residual branch at 0");
  app.add_option("--slices", options.slices, "batch slices that every sum is split into")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_flag("--no-reuse", options.noReuse, "give each tensor memory of its own");
  app.add_flag("--summary", options.summary, "print layers, shapes, parameters and FLOPs");
  app.add_flag("--memory", options.memory, "print the bytes of each region");
  app.add_flag("--time", options.time, "print the time of each pass");
  app.set_version_flag("--version", "tr-compile " TR_VERSION);
}

// R or HxW.
tr::Dims2 parseResolution(StringRef flag, StringRef text) {
  auto [height, width] = text.split('x');
  tr::Dims2 result;
  bool square = !text.contains('x');
  if (height.getAsInteger(10, result.h) || (!square && width.getAsInteger(10, result.w)) ||
      result.h < 1 || (!square && result.w < 1))
    throw CLI::ValidationError(flag.str(), "expected R or HxW, but got '" + text.str() + "'");
  if (square)
    result.w = result.h;
  return result;
}

// R[,R@EPOCH].
void parseResolutions(Options &options) {
  tr::VariantRequest &variants = options.variants;
  if (!options.valResolution.empty())
    variants.valResolution = parseResolution("--val-res", options.valResolution);
  if (options.trainResolution.empty())
    return;
  StringRef flag = "--train-res";
  auto [base, second] = StringRef(options.trainResolution).split(',');
  variants.trainResolution = parseResolution(flag, base);
  if (base.size() == options.trainResolution.size())
    return;
  auto [low, epoch] = second.split('@');
  if (epoch.getAsInteger(10, variants.lowresEpoch) || variants.lowresEpoch < 0)
    throw CLI::ValidationError(flag.str(),
                               "expected R@EPOCH behind the comma, but got '" + second.str() + "'");
  variants.lowResolution = parseResolution(flag, low);
}

class Compiler {
public:
  Compiler(Options &options, MLIRContext &context)
      : options(options), context(context), handler(sources, &context, llvm::errs()) {}

  LogicalResult run();

private:
  LogicalResult load();
  LogicalResult attachOptions();
  LogicalResult lower(TimingScope &timing);
  LogicalResult write();

  Options &options;
  MLIRContext &context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  std::vector<tr::LayerRow> rows;
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
  if (!options.shape.empty())
    blueprint.input = tr::parseImageShape(options.shape);
  if (options.classes != 0)
    blueprint.classes = options.classes;
  module = tr::importBlueprint(sources, &context, blueprint);
  return success(static_cast<bool>(module));
}

LogicalResult Compiler::attachOptions() {
  auto emitError = [&] { return module->emitError(); };
  tr::OptionsAttr attr =
      tr::getOptionsAttr(&context, *tr::symbolizeOptimizer(options.optimizer), options.slices,
                         options.zeroGamma, options.variants, emitError);
  if (!attr)
    return failure();
  (*module)->setAttr(tr::TRDialect::getOptionsAttrName(), attr);
  return success();
}

LogicalResult Compiler::lower(TimingScope &timing) {
  PassManager arch(&context), graph(&context);
  for (PassManager *pm : {&arch, &graph})
    pm->enableTiming(timing);
  tr::ArchPipelineOptions archOptions;
  archOptions.fuse = options.fuse;
  tr::buildArchPipeline(arch, archOptions);
  tr::GraphPipelineOptions graphOptions;
  graphOptions.reuse = !options.noReuse;
  tr::buildGraphPipeline(graph, graphOptions);
  if (failed(arch.run(*module)))
    return failure();
  if (options.summary)
    for (auto plan : module->getOps<tr::arch::PlanOp>())
      rows = tr::collectLayers(plan);
  return graph.run(*module);
}

LogicalResult Compiler::write() {
  FailureOr<tr::graph::ProgramOp> program = tr::findProgram(*module);
  if (failed(program))
    return failure();
  FailureOr<tr::PlanImage> image = tr::exportPlan(*program);
  if (failed(image))
    return failure();
  if (options.summary)
    tr::printSummary(llvm::outs(), rows, *program);
  if (options.memory)
    tr::printMemory(llvm::outs(), *program);
  std::vector<uint8_t> bytes = image->serialize();
  // Through a temporary file and a rename: a reader never sees a part of a plan.
  llvm::Error error = llvm::writeToOutput(options.output, [&](raw_ostream &os) {
    os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return llvm::Error::success();
  });
  if (!error)
    return success();
  llvm::errs() << "error: cannot write '" << options.output
               << "': " << llvm::toString(std::move(error)) << '\n';
  return failure();
}

LogicalResult Compiler::run() {
  DefaultTimingManager manager;
  manager.setEnabled(options.time);
  manager.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  TimingScope root = manager.getRootScope();
  {
    TimingScope scope = root.nest("Load");
    if (failed(load()) || failed(attachOptions()))
      return failure();
  }
  TimingScope scope = root.nest("Passes");
  if (failed(lower(scope)))
    return failure();
  scope.stop();
  TimingScope output = root.nest("Write plan");
  return write();
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Compiles a BluePrint to a plan that tr-run trains and serves.", "tr-compile");
  Options options;
  declareOptions(app, options);
  try {
    app.parse(argc, argv);
    if (!options.shape.empty() && !tr::parseImageShape(options.shape))
      throw CLI::ValidationError("--input", "expected HxWxC, but got '" + options.shape + "'");
    parseResolutions(options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the user wrote no ops
  context.loadAllAvailableDialects();
  return succeeded(Compiler(options, context).run()) ? 0 : 1;
}
