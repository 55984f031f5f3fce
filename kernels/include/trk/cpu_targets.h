// SPDX-License-Identifier: Apache-2.0
//
// The targets of plans as this CPU sees them: which of them it serves, and which compilation of
// the vector loops (cpu/loops.h) is for each.
#ifndef TRK_CPU_TARGETS_H
#define TRK_CPU_TARGETS_H

#include "trf/enums.h"

// In the order of ranks: X(namespace of the loops, target).
#if defined(__x86_64__)
#define TRK_CPU_TARGETS(X)                                                                         \
  X(baseline, CpuAny)                                                                              \
  X(v3, CpuV3)                                                                                     \
  X(v4, CpuV4)
#else
#define TRK_CPU_TARGETS(X) X(baseline, CpuAny)
#endif

namespace trk {

// Whether this CPU has what the target asks for beyond those of lower rank.
inline bool cpuHasFeaturesOf([[maybe_unused]] trf::Target target) {
#if defined(__x86_64__)
#define X(owner, feature)                                                                          \
  if (target == trf::Target::owner && !__builtin_cpu_supports(feature))                            \
    return false;
  TRF_CPU_FEATURES(X)
#undef X
#endif
  return true;
}

// The most that a plan may ask for on this CPU.
inline trf::Target cpuTarget() {
  trf::Target most = trf::Target::CpuAny;
#define X(loops, target)                                                                           \
  if (!cpuHasFeaturesOf(trf::Target::target))                                                      \
    return most;                                                                                   \
  most = trf::Target::target;
  TRK_CPU_TARGETS(X)
#undef X
  return most;
}

inline bool cpuServes(trf::Target target) {
  return trf::row(target).rank <= trf::row(cpuTarget()).rank;
}

} // namespace trk

#endif // TRK_CPU_TARGETS_H
