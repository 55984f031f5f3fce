// SPDX-License-Identifier: Apache-2.0
//
// tr-memplan: the memory planner alone, from a table of buffers to a table with offsets.
#include "csv.h"

#include "io/file.h"
#include "trf/version.h"

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

void declareOptions(CLI::App &app, Options &options) {
  app.add_option("CSV", options.input, "buffers: id,lower,upper,size[,offset]")->required();
  app.add_option("-o,--output", options.output, "the table with offsets to write");
  CLI::Option *exact = app.add_flag("--exact", options.exact,
                                    "search for a plan within --capacity, or for the lowest");
  app.add_option("--capacity", options.capacity, "bytes that the plan may take")
      ->check(CLI::Range(int64_t(0), 4 * kLargestValue))
      ->needs(exact);
  app.add_option("--seconds", options.seconds, "time limit of the exact search")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str()
      ->needs(exact);
  app.add_option("--repeat", options.repeat, "report the fastest of so many greedy runs")
      ->check(CLI::Range(1, 1000000));
  app.add_flag("--json", options.json, "print the report as JSON");
  app.set_version_flag("--version", "tr-memplan " TRF_VERSION);
}

[[noreturn]] void fail(const std::string &text) { throw std::runtime_error("error: " + text); }

std::string formatNumber(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

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

void printText(const Report &report, size_t count) {
  const PlanResult &plan = report.plan;
  std::cout << "buffers     " << count << "\nbound       " << plan.bound << " bytes\npeak        "
            << plan.placement.peak << " bytes\npeak/bound  " << formatNumber("%.6f", ratioOf(plan))
            << "\nrule        " << plan.placement.rule << "\ngreedy      "
            << formatNumber("%.3f", plan.greedySeconds * 1e3) << " ms\nsearch      "
            << formatNumber("%.3f", plan.searchSeconds * 1e3) << " ms\n";
  if (!report.exact.empty())
    std::cout << "exact       " << report.exact << ", " << report.nodes << " nodes, "
              << formatNumber("%.3f", report.exactSeconds * 1e3) << " ms\n";
}

void printJson(const Report &report, size_t count) {
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
  std::cout << json.dump(2) << '\n';
}

void run(const Options &options) {
  const std::vector<uint8_t> bytes = trrt::readFile(options.input);
  if (!options.output.empty())
    trrt::checkWritable(options.output);
  const memplan::Table table =
      memplan::parseCsv(options.input, std::string(bytes.begin(), bytes.end()));
  const Report report = makePlan(table.buffers, options);
  const Placement &placement = report.plan.placement;
  // Never true; but a wrong plan must not leave this program.
  if (std::optional<std::string> fault =
          findFault(table.buffers, placement.offsets, placement.peak))
    fail("the planner made a wrong plan: " + *fault);
  if (!options.output.empty()) {
    const std::string text = memplan::writeCsv(table, placement.offsets);
    trrt::AtomicFile file(options.output);
    file.write(text.data(), text.size());
    file.commit();
  }
  if (options.json)
    printJson(report, table.buffers.size());
  else
    printText(report, table.buffers.size());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Gives buffers with lifetimes their offsets in one arena.", "tr-memplan");
  Options options;
  declareOptions(app, options);
  try {
    app.parse(argc, argv);
    run(options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
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
