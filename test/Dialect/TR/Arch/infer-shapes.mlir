// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-infer-shapes --split-input-file | FileCheck %s
// RUN: tr-opt %s --tr-arch-infer-shapes --split-input-file -o %t
// RUN: tr-opt %t --tr-arch-infer-shapes --split-input-file | diff %t -
// RUN: tr-opt %s --tr-arch-infer-shapes --split-input-file --remarks-filter-analyse=tr-arch-infer-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-layers-shaped=14

// Each primitive layer, odd and rectangular.
// CHECK-LABEL: tr.arch.network @primitives
// CHECK: ["0.conv"] {{.*}} -> tensor<?x7x6x6xf32>
// CHECK: ["1.bn"] {{.*}} -> tensor<?x7x6x6xf32>
// CHECK: ["2"] {{.*}} -> tensor<?x7x6x6xf32>
// CHECK: ["3"] {{.*}} -> tensor<?x4x2x6xf32>
// CHECK: ["4"] {{.*}} -> tensor<?x3x1x6xf32>
// CHECK: ["5"] {{.*}} -> tensor<?x3x1x8xf32>
// CHECK: ["6"] {{.*}} -> tensor<?x3x1x8xf32>
// CHECK: ["7"] {{.*}} -> tensor<?x1x1x24xf32>
// CHECK: ["8.bn"] {{.*}} -> tensor<?x1x1x24xf32>
// CHECK: ["9.fc"] {{.*}} -> tensor<?x1x1x7xf32>
// CHECK: ["10"] {{.*}} -> tensor<?x1x1x7xf32>
// CHECK: ["11"] {{.*}} -> tensor<?x1x1x7xf32>
// CHECK: ["12.bn"] {{.*}} -> tensor<?x1x1x7xf32>
// CHECK: ["13"] {{.*}} -> tensor<?x1x1x7xf32>
// CHECK: tr.arch.yield {{.*}} : tensor<?x1x1x7xf32>
tr.arch.network @primitives classes 7 {
^bb0(%x: tensor<?x13x7x4xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 6, kernel = [3, 2], stride = [2, 1], pad = [1, 0], groups = 2> : tensor<?x13x7x4xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.act %1 ["2"] <elu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [3, 3], stride = [2, 3], pad = [1, 0]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.avgpool %3 ["4"] <kernel = [2, 2], stride = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.channel_padding %4 ["5"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.identity %5 ["6"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.flatten %6 ["7"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.bn1d %7 ["8.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %9 = tr.arch.fc %8 ["9.fc"] out 7 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %10 = tr.arch.dropout %9 ["10"] 0.5 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %11 = tr.arch.gap %10 ["11"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %12 = tr.arch.bn %11 ["12.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %13 = tr.arch.softmax_ce %12 ["13"] classes 7 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %13 : tensor<?x?x?x?xf32>
}

// -----

// STAT-DAG: num-layers-shaped=9

// CHECK-LABEL: tr.arch.network @fused
// CHECK: ["0.conv", "0.bn"] {{.*}} -> tensor<?x15x9x8xf32>
// CHECK: ["1.conv", "1.bn"] {{.*}} -> tensor<?x7x4x8xf32>
// CHECK: ["2.conv1",{{.*}}] {{.*}} -> tensor<?x7x4x8xf32>
// CHECK: ["3.conv1",{{.*}}] {{.*}} -> tensor<?x4x2x16xf32>
// CHECK: ["4.conv1",{{.*}}] {{.*}} -> tensor<?x4x2x16xf32>
// CHECK: ["5.conv1",{{.*}}] {{.*}} -> tensor<?x2x1x24xf32>
// CHECK: ["6.dw.conv",{{.*}}] {{.*}} -> tensor<?x1x1x5xf32>
// CHECK: ["7.expand.conv",{{.*}}] {{.*}} -> tensor<?x1x1x5xf32>
// CHECK: ["8.fc"] {{.*}} -> tensor<?x1x1x3xf32>
tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x15x9x3xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x15x9x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.cbrp %0 ["1.conv", "1.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [2, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.block %1 ["2.conv1", "2.bn1", "2.conv2", "2.bn2", "2.conv3", "2.bn3"] <bottleneck, inner = 4, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.block %2 ["3.conv1", "3.bn1", "3.conv2", "3.bn2", "3.conv3", "3.bn3", "3.proj.conv", "3.proj.bn"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.block %3 ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 16, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.block %4 ["5.conv1", "5.bn1", "5.conv2", "5.bn2", "5.proj.conv", "5.proj.bn"] <basic_block, out = 24, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.block %5 ["6.dw.conv", "6.dw.bn", "6.project.conv", "6.project.bn"] <inv_residual, out = 5, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.block %6 ["7.expand.conv", "7.expand.bn", "7.dw.conv", "7.dw.bn", "7.project.conv", "7.project.bn"] <inv_residual, inner = 30, out = 5, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.gap_fc %7 ["8.fc"] out 3 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %8 : tensor<?x?x?x?xf32>
}

// -----

// Both branches start from the input: the stride of the shortcut does not count twice.
// 5.1 with a shortcut that fits, nested.
// CHECK-LABEL: tr.arch.network @branches
// CHECK: tr.arch.add2 {{.*}} : tensor<?x15x15x8xf32> -> tensor<?x5x5x6xf32>
// CHECK-NEXT: ^bb0({{.*}}: tensor<?x15x15x8xf32>)
// CHECK: tr.arch.conv {{.*}} : tensor<?x5x5x8xf32> -> tensor<?x5x5x6xf32>
// CHECK: ^bb0({{.*}}: tensor<?x15x15x8xf32>)
// CHECK: tr.arch.conv {{.*}} : tensor<?x15x15x8xf32> -> tensor<?x5x5x6xf32>
// CHECK: tr.arch.add2 {{.*}} : tensor<?x5x5x6xf32> -> tensor<?x5x5x6xf32>
// CHECK-COUNT-2: ^bb0({{.*}}: tensor<?x5x5x6xf32>)
// CHECK: tr.arch.yield {{.*}} : tensor<?x5x5x6xf32>
tr.arch.network @branches classes 150 {
^bb0(%x: tensor<?x15x15x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x15x15x8xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %2 = tr.arch.avgpool %a ["1.0.0"] <kernel = [3, 3], stride = [3, 3]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %3 = tr.arch.conv %2 ["1.0.1.conv"] <out = 6, kernel = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %2 = tr.arch.conv %a ["1.1.0.conv"] <out = 6, kernel = [3, 3], stride = [3, 3], pad = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %3 = tr.arch.add2 %2 ["1.1.1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      tr.arch.yield %b : tensor<?x?x?x?xf32>
    } stem {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      %4 = tr.arch.act %b ["1.1.1.1"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %4 : tensor<?x?x?x?xf32>
    }
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// 4.1 and 4.3: each axis has its own pad and dilation. 3.5: one rule for both pools.
// CHECK-LABEL: tr.arch.network @pad
// CHECK: -> tensor<?x4x2x1xf32>
tr.arch.network @pad classes 8 {
^bb0(%x: tensor<?x7x5x1xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 1, kernel = [3, 3], stride = [2, 2], pad = [1, 0]> : tensor<?x7x5x1xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
// CHECK-LABEL: tr.arch.network @dilation
// CHECK: -> tensor<?x8x2x1xf32>
tr.arch.network @dilation classes 16 {
^bb0(%x: tensor<?x10x10x1xf32>):
  %0 = tr.arch.conv %x ["1.conv"] <out = 1, kernel = [3, 3], dilation = [1, 4]> : tensor<?x10x10x1xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
// CHECK-LABEL: tr.arch.network @pools
// CHECK: tr.arch.avgpool {{.*}} -> tensor<?x9x9x3xf32>
// CHECK: tr.arch.maxpool {{.*}} -> tensor<?x9x9x3xf32>
tr.arch.network @pools classes 8 {
^bb0(%x: tensor<?x17x17x3xf32>):
  %0 = tr.arch.avgpool %x ["2"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1]> : tensor<?x17x17x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.maxpool %x ["3"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1]> : tensor<?x17x17x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// Extents of a pool that rounds up: a window that holds some pixels counts, one that would start
// behind the last does not. Where windows fit, nothing changes.
// CHECK-LABEL: tr.arch.network @ceil
// CHECK: ["fits"] {{.*}} -> tensor<?x4x3x3xf32>
// CHECK: ["half"] {{.*}} -> tensor<?x5x4x3xf32>
// CHECK: ["down"] {{.*}} -> tensor<?x4x3x3xf32>
// CHECK: ["pads"] {{.*}} -> tensor<?x5x4x3xf32>
// CHECK: ["outside"] {{.*}} -> tensor<?x3x3x3xf32>
// CHECK: ["one"] {{.*}} -> tensor<?x1x1x3xf32>
tr.arch.network @ceil classes 8 {
^bb0(%x: tensor<?x9x7x3xf32>):
  // (9 - 3) / 2 and (7 - 3) / 2.
  %0 = tr.arch.maxpool %x ["fits"] <kernel = [3, 3], stride = [2, 2], ceil = true> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  // (9 - 2) / 2 and (7 - 2) / 2, up and down.
  %1 = tr.arch.maxpool %x ["half"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.avgpool %x ["down"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  // A last window that starts in the pad on the far side holds nothing.
  %3 = tr.arch.avgpool %x ["pads"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], ceil = true> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  // (9 - 1) / 3 = 2.7 up to 3, but the window at 9 starts behind the last row; (7 - 1) / 3 fits.
  %4 = tr.arch.avgpool %x ["outside"] <kernel = [1, 1], stride = [3, 3], ceil = true> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.maxpool %x ["one"] <kernel = [9, 7], stride = [4, 4], ceil = true> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %5 : tensor<?x?x?x?xf32>
}

// -----

// A concat has the channels of all branches; a gate holds for a whole map, on either side.
// CHECK-LABEL: tr.arch.network @joins
// CHECK: tr.arch.concat {{.*}} -> tensor<?x9x7x8xf32>
// CHECK: tr.arch.mul2 {{.*}} -> tensor<?x9x7x8xf32>
// CHECK: tr.arch.mul2 {{.*}} -> tensor<?x9x7x8xf32>
// CHECK: tr.arch.mul2 {{.*}} -> tensor<?x1x1x8xf32>
tr.arch.network @joins classes 8 {
^bb0(%x: tensor<?x9x7x3xf32>):
  %0 = tr.arch.concat %x ["0"] : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32> {
  ^bb0(%a: tensor<?x9x7x3xf32>):
    tr.arch.yield %a : tensor<?x9x7x3xf32>
  }, {
  ^bb0(%a: tensor<?x9x7x3xf32>):
    %1 = tr.arch.conv %a ["0.1.conv"] <out = 5, kernel = [1, 1]> : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  }
  %2 = tr.arch.mul2 %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %3 = tr.arch.gap %a ["1.0"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  } b {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  }
  %4 = tr.arch.mul2 %2 ["2"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  } b {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  }
  %5 = tr.arch.gap %4 ["3"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.mul2 %5 ["4"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  } b {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %6 : tensor<?x?x?x?xf32>
}
