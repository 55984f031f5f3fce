// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: inverted residuals without one.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

tr.arch.network @chain_activations_differ classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.conv %x ["c0"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %2 = tr.arch.act %1 ["a2"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  // expected-remark @below {{not an inverted residual: expected activation relu in dw.conv, but got relu6 at tr.arch.act <relu6> 'a5'}}
  %3 = tr.arch.conv %2 ["c3"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 8> : tensor<?x9x7x8xf32> -> tensor<?x5x4x8xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %5 = tr.arch.act %4 ["a5"] <relu6> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %6 = tr.arch.conv %5 ["c6"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x8xf32> -> tensor<?x5x4x6xf32>
  %7 = tr.arch.bn2d %6 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %7 : tensor<?x5x4x6xf32>
}

// -----

// A depthwise-separable pair of MobileNet's first version.
tr.arch.network @chain_activation_after classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected no activation after project.conv, but got tr.arch.act <relu6> 'a5'}}
  %0 = tr.arch.conv %x ["c0"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
  %3 = tr.arch.conv %2 ["c3"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x6xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  %5 = tr.arch.act %4 ["a5"] <relu6> : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %5 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @chain_separable_cbr classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected activation none in project.conv, but got relu6 at tr.arch.cbr 'c1'}}
  %0 = tr.arch.cbr %x ["c0", "b0"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 4> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
  %1 = tr.arch.cbr %0 ["c1", "b1"] <out = 6, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x5x4x4xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %1 : tensor<?x5x4x6xf32>
}

// -----

// The expansion's eps: the rest alone is not merged either.
tr.arch.network @chain_eps classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.conv %x ["c0"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-3 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  // expected-remark @below {{not an inverted residual: expected eps 0.001 as before, but got 1e-05 at tr.arch.bn2d 'b4'}}
  %3 = tr.arch.conv %2 ["c3"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 8> : tensor<?x9x7x8xf32> -> tensor<?x5x4x8xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %5 = tr.arch.act %4 ["a5"] <relu6> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %6 = tr.arch.conv %5 ["c6"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x8xf32> -> tensor<?x5x4x6xf32>
  %7 = tr.arch.bn2d %6 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %7 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @chain_no_third_bn classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.cbr %x ["c0", "b0"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
  // expected-remark @below {{not an inverted residual: expected a bn2d after project.conv, but got none at tr.arch.conv 'c4'}}
  %1 = tr.arch.conv %0 ["c1"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 8> : tensor<?x9x7x8xf32> -> tensor<?x5x4x8xf32>
  %2 = tr.arch.bn2d %1 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %3 = tr.arch.act %2 ["a3"] <relu6> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  %4 = tr.arch.conv %3 ["c4"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x8xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %4 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @chain_two_activations classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected a convolution (project.conv), but got tr.arch.act <relu> 'a3'}}
  %0 = tr.arch.conv %x ["c0"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
  %3 = tr.arch.act %2 ["a3"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
  %4 = tr.arch.conv %3 ["c4"] <out = 6, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x6xf32>
  %5 = tr.arch.bn2d %4 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %5 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @chain_stride_on_project classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected stride 1x1 in project.conv, but got 2x2 at tr.arch.conv 'c3'}}
  %0 = tr.arch.conv %x ["c0"] <out = 4, kernel = [3, 3], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %3 = tr.arch.conv %2 ["c3"] <out = 6, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x6xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %4 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @chain_value_used_twice classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.conv %x ["c0"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  // expected-remark @below {{not an inverted residual: expected one use of the result of tr.arch.act <relu6> 'a2', but got 2}}
  %3 = tr.arch.conv %2 ["c3"] <out = 8, kernel = [3, 3], pad = [1, 1], groups = 8> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %5 = tr.arch.act %4 ["a5"] <relu6> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %6 = tr.arch.conv %5 ["c6"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  %7 = tr.arch.bn2d %6 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
  // expected-remark @below {{not a block: expected one use of the branch's input, but got 0}}
  %8 = tr.arch.add2 %7 ["r8"] : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x8xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x8xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x8xf32>):
    tr.arch.yield %2 : tensor<?x9x7x8xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x8xf32>
}

// -----

// A 3x3 after it, a channel multiplier, nothing after it: no candidates, no remarks.
tr.arch.network @no_candidates classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  %0 = tr.arch.conv %x ["c0"] <out = 4, kernel = [3, 3], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %1 = tr.arch.bn2d %0 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %2 = tr.arch.act %1 ["a2"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %3 = tr.arch.conv %2 ["c3"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x6xf32>
  %4 = tr.arch.bn2d %3 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  %5 = tr.arch.conv %4 ["c5"] <out = 12, kernel = [3, 3], pad = [1, 1], groups = 6> : tensor<?x9x7x6xf32> -> tensor<?x9x7x12xf32>
  %6 = tr.arch.bn2d %5 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
  %7 = tr.arch.act %6 ["a7"] <relu6> : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
  %8 = tr.arch.conv %7 ["c8"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x12xf32> -> tensor<?x9x7x4xf32>
  %9 = tr.arch.bn2d %8 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %10 = tr.arch.conv %9 ["c10"] <out = 4, kernel = [3, 3], pad = [1, 1], groups = 4> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %11 = tr.arch.bn2d %10 ["b11"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %12 = tr.arch.act %11 ["a12"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  %13 = tr.arch.maxpool %12 ["p"] <kernel = [1, 1], stride = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
  tr.arch.yield %13 : tensor<?x9x7x4xf32>
}

// -----

// What would be an identity block without its last layer is not half merged.
tr.arch.network @stem_of_a_near_miss classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected the end of the stem after project.conv, but got tr.arch.dropout 'd9'}}
  %9 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x8xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 8, kernel = [3, 3], pad = [1, 1], groups = 8> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %8 = tr.arch.dropout %7 ["d9"] 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %8 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %9 : tensor<?x9x7x4xf32>
}
