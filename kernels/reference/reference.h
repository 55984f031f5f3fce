// SPDX-License-Identifier: Apache-2.0
//
// Each file of the reference backend adds its kernels to the table.
#ifndef TRK_REFERENCE_REFERENCE_H
#define TRK_REFERENCE_REFERENCE_H

#include "trk/kernel.h"

namespace trk::reference {

void addConvKernels(KernelTable &table);
void addBnKernels(KernelTable &table);
void addBnBackwardKernels(KernelTable &table);
void addElementwiseKernels(KernelTable &table);
void addJoinBackwardKernels(KernelTable &table);
void addPoolKernels(KernelTable &table);
void addFcKernels(KernelTable &table);
void addLossKernels(KernelTable &table);
void addRangeKernels(KernelTable &table);

// conv_stats_fwd is a convolution followed by this.
int64_t bnStatsScratch(int64_t channels);
// Operands from `first` on: mean, inv_std, next_mean, next_var.
void runBnStats(const Call &call, const Tensor &x, int prev, int first, double eps,
                double momentum);

} // namespace trk::reference

#endif // TRK_REFERENCE_REFERENCE_H
