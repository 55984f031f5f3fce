// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of sessions: argument checks and guard(), nothing else.
#include "trrt/session.h"

#include "base/status.h"
#include "base/text.h"
#include "device/devices.h"
#include "plan/param_layout.h"
#include "plan/plan_handle.h"
#include "session/session.h"
#include "session/weights.h"

#include <cstring>

using namespace trf;
using namespace trrt;

struct trrt_session_t {
  trrt_session_t(std::shared_ptr<const Plan> plan, std::unique_ptr<Device> device)
      : session(std::move(plan), std::move(device)) {}

  Session session;
  Half half = Half::A; // of the next step
  bool folded = false; // the folded BN parameters belong to the current weights
};

static void require(bool holds, const char *what) {
  if (!holds)
    throw Error(TRRT_INVALID_ARGUMENT, what);
}

extern "C" trrt_status_t trrt_session_create(const trrt_plan_t *plan,
                                             const trrt_session_options_t *options,
                                             trrt_session_t **session) {
  return guard([&] {
    require(plan && session, "trrt_session_create: expected a plan and a place for the session");
    *session = nullptr;
    const char *device = options && options->device ? options->device : "auto";
    const int threads = options ? options->threads : 0;
    const uint64_t memory = options ? options->memory_bytes : 0;
    *session = new trrt_session_t(plan->plan, createDevice(device, threads, memory));
  });
}

extern "C" void trrt_session_destroy(trrt_session_t *session) { delete session; }

extern "C" trrt_status_t trrt_session_init(trrt_session_t *session, uint64_t seed) {
  return guard([&] {
    require(session, "trrt_session_init: no session");
    session->folded = false;
    session->session.parameters().init(seed);
    session->session.tensors().setSeed(seed);
  });
}

extern "C" trrt_status_t trrt_session_load_weights(trrt_session_t *session, const char *path) {
  return trrt_session_load_weights_mapped(session, path, nullptr);
}

extern "C" trrt_status_t trrt_session_load_weights_mapped(trrt_session_t *session, const char *path,
                                                          const char *map_path) {
  return guard([&] {
    require(session && path, "trrt_session_load_weights: expected a session and a path");
    const WeightsMap map = map_path ? WeightsMap::read(map_path) : WeightsMap();
    session->folded = false;
    loadWeights(session->session, path, map);
  });
}

extern "C" trrt_status_t trrt_session_save_weights(const trrt_session_t *session,
                                                   const char *path) {
  return guard([&] {
    require(session && path, "trrt_session_save_weights: expected a session and a path");
    saveWeights(session->session, path);
  });
}

extern "C" trrt_status_t trrt_session_set_scalar(trrt_session_t *session, const char *name,
                                                 double value) {
  return guard([&] {
    require(session && name, "trrt_session_set_scalar: expected a session and a name");
    session->session.tensors().setScalar(name, value);
  });
}

extern "C" trrt_status_t trrt_session_get_scalar(const trrt_session_t *session, const char *name,
                                                 double *value) {
  return guard([&] {
    require(session && name && value, "trrt_session_get_scalar: expected a session and a name");
    *value = session->session.tensors().scalar(name);
  });
}

// Fills the input half of the next step.
static void stage(const trrt_session_t &s, uint32_t variant, const float *images,
                  const int32_t *labels, int64_t count) {
  const Plan &plan = s.session.plan();
  const Variant &v = plan.variants[variant];
  if (count < 1 || count > v.batch)
    throw Error(TRRT_INVALID_ARGUMENT, "expected 1 to " + std::to_string(v.batch) +
                                           " samples, but got " + std::to_string(count));
  for (int64_t i = 0; labels && i < count; ++i)
    if (labels[i] < 0 || labels[i] >= static_cast<int64_t>(plan.classes))
      throw Error(TRRT_INVALID_ARGUMENT, "label " + std::to_string(labels[i]) + " of sample " +
                                             std::to_string(i) + " is outside [0, " +
                                             std::to_string(plan.classes) + ")");
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
    require(session && variant && images && labels, "trrt_session_train_step: a null argument");
    const uint32_t v = session->session.variant(variant);
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
    require(session && variant && images && labels, "trrt_session_eval_step: a null argument");
    const uint32_t v = session->session.variant(variant);
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
    require(session && variant && images && logits, "trrt_session_infer: a null argument");
    const uint32_t v = session->session.variant(variant);
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

extern "C" trrt_status_t trrt_session_read_param(const trrt_session_t *session, const char *name,
                                                 float *values, int64_t capacity) {
  return guard([&] {
    require(session && name && values, "trrt_session_read_param: a null argument");
    const std::vector<Param> &params = session->session.plan().params;
    std::vector<std::string> names;
    for (uint32_t i = 0; i < params.size(); ++i) {
      names.push_back(params[i].name);
      if (params[i].name != name)
        continue;
      if (capacity < fileElements(params[i]))
        throw Error(TRRT_INVALID_ARGUMENT,
                    "'" + params[i].name + "' has " + std::to_string(fileElements(params[i])) +
                        " values, but there is room for " + std::to_string(capacity));
      const std::vector<float> read = session->session.parameters().read(i);
      std::memcpy(values, read.data(), read.size() * sizeof(float));
      return;
    }
    throw Error(TRRT_NOT_FOUND,
                "the plan has no parameter '" + printable(name) + "'" + didYouMean(name, names));
  });
}
