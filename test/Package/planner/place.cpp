// SPDX-License-Identifier: Apache-2.0
//
// Three buffers, of which two are alive at a time: 64 + 32 bytes are enough.
#include "renaissance/Planner/Planner.h"

#include <cstdio>

int main() {
  using namespace tr::planner;
  const std::vector<Buffer> buffers = {{0, 2, 64}, {1, 3, 32}, {2, 4, 64}};
  const PlanResult result = plan(buffers);
  if (result.error || findFault(buffers, result.placement.offsets))
    return 1;
  std::printf("peak %lld\n", static_cast<long long>(result.placement.peak));
}
