// SPDX-License-Identifier: Apache-2.0
//
// The kernel table of the cpu backend.
#include "cpu/cpu.h"

void trk::fillCpuKernels(KernelTable &table) {
  for (Kernel &kernel : table)
    kernel = Kernel();
  cpu::addConvKernels(table);
  cpu::addConvInferenceKernels(table);
  cpu::addBnKernels(table);
  cpu::addBnBackwardKernels(table);
  cpu::addElementwiseKernels(table);
  cpu::addJoinBackwardKernels(table);
  cpu::addPoolKernels(table);
  cpu::addFcKernels(table);
  cpu::addLossKernels(table);
  cpu::addRangeKernels(table);
}
