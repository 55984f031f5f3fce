// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-rename-bn --split-input-file | FileCheck %s

// Kinds that are decided already stay, also where the producer says otherwise.
// CHECK-LABEL: tr.arch.network @decided
// CHECK: tr.arch.bn2d {{.*}} ["1.bn"]
// CHECK-NOT: tr.arch.bn1d
tr.arch.network @decided classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// A map that is 1x1 by chance is a map: at another resolution it is larger.
// CHECK-LABEL: tr.arch.network @small_map
// CHECK: tr.arch.bn2d
tr.arch.network @small_map classes 4 {
^bb0(%x: tensor<?x3x3x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [3, 3]> : tensor<?x3x3x3xf32> -> tensor<?x1x1x4xf32>
  %1 = tr.arch.bn %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %1 : tensor<?x1x1x4xf32>
}
