// SPDX-License-Identifier: Apache-2.0
//
// Chooses the loops for this machine, and the activations that have no vector form.
#include "cpu/loops.h"
#include "trk/activation.h"
#include "trk/kernel.h"

namespace trk::cpu {

namespace baseline {
Loops makeLoops();
}
#if defined(TRK_COUNT_ACCESSES)
namespace counting {
Loops makeLoops();
}
#endif
#if defined(TRK_HAVE_X86_ISAS)
namespace v3 {
Loops makeLoops();
}
namespace v4 {
Loops makeLoops();
}
#endif

bool isaSupported(Isa isa) {
#if defined(TRK_HAVE_X86_ISAS)
  if (isa == Isa::V4)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && isaSupported(Isa::V3);
  if (isa == Isa::V3)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#endif
  return isa == Isa::Baseline;
}

// Each table is made by code of its own instruction set, so only when asked for.
const Loops &loopsFor([[maybe_unused]] Isa isa) {
#if defined(TRK_HAVE_X86_ISAS)
  if (isa == Isa::V4) {
    static const Loops table = v4::makeLoops();
    return table;
  }
  if (isa == Isa::V3) {
    static const Loops table = v3::makeLoops();
    return table;
  }
#endif
  static const Loops table = baseline::makeLoops();
  return table;
}

const Loops &loops() {
#if defined(TRK_COUNT_ACCESSES)
  static const Loops counted = counting::makeLoops();
  return counted;
#endif
  static const Loops &best = loopsFor(isaSupported(Isa::V4)   ? Isa::V4
                                      : isaSupported(Isa::V3) ? Isa::V3
                                                              : Isa::Baseline);
  return best;
}

void activateLanes(Activation act, float *values, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = activate(act, values[i]);
}

void gradientLanes(Activation act, float *values, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = activationGradient(act, values[i]);
}

} // namespace trk::cpu

trk::Isa trk::machineIsa() {
  return cpu::isaSupported(cpu::Isa::V4)   ? Isa::V4
         : cpu::isaSupported(cpu::Isa::V3) ? Isa::V3
                                           : Isa::Any;
}
