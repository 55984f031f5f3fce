// RUN: tr-opt %s --tr-arch-to-linalg=batch=2 | FileCheck %s
// RUN: tr-opt %s --tr-arch-to-linalg=batch=2 | tr-opt --verify-roundtrip > /dev/null

// Parameters are arguments in the order of the layers, the stem of a sum before its shortcut. The
// numbers are compared by test/oracle/linalg_test.py.

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
