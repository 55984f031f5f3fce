// SPDX-License-Identifier: Apache-2.0
//
// Inverted residuals with and without a shortcut.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks | FileCheck %s

// A ReLU after it stays: an inverted residual has none.
// CHECK-LABEL: @inv_residual_identity
// CHECK: %[[A:.*]] = tr.arch.block %{{.*}} ["c1", "b2", "c4", "b5", "c7", "b8"] <inv_residual, inner = 24, out = 4, shortcut = identity, act = relu6>
// CHECK-NEXT: %[[B:.*]] = tr.arch.act %[[A]] ["a9"] <relu>
// CHECK-NEXT: %[[C:.*]] = tr.arch.block %[[B]] ["c11", "b11", "c12", "b12", "c13", "b14"] <inv_residual, inner = 8, out = 4, shortcut = identity, act = relu6>
// CHECK-NEXT: tr.arch.yield %[[C]]
tr.arch.network @inv_residual_identity classes 10 {
^bb0(%x: tensor<?x5x3x4xf32>):
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x5x3x4xf32> -> tensor<?x5x3x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x24xf32> -> tensor<?x5x3x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x5x3x24xf32> -> tensor<?x5x3x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x5x3x24xf32> -> tensor<?x5x3x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x24xf32> -> tensor<?x5x3x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x5x3x24xf32> -> tensor<?x5x3x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x5x3x24xf32> -> tensor<?x5x3x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    tr.arch.yield %7 : tensor<?x5x3x4xf32>
  }
  %9 = tr.arch.act %8 ["a9"] <relu> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
  %14 = tr.arch.add2 %9 ["r10"] : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    %10 = tr.arch.cbr %a2 ["c11", "b11"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x3x4xf32> -> tensor<?x5x3x8xf32>
    %11 = tr.arch.cbr %10 ["c12", "b12"] <out = 8, kernel = [3, 3], pad = [1, 1], groups = 8> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x3x8xf32> -> tensor<?x5x3x8xf32>
    %12 = tr.arch.conv %11 ["c13"] <out = 4, kernel = [1, 1]> : tensor<?x5x3x8xf32> -> tensor<?x5x3x4xf32>
    %13 = tr.arch.bn2d %12 ["b14"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    tr.arch.yield %13 : tensor<?x5x3x4xf32>
  }
  tr.arch.yield %14 : tensor<?x5x3x4xf32>
}

// -----

// CHECK-LABEL: @inv_residual_identity_unexpanded
// CHECK: tr.arch.block %{{.*}} ["c1", "b2", "c4", "b5"] <inv_residual, out = 4, shortcut = identity, act = relu6>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @inv_residual_identity_unexpanded classes 10 {
^bb0(%x: tensor<?x5x3x4xf32>):
  %5 = tr.arch.add2 %x ["r0"] : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 4, kernel = [3, 3], pad = [1, 1], groups = 4> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 4, kernel = [1, 1]> : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x4xf32> -> tensor<?x5x3x4xf32>
    tr.arch.yield %4 : tensor<?x5x3x4xf32>
  }
  tr.arch.yield %5 : tensor<?x5x3x4xf32>
}

// -----

// One channel is depthwise and dense at once; ReLU6 tells the blocks apart.
// CHECK-LABEL: @inv_residual_one_channel
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b3"] <inv_residual, out = 1, shortcut = identity, act = relu6>
// CHECK: tr.arch.block %{{.*}} ["c5", "b6", "c8", "b9"] <basic_block, out = 1, shortcut = identity, act = relu>
// CHECK: tr.arch.block %{{.*}} ["c11", "b11", "c12", "b13"] <inv_residual, out = 2, shortcut = no_shortcut, act = relu6>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @inv_residual_one_channel classes 10 {
^bb0(%x: tensor<?x5x3x1xf32>):
  %3 = tr.arch.add2 %x ["r0"] : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x1xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x1xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x1xf32>):
    %0 = tr.arch.cbr %a2 ["c1", "b1"] <out = 1, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %1 = tr.arch.conv %0 ["c2"] <out = 1, kernel = [1, 1]> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %2 = tr.arch.bn2d %1 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    tr.arch.yield %2 : tensor<?x5x3x1xf32>
  }
  %9 = tr.arch.add2 %3 ["r4"] : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32> shortcut {
  ^bb0(%a2: tensor<?x5x3x1xf32>):
    tr.arch.yield %a2 : tensor<?x5x3x1xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x3x1xf32>):
    %4 = tr.arch.conv %a2 ["c5"] <out = 1, kernel = [3, 3], pad = [1, 1]> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %6 = tr.arch.act %5 ["a7"] <relu> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %7 = tr.arch.conv %6 ["c8"] <out = 1, kernel = [3, 3], pad = [1, 1]> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    %8 = tr.arch.bn2d %7 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
    tr.arch.yield %8 : tensor<?x5x3x1xf32>
  }
  %10 = tr.arch.act %9 ["a10"] <relu> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
  %11 = tr.arch.cbr %10 ["c11", "b11"] <out = 1, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x3x1xf32> -> tensor<?x5x3x1xf32>
  %12 = tr.arch.conv %11 ["c12"] <out = 2, kernel = [1, 1]> : tensor<?x5x3x1xf32> -> tensor<?x5x3x2xf32>
  %13 = tr.arch.bn2d %12 ["b13"] eps 1.0e-5 momentum 0.1 : tensor<?x5x3x2xf32> -> tensor<?x5x3x2xf32>
  tr.arch.yield %13 : tensor<?x5x3x2xf32>
}

// -----

// Chains: the 3x3 before an unexpanded one is no expansion, the 1x1 after the last is no
// part of it. Stride 1 with equal channels is a chain too where there is no add.
// CHECK-LABEL: @inv_residual_no_shortcut
// CHECK: %[[A:.*]] = tr.arch.cbr %{{.*}} ["c0", "b0"]
// CHECK-NEXT: %[[B:.*]] = tr.arch.block %[[A]] ["c1", "b2", "c4", "b5"] <inv_residual, out = 8, shortcut = no_shortcut, act = relu6>
// CHECK-NEXT: %[[C:.*]] = tr.arch.block %[[B]] ["c6", "b7", "c9", "b10", "c12", "b13"] <inv_residual, inner = 24, out = 6, stride = 2, shortcut = no_shortcut, act = relu6>
// CHECK-SAME: eps 1.000000e-03 momentum 1.000000e-01 : tensor<?x9x7x8xf32> -> tensor<?x5x4x6xf32>
// CHECK-NEXT: %[[D:.*]] = tr.arch.block %[[C]] ["c14", "b14", "c15", "b15", "c16", "b17"] <inv_residual, inner = 36, out = 6, shortcut = no_shortcut, act = relu6>
// CHECK-NEXT: tr.arch.cbr %[[D]] ["c18", "b18"]
// CHECK-NEXT: tr.arch.yield
tr.arch.network @inv_residual_no_shortcut classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.cbr %x ["c0", "b0"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %1 = tr.arch.conv %0 ["c1"] <out = 4, kernel = [3, 3], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %2 = tr.arch.bn2d %1 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %3 = tr.arch.act %2 ["a3"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %4 = tr.arch.conv %3 ["c4"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
  %5 = tr.arch.bn2d %4 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %6 = tr.arch.conv %5 ["c6"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x24xf32>
  %7 = tr.arch.bn2d %6 ["b7"] eps 1.0e-3 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
  %8 = tr.arch.act %7 ["a8"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
  %9 = tr.arch.conv %8 ["c9"] <out = 24, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x5x4x24xf32>
  %10 = tr.arch.bn2d %9 ["b10"] eps 1.0e-3 momentum 0.1 : tensor<?x5x4x24xf32> -> tensor<?x5x4x24xf32>
  %11 = tr.arch.act %10 ["a11"] <relu6> : tensor<?x5x4x24xf32> -> tensor<?x5x4x24xf32>
  %12 = tr.arch.conv %11 ["c12"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x24xf32> -> tensor<?x5x4x6xf32>
  %13 = tr.arch.bn2d %12 ["b13"] eps 1.0e-3 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  %14 = tr.arch.cbr %13 ["c14", "b14"] <out = 36, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x4x6xf32> -> tensor<?x5x4x36xf32>
  %15 = tr.arch.cbr %14 ["c15", "b15"] <out = 36, kernel = [3, 3], pad = [1, 1], groups = 36> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x4x36xf32> -> tensor<?x5x4x36xf32>
  %16 = tr.arch.conv %15 ["c16"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x36xf32> -> tensor<?x5x4x6xf32>
  %17 = tr.arch.bn2d %16 ["b17"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  %18 = tr.arch.cbr %17 ["c18", "b18"] <out = 16, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x4x6xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %18 : tensor<?x5x4x16xf32>
}

// -----

// Blocks inside the branches of an add that is none.
// CHECK-LABEL: @nested
// CHECK: tr.arch.add2
// CHECK: %[[A:.*]] = tr.arch.block %{{.*}} <bottleneck, {{.*}}shortcut = identity, act = relu>
// CHECK-NEXT: tr.arch.yield %[[A]]
// CHECK: %[[B:.*]] = tr.arch.block %{{.*}} <inv_residual, inner = 16, out = 12, shortcut = no_shortcut, act = relu6>
// CHECK-NEXT: %[[C:.*]] = tr.arch.conv %[[B]]
// CHECK-NEXT: tr.arch.yield %[[C]]
tr.arch.network @nested classes 10 {
^bb0(%x: tensor<?x6x6x8xf32>):
  %11 = tr.arch.add2 %x ["r0"] : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32> shortcut {
  ^bb0(%a2: tensor<?x6x6x8xf32>):
    %4 = tr.arch.add2 %a2 ["r1"] : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32> shortcut {
    ^bb0(%a3: tensor<?x6x6x8xf32>):
      tr.arch.yield %a3 : tensor<?x6x6x8xf32>
    } stem {
    ^bb0(%a3: tensor<?x6x6x8xf32>):
      %0 = tr.arch.cbr %a3 ["c2", "b2"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x6x6x8xf32> -> tensor<?x6x6x2xf32>
      %1 = tr.arch.cbr %0 ["c3", "b3"] <out = 2, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x6x6x2xf32> -> tensor<?x6x6x2xf32>
      %2 = tr.arch.conv %1 ["c4"] <out = 8, kernel = [1, 1]> : tensor<?x6x6x2xf32> -> tensor<?x6x6x8xf32>
      %3 = tr.arch.bn2d %2 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32>
      tr.arch.yield %3 : tensor<?x6x6x8xf32>
    }
    %5 = tr.arch.act %4 ["a6"] <relu> : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32>
    tr.arch.yield %5 : tensor<?x6x6x8xf32>
  } stem {
  ^bb0(%a2: tensor<?x6x6x8xf32>):
    %6 = tr.arch.cbr %a2 ["c7", "b7"] <out = 16, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x6x6x8xf32> -> tensor<?x6x6x16xf32>
    %7 = tr.arch.cbr %6 ["c8", "b8"] <out = 16, kernel = [3, 3], pad = [1, 1], groups = 16> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x6x6x16xf32> -> tensor<?x6x6x16xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 12, kernel = [1, 1]> : tensor<?x6x6x16xf32> -> tensor<?x6x6x12xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x6x6x12xf32> -> tensor<?x6x6x12xf32>
    %10 = tr.arch.conv %9 ["c11"] <out = 8, kernel = [1, 1]> : tensor<?x6x6x12xf32> -> tensor<?x6x6x8xf32>
    tr.arch.yield %10 : tensor<?x6x6x8xf32>
  }
  tr.arch.yield %11 : tensor<?x6x6x8xf32>
}
