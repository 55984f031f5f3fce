// SPDX-License-Identifier: Apache-2.0
//
// How a session is made, and its steps.
#include "session/session.h"

#include "base/status.h"
#include "base/text.h"
#include "session/memory.h"
#include "session/requirements.h"

#include <cstdio>

namespace trrt {

using namespace trf;

void warnOnStderr(const std::string &text) { std::fprintf(stderr, "warning: %s\n", text.c_str()); }

Session::Session(std::shared_ptr<const Plan> plan, std::unique_ptr<Device> device,
                 const SessionOptions &options)
    : sharedPlan(std::move(plan)), ownedDevice(std::move(device)), bound(*sharedPlan, *ownedDevice),
      namedTensors(*sharedPlan, *ownedDevice), parameterStore(*sharedPlan, *ownedDevice) {
  requireInputs(*sharedPlan);
  requireParameters(*sharedPlan);
  requireTarget(*sharedPlan, *ownedDevice);
  requireKernels(*sharedPlan, *ownedDevice);
  make(options);
  if (options.debug == Debug::Poison)
    makePoisoned();
}

// Nothing is allocated before it is known that all of it fits.
void Session::make(const SessionOptions &options) {
  uint64_t stagingBytes = 0;
  for (const Half half : kHalves)
    stagingBytes += findHalf(*sharedPlan, half).bytes;
  requireMemory(*sharedPlan, *ownedDevice, stagingBytes);
  ownedDevice->allocateArena(sharedPlan->arena_bytes);
  for (const Half half : kHalves)
    halves[half] = InputHalf(*sharedPlan, half, *ownedDevice);
  bound.bind(halves, options.warn);
  requireMemory(*sharedPlan, *ownedDevice, stagingBytes); // now with scratch
  ownedDevice->finishBinding();
  bound.capture();
}

void Session::makePoisoned() {
  for (uint32_t v = 0; v < sharedPlan->variants.size(); ++v)
    for (const ScheduleRow &row : kSchedules)
      if (const BoundPlan::Captured &step = bound.find(v, row.value);
          step.calls && !poisoned.count(step.capture))
        poisoned.emplace(step.capture,
                         PoisonedSteps(*sharedPlan, *step.schedule, *step.calls, *ownedDevice));
}

uint32_t Session::variant(const std::string &name) const {
  const uint32_t found = sharedPlan->findVariant(name);
  if (found != kNone)
    return found;
  std::vector<std::string> known;
  for (const Variant &v : sharedPlan->variants)
    known.push_back(v.name);
  throw Error(TRRT_NOT_FOUND,
              "the plan has no variant '" + printable(name) + "'; it has " + joined(known, ", "));
}

bool Session::canRun(uint32_t variant, Schedule schedule) const {
  return bound.find(variant, schedule).calls != nullptr;
}

const BoundPlan::Captured &Session::captureOf(uint32_t variant, Schedule schedule) const {
  if (!canRun(variant, schedule))
    throw Error(TRRT_INVALID_ARGUMENT, "variant '" + sharedPlan->variants[variant].name +
                                           "' of the plan has no schedule for this step");
  return bound.find(variant, schedule);
}

void Session::observeStep(uint32_t variant, Schedule schedule, CallObserver &observer) {
  ownedDevice->replay(captureOf(variant, schedule).capture, observer);
}

std::vector<std::string> Session::implementations(uint32_t variant, Schedule schedule) const {
  std::vector<std::string> names;
  for (const CallId call : *captureOf(variant, schedule).calls)
    names.push_back(ownedDevice->implementation(call));
  return names;
}

void Session::run(StepKind step, uint32_t variant, Half half) {
  const CaptureId capture = captureOf(variant, scheduleOf(step, half)).capture;
  if (const auto found = poisoned.find(capture); found != poisoned.end())
    found->second.run(*ownedDevice);
  else
    ownedDevice->replay(capture);
}

void Session::runBetween(Subgraph subgraph) {
  const CaptureId capture = bound.findBetween(subgraph);
  if (capture != BoundPlan::kNoCapture)
    ownedDevice->replay(capture);
}

} // namespace trrt
