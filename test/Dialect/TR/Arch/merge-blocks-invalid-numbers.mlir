// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: numbers of a bottleneck.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

// In the shortcut.
tr.arch.network @different_momentum classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected momentum 0.1 as before, but got 0.2 at tr.arch.bn2d 'b2'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.2 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
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
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

// Dilated.
tr.arch.network @dilation classes 10 {
^bb0(%x: tensor<?x11x9x6xf32>):
  // expected-remark @below {{not a bottleneck: expected dilation 1x1 in conv2, but got 2x2 at tr.arch.conv 'c8'}}
  %12 = tr.arch.add2 %x ["r0"] : tensor<?x11x9x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x11x9x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 6, kernel = [3, 3]> : tensor<?x11x9x6xf32> -> tensor<?x9x7x6xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %2 = tr.arch.conv %1 ["c3"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %3 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x11x9x6xf32>):
    %4 = tr.arch.conv %a2 ["c5"] <out = 4, kernel = [1, 1]> : tensor<?x11x9x6xf32> -> tensor<?x11x9x4xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x11x9x4xf32> -> tensor<?x11x9x4xf32>
    %6 = tr.arch.act %5 ["a7"] <relu> : tensor<?x11x9x4xf32> -> tensor<?x11x9x4xf32>
    %7 = tr.arch.conv %6 ["c8"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1], dilation = [2, 2]> : tensor<?x11x9x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.bn2d %7 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %9 = tr.arch.act %8 ["a10"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %10 = tr.arch.conv %9 ["c11"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %11 = tr.arch.bn2d %10 ["b12"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %11 : tensor<?x5x4x16xf32>
  }
  %13 = tr.arch.act %12 ["a13"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %13 : tensor<?x5x4x16xf32>
}

// -----

// Only the convolution in the middle may have groups.
tr.arch.network @groups classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected groups 1 in conv1, but got 2 at tr.arch.conv 'c3'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1], groups = 2> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @conv_bias classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected no bias in conv2, but got one at tr.arch.conv 'c6'}}
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
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1], bias = true> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @rectangular_stride classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected equal strides in conv2, but got 2x1 at tr.arch.conv 'c6'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x7x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 1]> : tensor<?x9x7x6xf32> -> tensor<?x5x7x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x7x16xf32> -> tensor<?x5x7x16xf32>
    tr.arch.yield %1 : tensor<?x5x7x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], stride = [2, 1], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x7x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x7x4xf32> -> tensor<?x5x7x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x7x4xf32> -> tensor<?x5x7x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x7x4xf32> -> tensor<?x5x7x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x7x16xf32> -> tensor<?x5x7x16xf32>
    tr.arch.yield %9 : tensor<?x5x7x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x7x16xf32> -> tensor<?x5x7x16xf32>
  tr.arch.yield %11 : tensor<?x5x7x16xf32>
}

// -----

tr.arch.network @projection_kernel classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected a 1x1 kernel in proj.conv, but got 3x3 at tr.arch.conv 'c1'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
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
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}
