// SPDX-License-Identifier: Apache-2.0
//
// Chooses the loops for this machine.
#include "cpu/loops.h"
#include "trk/cpu_targets.h"

namespace trk::cpu {

#define X(loops, target)                                                                           \
  namespace loops {                                                                                \
  Loops makeLoops();                                                                               \
  }
TRK_CPU_TARGETS(X)
#undef X
#if defined(TRK_COUNT_ACCESSES)
namespace counting {
Loops makeLoops();
}
#endif

namespace {

// Each table is made by code of its own instruction set, so only when asked for.
template <Loops (*Make)()> const Loops &madeOnce() {
  static const Loops table = Make();
  return table;
}

struct Compilation {
  trf::Target target;
  const Loops &(*loops)();
};
constexpr Compilation kCompilations[] = {
#define X(loops, target) {trf::Target::target, madeOnce<loops::makeLoops>},
    TRK_CPU_TARGETS(X)
#undef X
};

} // namespace

const Loops &loopsFor(trf::Target target) {
  const Compilation *best = kCompilations;
  for (const Compilation &compilation : kCompilations)
    if (compilation.target == target)
      best = &compilation;
  return best->loops();
}

const Loops &loops() {
#if defined(TRK_COUNT_ACCESSES)
  return madeOnce<counting::makeLoops>();
#else
  static const Loops &best = loopsFor(cpuTarget());
  return best;
#endif
}

} // namespace trk::cpu
