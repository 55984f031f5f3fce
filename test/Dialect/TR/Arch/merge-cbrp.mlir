// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --tr-attach-options=fuse=false --tr-arch-merge-cbrp | FileCheck %s --check-prefix=PLAIN
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbrp | FileCheck %s
// Without fusion nothing happens.
// PLAIN: tr.arch.network
// PLAIN-NOT: tr.arch.cbrp %

// CHECK-LABEL: @primitives
// CHECK: %[[X:.*]]: tensor<?x19x11x3xf32>
// CHECK-NEXT: %[[Y:.*]] = tr.arch.cbrp %[[X]] ["a.conv", "b.bn"] <out = 5, kernel = [7, 5],
// CHECK-SAME: stride = [2, 1], pad = [3, 2], bias = true> eps 1.000000e-03 momentum 2.500000e-01
// CHECK-SAME: act <hardswish> window <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> first
// CHECK-SAME: : tensor<?x19x11x3xf32> -> tensor<?x5x10x5xf32>
// CHECK-NEXT: tr.arch.yield %[[Y]]
tr.arch.network @primitives classes 10 {
^bb0(%x: tensor<?x19x11x3xf32>):
  %0 = tr.arch.conv %x ["a.conv"] <out = 5, kernel = [7, 5], stride = [2, 1], pad = [3, 2], bias = true> first : tensor<?x19x11x3xf32> -> tensor<?x10x11x5xf32>
  %1 = tr.arch.bn2d %0 ["b.bn"] eps 1.0e-3 momentum 0.25 : tensor<?x10x11x5xf32> -> tensor<?x10x11x5xf32>
  %2 = tr.arch.act %1 ["c"] <hardswish> : tensor<?x10x11x5xf32> -> tensor<?x10x11x5xf32>
  %3 = tr.arch.maxpool %2 ["d"] <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> : tensor<?x10x11x5xf32> -> tensor<?x5x10x5xf32>
  tr.arch.yield %3 : tensor<?x5x10x5xf32>
}

// -----

// Two cbr before the pool: the second is merged. Several readers of the result.
// CHECK-LABEL: @cbr
// CHECK: %[[A:.*]] = tr.arch.cbr {{.*}} ["0.conv", "0.bn"]
// CHECK-NEXT: %[[B:.*]] = tr.arch.cbrp %[[A]] ["1.conv", "1.bn"] {{.*}} eps 2.000000e-05
// CHECK-SAME: momentum 2.000000e-01 act <relu6> window <kernel = [2, 2], stride = [2, 2]> :
// CHECK-NEXT: tr.arch.add2 %[[B]]
// CHECK-NEXT: ^bb0(%{{.*}}):
// CHECK-NEXT: tr.arch.yield %[[B]]
!a = tensor<?x4x4x2xf32>
!b = tensor<?x2x2x2xf32>
tr.arch.network @cbr classes 10 {
^bb0(%x: !a):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : !a -> !a
  %1 = tr.arch.cbr %0 ["1.conv", "1.bn"] <out = 2, kernel = [1, 1]> eps 2.0e-5 momentum 0.2 act <relu6> : !a -> !a
  %2 = tr.arch.maxpool %1 ["2"] <kernel = [2, 2], stride = [2, 2]> : !a -> !b
  %3 = tr.arch.add2 %2 ["3"] : !b -> !b shortcut {
  ^bb0(%c: !b):
    tr.arch.yield %2 : !b
  } stem {
  ^bb0(%c: !b):
    tr.arch.yield %c : !b
  }
  tr.arch.yield %3 : !b
}

// -----

// What other passes have noted on a layer stays.
// CHECK-LABEL: @notes
// CHECK: tr.arch.cbrp {{.*}} first {a.note = 4 : i64, b.note = "x"} :
!a = tensor<?x4x4x3xf32>
!b = tensor<?x4x4x2xf32>
tr.arch.network @notes classes 10 {
^bb0(%x: !a):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> first {a.note = 4} : !a -> !b
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 {b.note = "x"} : !b -> !b
  %2 = tr.arch.act %1 ["2"] <relu> : !b -> !b
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [1, 1], stride = [1, 1]> : !b -> !b
  tr.arch.yield %3 : !b
}
