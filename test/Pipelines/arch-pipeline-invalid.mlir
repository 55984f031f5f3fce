// SPDX-License-Identifier: Apache-2.0
// Without kernels for the precision there is an error, with fusion and without.
// RUN: not tr-opt %s --tr-attach-options=precision=amp_fp16 --tr-arch-pipeline 2>&1 | FileCheck %s
// RUN: not tr-opt %s --tr-attach-options="precision=amp_fp16 fuse=false" --tr-arch-pipeline 2>&1 | FileCheck %s --check-prefix=PLAIN

// CHECK: error: cbr layer '0.conv': expected kernel op 'conv_stats_fwd' for precision amp_fp16
// PLAIN: error: conv layer '0.conv': expected kernel op 'conv_fwd' for precision amp_fp16
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 3, kernel = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.bn %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.gap %2 ["3"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %3 : tensor<?x?x?x?xf32>
}
