// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-flatten --split-input-file | FileCheck %s
// RUN: tr-opt %s --tr-arch-normalize-flatten --split-input-file -o %t
// RUN: tr-opt %t --tr-arch-normalize-flatten --split-input-file | diff %t -
// RUN: tr-opt %s --tr-arch-normalize-flatten --split-input-file --remarks-filter-analyse=tr-arch-normalize-flatten -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-flattens-inserted=2

// 5.3: each FC layer and the loss decide for themselves.
// CHECK-LABEL: tr.arch.network @insert
// CHECK: tr.arch.flatten {{.*}} ["0.fc.flatten"] : tensor<?x3x5x3xf32> -> tensor<?x1x1x45xf32>
// CHECK-NEXT: tr.arch.fc {{.*}} ["0.fc"] out 8 bias true : tensor<?x1x1x45xf32> -> tensor<?x1x1x8xf32>
// CHECK-NEXT: tr.arch.conv
// CHECK-NEXT: tr.arch.fc {{.*}} ["2.fc"] out 6 bias true : tensor<?x2x3x8xf32> -> tensor<?x1x1x6xf32>
// CHECK-NEXT: tr.arch.conv
// CHECK-NEXT: %[[F:.+]] = tr.arch.flatten {{.*}} ["4.flatten"] : tensor<?x2x3x8xf32> -> tensor<?x1x1x48xf32>
// CHECK-NEXT: tr.arch.softmax_ce %[[F]] ["4"] classes 48 : tensor<?x1x1x48xf32> -> tensor<?x1x1x48xf32>
// CHECK-NEXT: tr.arch.yield {{.*}} : tensor<?x1x1x48xf32>
tr.arch.network @insert classes 48 {
^bb0(%x: tensor<?x3x5x3xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 8 bias true : tensor<?x3x5x3xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.conv %0 ["1.conv"] <out = 8, kernel = [2, 1], pad = [1, 1]> : tensor<?x1x1x8xf32> -> tensor<?x2x3x8xf32>
  %2 = tr.arch.fc %1 ["2.fc"] out 6 bias true : tensor<?x2x3x8xf32> -> tensor<?x1x1x6xf32>
  %3 = tr.arch.conv %2 ["3.conv"] <out = 8, kernel = [2, 1], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x2x3x8xf32>
  %4 = tr.arch.softmax_ce %3 ["4"] classes 48 : tensor<?x2x3x8xf32> -> tensor<?x2x3x8xf32>
  tr.arch.yield %4 : tensor<?x2x3x8xf32>
}

// -----

// STAT-DAG: num-flattens-dropped=2

// A Flatten that the FC layer does not need goes; others read on.
// CHECK-LABEL: tr.arch.network @drop
// CHECK-NEXT: (%[[X:.+]]: tensor
// CHECK-NEXT: %[[FC:.+]] = tr.arch.fc %[[X]] ["1.fc"]
// CHECK-NEXT: tr.arch.softmax_ce %[[FC]]
tr.arch.network @drop classes 4 {
^bb0(%x: tensor<?x7x7x512xf32>):
  %0 = tr.arch.flatten %x ["0"] : tensor<?x7x7x512xf32> -> tensor<?x1x1x25088xf32>
  %1 = tr.arch.fc %0 ["1.fc"] out 4 bias true : tensor<?x1x1x25088xf32> -> tensor<?x1x1x4xf32>
  %2 = tr.arch.flatten %1 ["2"] : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  %3 = tr.arch.softmax_ce %2 ["3"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %3 : tensor<?x1x1x4xf32>
}

// -----

// CHECK-LABEL: tr.arch.network @one_of_two_readers
// CHECK: %[[C:.+]] = tr.arch.conv
// CHECK-NEXT: %[[F:.+]] = tr.arch.flatten %[[C]] ["0"]
// CHECK-NEXT: tr.arch.fc %[[C]] ["1.fc"] {{.*}} : tensor<?x2x2x8xf32>
// CHECK-NEXT: tr.arch.act %[[F]]
tr.arch.network @one_of_two_readers classes 32 {
^bb0(%x: tensor<?x2x2x3xf32>):
  %c = tr.arch.conv %x ["c.conv"] <out = 8, kernel = [1, 1]> : tensor<?x2x2x3xf32> -> tensor<?x2x2x8xf32>
  %0 = tr.arch.flatten %c ["0"] : tensor<?x2x2x8xf32> -> tensor<?x1x1x32xf32>
  %1 = tr.arch.fc %0 ["1.fc"] out 4 bias true : tensor<?x1x1x32xf32> -> tensor<?x1x1x4xf32>
  %2 = tr.arch.act %0 ["2"] <relu> : tensor<?x1x1x32xf32> -> tensor<?x1x1x32xf32>
  tr.arch.yield %2 : tensor<?x1x1x32xf32>
}
