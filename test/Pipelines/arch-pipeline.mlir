// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-attach-options=fuse=false --tr-arch-pipeline | FileCheck %s
// RUN: tr-opt %s --tr-attach-options=fuse=false --tr-arch-pipeline | tr-opt --tr-arch-pipeline | FileCheck %s

// The order of the steps is pinned.
// RUN: tr-opt %s --tr-arch-pipeline --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: builtin.module(
// ORDER-NEXT: tr-arch-expand-tree,
// ORDER-NEXT: tr.arch.network(
// ORDER-NEXT: tr-arch-rename-bn,
// ORDER-NEXT: tr-arch-normalize-softmax-ce,
// ORDER-NEXT: tr-arch-normalize-identity,
// ORDER-NEXT: tr-arch-infer-shapes,
// ORDER-NEXT: tr-arch-normalize-flatten,
// ORDER-NEXT: tr-arch-merge-blocks,
// ORDER-NEXT: tr-arch-merge-cbrp,
// ORDER-NEXT: tr-arch-merge-cbr,
// ORDER-NEXT: tr-arch-merge-gap-fc,
// ORDER-NEXT: tr-arch-check-kernels,
// ORDER-NEXT: tr-arch-mark-first-layer,
// ORDER-NEXT: tr-verify-arch

// LeNet: the last map has 50 channels, so a Flatten is put before the first FC layer.
// CHECK-LABEL: tr.arch.network @lenet
// CHECK-NEXT: ^bb0(%[[X:.+]]: tensor<?x28x28x1xf32>)
// CHECK-NEXT: tr.arch.conv %[[X]] ["0.conv"] {{.*}} first : tensor<?x28x28x1xf32> -> tensor<?x24x24x20xf32>
// CHECK-NEXT: tr.arch.maxpool {{.*}} -> tensor<?x12x12x20xf32>
// CHECK-NEXT: tr.arch.conv {{.*}} -> tensor<?x8x8x50xf32>
// CHECK-NEXT: tr.arch.maxpool {{.*}} -> tensor<?x4x4x50xf32>
// CHECK-NEXT: tr.arch.flatten {{.*}} -> tensor<?x1x1x800xf32>
// CHECK-NEXT: tr.arch.fc {{.*}} -> tensor<?x1x1x500xf32>
// CHECK-NEXT: tr.arch.bn1d {{.*}} -> tensor<?x1x1x500xf32>
// CHECK-NEXT: tr.arch.act {{.*}} -> tensor<?x1x1x500xf32>
// CHECK-NEXT: tr.arch.fc {{.*}} -> tensor<?x1x1x10xf32>
// CHECK-NEXT: tr.arch.softmax_ce {{.*}} -> tensor<?x1x1x10xf32>
// CHECK-NEXT: tr.arch.yield {{.*}} : tensor<?x1x1x10xf32>
tr.arch.network @lenet classes 10 {
^bb0(%x: tensor<?x28x28x1xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 20, kernel = [5, 5], bias = true> : tensor<?x28x28x1xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.maxpool %0 ["1"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.conv %1 ["2.conv"] <out = 50, kernel = [5, 5], bias = true> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.fc %3 ["4.fc"] out 500 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.bn %4 ["5.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.act %5 ["6"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.identity %6 ["7"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.fc %7 ["8.fc"] out 10 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %8 : tensor<?x?x?x?xf32>
}
