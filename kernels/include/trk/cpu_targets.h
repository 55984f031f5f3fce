// SPDX-License-Identifier: Apache-2.0
//
// The targets of plans as this CPU sees them: one row says which features a target asks for
// and which compilation of the vector loops (cpu/loops.h) serves it.
#ifndef TRK_CPU_TARGETS_H
#define TRK_CPU_TARGETS_H

#include "trf/enums.h"

// In the order of ranks: X(namespace of the loops, target, whether the CPU has what the target
// asks for beyond the row above). HAS(feature) is what the including file makes of a name.
#if defined(__x86_64__)
#define TRK_CPU_TARGETS(X, HAS)                                                                    \
  X(baseline, CpuAny, true)                                                                        \
  X(v3, CpuV3, HAS("avx2") && HAS("fma") && HAS("bmi") && HAS("bmi2"))                             \
  X(v4, CpuV4,                                                                                     \
    HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl"))
#else
#define TRK_CPU_TARGETS(X, HAS) X(baseline, CpuAny, true)
#endif

namespace trk {

// The most that a plan may ask for on this CPU.
inline trf::Target cpuTarget() {
  trf::Target most = trf::Target::CpuAny;
#define X(loops, target, has)                                                                      \
  if (!(has))                                                                                      \
    return most;                                                                                   \
  most = trf::Target::target;
#define HAS(feature) __builtin_cpu_supports(feature)
  TRK_CPU_TARGETS(X, HAS)
#undef HAS
#undef X
  return most;
}

inline bool cpuServes(trf::Target target) {
  return trf::row(target).rank <= trf::row(cpuTarget()).rank;
}

} // namespace trk

#endif // TRK_CPU_TARGETS_H
