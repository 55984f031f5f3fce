// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of steps, and what a session must have got before one.
#include "base/arguments.h"
#include "base/status.h"
#include "session/session_handle.h"

#include <cstring>

using namespace trf;
using namespace trrt;

void trrt::requireWeights(const char *function, const trrt_session_t &session) {
  if (!session.hasWeights)
    throw Error(TRRT_WRONG_ORDER, std::string(function) +
                                      ": expected a session with weights, but got one that has "
                                      "none yet; call trrt_session_init() or "
                                      "trrt_session_load_weights() first");
}

void trrt::requireReadyToTrain(const char *function, const trrt_session_t &session) {
  requireWeights(function, session);
  // 0, which a scalar is before it is set: as learning rate it trains nothing, as epsilon it is a
  // division by zero.
  for (const SharedTensor scalar : {SharedTensor::Lr, SharedTensor::AdamEps}) {
    const std::string name(trf::name(scalar));
    if (session.session.tensors().has(scalar) && !session.givenScalars.count(name))
      throw Error(TRRT_WRONG_ORDER, std::string(function) + ": expected a value of scalar '" +
                                        name + "', but got none yet; call " +
                                        "trrt_session_set_scalar() first");
  }
}

// The variant of this name, which must have such a step.
static uint32_t findVariant(const trrt_session_t &s, StepKind step, const char *name) {
  const uint32_t variant = s.session.variant(name);
  s.session.requireStep(variant, step, s.half);
  return variant;
}

static void checkLabels(const Plan &plan, const int32_t *labels, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (labels[i] < 0 || labels[i] >= static_cast<int64_t>(plan.classes))
      throw Error(TRRT_INVALID_ARGUMENT, "label " + std::to_string(labels[i]) + " of sample " +
                                             std::to_string(i) + " is outside [0, " +
                                             std::to_string(plan.classes) + ")");
}

// Fills the input half of the next step. `labels` may be null.
static void stage(const trrt_session_t &s, uint32_t variant, const float *images,
                  const int32_t *labels, int64_t count) {
  const Variant &v = s.session.plan().variants[variant];
  if (count < 1 || count > v.batch)
    throw Error(TRRT_INVALID_ARGUMENT, "expected 1 to " + std::to_string(v.batch) +
                                           " samples, but got " + std::to_string(count));
  if (labels)
    checkLabels(s.session.plan(), labels, count);
  s.session.input(s.half).fill(v, images, labels, count);
}

static void readResult(const Session &session, trrt_step_result_t *result) {
  if (!result)
    return;
  const NamedTensors &tensors = session.tensors();
  const auto integer = [&](SharedTensor tensor) {
    return tensors.has(tensor) ? static_cast<int64_t>(tensors.scalar(tensor)) : 0;
  };
  result->loss = static_cast<float>(tensors.scalar(SharedTensor::Loss));
  result->top1 = integer(SharedTensor::Top1);
  result->top5 = integer(SharedTensor::Top5);
  result->nonfinite = static_cast<int32_t>(integer(SharedTensor::NonFinite));
}

static void prepareEvaluation(trrt_session_t &s) {
  if (!s.folded)
    s.session.foldBn();
  s.folded = true;
}

extern "C" trrt_status_t trrt_session_train_step(trrt_session_t *session, const char *variant,
                                                 const float *images, const int32_t *labels,
                                                 int64_t count, trrt_step_result_t *result) {
  return guard([&] {
    const char *function = "trrt_session_train_step";
    requireArguments(
        function,
        {{"session", session}, {"variant", variant}, {"images", images}, {"labels", labels}});
    requireReadyToTrain(function, *session);
    const uint32_t v = findVariant(*session, StepKind::Train, variant);
    const int64_t batch = session->session.plan().variants[v].batch;
    if (count != batch)
      throw Error(TRRT_INVALID_ARGUMENT, "a training step takes " + std::to_string(batch) +
                                             " samples, but got " + std::to_string(count));
    stage(*session, v, images, labels, count);
    session->folded = false;
    session->session.trainStep(v, session->half);
    session->half = otherHalf(session->half);
    readResult(session->session, result);
  });
}

extern "C" trrt_status_t trrt_session_eval_step(trrt_session_t *session, const char *variant,
                                                const float *images, const int32_t *labels,
                                                int64_t count, trrt_step_result_t *result) {
  return guard([&] {
    const char *function = "trrt_session_eval_step";
    requireArguments(
        function,
        {{"session", session}, {"variant", variant}, {"images", images}, {"labels", labels}});
    requireWeights(function, *session);
    const uint32_t v = findVariant(*session, StepKind::Validate, variant);
    stage(*session, v, images, labels, count);
    prepareEvaluation(*session);
    session->session.evalStep(v, session->half);
    session->half = otherHalf(session->half);
    readResult(session->session, result);
    if (result)
      result->nonfinite = 0;
  });
}

extern "C" trrt_status_t trrt_session_infer(trrt_session_t *session, const char *variant,
                                            const float *images, int64_t count, float *logits) {
  return guard([&] {
    const char *function = "trrt_session_infer";
    requireArguments(
        function,
        {{"session", session}, {"variant", variant}, {"images", images}, {"logits", logits}});
    requireWeights(function, *session);
    const uint32_t v = findVariant(*session, StepKind::Infer, variant);
    stage(*session, v, images, nullptr, count);
    prepareEvaluation(*session);
    session->session.inferStep(v, session->half);
    session->half = otherHalf(session->half);
    const std::vector<float> values = session->session.tensors().readF32(SharedTensor::Logits, v);
    const size_t wanted = static_cast<size_t>(count) * session->session.plan().classes;
    if (values.size() < wanted)
      throw Error(TRRT_INVALID_FILE, "the logits of the plan are smaller than its batch");
    std::memcpy(logits, values.data(), wanted * sizeof(float));
  });
}
