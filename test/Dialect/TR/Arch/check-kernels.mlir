// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-attach-options=precision=fp32 --tr-arch-check-kernels | FileCheck %s
// RUN: tr-opt %s --tr-arch-check-kernels | FileCheck %s

// Every layer has its kernel ops in FP32.
// CHECK-LABEL: tr.arch.network @fused
// CHECK: tr.arch.gap_fc
tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x15x9x3xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x15x9x3xf32> -> tensor<?x15x9x8xf32>
  %1 = tr.arch.cbrp %0 ["1.conv", "1.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [2, 2]> : tensor<?x15x9x8xf32> -> tensor<?x7x4x8xf32>
  %2 = tr.arch.block %1 ["2.conv1", "2.bn1", "2.conv2", "2.bn2", "2.conv3", "2.bn3"] <bottleneck, inner = 4, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x7x4x8xf32> -> tensor<?x7x4x8xf32>
  %3 = tr.arch.block %2 ["3.conv1", "3.bn1", "3.conv2", "3.bn2", "3.conv3", "3.bn3", "3.proj.conv", "3.proj.bn"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x7x4x8xf32> -> tensor<?x4x2x16xf32>
  %4 = tr.arch.block %3 ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 16, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x4x2x16xf32> -> tensor<?x4x2x16xf32>
  %5 = tr.arch.block %4 ["5.conv1", "5.bn1", "5.conv2", "5.bn2", "5.proj.conv", "5.proj.bn"] <basic_block, out = 24, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x4x2x16xf32> -> tensor<?x2x1x24xf32>
  %6 = tr.arch.block %5 ["6.dw.conv", "6.dw.bn", "6.project.conv", "6.project.bn"] <inv_residual, out = 5, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x2x1x24xf32> -> tensor<?x1x1x5xf32>
  %7 = tr.arch.block %6 ["7.expand.conv", "7.expand.bn", "7.dw.conv", "7.dw.bn", "7.project.conv", "7.project.bn"] <inv_residual, inner = 30, out = 5, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x1x1x5xf32> -> tensor<?x1x1x5xf32>
  %8 = tr.arch.gap_fc %7 ["8.fc"] out 3 bias true : tensor<?x1x1x5xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %8 : tensor<?x1x1x3xf32>
}
