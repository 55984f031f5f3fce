// SPDX-License-Identifier: Apache-2.0
//
// What damaged plans are put through: read, and where the verifier accepts them, run
// under guard, so that a hole in the verifier becomes a finding of a sanitizer.
#ifndef TRRT_TEST_RUN_PLAN_H
#define TRRT_TEST_RUN_PLAN_H

#include "trf/plan.h"

#include <memory>

namespace trrt::test {

// What a test can afford; larger plans are not run.
struct RunLimits {
  uint64_t arenaBytes = uint64_t{1} << 22;
  uint64_t work = uint64_t{1} << 24; // a rough count of the multiplications of all steps
};

enum class PlanFate {
  Rejected, // by the reader, with one line in `error`
  Large,    // accepted, but over the limits
  Refused,  // accepted, but no session can be made of it
  Ran
};

// Reads `size` bytes and runs every schedule of every variant once on the guarded
// reference library. Throws only where the runtime breaks its word.
PlanFate readAndRun(const uint8_t *bytes, size_t size, std::string &error,
                    const RunLimits &limits = {});

} // namespace trrt::test

#endif // TRRT_TEST_RUN_PLAN_H
