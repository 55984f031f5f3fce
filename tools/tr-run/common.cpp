// SPDX-License-Identifier: Apache-2.0
//
// Opening sessions and setting optimizer scalars.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "device/devices.h"
#include "plan/plan_file.h"
#include "plan/reorder.h"
#include "session/scalar_limits.h"
#include "session/weights.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace trrun {

using namespace trf;
using namespace trrt;

namespace {

struct ScalarInfo {
  const char *option, *value;
  SharedTensor tensor;
  std::optional<double> sgd, adamw; // default; empty: the optimizer has none
  const char *help;
};

const ScalarInfo kScalars[] = {
    {"--lr", "L", SharedTensor::Lr, 0.02, 1e-3, "learning rate (sgd 0.02, adamw 0.001)"},
    {"--momentum", "M", SharedTensor::Momentum, 0.9, std::nullopt, "momentum of sgd (0.9)"},
    {"--weight-decay", "D", SharedTensor::WeightDecay, 5e-4, 1e-2,
     "weight decay (sgd 0.0005, adamw 0.01)"},
    {"--beta1", "B", SharedTensor::Beta1, std::nullopt, 0.9, "first-moment decay of adamw (0.9)"},
    {"--beta2", "B", SharedTensor::Beta2, std::nullopt, 0.999,
     "second-moment decay of adamw (0.999)"},
    {"--eps", "E", SharedTensor::AdamEps, std::nullopt, 1e-8, "epsilon of adamw (1e-8)"},
    {"--label-smoothing", "S", SharedTensor::LabelSmoothing, 0.0, 0.0, "label smoothing (0)"},
};

} // namespace

void addDeviceOptions(std::vector<Option> &options) {
  options.push_back(
      {"--device", "NAME", "auto (default), cpu or reference; also --backend", false, "--backend"});
  options.push_back({"--threads", "T", "threads (default: all CPUs of the process)"});
  options.push_back({"--poison", nullptr,
                     "debugging: fill memory that holds nothing with NaN; changes no result"});
  options.push_back({"--order-seed", "S",
                     "debugging: run steps in another order that their dependencies allow, drawn "
                     "by S; changes no result"});
}

void addScalarOptions(std::vector<Option> &options) {
  for (const ScalarInfo &info : kScalars) {
    options.push_back({info.option, info.value, info.help});
    if (info.tensor == SharedTensor::WeightDecay)
      options.push_back({"--decay-all", nullptr, "decay biases and BN parameters too"});
  }
}

Plan loadPlan(const Args &args) {
  Plan plan = readPlanFile(args.plan());
  if (args.has("--order-seed"))
    reorderNodes(plan, static_cast<uint64_t>(args.integer("--order-seed", 0, 0, INT64_MAX)));
  return plan;
}

std::unique_ptr<Session> openSession(const Args &args, Plan plan) {
  const int threads = static_cast<int>(args.integer("--threads", 0, 1, kMostThreads));
  std::unique_ptr<Device> device = createDevice(args.choice("--device", deviceNames()), threads);
  if (threads > static_cast<int>(plan.slices) && device->name() == "cpu")
    std::fprintf(stderr,
                 "warning: %d threads, but the plan cuts its work into %u slices: compile with "
                 "--slices %d to use them all\n",
                 threads, plan.slices, threads);
  SessionOptions options;
  options.debug = args.has("--poison") ? Debug::Poison : Debug::None;
  return std::make_unique<Session>(std::make_shared<const Plan>(std::move(plan)), std::move(device),
                                   options);
}

std::unique_ptr<Session> openSession(const Args &args) {
  args.choice("--device", deviceNames()); // wrong words before a plan is read
  args.integer("--threads", 0, 1, kMostThreads);
  return openSession(args, loadPlan(args));
}

// Checked as the kernels see it.
static double scalarOption(const Args &args, const ScalarInfo &info, double standard) {
  const double value = args.real(info.option, standard);
  float narrowed = 0;
  if (const std::optional<ScalarFault> fault = checkScalar(name(info.tensor), value, narrowed))
    throw valueError(info.option, fault->expected, args.text(info.option), fault->reason);
  return value;
}

double applyScalars(const Args &args, Session &session) {
  const Optimizer optimizer = session.plan().optimizer;
  NamedTensors &tensors = session.tensors();
  double lr = 0, decay = 0;
  for (const ScalarInfo &info : kScalars) {
    const std::optional<double> standard = optimizer == Optimizer::AdamW ? info.adamw : info.sgd;
    if (!standard || !tensors.has(info.tensor)) {
      if (args.has(info.option))
        throw UsageError(std::string("option '") + info.option + "': the plan's optimizer " +
                         std::string(name(optimizer)) + " has no " +
                         std::string(name(info.tensor)));
      continue;
    }
    const double value = scalarOption(args, info, *standard);
    tensors.setScalar(info.tensor, value);
    if (info.tensor == SharedTensor::Lr)
      lr = value;
    if (info.tensor == SharedTensor::WeightDecay)
      decay = value;
  }
  if (tensors.has(SharedTensor::BiasWeightDecay))
    tensors.setScalar(SharedTensor::BiasWeightDecay, args.has("--decay-all") ? decay : 0.0);
  return lr;
}

void addWeightsOptions(std::vector<Option> &options, const char *help, bool required) {
  options.push_back(inputFile("--weights", help, required));
  options.push_back(inputFile("--weights-map",
                              "rename tensors: lines 'pattern -> pattern' or 'pattern -> ignore', "
                              "{x} stands for any text"));
}

void loadWeightsOption(const Args &args, Session &session) {
  const WeightsMap map =
      args.has("--weights-map") ? WeightsMap::read(args.text("--weights-map")) : WeightsMap();
  for (const std::string &note : loadWeights(session, args.text("--weights"), map))
    std::fprintf(stderr, "%s\n", note.c_str());
}

void requireImages(const std::string &path, const std::vector<int64_t> &shape,
                   const Variant &variant) {
  if (shape.size() != 4 || shape[1] != variant.height || shape[2] != variant.width ||
      shape[3] != variant.channels)
    throw Error(TRRT_INVALID_FILE,
                printable(path) + ": tensor 'input': expected shape [N, " +
                    std::to_string(variant.height) + ", " + std::to_string(variant.width) + ", " +
                    std::to_string(variant.channels) + "], but got " + shapeText(shape));
}

std::string lossText(double loss) {
  if (!std::isfinite(loss) || std::fabs(loss) >= 1e6)
    return shortNumber(loss);
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", loss);
  return text;
}

std::string dataSetOption(const Args &args, const char *name) {
  const std::string spec = args.text(name);
  try {
    checkDataSetSpec(spec);
  } catch (const Error &error) {
    throw UsageError(error.what());
  }
  return spec;
}

} // namespace trrun
