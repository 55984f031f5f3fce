// SPDX-License-Identifier: Apache-2.0
//
// One session per plan: initial values, a batch with good and bad labels, all steps.
#include "run_plan.h"

#include "base/status.h"
#include "guarded_device.h"
#include "session/session.h"

#include <algorithm>
#include <stdexcept>

namespace trrt::test {

using namespace trf;

namespace {

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t{0} : product;
}

uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~uint64_t{0} : sum;
}

uint64_t countOf(const Dims &dims) {
  uint64_t count = 1;
  for (const int64_t extent : dims)
    count = times(count, static_cast<uint64_t>(extent));
  return count;
}

// Never too small: weights and windows are counted for each element of the largest
// operand.
uint64_t workOf(const Plan &plan, const Op &op, uint32_t variant) {
  const OpInfo &info = op.info();
  uint64_t largest = 1, factor = 1;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operands[i] == kNone)
      continue;
    if (info.operands[i].isRun()) {
      largest = std::max(largest, plan.arena_bytes);
      continue;
    }
    const Dims &dims = plan.shape(op.operands[i], variant);
    const uint64_t elements = countOf(dims);
    if (info.operands[i].type == OperandType::P)
      // An element meets all weights but those of other outputs, backward inputs.
      factor = elements / static_cast<uint64_t>(std::max<int64_t>(1, std::min(dims[0], dims[3])));
    else
      largest = std::max(largest, elements);
  }
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    const std::string_view name = info.attrs[i].name;
    if (factor == 1 && (name == "kernel_h" || name == "kernel_w"))
      largest = times(largest, static_cast<uint64_t>(op.attrs[i].i));
  }
  return times(largest, factor);
}

uint64_t workOf(const Plan &plan) {
  uint64_t work = 0;
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    for (const StepSchedule &schedule : plan.schedules)
      if (schedule.graph == plan.variants[v].graph)
        for (const ScheduleNode &node : schedule.nodes)
          work = plus(work, workOf(plan, plan.ops[node.op], v));
  return work;
}

void fillInput(const Session &session, uint32_t variant, Half half) {
  const Variant &v = session.plan().variants[variant];
  const InputHalf &input = session.input(half);
  const int64_t values = v.batch * v.height * v.width * v.channels;
  for (int64_t i = 0; i < values; ++i)
    input.images[i] = static_cast<float>(i % 7) - 3.f;
  for (int64_t i = 0; i < v.batch; ++i) // the last is outside [0, classes)
    input.labels[i] = static_cast<int32_t>(i % (int64_t{session.plan().classes} + 1));
  input.pad(v, v.batch);
}

void runAll(Session &session) {
  const Plan &plan = session.plan();
  session.parameters().init(7);
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    for (const Half half : kHalves) {
      fillInput(session, v, half);
      session.clearMetrics();
      if (session.canRun(v, scheduleOf(StepKind::Train, half)))
        session.trainStep(v, half);
      session.foldBn();
      if (session.canRun(v, scheduleOf(StepKind::Validate, half)))
        session.evalStep(v, half);
      if (session.canRun(v, scheduleOf(StepKind::Infer, half)))
        session.inferStep(v, half);
    }
  for (uint32_t p = 0; p < plan.params.size(); ++p)
    session.parameters().write(p, session.parameters().read(p));
}

} // namespace

PlanFate readAndRun(const uint8_t *bytes, size_t size, std::string &error,
                    const RunLimits &limits) {
  auto plan = std::make_shared<Plan>();
  error.clear();
  if (!readPlan(bytes, size, *plan, error)) {
    if (error.empty() || error.find('\n') != std::string::npos)
      throw std::logic_error("a plan is refused without one line that says why");
    return PlanFate::Rejected;
  }
  if (plan->arena_bytes > limits.arenaBytes || workOf(*plan) > limits.work)
    return PlanFate::Large;
  try {
    Session session(plan, guardedDevice());
    runAll(session);
  } catch (const Error &refusal) {
    // For example because a tensor that a session asks for has another name.
    error = refusal.what();
    return PlanFate::Refused;
  }
  return PlanFate::Ran;
}

} // namespace trrt::test
