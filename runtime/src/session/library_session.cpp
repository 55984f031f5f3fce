// SPDX-License-Identifier: Apache-2.0
//
// Sessions on a kernel library from outside.
#include "base/arguments.h"
#include "base/status.h"
#include "base/text.h"
#include "device/devices.h"
#include "plan/plan_handle.h"
#include "session/session_handle.h"
#include "trrt/library.h"

namespace trrt {

static void fail(const std::string &what) {
  throw Error(TRRT_INVALID_ARGUMENT, "createSession: " + what);
}

static void requireWhole(const trk::Library &library) {
  if (library.name.empty())
    fail("expected a name of the kernel library, but got none");
  if (!library.fill || !library.target)
    fail("expected kernel library '" + printable(std::string(library.name)) +
         "' with the functions fill and target, but got null");
}

trrt_status_t createSession(const trrt_plan_t *plan, const trk::Library &library,
                            const trrt_session_options_t *options, trrt_session_t **session) {
  return guard([&] {
    if (session)
      *session = nullptr;
    requireArguments("createSession", {{"plan", plan}, {"session", session}});
    requireWhole(library);
    if (options && options->device && library.name != options->device)
      fail("options.device: expected null or '" + printable(std::string(library.name)) +
           "', but got '" + printable(options->device) + "'");
    const int threads = threadsOf("createSession", options);
    const uint64_t memory = options ? options->memory_bytes : 0;
    *session = new trrt_session_t(plan->plan, createDevice(library, threads, memory));
  });
}

} // namespace trrt
