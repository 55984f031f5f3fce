// SPDX-License-Identifier: Apache-2.0
//
// The kernel table of the reference backend.
#include "reference/reference.h"

void trk::fillReferenceKernels(KernelTable &table) {
  for (Kernel &kernel : table)
    kernel = Kernel();
  reference::addConvKernels(table);
  reference::addBnKernels(table);
  reference::addBnBackwardKernels(table);
  reference::addElementwiseKernels(table);
  reference::addJoinBackwardKernels(table);
  reference::addPoolKernels(table);
  reference::addFcKernels(table);
  reference::addLossKernels(table);
  reference::addRangeKernels(table);
}
