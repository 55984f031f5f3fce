// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-align-input-channels=precision=amp_fp16 --remarks-filter=tr-arch-align-input-channels 2>&1 | FileCheck %s

// CHECK: InputNotAligned
// CHECK-SAME: fc layer '0.fc' reads the 3 input channels, not a convolution
// CHECK-NOT: aligned_channels
tr.arch.plan @not_a_convolution classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 4 bias true : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: tr.arch.plan @aligned
// CHECK-NOT: aligned_channels
tr.arch.plan @aligned classes 4 {
^bb0(%x: tensor<?x8x8x12xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 7, kernel = [3, 3]> : tensor<?x8x8x12xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
