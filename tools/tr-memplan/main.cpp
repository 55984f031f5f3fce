// SPDX-License-Identifier: Apache-2.0
//
// tr-memplan: the memory planner alone, from a table of buffers to a table with offsets.
#include "csv.h"

#include "io/file.h"
#include "support/CommandLineHelp.h"
#include "trf/version.h"
#include "trs/number.h"
#include "trs/output_file.h"
#include "trs/process.h"
#include "trs/text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

using namespace tr::planner;

namespace {

struct Options {
  std::string input, output;
  bool exact = false, json = false;
  int64_t capacity = -1;
  double seconds = 60;
  int repeat = 1;
};

struct Report {
  PlanResult plan;
  std::string exact; // how the exact search ended, empty without one
  int64_t nodes = 0;
  double exactSeconds = 0;
};

std::string formatNumber(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// In [least, most] and decimal: CLI11 itself takes "010" for 8 and "0x10" for 16.
CLI::Validator integerIn(int64_t least, int64_t most) {
  return CLI::Validator(
      [=](std::string &text) {
        int64_t value = 0;
        std::string reason = trs::parseInteger(text, value);
        if (reason.empty() && (value < least || value > most))
          reason = "it is not in [" + std::to_string(least) + ", " + std::to_string(most) + "]";
        if (reason.empty())
          text = std::to_string(value);
        return reason.empty() ? reason : "'" + trs::printable(text) + "': " + reason;
      },
      "in [" + std::to_string(least) + " - " + std::to_string(most) + "]");
}

CLI::Validator realIn(double least, double most) {
  return CLI::Validator(
      [=](std::string &text) {
        double value = 0;
        std::string reason = trs::parseReal(text, value);
        if (reason.empty() && (value < least || value > most))
          reason =
              "it is not in [" + formatNumber("%g", least) + ", " + formatNumber("%g", most) + "]";
        return reason.empty() ? reason : "'" + trs::printable(text) + "': " + reason;
      },
      "in [" + formatNumber("%g", least) + " - " + formatNumber("%g", most) + "]");
}

void declareOptions(CLI::App &app, Options &options) {
  app.add_option("CSV", options.input, "buffers: id,lower,upper,size[,offset]")
      ->required()
      ->type_name("FILE");
  app.add_option("-o,--output", options.output, "the table with offsets to write")
      ->type_name("FILE");
  CLI::Option *exact = app.add_flag("--exact", options.exact,
                                    "search for a plan within --capacity, or for the lowest");
  app.add_option("--capacity", options.capacity, "bytes that the plan may take")
      ->transform(integerIn(0, 4 * kLargestValue))
      ->needs(exact);
  app.add_option("--seconds", options.seconds, "time limit of the exact search")
      ->transform(realIn(0, 1e6))
      ->capture_default_str()
      ->needs(exact);
  app.add_option("--repeat", options.repeat, "report the fastest of so many greedy runs")
      ->transform(integerIn(1, 1000000));
  app.add_flag("--json", options.json, "print the report as JSON");
  app.set_version_flag("--version", "tr-memplan " TRF_VERSION);
}

[[noreturn]] void fail(const std::string &text) { throw std::runtime_error("error: " + text); }

double ratioOf(const PlanResult &plan) {
  return plan.bound == 0
             ? 1
             : static_cast<double>(plan.placement.peak) / static_cast<double>(plan.bound);
}

void fitInto(const std::vector<Buffer> &buffers, const Options &options, Report &report) {
  Placement &best = report.plan.placement;
  if (best.peak <= options.capacity) {
    report.exact = "not needed";
    return;
  }
  ExactResult result = solveExact(buffers, {options.capacity, options.seconds});
  const std::string expected =
      "expected a plan within " + std::to_string(options.capacity) + " bytes, but got ";
  if (result.status == ExactStatus::Infeasible)
    fail(expected + "a proof that there is none");
  if (result.status == ExactStatus::Stopped)
    fail(expected + "none in " + formatNumber("%g", options.seconds) +
         " s; the lowest plan found takes " + std::to_string(best.peak));
  report.exact = "within the capacity";
  report.nodes = result.nodes;
  best = std::move(result.placement);
}

void findOptimum(const std::vector<Buffer> &buffers, const Options &options, Report &report) {
  ExactResult result = findLowest(buffers, report.plan.placement, options.seconds);
  report.exact = result.status == ExactStatus::Solved ? "optimal" : "stopped";
  report.nodes = result.nodes;
  report.plan.placement = std::move(result.placement);
  if (result.status == ExactStatus::Stopped)
    std::cerr << "note: no proof in " << formatNumber("%g", options.seconds)
              << " s; the plan takes " << formatNumber("%.4f", ratioOf(report.plan))
              << " times the lower bound\n";
}

Report makePlan(const std::vector<Buffer> &buffers, const Options &options) {
  Report report;
  if (options.exact) {
    SearchOptions none;
    none.nodes = none.tries = 0;
    report.plan = plan(buffers, none);
  } else {
    report.plan = plan(buffers);
  }
  for (int i = 1; i < options.repeat; ++i) {
    const double start = getProcessorSeconds();
    placePortfolio(buffers);
    report.plan.greedySeconds = std::min(report.plan.greedySeconds, getProcessorSeconds() - start);
  }
  if (!options.exact)
    return report;
  const double start = getProcessorSeconds();
  if (options.capacity >= 0)
    fitInto(buffers, options, report);
  else
    findOptimum(buffers, options, report);
  report.exactSeconds = getProcessorSeconds() - start;
  return report;
}

void printText(std::ostream &out, const Report &report, size_t count) {
  const PlanResult &plan = report.plan;
  out << "buffers     " << count << "\nbound       " << plan.bound << " bytes\npeak        "
      << plan.placement.peak << " bytes\npeak/bound  " << formatNumber("%.6f", ratioOf(plan))
      << "\nrule        " << plan.placement.rule << "\ngreedy      "
      << formatNumber("%.3f", plan.greedySeconds * 1e3) << " ms\nsearch      "
      << formatNumber("%.3f", plan.searchSeconds * 1e3) << " ms\n";
  if (!report.exact.empty())
    out << "exact       " << report.exact << ", " << report.nodes << " nodes, "
        << formatNumber("%.3f", report.exactSeconds * 1e3) << " ms\n";
}

void printJson(std::ostream &out, const Report &report, size_t count) {
  const PlanResult &plan = report.plan;
  nlohmann::ordered_json json = {{"buffers", count},
                                 {"bound_bytes", plan.bound},
                                 {"peak_bytes", plan.placement.peak},
                                 {"peak_over_bound", ratioOf(plan)},
                                 {"rule", plan.placement.rule},
                                 {"greedy_ms", plan.greedySeconds * 1e3},
                                 {"search_ms", plan.searchSeconds * 1e3}};
  if (!report.exact.empty())
    json["exact"] = {
        {"result", report.exact}, {"nodes", report.nodes}, {"ms", report.exactSeconds * 1e3}};
  out << json.dump(2) << '\n';
}

// Before any work.
void checkOutput(const Options &options) {
  if (options.output.empty())
    return;
  const std::string same = trs::checkDistinct({{"CSV", options.input}}, {{"-o", options.output}});
  if (!same.empty())
    fail(same);
  trrt::requireWritten(trs::checkWritable(options.output));
}

void run(const Options &options) {
  checkOutput(options);
  const std::vector<uint8_t> bytes = trrt::readFile(options.input);
  const memplan::Table table =
      memplan::parseCsv(options.input, std::string(bytes.begin(), bytes.end()));
  const Report report = makePlan(table.buffers, options);
  const Placement &placement = report.plan.placement;
  // Never true; but a wrong plan must not leave this program.
  if (std::optional<std::string> fault =
          findFault(table.buffers, placement.offsets, placement.peak))
    fail("the planner made a wrong plan: " + *fault);
  if (!options.output.empty())
    trrt::requireWritten(
        trs::writeWholeFile(options.output, memplan::writeCsv(table, placement.offsets)));
  // The report makes room where the table goes to the standard output.
  std::ostream &out = options.output == "-" ? std::cerr : std::cout;
  if (options.json)
    printJson(out, report, table.buffers.size());
  else
    printText(out, report, table.buffers.size());
}

int runTool(CLI::App &app, const Options &options, int argc, char **argv) {
  if (const std::optional<int> code = tr::parseArguments(app, argc, argv, [] {}))
    return *code;
  try {
    run(options);
  } catch (const memplan::CsvError &error) {
    std::cerr << error.what() << '\n';
    return 1;
  } catch (const std::exception &error) {
    const std::string text = error.what();
    std::cerr << (text.rfind("error: ", 0) == 0 ? "" : "error: ") << text << '\n';
    return 1;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  CLI::App app("Gives buffers with lifetimes their offsets in one arena.", "tr-memplan");
  Options options;
  declareOptions(app, options);
  const int code = runTool(app, options, argc, argv);
  const std::string error = trs::flushStandardOutput(); // std::cout writes through stdio
  if (code != 0 || error.empty() || trs::isClosedPipe(error))
    return code;
  std::cerr << "error: " << error << '\n';
  return 1;
}
