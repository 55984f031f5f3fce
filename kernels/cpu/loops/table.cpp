// SPDX-License-Identifier: Apache-2.0
//
// The Loops table of one instruction set.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {

Loops makeLoops() {
  Loops loops{};
  fillDepthwiseLoops(loops);
  fillElementLoops(loops);
  fillGemmLoops(loops);
  fillGroupLoops(loops);
  fillJoinLoops(loops);
  fillNormLoops(loops);
  fillPoolLoops(loops);
  fillUpdateLoops(loops);
  fillWinogradLoops(loops);
  return loops;
}

} // namespace trk::cpu::TRK_ISA
