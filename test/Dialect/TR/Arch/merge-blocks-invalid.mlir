// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: layers of a bottleneck.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

// The third bn is absent.
tr.arch.network @third_bn_absent classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{[Missed] near-miss | Category:tr-arch-merge-blocks | Function=third_bn_absent | Reason="not a bottleneck: expected a bn2d after conv3, but got none at tr.arch.conv 'c9'}}
  %9 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
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
    tr.arch.yield %8 : tensor<?x5x4x16xf32>
  }
  %10 = tr.arch.act %9 ["a10"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %10 : tensor<?x5x4x16xf32>
}

// -----

// The first form of ResNet: its stride is on the 1x1.
tr.arch.network @stride_on_conv1 classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected stride 1x1 in conv1, but got 2x2 at tr.arch.conv 'c3'}}
  %10 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %1 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 4, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x4xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
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

tr.arch.network @stride_on_conv3 classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected stride 1x1 in conv3, but got 2x2 at tr.arch.conv 'c9'}}
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
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @kernel_5x5 classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected a 3x3 kernel in conv2, but got 5x5 at tr.arch.conv 'c6'}}
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
    %5 = tr.arch.conv %4 ["c6"] <out = 4, kernel = [5, 5], stride = [2, 2], pad = [2, 2]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
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

// A 1x1 with padding.
tr.arch.network @wrong_pad classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected pad 0x0 in conv1, but got 1x1 at tr.arch.conv 'c5'}}
  %12 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x6x5x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 6, kernel = [3, 3], pad = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x11x9x6xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x11x9x6xf32> -> tensor<?x11x9x6xf32>
    %2 = tr.arch.conv %1 ["c3"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x11x9x6xf32> -> tensor<?x6x5x16xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x6x5x16xf32> -> tensor<?x6x5x16xf32>
    tr.arch.yield %3 : tensor<?x6x5x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %4 = tr.arch.conv %a2 ["c5"] <out = 4, kernel = [1, 1], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x11x9x4xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x11x9x4xf32> -> tensor<?x11x9x4xf32>
    %6 = tr.arch.act %5 ["a7"] <relu> : tensor<?x11x9x4xf32> -> tensor<?x11x9x4xf32>
    %7 = tr.arch.conv %6 ["c8"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x11x9x4xf32> -> tensor<?x6x5x4xf32>
    %8 = tr.arch.bn2d %7 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x6x5x4xf32> -> tensor<?x6x5x4xf32>
    %9 = tr.arch.act %8 ["a10"] <relu> : tensor<?x6x5x4xf32> -> tensor<?x6x5x4xf32>
    %10 = tr.arch.conv %9 ["c11"] <out = 16, kernel = [1, 1]> : tensor<?x6x5x4xf32> -> tensor<?x6x5x16xf32>
    %11 = tr.arch.bn2d %10 ["b12"] eps 1.0e-5 momentum 0.1 : tensor<?x6x5x16xf32> -> tensor<?x6x5x16xf32>
    tr.arch.yield %11 : tensor<?x6x5x16xf32>
  }
  %13 = tr.arch.act %12 ["a13"] <relu> : tensor<?x6x5x16xf32> -> tensor<?x6x5x16xf32>
  tr.arch.yield %13 : tensor<?x6x5x16xf32>
}

// -----

tr.arch.network @another_activation classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected activation relu in conv2, but got relu6 at tr.arch.act <relu6> 'a8'}}
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
    %7 = tr.arch.act %6 ["a8"] <relu6> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @projection_without_bn classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected a bn2d after proj.conv, but got none at tr.arch.conv 'c1'}}
  %9 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %0 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %1 = tr.arch.conv %a2 ["c2"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %2 = tr.arch.bn2d %1 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %3 = tr.arch.act %2 ["a4"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %4 = tr.arch.conv %3 ["c5"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %6 = tr.arch.act %5 ["a7"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %7 = tr.arch.conv %6 ["c8"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %8 = tr.arch.bn2d %7 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %8 : tensor<?x5x4x16xf32>
  }
  %10 = tr.arch.act %9 ["a10"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %10 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @unequal_mid_channels classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected as many output channels in conv2 as in conv1, 4, but got 5}}
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
    %5 = tr.arch.conv %4 ["c6"] <out = 5, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x5xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x5xf32> -> tensor<?x5x4x5xf32>
    %7 = tr.arch.act %6 ["a8"] <relu> : tensor<?x5x4x5xf32> -> tensor<?x5x4x5xf32>
    %8 = tr.arch.conv %7 ["c9"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x5xf32> -> tensor<?x5x4x16xf32>
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}

// -----

tr.arch.network @different_eps classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected eps 1e-05 as before, but got 0.001 at tr.arch.bn2d 'b10'}}
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
    %9 = tr.arch.bn2d %8 ["b10"] eps 1.0e-3 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %9 : tensor<?x5x4x16xf32>
  }
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %11 : tensor<?x5x4x16xf32>
}
