// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: shortcuts of ResNet-D, pooled, then projected.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

// It would drop the last row; torchvision's and timm's round up.
tr.arch.network @rounds_down classes 10 {
^bb0(%x: tensor<?x8x6x6xf32>):
  // expected-remark @below {{not a basic block: expected an average over windows of the block's stride 2, rounding up, but got kernel 2x2, stride 2x2 and pad 0x0, rounding down at tr.arch.avgpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x8x6x6xf32> -> tensor<?x4x3x8xf32> shortcut {
  ^bb0(%a: tensor<?x8x6x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x8x6x6xf32> -> tensor<?x4x3x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x4x3x6xf32> -> tensor<?x4x3x8xf32>
    tr.arch.yield %1 : tensor<?x4x3x8xf32>
  } stem {
  ^bb0(%a: tensor<?x8x6x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x8x6x6xf32> -> tensor<?x4x3x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    tr.arch.yield %4 : tensor<?x4x3x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
  tr.arch.yield %y : tensor<?x4x3x8xf32>
}

// -----

tr.arch.network @another_kernel classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected an average over windows of the block's stride 2, rounding up, but got kernel 3x3, stride 2x2 and pad 1x1 at tr.arch.avgpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [3, 3], stride = [2, 2], pad = [1, 1], ceil = true> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x6xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %1 : tensor<?x5x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %4 : tensor<?x5x4x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %y : tensor<?x5x4x8xf32>
}

// -----

tr.arch.network @subsamples classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected an average over windows of the block's stride 2, rounding up, but got kernel 1x1, stride 2x2 and pad 0x0, rounding down at tr.arch.avgpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x6xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %1 : tensor<?x5x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %4 : tensor<?x5x4x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %y : tensor<?x5x4x8xf32>
}

// -----

tr.arch.network @another_stride classes 10 {
^bb0(%x: tensor<?x3x3x6xf32>):
  // expected-remark @below {{not a basic block: expected an average over windows of the block's stride 3, rounding up, but got kernel 2x2, stride 2x2 and pad 0x0 at tr.arch.avgpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x3x3x6xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a: tensor<?x3x3x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x3x3x6xf32> -> tensor<?x2x2x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1], stride = [2, 2]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x2x2x6xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %1 : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a: tensor<?x3x3x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x3x3x6xf32> -> tensor<?x1x1x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %4 : tensor<?x1x1x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %y : tensor<?x1x1x8xf32>
}

// -----

// Windows of one pixel would be the input; no style has them.
tr.arch.network @stride_1 classes 10 {
^bb0(%x: tensor<?x5x3x6xf32>):
  // expected-remark @below {{not a basic block: expected an average over windows of the block's stride 1, rounding up, but got kernel 1x1, stride 1x1 and pad 0x0 at tr.arch.avgpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x5x3x6xf32> -> tensor<?x5x3x8xf32> shortcut {
  ^bb0(%a: tensor<?x5x3x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [1, 1], stride = [1, 1], ceil = true> : tensor<?x5x3x6xf32> -> tensor<?x5x3x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x3x6xf32> -> tensor<?x5x3x8xf32>
    tr.arch.yield %1 : tensor<?x5x3x8xf32>
  } stem {
  ^bb0(%a: tensor<?x5x3x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x3x6xf32> -> tensor<?x5x3x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x3x8xf32> -> tensor<?x5x3x8xf32>
    tr.arch.yield %4 : tensor<?x5x3x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x3x8xf32> -> tensor<?x5x3x8xf32>
  tr.arch.yield %y : tensor<?x5x3x8xf32>
}

// -----

// Pooled and strided.
tr.arch.network @strided_twice classes 10 {
^bb0(%x: tensor<?x2x2x6xf32>):
  // expected-remark @below {{not a basic block: expected stride 1x1 in proj.conv, but got 2x2 at tr.arch.cbr 'c2'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x2x2x6xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a: tensor<?x2x2x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x2x2x6xf32> -> tensor<?x1x1x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1], stride = [2, 2]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x1x1x6xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %1 : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a: tensor<?x2x2x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x2x2x6xf32> -> tensor<?x1x1x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %4 : tensor<?x1x1x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %y : tensor<?x1x1x8xf32>
}

// -----

tr.arch.network @only_pooled classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected a convolution (proj.conv), but got the end of the shortcut}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    tr.arch.yield %0 : tensor<?x5x4x6xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 6, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
    tr.arch.yield %4 : tensor<?x5x4x6xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x4x6xf32> -> tensor<?x5x4x6xf32>
  tr.arch.yield %y : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @maximum classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected a convolution (proj.conv), but got tr.arch.maxpool 'p1'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %0 = tr.arch.maxpool %a ["p1"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x6xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %1 : tensor<?x5x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %4 : tensor<?x5x4x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %y : tensor<?x5x4x8xf32>
}

// -----

// Any activation, but the same one everywhere.
tr.arch.network @another_activation classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected tr.arch.act <silu> directly after the add, but got tr.arch.act <relu> 'a6'}}
  %r = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %0 = tr.arch.avgpool %a ["p1"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %1 = tr.arch.cbr %0 ["c2", "b2"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x6xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %1 : tensor<?x5x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %3 = tr.arch.cbr %a ["c4", "b4"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <silu> : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32>
    %4 = tr.arch.cbr %3 ["c5", "b5"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %4 : tensor<?x5x4x8xf32>
  }
  %y = tr.arch.act %r ["a6"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %y : tensor<?x5x4x8xf32>
}
