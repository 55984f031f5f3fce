// SPDX-License-Identifier: Apache-2.0
//
// The kernel table of the cpu library.
#include "cpu/cpu.h"

namespace trk::cpu {

void fillKernels(KernelTable &table) {
  const Registrar f32(table, Instance::F32);
  addConvKernels(f32);
  addConvInferenceKernels(f32);
  addChannelKernels(f32);
  addBnKernels(f32);
  addBnBackwardKernels(f32);
  addElementwiseKernels(f32);
  addFactorKernels(f32);
  addGateKernels(f32);
  addGroupNormKernels(f32);
  addJoinBackwardKernels(f32);
  addMultiplyKernels(f32);
  addPoolKernels(f32);
  addFcKernels(f32);
  addLossKernels(f32);
  addRangeKernels(f32);
  addResampleKernels(f32);
}

} // namespace trk::cpu
