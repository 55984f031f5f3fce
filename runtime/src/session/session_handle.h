// SPDX-License-Identifier: Apache-2.0
//
// What a session is at the C ABI: the session, and what its caller has done so far.
#ifndef TRRT_SESSION_SESSION_HANDLE_H
#define TRRT_SESSION_SESSION_HANDLE_H

#include "session/session.h"
#include "trrt/session.h"

#include <set>

struct trrt_session_t {
  trrt_session_t(std::shared_ptr<const trf::Plan> plan, std::unique_ptr<trrt::Device> device)
      : session(std::move(plan), std::move(device)) {}

  trrt::Session session;
  trf::Half half = trf::Half::A; // of the next step
  bool hasWeights = false;
  bool folded = false;                // the folded BN parameters belong to the current weights
  std::set<std::string> givenScalars; // that were set
};

namespace trrt {

// What `options`, which may be null, say. Throws Error for a number that there cannot be.
int threadsOf(const char *function, const trrt_session_options_t *options);

// Throws Error where the session has no weights yet. `function` is the caller's.
void requireWeights(const char *function, const trrt_session_t &session);

// Throws Error where weights or a scalar are missing without which a step trains nothing.
void requireReadyToTrain(const char *function, const trrt_session_t &session);

} // namespace trrt

#endif // TRRT_SESSION_SESSION_HANDLE_H
