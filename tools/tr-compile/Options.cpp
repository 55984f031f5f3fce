// SPDX-License-Identifier: Apache-2.0
//
// Flags of tr-compile, by CLI11: a flag for each row of CompileOptions.def, and those of the tool
// itself.
#include "Options.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"
#include "support/CommandLineHelp.h"

#include "trf/version.h"
#include "trs/number.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

#include <CLI/CLI.hpp>

#include <regex>

using namespace llvm;

namespace tr {
namespace {

[[noreturn]] void reject(StringRef flag, const Twine &fault) {
  throw CLI::ValidationError(flag.str(), fault.str());
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

// The name of what this CPU has, for `native`.
std::string getNativeTarget(const std::string &flag) {
  trf::Target target = getTarget(sys::getHostCPUFeatures());
  if (trf::row(target).rank == 0)
    reject(flag, "expected a CPU of x86-64-v3 or more for native, but got '" +
                     sys::getHostCPUName() + "'");
  return trf::targetName(target);
}

// The type in the help; names are listed for the completion of shells, which gen_man.py makes of
// it.
std::string getTypeName(const OptionRow &row) {
  if (row.type != "NAME")
    return std::string(row.type);
  std::string names = std::regex_replace(row.values, std::regex(", | or "), ",");
  return "TEXT:{" + names + (row.name == "target" ? ",native}" : "}");
}

void declareRow(CLI::App &app, const OptionRow &row, CompileOptions &options) {
  std::string name(row.name), flag = "--" + name, help(row.help);
  auto set = [&options, name, flag](std::string text) {
    if (name == "target" && (text == "native" || text == "cpu:native"))
      text = getNativeTarget(flag);
    if (std::string fault = setOption(options, name, text); !fault.empty())
      reject(flag, fault);
  };
  std::string initial = getOption(options, row.name);
  if (row.isBool() && initial == "false") {
    app.add_flag_callback(
        flag, [set] { set("true"); }, help);
    return;
  }
  if (row.type == "TEXT" || row.type == "NAME")
    help += " (" + row.values + (name == "target" ? ", or native for this CPU's)" : ")");
  app.add_option_function<std::string>(flag, set, help)
      ->type_name(getTypeName(row))
      ->default_str(initial);
}

void declareRows(CLI::App &app, CompileOptions &options) {
  for (const OptionRow &row : getOptionRows())
    declareRow(app, row, options);
  app.add_flag_callback(
      "--no-reuse", [&options] { options.reuse = false; }, "give each tensor memory of its own");
}

void declareReports(CLI::App &app, CommandLine &line) {
  app.add_flag("--summary", line.summary, "print layers, shapes, parameters and FLOPs");
  app.add_flag("--memory", line.memory,
               "print regions, peak and bound of each schedule and what is alive there");
  app.add_flag("--time", line.time, "print the time of each pass");
  app.add_flag("--tr-statistics{text}",
               "print what passes have counted; --tr-statistics=json prints JSON")
      ->check([&line](const std::string &text) -> std::string {
        line.statistics.format = parseStatisticsFormat(text);
        return line.statistics.format ? "" : "expected text or json, but got '" + text + "'";
      });
  app.add_option("--tr-statistics-output", line.statistics.file,
                 "write what passes have counted to a file instead of standard error")
      ->type_name("FILE");
  app.add_option("--dump-dir", line.dumpDir,
                 "write the IR after each pass that changes it, and a page with the changes");
  app.add_option("--html", line.html,
                 "write a page that shows layers, fusions with their reasons, memory over time "
                 "and steps by stream");
  app.add_flag("--dry-run", line.dryRun, "write no plan");
  app.add_option_function<std::string>(
      "--device-memory",
      [&line](const std::string &text) {
        std::optional<int64_t> bytes = parseBytes(text);
        if (!bytes)
          reject("--device-memory", "expected bytes such as 8G or 512M, but got '" + text + "'");
        line.deviceMemory = *bytes;
      },
      "bytes such as 8G (1G = 1e9): fail where the arena does not fit, and say the "
      "largest batch that does");
}

void declare(CLI::App &app, CommandLine &line) {
  app.add_option("MODEL", line.input, "a BluePrint, MLIR or YAML file; - reads standard input")
      ->required();
  app.add_option_function<std::string>(
      "--input-format",
      [&line](const std::string &text) {
        line.format = parseInputFormat(text);
        if (!line.format)
          reject("--input-format", "expected bp, mlir or yaml, but got '" + text + "'");
      },
      "bp, mlir or yaml, where neither name nor content tells");
  app.add_option("-o,--output", line.output, "the plan to write");
  app.add_option("--model", line.model, "which model of a BluePrint that holds several");
  app.add_option("--network", line.network, "which network of a file that holds several");
  app.add_option_function<std::string>(
      "--input",
      [&line](const std::string &text) {
        line.shape = parseImageShape(text);
        if (!line.shape)
          reject("--input", "expected HxWxC, but got '" + text + "'");
      },
      "HxWxC of a sample instead of the model's own");
  app.add_option_function<std::string>(
      "--classes",
      [&line](const std::string &text) {
        std::string reason = trs::parseInteger(text, line.classes);
        if (!reason.empty() || line.classes < 1 || line.classes > kMostExtent)
          reject("--classes", "expected an integer in [1, " + Twine(kMostExtent) + "], but got '" +
                                  text + "'" + (reason.empty() ? "" : ": " + reason));
      },
      "classes instead of the model's own");
  declareRows(app, line.options);
  declareReports(app, line);
  app.set_version_flag("--version", "tr-compile " TRF_VERSION);
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

std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line) {
  CLI::App app("Compiles a BluePrint to a plan that tr-run trains and serves.", "tr-compile");
  declare(app, line);
  return parseArguments(app, argc, argv, [&] {
    if (line.output.empty() && !line.dryRun)
      throw CLI::RequiredError("--output");
  });
}

} // namespace tr
