// SPDX-License-Identifier: Apache-2.0
//
// Flags of tr-compile, by CLI11, and the values that need a parser of their own.
#include "Options.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

#include <CLI/CLI.hpp>

using namespace llvm;

namespace tr {
namespace {

// Values whose text is looked at once all flags are there.
struct Texts {
  std::string shape, optimizer = "sgd", target = "x86-64-v3", trainResolution, valResolution,
                     deviceMemory;
  bool noReuse = false;
};

const CLI::Range kExtent(int64_t(1), (int64_t(1) << 31) - 1);

void declareVariants(CLI::App &app, VariantRequest &variants, Texts &texts) {
  app.add_option("--batch", variants.batch, "training batch")
      ->check(kExtent)
      ->capture_default_str();
  app.add_option("--val-batch", variants.valBatch, "validation batch (default: --batch)")
      ->check(kExtent);
  app.add_option("--train-samples", variants.trainSamples,
                 "size of the training set, so that its last batch has a shape of its own")
      ->check(kExtent);
  app.add_option("--val-samples", variants.valSamples, "size of the validation set")
      ->check(kExtent);
  app.add_flag("--drop-last", variants.dropLast, "training leaves out a partial last batch");
  app.add_option("--train-res", texts.trainResolution,
                 "R or HxW of training images, and from an epoch (0-based) on another one: "
                 "R[,R@EPOCH] (default: the input's)");
  app.add_option("--val-res", texts.valResolution,
                 "R or HxW of validation images (default: the input's)");
}

void declareReports(CLI::App &app, CompileOptions &options, Texts &texts) {
  app.add_flag("--summary", options.summary, "print layers, shapes, parameters and FLOPs");
  app.add_flag("--memory", options.memory,
               "print regions, peak and bound of each schedule and what is alive there");
  app.add_flag("--time", options.time, "print the time of each pass");
  app.add_option("--dump-dir", options.dumpDir,
                 "write the IR after each pass that changes it, and a page with the changes");
  app.add_option("--html", options.html,
                 "write a page that shows layers, fusions with their reasons, memory over time "
                 "and steps by stream");
  app.add_flag("--dry-run", options.dryRun, "write no plan");
  app.add_option("--device-memory", texts.deviceMemory,
                 "bytes such as 8G (1G = 1e9): fail where the arena does not fit, and say the "
                 "largest batch that does");
}

void declare(CLI::App &app, CompileOptions &options, Texts &texts) {
  app.add_option("MODEL", options.input, "a .bp or .mlir file")->required();
  app.add_option("-o,--output", options.output, "the plan to write");
  app.add_option("--model", options.model, "which model of a file that holds several");
  declareVariants(app, options.variants, texts);
  app.add_option("--input", texts.shape, "HxWxC of a sample instead of the model's own");
  app.add_option("--classes", options.classes, "classes instead of the model's own")
      ->check(kExtent);
  app.add_option("--fuse", options.fuse, "merge layers into fused ones")->capture_default_str();
  app.add_option("--optimizer", texts.optimizer, "sgd or adamw")
      ->check(CLI::IsMember({"sgd", "adamw"}))
      ->capture_default_str();
  app.add_option("--target", texts.target,
                 "what the CPU that runs the plan has: x86-64-v3, x86-64-v4, or native for what "
                 "this one has")
      ->check(CLI::IsMember({"x86-64-v3", "x86-64-v4", "native"}))
      ->capture_default_str();
  app.add_option("--winograd", options.winograd,
                 "convolve by Winograd where it is faster; it rounds a few times more")
      ->capture_default_str();
  app.add_flag("--zero-gamma", options.zeroGamma, "start the last BN of a residual branch at 0");
  app.add_option("--slices", options.slices, "batch slices that every sum is split into")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_flag("--no-reuse", texts.noReuse, "give each tensor memory of its own");
  declareReports(app, options, texts);
  app.set_version_flag("--version", "tr-compile " TR_VERSION);
}

[[noreturn]] void reject(StringRef flag, StringRef expected, StringRef got) {
  throw CLI::ValidationError(flag.str(),
                             ("expected " + expected + ", but got '" + got + "'").str());
}

// R or HxW.
Dims2 parseResolution(StringRef flag, StringRef text) {
  auto [height, width] = text.split('x');
  bool square = height.size() == text.size();
  Dims2 result;
  bool bad = height.getAsInteger(10, result.h) || (!square && width.getAsInteger(10, result.w));
  if (square)
    result.w = result.h;
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  if (bad || result.h < 1 || result.h > most || result.w < 1 || result.w > most)
    reject(flag, "R or HxW", text);
  return result;
}

// R[,R@EPOCH].
void parseTrainResolution(StringRef text, VariantRequest &variants) {
  StringRef flag = "--train-res";
  auto [base, second] = text.split(',');
  variants.trainResolution = parseResolution(flag, base);
  if (base.size() == text.size())
    return;
  auto [low, epoch] = second.split('@');
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  if (epoch.getAsInteger(10, variants.lowresEpoch) || variants.lowresEpoch < 0 ||
      variants.lowresEpoch > most)
    reject(flag, "R@EPOCH behind the comma", second);
  variants.lowResolution = parseResolution(flag, low);
}

// The most that a CPU with these features has.
trf::Target getTarget(const StringMap<bool> &features) {
  trf::Target best = trf::Target::CpuAny;
  for (const trf::TargetRow &row : trf::kTargets) {
    bool hasAll = llvm::all_of(trf::kCpuFeatures, [&](const trf::CpuFeatureRow &feature) {
      return trf::row(feature.target).rank > row.rank || features.lookup(toRef(feature.name));
    });
    if (row.device == trf::DeviceKind::Cpu && hasAll && row.rank > trf::row(best).rank)
      best = row.value;
  }
  return best;
}

trf::Target parseTarget(StringRef text) {
  if (text != "native" && text != "cpu:native")
    return *trf::symbolizeTarget(toView(text));
  trf::Target target = getTarget(sys::getHostCPUFeatures());
  if (trf::row(target).rank == 0)
    reject("--target", "a CPU of x86-64-v3 or more for native", sys::getHostCPUName());
  return target;
}

void interpret(const Texts &texts, CompileOptions &options) {
  if (options.output.empty() && !options.dryRun)
    throw CLI::RequiredError("--output");
  options.optimizer = *trf::symbolize<trf::Optimizer>(texts.optimizer);
  options.reuse = !texts.noReuse;
  options.target = parseTarget(texts.target);
  if (!texts.shape.empty() && !(options.shape = parseImageShape(texts.shape)))
    reject("--input", "HxWxC", texts.shape);
  if (!texts.valResolution.empty())
    options.variants.valResolution = parseResolution("--val-res", texts.valResolution);
  if (!texts.trainResolution.empty())
    parseTrainResolution(texts.trainResolution, options.variants);
  if (texts.deviceMemory.empty())
    return;
  std::optional<int64_t> bytes = parseBytes(texts.deviceMemory);
  if (!bytes)
    reject("--device-memory", "bytes such as 8G or 512M", texts.deviceMemory);
  options.deviceMemory = *bytes;
}

} // namespace

std::optional<int64_t> parseBytes(StringRef text) {
  double unit = 1;
  if (text.consume_back("G"))
    unit = 1e9;
  else if (text.consume_back("M"))
    unit = 1e6;
  else if (text.consume_back("k"))
    unit = 1e3;
  double value = 0;
  if (text.empty() || !isDigit(text.front()) || text.getAsDouble(value))
    return std::nullopt;
  double bytes = value * unit;
  if (!(bytes >= 1 && bytes < 1e18))
    return std::nullopt;
  return static_cast<int64_t>(bytes);
}

std::optional<int> parseCommandLine(int argc, char **argv, CompileOptions &options) {
  CLI::App app("Compiles a BluePrint to a plan that tr-run trains and serves.", "tr-compile");
  Texts texts;
  declare(app, options, texts);
  try {
    app.parse(argc, argv);
    interpret(texts, options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

} // namespace tr
