// SPDX-License-Identifier: Apache-2.0
//
// Normalised inputs as the loops take them.
#ifndef TRK_CPU_BN_H
#define TRK_CPU_BN_H

#include "cpu/cpu.h"

namespace trk::cpu {

// Scratch of `terms` terms of c channels.
int64_t termScratch(int64_t c, int terms);
NormTerm batchTerm(const BnOperands &in, Carver &carver);
// x * scale + bias.
NormTerm foldedTerm(const Tensor &x, const Tensor &scale, const Tensor &bias, Carver &carver);

} // namespace trk::cpu

#endif // TRK_CPU_BN_H
