// SPDX-License-Identifier: Apache-2.0
//
// Normalised inputs as the loops take them.
#ifndef TRK_CPU_BN_H
#define TRK_CPU_BN_H

#include "cpu/cpu.h"

namespace trk::cpu {

// Scratch of `terms` terms of c channels.
int64_t termScratch(int64_t c, int terms);
// Operands from `first` on: x, mean, inv_std, gamma, beta.
NormTerm batchTerm(const Call &call, int first, Carver &carver);
// Operands from `first` on: x, scale, bias.
NormTerm foldedTerm(const Call &call, int first, Carver &carver);

} // namespace trk::cpu

#endif // TRK_CPU_BN_H
