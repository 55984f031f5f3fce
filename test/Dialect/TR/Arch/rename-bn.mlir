// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-rename-bn | FileCheck %s
// RUN: tr-opt %s --tr-arch-rename-bn --remarks-filter=tr-arch-rename-bn -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tr-opt %s --tr-arch-rename-bn --remarks-filter-analyse=tr-arch-rename-bn -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-bn1d-renamed=2
// STAT-DAG: num-bn2d-renamed=4

// A chain of every shape-preserving layer hides the FC layer from nothing.
// CHECK-LABEL: tr.arch.network @after_fc
// CHECK: tr.arch.bn2d {{.*}} ["0.bn"] eps 1.000000e-05 momentum 1.000000e-01
// CHECK: tr.arch.bn1d {{.*}} ["2.bn"] eps 1.000000e-03 momentum 5.000000e-01
// CHECK: tr.arch.bn1d {{.*}} ["8.bn"]
// REMARK-DAG: 0.bn is bn2d: its input comes from the images
// REMARK-DAG: 2.bn is bn1d: its input comes from fc
// REMARK-DAG: 8.bn is bn1d: its input comes from bn1d
tr.arch.network @after_fc classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.bn %x ["0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.fc %0 ["1.fc"] out 5 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.bn %1 ["2.bn"] eps 1.0e-3 momentum 0.5 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.act %2 ["3"] <hardswish> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.dropout %3 ["4"] 0.5 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.identity %4 ["5"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.channel_padding %5 ["6"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.softmax_ce %6 ["7"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.bn %7 ["8.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %8 : tensor<?x?x?x?xf32>
}

// A branch starts from the add2's input; a sum has the kind of its stem.
// CHECK-LABEL: tr.arch.network @through_add2
// CHECK: tr.arch.bn2d {{.*}} ["0.bn"]
// CHECK: tr.arch.bn2d {{.*}} ["1.0.0.bn"]
// CHECK: tr.arch.bn2d {{.*}} ["1.1.1.bn"]
// CHECK: tr.arch.bn2d {{.*}} ["2.bn"]
// REMARK-DAG: 1.0.0.bn is bn2d: its input comes from bn2d
// REMARK-DAG: 1.1.1.bn is bn2d: its input comes from conv
tr.arch.network @through_add2 classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %p = tr.arch.maxpool %x ["p"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  %0 = tr.arch.bn %p ["0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %2 = tr.arch.bn %a ["1.0.0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %3 = tr.arch.conv %a ["1.1.0.conv"] <out = 3, kernel = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %4 = tr.arch.bn %3 ["1.1.1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %4 : tensor<?x?x?x?xf32>
  }
  %5 = tr.arch.bn %1 ["2.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %5 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: tr.arch.network @features_as_images
// CHECK: tr.arch.bn1d
// CHECK: tr.arch.bn1d {{.*}} ["2.bn"]
tr.arch.network @features_as_images classes 100 {
^bb0(%x: tensor<?x1x1x100xf32>):
  %0 = tr.arch.bn %x ["0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x100xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.gap %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.bn %1 ["2.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %2 : tensor<?x?x?x?xf32>
}
