// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --tr-attach-options=fuse=false --tr-arch-merge-gap-fc | FileCheck %s --check-prefix=PLAIN
// RUN: tr-opt %s --split-input-file --tr-arch-merge-gap-fc | FileCheck %s
// Without fusion nothing happens.
// PLAIN: tr.arch.network
// PLAIN-NOT: tr.arch.gap_fc %

// CHECK-LABEL: @head
// CHECK: %[[X:.*]]: tensor<?x9x7x8xf32>
// CHECK-NEXT: %[[A:.*]] = tr.arch.act
// CHECK-NEXT: %[[Y:.*]] = tr.arch.gap_fc %[[A]] ["2.fc"] out 10 bias false : tensor<?x9x7x8xf32> -> tensor<?x1x1x10xf32>
// CHECK-NEXT: tr.arch.softmax_ce %[[Y]]
tr.arch.network @head classes 10 {
^bb0(%x: tensor<?x9x7x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %1 = tr.arch.gap %0 ["1"] : tensor<?x9x7x8xf32> -> tensor<?x1x1x8xf32>
  %2 = tr.arch.fc %1 ["2.fc"] out 10 bias false : tensor<?x1x1x8xf32> -> tensor<?x1x1x10xf32>
  %3 = tr.arch.softmax_ce %2 ["loss"] classes 10 : tensor<?x1x1x10xf32> -> tensor<?x1x1x10xf32>
  tr.arch.yield %3 : tensor<?x1x1x10xf32>
}

// -----

// A squeeze in a branch, and the one after it; the mark of the first layer moves.
// CHECK-LABEL: @branch
// CHECK: tr.arch.gap_fc %{{.*}} ["0.fc"] out 3 bias true first
// CHECK: tr.arch.add2
// CHECK: tr.arch.gap_fc %{{.*}} ["2.1.1.fc"] out 3 bias true :
!a = tensor<?x3x1x3xf32>
!f = tensor<?x1x1x3xf32>
tr.arch.network @branch classes 3 {
^bb0(%x: !a):
  %0 = tr.arch.gap %x ["0"] first : !a -> !f
  %1 = tr.arch.fc %0 ["0.fc"] out 3 bias true : !f -> !f
  %2 = tr.arch.add2 %1 ["2"] : !f -> !f shortcut {
  ^bb0(%a: !f):
    tr.arch.yield %a : !f
  } stem {
  ^bb0(%a: !f):
    %3 = tr.arch.gap %a ["2.1.0"] : !f -> !f
    %4 = tr.arch.fc %3 ["2.1.1.fc"] out 3 bias true : !f -> !f
    tr.arch.yield %4 : !f
  }
  tr.arch.yield %2 : !f
}
