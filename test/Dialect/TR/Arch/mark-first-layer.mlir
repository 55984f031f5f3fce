// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-mark-first-layer | FileCheck %s
// RUN: tr-opt %s --tr-arch-mark-first-layer --remarks-filter-analyse=tr-arch-mark-first-layer -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-layers-marked=1

// The mark is moved to the reader of the images.
// CHECK-LABEL: tr.arch.network @moved
// CHECK: ["0"] <relu> first :
// CHECK: ["1"] <relu> :
tr.arch.network @moved classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.act %0 ["1"] <relu> first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %1 : tensor<?x1x1x8xf32>
}

// An identity that stands before a merged block is not needed.
// CHECK-LABEL: tr.arch.network @merged
// CHECK-NOT: tr.arch.identity
// CHECK: tr.arch.block {{.*}} <basic_block, out = 8, shortcut = identity, act = relu> {{.*}} first
tr.arch.network @merged classes 8 {
^bb0(%x: tensor<?x4x4x8xf32>):
  %0 = tr.arch.identity %x ["input"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %1 = tr.arch.block %0 ["0.conv1", "0.bn1", "0.conv2", "0.bn2"] <basic_block, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  tr.arch.yield %1 : tensor<?x4x4x8xf32>
}

// CHECK-LABEL: tr.arch.network @before_add2
// CHECK: tr.arch.identity {{.*}} ["input"] first
tr.arch.network @before_add2 classes 8 {
^bb0(%x: tensor<?x4x4x8xf32>):
  %0 = tr.arch.identity %x ["input"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %1 = tr.arch.add2 %0 ["0"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x4x4x8xf32>):
    tr.arch.yield %a : tensor<?x4x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x4x4x8xf32>):
    %2 = tr.arch.act %a ["0.1"] <relu> : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
    tr.arch.yield %2 : tensor<?x4x4x8xf32>
  }
  tr.arch.yield %1 : tensor<?x4x4x8xf32>
}
