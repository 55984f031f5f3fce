// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-to-linalg=batch=2 | FileCheck %s
// RUN: tr-opt %s --tr-arch-to-linalg=batch=2 | tr-opt --verify-roundtrip > /dev/null

// Parameters are arguments in the order of the layers, the stem of a sum before its shortcut. The
// numbers are compared by test/oracle/linalg_test.py.

// CHECK: #[[GATE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
// CHECK-LABEL: func.func @net(%arg0: tensor<2x6x6x4xf32>,
// CHECK-SAME: %arg1: tensor<8x3x3x4xf32> {tr.param = "0.conv.weight"}, %arg2: tensor<8xf32> {tr.param = "0.conv.bias"},
// CHECK-SAME: %arg3: tensor<8xf32> {tr.param = "1.bn.weight"}, %arg4: tensor<8xf32> {tr.param = "1.bn.bias"},
// CHECK-SAME: %arg5: tensor<8xf32> {tr.param = "1.bn.running_mean"}, %arg6: tensor<8xf32> {tr.param = "1.bn.running_var"},
// CHECK-SAME: %arg7: tensor<8x1x1x4xf32> {tr.param = "3.1.0.conv.weight"},
// CHECK-SAME: %arg8: tensor<3x1x1x8xf32> {tr.param = "7.fc.weight"}) -> tensor<2x1x1x3xf32>
// CHECK: tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.broadcast ins(%arg2
// CHECK: linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
// CHECK: math.sqrt
// CHECK: arith.maximumf
// A grouped convolution.
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: tensor.collapse_shape
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.pooling_nhwc_sum
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: return %{{.*}} : tensor<2x1x1x3xf32>
// CHECK-NOT: tr.arch
!a = tensor<?x3x3x8xf32>
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x6x6x4xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], bias = true> first : tensor<?x6x6x4xf32> -> !a
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
  %2 = tr.arch.act %1 ["2"] <relu> : !a -> !a
  %3 = tr.arch.add2 %2 ["3"] : !a -> !a shortcut {
  ^bb0(%s: !a):
    tr.arch.yield %s : !a
  } stem {
  ^bb0(%s: !a):
    %8 = tr.arch.conv %s ["3.1.0.conv"] <out = 8, kernel = [1, 1], groups = 2> : !a -> !a
    tr.arch.yield %8 : !a
  }
  %4 = tr.arch.maxpool %3 ["4"] <kernel = [3, 3], stride = [1, 1], pad = [1, 1]> : !a -> !a
  %5 = tr.arch.avgpool %4 ["5"] <kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : !a -> tensor<?x2x2x8xf32>
  %6 = tr.arch.gap %5 ["6"] : tensor<?x2x2x8xf32> -> tensor<?x1x1x8xf32>
  %7 = tr.arch.fc %6 ["7.fc"] out 3 bias false : tensor<?x1x1x8xf32> -> tensor<?x1x1x3xf32>
  %9 = tr.arch.softmax_ce %7 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %9 : tensor<?x1x1x3xf32>
}

// Fused layers become what they stand for. Parts of a block that have no parameters have no
// arguments; those of the stem come before those of the shortcut.
// CHECK-LABEL: func.func @fused(%arg0: tensor<2x6x6x4xf32>,
// CHECK-SAME: {tr.param = "0.conv.weight"},
// CHECK-SAME: {tr.param = "0.bn.running_var"},
// CHECK-SAME: %{{.*}}: tensor<6x3x3x8xf32> {tr.param = "1.conv1.weight"},
// CHECK-SAME: {tr.param = "1.bn2.running_var"}, %{{.*}}: tensor<6x1x1x8xf32> {tr.param = "1.proj.conv.weight"},
// CHECK-SAME: {tr.param = "2.fc.bias"}) -> tensor<2x1x1x3xf32>
// A fused maximum.
// CHECK: linalg.pooling_nhwc_max
// The shortcut of the block: 3x3 rounded up to 2x2, so the second window reaches one row and one
// column over the edge and is divided by what is inside.
// CHECK: tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 1, 1, 0]
// CHECK: linalg.pooling_nhwc_sum
// CHECK: arith.constant dense<{{\[\[}}4.000000e+00, 2.000000e+00], [2.000000e+00, 1.000000e+00]]>
// CHECK: linalg.conv_2d_nhwc_fhwc {{.*}} outs(%{{.*}} : tensor<2x2x2x6xf32>)
// CHECK: return %{{.*}} : tensor<2x1x1x3xf32>
tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x6x6x4xf32>):
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <silu> window <kernel = [2, 2], stride = [2, 2]> first : tensor<?x6x6x4xf32> -> !a
  %1 = tr.arch.block %0 ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.proj.conv", "1.proj.bn"] <basic_block, out = 6, stride = 2, shortcut = pooled_projection, act = silu> eps 1.0e-5 momentum 0.1 : !a -> tensor<?x2x2x6xf32>
  %2 = tr.arch.gap_fc %1 ["2.fc"] out 3 bias true : tensor<?x2x2x6xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %2 : tensor<?x1x1x3xf32>
}

// Joins: channels side by side, and a gate of one pixel that holds for the whole map.
// CHECK-LABEL: func.func @joins(%arg0: tensor<2x6x6x4xf32>,
// CHECK: %[[C:.*]] = tensor.concat dim(3) %arg0, %{{.*}}, %arg0 : (tensor<2x6x6x4xf32>, tensor<2x6x6x3xf32>, tensor<2x6x6x4xf32>) -> tensor<2x6x6x11xf32>
// CHECK: linalg.generic {{.*}}indexing_maps = [#{{.*}}, #[[GATE]], #{{.*}}]{{.*}}ins(%[[C]], %{{.*}} : tensor<2x6x6x11xf32>, tensor<2x1x1x11xf32>)
// CHECK: arith.mulf
// CHECK: return %{{.*}} : tensor<2x6x6x11xf32>
tr.arch.network @joins classes 3 {
^bb0(%x: tensor<?x6x6x4xf32>):
  %0 = tr.arch.concat %x ["0"] : tensor<?x6x6x4xf32> -> tensor<?x6x6x11xf32> {
  ^bb0(%s: tensor<?x6x6x4xf32>):
    tr.arch.yield %s : tensor<?x6x6x4xf32>
  }, {
  ^bb0(%s: tensor<?x6x6x4xf32>):
    %3 = tr.arch.conv %s ["0.1.conv"] <out = 3, kernel = [1, 1]> : tensor<?x6x6x4xf32> -> tensor<?x6x6x3xf32>
    tr.arch.yield %3 : tensor<?x6x6x3xf32>
  }, {
  ^bb0(%s: tensor<?x6x6x4xf32>):
    tr.arch.yield %s : tensor<?x6x6x4xf32>
  }
  %1 = tr.arch.mul2 %0 ["1"] : tensor<?x6x6x11xf32> -> tensor<?x6x6x11xf32> a {
  ^bb0(%s: tensor<?x6x6x11xf32>):
    tr.arch.yield %s : tensor<?x6x6x11xf32>
  } b {
  ^bb0(%s: tensor<?x6x6x11xf32>):
    %4 = tr.arch.gap %s ["1.1.0"] : tensor<?x6x6x11xf32> -> tensor<?x1x1x11xf32>
    %5 = tr.arch.act %4 ["1.1.1"] <sigmoid> : tensor<?x1x1x11xf32> -> tensor<?x1x1x11xf32>
    tr.arch.yield %5 : tensor<?x1x1x11xf32>
  }
  tr.arch.yield %1 : tensor<?x6x6x11xf32>
}
