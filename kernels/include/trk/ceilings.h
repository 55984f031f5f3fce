// SPDX-License-Identifier: Apache-2.0
//
// What this machine can do at most, measured for benchmarks to be compared with.
#ifndef TRK_CEILINGS_H
#define TRK_CEILINGS_H

#include "trk/kernel.h"

namespace trk {

struct Ceilings {
  double flops = 0; // multiply-adds of F32 vectors per second, counted as two
  double bytes = 0; // bytes per second read from memory that no cache holds
};

// With as many tasks as `parallel` has threads; takes about a second.
Ceilings measureCeilings(Parallel &parallel);

} // namespace trk

#endif // TRK_CEILINGS_H
