// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-identity --split-input-file | FileCheck %s
// RUN: tr-opt %s --tr-arch-normalize-identity --split-input-file --mlir-print-local-scope -o %t
// RUN: tr-opt %t --tr-arch-normalize-identity --split-input-file --mlir-print-local-scope | diff %t -
// RUN: tr-opt %s --tr-arch-normalize-identity --split-input-file --remarks-filter-analyse=tr-arch-normalize-identity -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-identities-dropped=4
// STAT-DAG: num-identities-inserted=1

// Identities go, an empty shortcut gets one, also in an add2 inside a branch; one
// that is the whole shortcut already stays.
// CHECK-LABEL: tr.arch.network @nested
// CHECK-NEXT: (%[[X:.+]]: tensor
// CHECK-NEXT: %[[C:.+]] = tr.arch.conv %[[X]]
// CHECK-NEXT: tr.arch.add2 %[[C]] ["2"]
// CHECK-NEXT: (%[[A:.+]]: tensor
// CHECK-NEXT: %[[I:.+]] = tr.arch.identity %[[A]] ["2.0.1"]
// CHECK-NEXT: tr.arch.yield %[[I]]
// CHECK: (%[[B:.+]]: tensor
// CHECK-NEXT: tr.arch.add2 %[[B]] ["2.1"]
// CHECK-NEXT: (%[[D:.+]]: tensor
// CHECK-NEXT: %[[J:.+]] = tr.arch.identity %[[D]] ["2.1.0"]
// CHECK-NEXT: tr.arch.yield %[[J]]
tr.arch.network @nested classes 8 {
^bb0(%x: tensor<?x4x4x8xf32>):
  %i = tr.arch.identity %x ["0"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %0 = tr.arch.conv %i ["1.conv"] <out = 8, kernel = [1, 1]> : tensor<?x4x4x8xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.add2 %0 ["2"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %2 = tr.arch.identity %a ["2.0.0"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %3 = tr.arch.identity %2 ["2.0.1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %4 = tr.arch.add2 %a ["2.1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      tr.arch.yield %b : tensor<?x?x?x?xf32>
    } stem {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      %5 = tr.arch.act %b ["2.1.1.0"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      %6 = tr.arch.identity %5 ["2.1.1.1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %6 : tensor<?x?x?x?xf32>
    }
    tr.arch.yield %4 : tensor<?x?x?x?xf32>
  }
  %7 = tr.arch.identity %1 ["3"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %7 : tensor<?x?x?x?xf32>
}

// -----

// 17.1: a user's layer is called like the identity that is put before the add2.
// CHECK-LABEL: tr.arch.network @first_add2
// CHECK-NEXT: (%[[X:.+]]: tensor
// CHECK-NEXT: %[[I:.+]] = tr.arch.identity %[[X]] ["input_2"]
// CHECK-NEXT: tr.arch.add2 %[[I]] ["0"]
tr.arch.network @first_add2 classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %1 = tr.arch.act %a ["0.0"] <tanh> : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %2 = tr.arch.act %a ["input"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// A branch that reads the images from above is a second reader.
// CHECK-LABEL: tr.arch.network @several_readers
// CHECK-NEXT: (%[[X:.+]]: tensor
// CHECK-NEXT: %[[I:.+]] = tr.arch.identity %[[X]] ["input"]
// CHECK-NEXT: tr.arch.act %[[I]]
// CHECK-NOT: %[[X]]
// CHECK: tr.arch.act %[[I]] ["1.0"]
// CHECK-NOT: %[[X]]
tr.arch.network @several_readers classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %2 = tr.arch.act %x ["1.0"] <tanh> : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %3 = tr.arch.act %a ["1.1"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// A network of nothing but the loss: the images get a layer.
// CHECK-LABEL: tr.arch.network @loss_only
// CHECK: %[[I:.+]] = tr.arch.identity {{.*}} ["0"]
// CHECK-NEXT: tr.arch.softmax_ce %[[I]]
tr.arch.network @loss_only classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.softmax_ce %0 ["1"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %1 : tensor<?x1x1x8xf32>
}

// x + x: the identities are the branches, of several the last one is left.
// CHECK-LABEL: @sum_of_identities
// CHECK: tr.arch.add2 %{{.*}} ["0"] {{.*}} shortcut {
// CHECK: tr.arch.identity %{{.*}} ["0.0"]
// CHECK: stem {
// CHECK-NOT: "0.1.0"
// CHECK: tr.arch.identity %{{.*}} ["0.1.1"]
tr.arch.network @sum_of_identities classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    tr.arch.yield %a : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %1 = tr.arch.identity %a ["0.1.0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    %2 = tr.arch.identity %1 ["0.1.1"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %2 : tensor<?x1x1x8xf32>
  }
  tr.arch.yield %0 : tensor<?x1x1x8xf32>
}
