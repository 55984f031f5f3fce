// SPDX-License-Identifier: Apache-2.0
//
// The reference library: plain loops, sums in double, any shape. It is the oracle of every
// other library. Each of its files adds its kernels to the table.
#ifndef TRK_REFERENCE_REFERENCE_H
#define TRK_REFERENCE_REFERENCE_H

#include "common/bn_operands.h"
#include "common/registrar.h"

namespace trk::reference {

void fillKernels(KernelTable &table);

void addConvKernels(const Registrar &kernels);
void addChannelKernels(const Registrar &kernels);
void addBnKernels(const Registrar &kernels);
void addBnBackwardKernels(const Registrar &kernels);
void addElementwiseKernels(const Registrar &kernels);
void addFactorKernels(const Registrar &kernels);
void addGroupNormKernels(const Registrar &kernels);
void addJoinBackwardKernels(const Registrar &kernels);
void addPoolKernels(const Registrar &kernels);
void addFcKernels(const Registrar &kernels);
void addLossKernels(const Registrar &kernels);
void addRangeKernels(const Registrar &kernels);
void addResampleKernels(const Registrar &kernels);

// conv_stats_fwd is a convolution followed by this.
int64_t bnStatsScratch(int64_t channels);
void runBnStats(const Call &call, const Tensor &x, const BnStatistics &statistics);

} // namespace trk::reference

#endif // TRK_REFERENCE_REFERENCE_H
