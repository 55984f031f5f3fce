// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: what is around a bottleneck.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

tr.arch.network @layer_at_the_end classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected the end of the stem after conv3, but got tr.arch.dropout 'd11'}}
  %11 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    %10 = tr.arch.dropout %9 ["d11"] 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %10 : tensor<?x5x4x16xf32>
  }
  %12 = tr.arch.act %11 ["a12"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %12 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @layer_at_the_start classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected a convolution (conv1), but got tr.arch.act <relu> 'a3'}}
  %11 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.act %a2 ["a3"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.act %4 ["a6"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.act %7 ["a9"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %9 = tr.arch.conv %8 ["c10"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %10 = tr.arch.bn2d %9 ["b11"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %10 : tensor<?x5x4x16xf32>
  }
  %12 = tr.arch.act %11 ["a12"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %12 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @layer_in_the_shortcut classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected the end of the shortcut after proj.conv, but got tr.arch.dropout 'd3'}}
  %11 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    %2 = tr.arch.dropout %1 ["d3"] 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %2 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %3 = tr.arch.conv %a2 ["c4"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.act %4 ["a6"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %6 = tr.arch.conv %5 ["c7"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.bn2d %6 ["b8"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.act %7 ["a9"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %9 = tr.arch.conv %8 ["c10"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %10 = tr.arch.bn2d %9 ["b11"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %10 : tensor<?x5x4x16xf32>
  }
  %12 = tr.arch.act %11 ["a12"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %12 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @missing_relu classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected tr.arch.act <relu> directly after the add, but got tr.arch.yield}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  tr.arch.yield %10 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @other_trailing_activation classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected tr.arch.act <relu> directly after the add, but got tr.arch.act <silu> 'a11'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <silu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}
