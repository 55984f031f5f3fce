// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of sessions, steps apart: argument checks and guard(), nothing else.
#include "base/arguments.h"
#include "base/status.h"
#include "base/text.h"
#include "device/devices.h"
#include "plan/param_layout.h"
#include "plan/plan_handle.h"
#include "session/session_handle.h"
#include "session/weights.h"

#include <cstring>

using namespace trf;
using namespace trrt;

int trrt::threadsOf(const char *function, const trrt_session_options_t *options) {
  const int threads = options ? options->threads : 0;
  if (threads < 0 || threads > kMostThreads)
    throw Error(TRRT_INVALID_ARGUMENT,
                std::string(function) + ": options.threads: expected 0, for every CPU, or 1 to " +
                    std::to_string(kMostThreads) + ", but got " + std::to_string(threads));
  return threads;
}

extern "C" trrt_status_t trrt_session_create(const trrt_plan_t *plan,
                                             const trrt_session_options_t *options,
                                             trrt_session_t **session) {
  return guard([&] {
    if (session)
      *session = nullptr;
    requireArguments("trrt_session_create", {{"plan", plan}, {"session", session}});
    const char *device = options && options->device ? options->device : "auto";
    const int threads = threadsOf("trrt_session_create", options);
    const uint64_t memory = options ? options->memory_bytes : 0;
    *session = new trrt_session_t(plan->plan, createDevice(device, threads, memory));
  });
}

extern "C" void trrt_session_destroy(trrt_session_t *session) { delete session; }

extern "C" trrt_status_t trrt_session_init(trrt_session_t *session, uint64_t seed) {
  return guard([&] {
    requireArguments("trrt_session_init", {{"session", session}});
    session->folded = false;
    session->session.parameters().init(seed);
    session->session.tensors().setSeed(seed);
    session->hasWeights = true;
  });
}

static void load(const char *function, trrt_session_t *session, const char *path,
                 const char *map_path) {
  requireArguments(function, {{"session", session}, {"path", path}});
  const WeightsMap map = map_path ? WeightsMap::read(map_path) : WeightsMap();
  session->folded = false;
  loadWeights(session->session, path, map);
  session->hasWeights = true;
}

extern "C" trrt_status_t trrt_session_load_weights(trrt_session_t *session, const char *path) {
  return guard([&] { load("trrt_session_load_weights", session, path, nullptr); });
}

extern "C" trrt_status_t trrt_session_load_weights_mapped(trrt_session_t *session, const char *path,
                                                          const char *map_path) {
  return guard([&] { load("trrt_session_load_weights_mapped", session, path, map_path); });
}

extern "C" trrt_status_t trrt_session_save_weights(const trrt_session_t *session,
                                                   const char *path) {
  return guard([&] {
    const char *function = "trrt_session_save_weights";
    requireArguments(function, {{"session", session}, {"path", path}});
    requireWeights(function, *session);
    saveWeights(session->session, path);
  });
}

extern "C" trrt_status_t trrt_session_set_scalar(trrt_session_t *session, const char *name,
                                                 double value) {
  return guard([&] {
    requireArguments("trrt_session_set_scalar", {{"session", session}, {"name", name}});
    session->session.tensors().setScalar(name, value);
    session->givenScalars.insert(name);
  });
}

extern "C" trrt_status_t trrt_session_get_scalar(const trrt_session_t *session, const char *name,
                                                 double *value) {
  return guard([&] {
    requireArguments("trrt_session_get_scalar",
                     {{"session", session}, {"name", name}, {"value", value}});
    *value = session->session.tensors().scalar(name);
  });
}

// Position of a parameter; throws with the nearest name.
static uint32_t findParam(const Plan &plan, const char *name) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < plan.params.size(); ++i) {
    if (plan.params[i].name == name)
      return i;
    names.push_back(plan.params[i].name);
  }
  throw Error(TRRT_NOT_FOUND,
              "the plan has no parameter '" + printable(name) + "'" + didYouMean(name, names));
}

extern "C" trrt_status_t trrt_session_read_param(const trrt_session_t *session, const char *name,
                                                 float *values, int64_t capacity) {
  return guard([&] {
    const char *function = "trrt_session_read_param";
    requireArguments(function, {{"session", session}, {"name", name}, {"values", values}});
    requireWeights(function, *session);
    const uint32_t index = findParam(session->session.plan(), name);
    const Param &param = session->session.plan().params[index];
    if (capacity < fileElements(param))
      throw Error(TRRT_INVALID_ARGUMENT,
                  "'" + param.name + "' has " + std::to_string(fileElements(param)) +
                      " values, but there is room for " + std::to_string(capacity));
    const std::vector<float> read = session->session.parameters().read(index);
    std::memcpy(values, read.data(), read.size() * sizeof(float));
  });
}
