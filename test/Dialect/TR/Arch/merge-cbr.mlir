// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --tr-attach-options=fuse=false --tr-arch-merge-cbr | FileCheck %s --check-prefix=PLAIN
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbr | FileCheck %s
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbr \
// RUN:   --remarks-filter-analyse=tr-arch-merge-cbr -o /dev/null 2>&1 \
// RUN:   | grep -o "num-merged.*" | FileCheck %s --check-prefix=COUNT
// Without fusion nothing happens.
// PLAIN: tr.arch.network
// PLAIN-NOT: tr.arch.cbr %

// COUNT: num-merged=1
// COUNT-NEXT: num-merged=7
// COUNT-NEXT: num-merged=2
// COUNT-NOT: num

// Everything of the three layers is kept: rectangles, groups, bias, eps, momentum, the
// mark of the first layer.
// CHECK-LABEL: @all_fields
// CHECK: %[[X:.*]]: tensor<?x9x7x6xf32>
// CHECK-NEXT: %[[Y:.*]] = tr.arch.cbr %[[X]] ["a.conv", "b.bn"] <out = 4, kernel = [3, 5],
// CHECK-SAME: stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 2, bias = true>
// CHECK-SAME: eps 1.000000e-03 momentum 2.500000e-01 act <relu> first
// CHECK-NEXT: tr.arch.yield %[[Y]]
tr.arch.network @all_fields classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %0 = tr.arch.conv %x ["a.conv"] <out = 4, kernel = [3, 5], stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 2, bias = true> first : tensor<?x9x7x6xf32> -> tensor<?x4x7x4xf32>
  %1 = tr.arch.bn2d %0 ["b.bn"] eps 1.0e-3 momentum 0.25 : tensor<?x4x7x4xf32> -> tensor<?x4x7x4xf32>
  %2 = tr.arch.act %1 ["c"] <relu> : tensor<?x4x7x4xf32> -> tensor<?x4x7x4xf32>
  tr.arch.yield %2 : tensor<?x4x7x4xf32>
}

// -----

// Each layer keeps its own numbers; all kinds of activation; extents not yet inferred.
// CHECK-LABEL: @kinds
// CHECK: tr.arch.cbr {{.*}} ["0.conv", "1.bn"] {{.*}} eps 1.000000e-05 momentum 1.000000e-01 act <relu6>
// CHECK: tr.arch.cbr {{.*}} ["3.conv", "4.bn"] {{.*}} eps 2.000000e-05 momentum 2.000000e-01 act <tanh>
// CHECK: tr.arch.cbr {{.*}} ["6.conv", "7.bn"] {{.*}} eps 3.000000e-05 momentum 3.000000e-01 act <silu>
// CHECK: tr.arch.cbr {{.*}} ["9.conv", "10.bn"] {{.*}} act <leaky_relu>
// CHECK: tr.arch.cbr {{.*}} ["12.conv", "13.bn"] {{.*}} act <hardswish>
// CHECK: tr.arch.cbr {{.*}} ["15.conv", "16.bn"] {{.*}} act <elu>
// CHECK: tr.arch.cbr {{.*}} ["18.conv", "19.bn"] {{.*}} act <sigmoid>
// CHECK-NEXT: tr.arch.yield
!t = tensor<?x?x?x?xf32>
tr.arch.network @kinds classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu6> : !t -> !t
  %3 = tr.arch.conv %2 ["3.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %4 = tr.arch.bn2d %3 ["4.bn"] eps 2.0e-5 momentum 0.2 : !t -> !t
  %5 = tr.arch.act %4 ["5"] <tanh> : !t -> !t
  %6 = tr.arch.conv %5 ["6.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %7 = tr.arch.bn2d %6 ["7.bn"] eps 3.0e-5 momentum 0.3 : !t -> !t
  %8 = tr.arch.act %7 ["8"] <silu> : !t -> !t
  %9 = tr.arch.conv %8 ["9.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %10 = tr.arch.bn2d %9 ["10.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %11 = tr.arch.act %10 ["11"] <leaky_relu> : !t -> !t
  %12 = tr.arch.conv %11 ["12.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %13 = tr.arch.bn2d %12 ["13.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %14 = tr.arch.act %13 ["14"] <hardswish> : !t -> !t
  %15 = tr.arch.conv %14 ["15.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %16 = tr.arch.bn2d %15 ["16.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %17 = tr.arch.act %16 ["17"] <elu> : !t -> !t
  %18 = tr.arch.conv %17 ["18.conv"] <out = 4, kernel = [1, 1]> : !t -> !t
  %19 = tr.arch.bn2d %18 ["19.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %20 = tr.arch.act %19 ["20"] <sigmoid> : !t -> !t
  tr.arch.yield %20 : !t
}

// -----

// The merged value may have many uses; branches are merged inside.
// CHECK-LABEL: @branches
// CHECK: %[[A:.*]] = tr.arch.cbr
// CHECK: tr.arch.add2 %[[A]] ["1"]
// CHECK-NEXT: ^bb0(%{{.*}}):
// CHECK-NEXT: tr.arch.yield %[[A]]
// CHECK-NEXT: } stem {
// CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<?x4x4x2xf32>):
// CHECK-NEXT: %[[C:.*]] = tr.arch.cbr %[[B]] ["2.conv", "3.bn"]
// CHECK-NEXT: tr.arch.yield %[[C]]
!s = tensor<?x4x4x2xf32>
tr.arch.network @branches classes 10 {
^bb0(%x: !s):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !s -> !s
  %1 = tr.arch.bn2d %0 ["0.bn"] eps 1.0e-5 momentum 0.1 : !s -> !s
  %2 = tr.arch.act %1 ["0.act"] <relu> : !s -> !s
  %3 = tr.arch.add2 %2 ["1"] : !s -> !s shortcut {
  ^bb0(%a: !s):
    tr.arch.yield %2 : !s
  } stem {
  ^bb0(%a: !s):
    %4 = tr.arch.conv %a ["2.conv"] <out = 2, kernel = [1, 1]> : !s -> !s
    %5 = tr.arch.bn2d %4 ["3.bn"] eps 1.0e-5 momentum 0.1 : !s -> !s
    %6 = tr.arch.act %5 ["4"] <relu> : !s -> !s
    tr.arch.yield %6 : !s
  }
  tr.arch.yield %3 : !s
}
