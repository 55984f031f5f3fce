// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: inverted residuals with a shortcut.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

tr.arch.network @inv_relu_in_the_middle classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected activation relu6 in dw.conv, but got relu at tr.arch.act <relu> 'a6'}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %7 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_5x5 classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected a 3x3 kernel in dw.conv, but got 5x5 at tr.arch.conv 'c4'}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [5, 5], pad = [2, 2], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %7 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_no_third_bn classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected a bn2d after project.conv, but got none at tr.arch.conv 'c7'}}
  %7 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %6 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %7 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_eps classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected eps 1e-05 as before, but got 0.001 at tr.arch.bn2d 'b8'}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-3 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %7 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_bias classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected no bias in dw.conv, but got one at tr.arch.conv 'c4'}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24, bias = true> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %7 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_end classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected the end of the stem after project.conv, but got tr.arch.act <relu> 'a9'}}
  %9 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %8 = tr.arch.act %7 ["a9"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %8 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %9 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_projection classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not an inverted residual: expected an identity shortcut, but got tr.arch.conv 'c1'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %1 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.act %3 ["a5"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 24> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %7 = tr.arch.act %6 ["a8"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %9 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %10 : tensor<?x9x7x4xf32>
}

// -----

// Half depthwise comes closer to a bottleneck.
tr.arch.network @inv_groups classes 10 {
^bb0(%x: tensor<?x9x7x4xf32>):
  // expected-remark @below {{not a bottleneck: expected tr.arch.act <relu6> directly after the add, but got tr.arch.yield}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], pad = [1, 1], groups = 12> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x9x7x24xf32> -> tensor<?x9x7x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x24xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    tr.arch.yield %7 : tensor<?x9x7x4xf32>
  }
  tr.arch.yield %8 : tensor<?x9x7x4xf32>
}

// -----

tr.arch.network @inv_stride classes 10 {
^bb0(%x: tensor<?x1x1x4xf32>):
  // expected-remark @below {{not an inverted residual: expected stride 1x1 beside an identity shortcut, but got 2x2}}
  %8 = tr.arch.add2 %x ["r0"] : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32> shortcut {
  ^bb0(%a2: tensor<?x1x1x4xf32>):
    tr.arch.yield %a2 : tensor<?x1x1x4xf32>
  } stem {
  ^bb0(%a2: tensor<?x1x1x4xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 24, kernel = [1, 1]> : tensor<?x1x1x4xf32> -> tensor<?x1x1x24xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x24xf32> -> tensor<?x1x1x24xf32>
    %2 = tr.arch.act %1 ["a3"] <relu6> : tensor<?x1x1x24xf32> -> tensor<?x1x1x24xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 24, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 24> : tensor<?x1x1x24xf32> -> tensor<?x1x1x24xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x24xf32> -> tensor<?x1x1x24xf32>
    %5 = tr.arch.act %4 ["a6"] <relu6> : tensor<?x1x1x24xf32> -> tensor<?x1x1x24xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [1, 1]> : tensor<?x1x1x24xf32> -> tensor<?x1x1x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
    tr.arch.yield %7 : tensor<?x1x1x4xf32>
  }
  tr.arch.yield %8 : tensor<?x1x1x4xf32>
}
