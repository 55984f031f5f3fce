// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-align-input-channels=precision=amp_fp16 | FileCheck %s
// RUN: tr-opt %s --tr-arch-align-input-channels=precision=amp_bf16 | FileCheck %s
// RUN: tr-opt %s --tr-arch-align-input-channels=precision=amp_bf16 --remarks-filter-analyse=tr-arch-align-input-channels -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT
// RUN: tr-opt %s --tr-arch-align-input-channels=precision=fp32 | FileCheck %s --check-prefix=FP32
// RUN: tr-opt %s --tr-arch-align-input-channels | FileCheck %s --check-prefix=FP32

// FP32-NOT: aligned_channels
// STAT-DAG: num-convs-aligned=1

// CHECK-LABEL: tr.arch.plan @three
// CHECK: ["0.conv"] {{.*}} {tr.aligned_channels = 4 : i64}
// CHECK-NOT: aligned
tr.arch.plan @three classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 7, kernel = [3, 3]> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.conv %0 ["1.conv"] <out = 8, kernel = [3, 3]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: tr.arch.plan @five
// CHECK: tr.arch.cbr {{.*}} {tr.aligned_channels = 8 : i64}
tr.arch.plan @five classes 4 {
^bb0(%x: tensor<?x8x8x5xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x8x8x5xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
