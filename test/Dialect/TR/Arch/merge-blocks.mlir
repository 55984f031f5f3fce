// SPDX-License-Identifier: Apache-2.0
//
// Residual blocks of ResNets.
// RUN: tr-opt %s --split-input-file --tr-attach-options=fuse=false --tr-arch-merge-blocks | FileCheck %s --check-prefix=PLAIN
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks | FileCheck %s
// Without fusion nothing happens.
// PLAIN: tr.arch.network
// PLAIN-NOT: tr.arch.block %

// From primitives. The stride is on the 3x3; parts come in canonical order; eps and
// momentum are the layers' own.
// CHECK-LABEL: @bottleneck_projection
// CHECK: ^bb0(%[[X:.*]]: tensor<?x9x7x6xf32>):
// CHECK-NEXT: %[[Y:.*]] = tr.arch.block %[[X]] ["c3", "b4", "c6", "b7", "c9", "b10", "c1", "b2"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = projection, act = relu>
// CHECK-SAME: eps 1.000000e-03 momentum 2.000000e-01
// CHECK-SAME: : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
// CHECK-NEXT: tr.arch.yield %[[Y]]
tr.arch.network @bottleneck_projection classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-3 momentum 0.2 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-3 momentum 0.2 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-3 momentum 0.2 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-3 momentum 0.2 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

// From cbr, also the linear ones; equal channels do not make a projection an identity.
// CHECK-LABEL: @bottleneck_projection_cbr
// CHECK: tr.arch.block %{{.*}} ["c2", "b2", "c3", "b3", "c4", "b4", "c1", "b1"] <bottleneck, inner = 4, out = 8, shortcut = projection, act = relu>
// CHECK-SAME: eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.yield
tr.arch.network @bottleneck_projection_cbr classes 10 {
^bb0(%x: tensor<?x9x7x8xf32>):
  %4 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x8xf32>):
    %0 = tr.arch.cbr %a2 ["c1", "b1"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    tr.arch.yield %0 : tensor<?x9x7x8xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x8xf32>):
    %1 = tr.arch.cbr %a2 ["c2", "b2"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x4xf32>
    %2 = tr.arch.cbr %1 ["c3", "b3"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.cbr %2 ["c4", "b4"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
    tr.arch.yield %3 : tensor<?x9x7x8xf32>
  }
  %5 = tr.arch.act %4 ["a5"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  tr.arch.yield %5 : tensor<?x9x7x8xf32>
}

// -----

// Two in a row, cbr and primitives mixed, the shortcut empty or an identity.
// CHECK-LABEL: @bottleneck_identity
// CHECK: %[[A:.*]] = tr.arch.block %{{.*}} ["c2", "b2", "c3", "b4", "c6", "b7"] <bottleneck, inner = 4, out = 16, shortcut = identity, act = relu> eps 1.000000e-05
// CHECK-NEXT: %[[B:.*]] = tr.arch.block %[[A]] ["c10", "b11", "c13", "b13", "c14", "b15"] <bottleneck, inner = 4, out = 16, shortcut = identity, act = relu>
// CHECK-NEXT: tr.arch.yield %[[B]]
tr.arch.network @bottleneck_identity classes 10 {
^bb0(%x: tensor<?x5x3x16xf32>):
  %7 = tr.arch.add2 %x ["r0"] : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x16xf32>):
    %0 = tr.arch.identity %a2 ["i1"] : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32>
    tr.arch.yield %0 : tensor<?x5x3x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x16xf32>):
    %1 = tr.arch.cbr %a2 ["c2", "b2"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x3x16xf32> -> tensor<?x5x3x4xf32>
    %2 = tr.arch.conv %1 ["c3"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 16, kernel = [1, 1]> : tensor<?x5x3x4xf32> -> tensor<?x5x3x16xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32>
    tr.arch.yield %6 : tensor<?x5x3x16xf32>
  }
  %8 = tr.arch.act %7 ["a8"] <relu> : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32>
  %15 = tr.arch.add2 %8 ["r9"] : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x16xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x16xf32>):
    %9 = tr.arch.conv %a2 ["c10"] <out = 4, kernel = [1, 1]> : tensor<?x5x3x16xf32> -> tensor<?x5x3x4xf32>
    %10 = tr.arch.bn2d %9 ["b11"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %11 = tr.arch.act %10 ["a12"] <relu> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %12 = tr.arch.cbr %11 ["c13", "b13"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %13 = tr.arch.conv %12 ["c14"] <out = 16, kernel = [1, 1]> : tensor<?x5x3x4xf32> -> tensor<?x5x3x16xf32>
    %14 = tr.arch.bn2d %13 ["b15"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32>
    tr.arch.yield %14 : tensor<?x5x3x16xf32>
  }
  %16 = tr.arch.act %15 ["a16"] <relu> : tensor<?x5x3x16xf32> -> tensor<?x5x3x16xf32>
  tr.arch.yield %16 : tensor<?x5x3x16xf32>
}

// -----

// CHECK-LABEL: @basic_block_projection
// CHECK: tr.arch.block %{{.*}} ["c3", "b4", "c6", "b7", "c1", "b2"] <basic_block, out = 16, stride = 3, shortcut = projection, act = relu>
// CHECK-SAME: eps 1.000000e-05 momentum 1.000000e-01 : tensor<?x9x7x6xf32> -> tensor<?x3x3x16xf32>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @basic_block_projection classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %7 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x3x3x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [3, 3]> : tensor<?x9x7x6xf32> -> tensor<?x3x3x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
    tr.arch.yield %1 : tensor<?x3x3x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 16, kernel = [3, 3], stride = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x3x3x16xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 16, kernel = [3, 3], pad = [1, 1]> : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
    tr.arch.yield %6 : tensor<?x3x3x16xf32>
  }
  %8 = tr.arch.act %7 ["a8"] <relu> : tensor<?x3x3x16xf32> -> tensor<?x3x3x16xf32>
  tr.arch.yield %8 : tensor<?x3x3x16xf32>
}

// -----

// One channel on one pixel. Only the first of two activations belongs to the block.
// CHECK-LABEL: @basic_block_identity
// CHECK: %[[A:.*]] = tr.arch.block %{{.*}} ["c1", "b1", "c2", "b3"] <basic_block, out = 1, shortcut = identity, act = relu>
// CHECK-NEXT: tr.arch.act %[[A]] ["a5"] <relu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @basic_block_identity classes 10 {
^bb0(%x: tensor<?x1x1x1xf32>):
  %3 = tr.arch.add2 %x ["r0"] : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32> shortcut {
  ^bb0(%a2: tensor<?x1x1x1xf32>):
    tr.arch.yield %a2 : tensor<?x1x1x1xf32>
  } stem {
  ^bb0(%a2: tensor<?x1x1x1xf32>):
    %0 = tr.arch.cbr %a2 ["c1", "b1"] <out = 1, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32>
    %1 = tr.arch.conv %0 ["c2"] <out = 1, kernel = [3, 3], pad = [1, 1]> : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32>
    %2 = tr.arch.bn2d %1 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32>
    tr.arch.yield %2 : tensor<?x1x1x1xf32>
  }
  %4 = tr.arch.act %3 ["a4"] <relu> : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32>
  %5 = tr.arch.act %4 ["a5"] <relu> : tensor<?x1x1x1xf32> -> tensor<?x1x1x1xf32>
  tr.arch.yield %5 : tensor<?x1x1x1xf32>
}
