// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 8 stay as they are and say why.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbrp > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbrp -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-cbrp -o /dev/null

!t = tensor<?x4x4x2xf32>
tr.arch.network @cbr_used_twice classes 10 {
^bb0(%x: !t):
  // expected-remark @below {{expected one use of the result of tr.arch.cbr '0.conv', but got 2}}
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : !t -> !t
  %1 = tr.arch.maxpool %0 ["1"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %2 = tr.arch.add2 %1 ["2"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %0 : !t
  } stem {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  }
  tr.arch.yield %2 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @each_used_twice classes 10 {
^bb0(%x: !t):
  // expected-remark @below {{expected one use of the result of tr.arch.conv '0.conv', but got 2}}
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %4 = tr.arch.conv %3 ["4.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected one use of the result of tr.arch.bn2d '5.bn', but got 2}}
  %5 = tr.arch.bn2d %4 ["5.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %6 = tr.arch.act %5 ["6"] <relu> : !t -> !t
  %7 = tr.arch.maxpool %6 ["7"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %8 = tr.arch.conv %7 ["8.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %9 = tr.arch.bn2d %8 ["9.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  // expected-remark @below {{expected one use of the result of tr.arch.act <relu> '10', but got 2}}
  %10 = tr.arch.act %9 ["10"] <relu> : !t -> !t
  %11 = tr.arch.maxpool %10 ["11"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %12 = tr.arch.add2 %11 ["12"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %0 : !t
  } stem {
  ^bb0(%a: !t):
    %13 = tr.arch.add2 %a ["12.0"] : !t -> !t shortcut {
    ^bb0(%b: !t):
      tr.arch.yield %5 : !t
    } stem {
    ^bb0(%b: !t):
      tr.arch.yield %10 : !t
    }
    tr.arch.yield %13 : !t
  }
  tr.arch.yield %12 : !t
}

// -----

// No candidates: no activation, no bn2d, average pooling, pooling before the activation,
// a pool in a branch of its own.
!t = tensor<?x4x4x2xf32>
tr.arch.network @other_layers classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.maxpool %1 ["2"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %3 = tr.arch.act %2 ["3"] <relu> : !t -> !t
  %4 = tr.arch.conv %3 ["4.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %5 = tr.arch.act %4 ["5"] <relu> : !t -> !t
  %6 = tr.arch.maxpool %5 ["6"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %7 = tr.arch.cbr %6 ["7.conv", "7.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : !t -> !t
  %8 = tr.arch.avgpool %7 ["8"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  %9 = tr.arch.cbr %8 ["9.conv", "9.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : !t -> !t
  %10 = tr.arch.add2 %8 ["10"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  } stem {
  ^bb0(%a: !t):
    %11 = tr.arch.maxpool %9 ["11"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
    tr.arch.yield %11 : !t
  }
  tr.arch.yield %10 : !t
}
