// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 7 stay as they are and say why: uses of values, basic blocks.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-blocks -o /dev/null

// The sum is used besides its activation.
tr.arch.network @add_used_twice classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a bottleneck: expected one use of the result of tr.arch.add2 'r0', but got 2}}
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
  %11 = tr.arch.act %10 ["a11"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  // expected-remark @below {{not a block: expected one use of the branch's input, but got 0}}
  %12 = tr.arch.add2 %11 ["r12"] : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a2: tensor<?x5x4x16xf32>):
    tr.arch.yield %11 : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a2: tensor<?x5x4x16xf32>):
    tr.arch.yield %10 : tensor<?x5x4x16xf32>
  }
  tr.arch.yield %12 : tensor<?x5x4x16xf32>
}

// -----

// A value inside the stem has a second use.
tr.arch.network @stem_value_used_twice classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a block: expected one use of the result of tr.arch.act <relu> 'a3', but got 2}}
  %9 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %2 = tr.arch.act %1 ["a3"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    // expected-remark @below {{not a block: expected one use of the branch's input, but got 0}}
    %3 = tr.arch.add2 %2 ["r4"] : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32> shortcut {
    ^bb0(%a3: tensor<?x9x7x4xf32>):
      tr.arch.yield %a3 : tensor<?x9x7x4xf32>
    } stem {
    ^bb0(%a3: tensor<?x9x7x4xf32>):
      tr.arch.yield %2 : tensor<?x9x7x4xf32>
    }
    %4 = tr.arch.conv %3 ["c5"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %6 = tr.arch.act %5 ["a7"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %7 = tr.arch.conv %6 ["c8"] <out = 6, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x6xf32>
    %8 = tr.arch.bn2d %7 ["b9"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %8 : tensor<?x9x7x6xf32>
  }
  %10 = tr.arch.act %9 ["a10"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %10 : tensor<?x9x7x6xf32>
}

// -----

// The shortcut is the input by another name.
tr.arch.network @captured_input classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %0 = tr.arch.act %x ["a0"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  // expected-remark @below {{not a block: expected one use of the branch's input, but got 0}}
  %6 = tr.arch.add2 %0 ["r1"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    tr.arch.yield %0 : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %1 = tr.arch.conv %a2 ["c2"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %2 = tr.arch.bn2d %1 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %3 = tr.arch.act %2 ["a4"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %4 = tr.arch.conv %3 ["c5"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %5 = tr.arch.bn2d %4 ["b6"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %5 : tensor<?x9x7x6xf32>
  }
  %7 = tr.arch.act %6 ["a7"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %7 : tensor<?x9x7x6xf32>
}

// -----

tr.arch.network @basic_unequal_channels classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected as many output channels in conv2 as in conv1, 8, but got 6}}
  %5 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x8xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %2 = tr.arch.act %1 ["a3"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x6xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %4 : tensor<?x9x7x6xf32>
  }
  %6 = tr.arch.act %5 ["a6"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %6 : tensor<?x9x7x6xf32>
}

// -----

tr.arch.network @basic_stride_on_conv2 classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a basic block: expected stride 1x1 in conv2, but got 2x2 at tr.arch.conv 'c6'}}
  %7 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 8, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x8xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %1 : tensor<?x5x4x8xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x8xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x5x4x8xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %6 : tensor<?x5x4x8xf32>
  }
  %8 = tr.arch.act %7 ["a8"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %8 : tensor<?x5x4x8xf32>
}

// -----

// The strides of the branches differ, which one pixel hides.
tr.arch.network @projection_stride classes 10 {
^bb0(%x: tensor<?x1x1x6xf32>):
  // expected-remark @below {{not a basic block: expected stride 2x2 in proj.conv, but got 3x3 at tr.arch.conv 'c1'}}
  %7 = tr.arch.add2 %x ["r0"] : tensor<?x1x1x6xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 8, kernel = [1, 1], stride = [3, 3]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x8xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %1 : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    %2 = tr.arch.conv %a2 ["c3"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x8xf32>
    %3 = tr.arch.bn2d %2 ["b4"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    %4 = tr.arch.act %3 ["a5"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    %5 = tr.arch.conv %4 ["c6"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    %6 = tr.arch.bn2d %5 ["b7"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %6 : tensor<?x1x1x8xf32>
  }
  %8 = tr.arch.act %7 ["a8"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %8 : tensor<?x1x1x8xf32>
}

// -----

// An identity shortcut beside a stride, which one pixel hides.
tr.arch.network @identity_with_stride classes 10 {
^bb0(%x: tensor<?x1x1x6xf32>):
  // expected-remark @below {{not a basic block: expected stride 1x1 beside an identity shortcut, but got 2x2}}
  %5 = tr.arch.add2 %x ["r0"] : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32> shortcut {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    tr.arch.yield %a2 : tensor<?x1x1x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %2 = tr.arch.act %1 ["a3"] <relu> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    tr.arch.yield %4 : tensor<?x1x1x6xf32>
  }
  %6 = tr.arch.act %5 ["a6"] <relu> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
  tr.arch.yield %6 : tensor<?x1x1x6xf32>
}

// -----

tr.arch.network @bn1d classes 10 {
^bb0(%x: tensor<?x1x1x6xf32>):
  // expected-remark @below {{not a basic block: expected a bn2d after conv1, but got tr.arch.bn1d 'b2' at tr.arch.conv 'c1'}}
  %5 = tr.arch.add2 %x ["r0"] : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32> shortcut {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    tr.arch.yield %a2 : tensor<?x1x1x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x1x1x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %1 = tr.arch.bn1d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %2 = tr.arch.act %1 ["a3"] <relu> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %3 = tr.arch.conv %2 ["c4"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    %4 = tr.arch.bn2d %3 ["b5"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
    tr.arch.yield %4 : tensor<?x1x1x6xf32>
  }
  %6 = tr.arch.act %5 ["a6"] <relu> : tensor<?x1x1x6xf32> -> tensor<?x1x1x6xf32>
  tr.arch.yield %6 : tensor<?x1x1x6xf32>
}

// -----

tr.arch.network @one_convolution classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  // expected-remark @below {{not a block: expected 2 or 3 convolutions in the stem}}
  %2 = tr.arch.add2 %x ["r0"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    tr.arch.yield %a2 : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a2: tensor<?x9x7x6xf32>):
    %0 = tr.arch.conv %a2 ["c1"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %1 = tr.arch.bn2d %0 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %1 : tensor<?x9x7x6xf32>
  }
  %3 = tr.arch.act %2 ["a3"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %3 : tensor<?x9x7x6xf32>
}

// -----

// Channels that step 6 has not inferred yet.
!t = tensor<?x?x?x?xf32>
tr.arch.network @no_shapes classes 10 {
^bb0(%x: !t):
  // expected-remark @below {{not a basic block: expected inferred channels before conv1, but got ? at tr.arch.cbr 'c1'}}
  %0 = tr.arch.add2 %x ["r"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  } stem {
  ^bb0(%a: !t):
    %1 = tr.arch.cbr %a ["c1", "b1"] <out = 6, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : !t -> !t
    %2 = tr.arch.cbr %1 ["c2", "b2"] <out = 6, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <none> : !t -> !t
    tr.arch.yield %2 : !t
  }
  %3 = tr.arch.act %0 ["a"] <relu> : !t -> !t
  tr.arch.yield %3 : !t
}
