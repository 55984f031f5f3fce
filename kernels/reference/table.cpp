// SPDX-License-Identifier: Apache-2.0
//
// The kernel table of the reference library.
#include "reference/reference.h"

namespace trk::reference {

void fillKernels(KernelTable &table) {
  const Registrar f32(table, Instance::F32);
  addConvKernels(f32);
  addChannelKernels(f32);
  addBnKernels(f32);
  addBnBackwardKernels(f32);
  addElementwiseKernels(f32);
  addFactorKernels(f32);
  addGroupNormKernels(f32);
  addJoinBackwardKernels(f32);
  addPoolKernels(f32);
  addFcKernels(f32);
  addLossKernels(f32);
  addRangeKernels(f32);
  addResampleKernels(f32);
}

} // namespace trk::reference
