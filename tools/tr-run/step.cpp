// SPDX-License-Identifier: Apache-2.0
//
// tr-run step: given tensors in, all that training steps compute out.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "plan/param_layout.h"
#include "plan/reorder.h"

#include <cstdio>
#include <set>

namespace trrun {

using namespace trf;
using namespace trrt;

namespace {

// `input` of a file: N images of the plan's shape, used as they are.
struct Images {
  std::vector<float> values;
  int64_t count = 0, pixels = 0;
};

} // namespace

static Images readImages(const SafetensorsFile &file, const Variant &variant) {
  const TensorView &view = file.tensor("input");
  const std::vector<int64_t> &shape = view.shape;
  requireImages(file.path(), shape, variant);
  Images images;
  images.values = file.f32("input");
  images.count = shape[0];
  images.pixels = variant.height * variant.width * variant.channels;
  return images;
}

static std::vector<int32_t> readLabels(const SafetensorsFile &file, int64_t count,
                                       uint32_t classes) {
  const std::string where = printable(file.path()) + ": tensor 'label': ";
  const TensorView &view = file.tensor("label");
  if (view.shape != std::vector<int64_t>{count})
    throw Error(TRRT_INVALID_FILE, where + "expected shape " + shapeText({count}) + ", but got " +
                                       shapeText(view.shape));
  std::vector<int32_t> labels = file.i32("label");
  for (size_t i = 0; i < labels.size(); ++i)
    if (labels[i] < 0 || labels[i] >= static_cast<int64_t>(classes))
      throw Error(TRRT_INVALID_FILE, where + "label " + std::to_string(labels[i]) + " of sample " +
                                         std::to_string(i) + " is outside [0, " +
                                         std::to_string(classes) + ")");
  return labels;
}

static void writeState(const Session &session, SafetensorsWriter &out) {
  const std::vector<Param> &params = session.plan().params;
  for (uint32_t i = 0; i < params.size(); ++i) {
    const Param &param = params[i];
    out.addF32((param.trainable ? "param." : "running.") + param.name, fileShape(param),
               session.parameters().read(i));
    if (param.grad != kNone)
      out.addF32("grad." + param.name, fileShape(param), session.parameters().readGrad(i));
  }
}

static void loadOrInit(const Args &args, Session &session) {
  const uint64_t seed = args.seed(1);
  session.tensors().setSeed(seed);
  if (args.has("--weights"))
    loadWeightsOption(args, session);
  else
    session.parameters().init(seed);
}

namespace {

// What `step` runs.
struct StepBatch {
  uint32_t variant = 0;
  int64_t steps = 1;
  Images images;
  std::vector<int32_t> labels;
};

} // namespace

// Returns the loss of each step.
static std::vector<float> runSteps(Session &session, const StepBatch &batch) {
  const Variant &variant = session.plan().variants[batch.variant];
  if (!variant.training)
    session.foldBn();
  std::vector<float> losses;
  for (int64_t step = 0; step < batch.steps; ++step) {
    const Half half = halfOf(step);
    session.input(half).fill(variant, batch.images.values.data(), batch.labels.data(),
                             batch.images.count);
    if (variant.training)
      session.trainStep(batch.variant, half);
    else
      session.evalStep(batch.variant, half);
    losses.push_back(static_cast<float>(session.tensors().scalar(SharedTensor::Loss)));
  }
  return losses;
}

static StepBatch readBatch(const Args &args, const Session &session, int64_t steps) {
  const Plan &plan = session.plan();
  StepBatch batch;
  batch.steps = steps;
  batch.variant =
      session.variant(args.text("--variant", std::string(name(StandardVariant::TrainBase))));
  const Variant &variant = plan.variants[batch.variant];
  const SafetensorsFile file = SafetensorsFile::read(args.text("--input"));
  batch.images = readImages(file, variant);
  if (batch.images.count != variant.batch)
    throw Error(TRRT_INVALID_FILE, printable(file.path()) + ": tensor 'input': expected " +
                                       std::to_string(variant.batch) + " samples, the batch of " +
                                       variant.name + ", but got " +
                                       std::to_string(batch.images.count));
  batch.labels = readLabels(file, batch.images.count, plan.classes);
  return batch;
}

// From the initial weights on.
static SafetensorsWriter compute(const Args &args, Session &session, const StepBatch &batch) {
  const Plan &plan = session.plan();
  const Variant &variant = plan.variants[batch.variant];
  const std::vector<int64_t> shape = {variant.batch, static_cast<int64_t>(plan.classes)};
  loadOrInit(args, session);
  SafetensorsWriter out;
  out.addF32("loss", {batch.steps}, runSteps(session, batch));
  out.addF32("logits", shape, session.tensors().readF32(SharedTensor::Logits, batch.variant));
  if (variant.training)
    writeState(session, out);
  return out;
}

// All that a plan computes on the batch, with the schedules of inference where it does not train.
static std::vector<uint8_t> computeBits(const Args &args, Plan plan, const StepBatch &batch) {
  const std::unique_ptr<Session> session = openSession(args, std::move(plan));
  applyScalars(args, *session);
  SafetensorsWriter out = compute(args, *session, batch);
  const Variant &variant = session->plan().variants[batch.variant];
  for (const Half half : kHalves) {
    if (variant.training)
      continue;
    session->input(half).fill(variant, batch.images.values.data(), nullptr, batch.images.count);
    session->inferStep(batch.variant, half);
    std::vector<float> logits = session->tensors().readF32(SharedTensor::Logits, batch.variant);
    const int64_t count = static_cast<int64_t>(logits.size());
    out.addF32(half == Half::A ? "inference.a" : "inference.b", {count}, std::move(logits));
  }
  return out.serialize();
}

// The steps again in `count` orders: every bit must be as in the plan's own order.
static void compareOrders(const Args &args, const StepBatch &batch, int64_t count) {
  const Plan plan = loadPlan(args);
  const std::vector<uint8_t> expected = computeBits(args, plan, batch);
  std::set<std::vector<uint32_t>> distinct;
  for (int64_t seed = 1; seed <= count; ++seed) {
    Plan other = plan;
    reorderNodes(other, static_cast<uint64_t>(seed));
    std::vector<uint32_t> order;
    for (const StepSchedule &schedule : other.schedules)
      for (const ScheduleNode &node : schedule.nodes)
        order.push_back(node.op);
    distinct.insert(std::move(order));
    if (computeBits(args, std::move(other), batch) != expected)
      throw Error(TRRT_INTERNAL, "--order-seed " + std::to_string(seed) +
                                     " changes results, so the plan's edges lack a dependency");
  }
  std::printf("%lld orders, %zu of them different: equal bits\n", static_cast<long long>(count),
              distinct.size());
}

static int runStep(const Args &args) {
  const int64_t steps = args.integer("--steps", 1, 1, 1000000);
  const int64_t orders = args.integer("--orders", 0, 1, 10000);
  const std::unique_ptr<Session> session = openSession(args);
  const StepBatch batch = readBatch(args, *session, steps);
  applyScalars(args, *session);
  compute(args, *session, batch).write(args.text("--output"));
  if (orders != 0)
    compareOrders(args, batch, orders);
  return 0;
}

Command stepCommand() {
  Command command = {
      "step",
      "Runs training steps on one batch and writes what they compute.\n\n"
      "The output holds `loss` (one per step), `logits` and `grad.<parameter>` of the last\n"
      "step before its update, and after it `param.<parameter>` and `running.<buffer>`, in\n"
      "PyTorch's layouts. With --variant val_base: `loss` and `logits` of evaluation.",
      {inputFile("--input", "safetensors with `input` (N,H,W,C F32) and `label` (N, I32)", true),
       outputFile("--output", "safetensors to write", true),
       {"--seed", "S", "seed of random weights and dropout (1)"},
       {"--steps", "N", "steps, all on this batch (1)"},
       {"--variant", "NAME", "variant of the plan (train_base)"},
       {"--orders", "N", "debugging: compare N orders of the nodes with the plan's, bit by bit"}},
      runStep};
  addWeightsOptions(command.options, "weights to start from (default: random)");
  addScalarOptions(command.options);
  addDeviceOptions(command.options);
  return command;
}

} // namespace trrun
