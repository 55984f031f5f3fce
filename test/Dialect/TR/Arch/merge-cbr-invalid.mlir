// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 9 stay as they are and say why.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbr > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-cbr -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-cbr -o /dev/null

!t = tensor<?x4x4x2xf32>
tr.arch.network @conv_used_twice classes 10 {
^bb0(%x: !t):
  // expected-remark @below {{[Missed] near-miss | Category:tr-arch-merge-cbr | Function=conv_used_twice | Reason="expected one use of the result of tr.arch.conv '0.conv', but got 2"}}
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
  %3 = tr.arch.add2 %2 ["3"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %0 : !t
  } stem {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  }
  tr.arch.yield %3 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @plain_and_cumulative classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected factors and shifts in tr.arch.bn2d '1.bn', but got affine = false}}
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 plain : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
  %3 = tr.arch.conv %2 ["3.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected a momentum in tr.arch.bn2d '4.bn', but got cumulative}}
  %4 = tr.arch.bn2d %3 ["4.bn"] eps 1.0e-5 momentum 1.0 cumulative : !t -> !t
  %5 = tr.arch.act %4 ["5"] <relu> : !t -> !t
  tr.arch.yield %5 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @bn_used_twice classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected one use of the result of tr.arch.bn2d '1.bn', but got 2}}
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
  %3 = tr.arch.add2 %2 ["3"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %1 : !t
  } stem {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  }
  tr.arch.yield %3 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @act_in_a_branch classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected the use of the result of tr.arch.bn2d '1.bn' beside it, but got one in another block}}
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %3 = tr.arch.add2 %x ["3"] : !t -> !t shortcut {
  ^bb0(%a: !t):
    tr.arch.yield %a : !t
  } stem {
  ^bb0(%a: !t):
    %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
    tr.arch.yield %2 : !t
  }
  tr.arch.yield %3 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @no_activation classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected an activation after tr.arch.bn2d '1.bn', but got tr.arch.maxpool '2'}}
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.maxpool %1 ["2"] <kernel = [1, 1], stride = [1, 1]> : !t -> !t
  tr.arch.yield %2 : !t
}

// -----

!t = tensor<?x4x4x2xf32>
tr.arch.network @act_none classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  // expected-remark @below {{expected an activation after tr.arch.bn2d '1.bn', but got tr.arch.act <none> '2'}}
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <none> : !t -> !t
  tr.arch.yield %2 : !t
}

// -----

// Neither bn1d, nor a bn whose kind is undecided, nor a layer in between is a candidate.
!t = tensor<?x1x1x2xf32>
tr.arch.network @other_layers classes 10 {
^bb0(%x: !t):
  %0 = tr.arch.conv %x ["0.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %1 = tr.arch.bn1d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %2 = tr.arch.act %1 ["2"] <relu> : !t -> !t
  %3 = tr.arch.conv %2 ["3.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %4 = tr.arch.bn %3 ["4.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %5 = tr.arch.act %4 ["5"] <relu> : !t -> !t
  %6 = tr.arch.conv %5 ["6.conv"] <out = 2, kernel = [1, 1]> : !t -> !t
  %7 = tr.arch.dropout %6 ["7"] 0.5 : !t -> !t
  %8 = tr.arch.bn2d %7 ["8.bn"] eps 1.0e-5 momentum 0.1 : !t -> !t
  %9 = tr.arch.act %8 ["9"] <relu> : !t -> !t
  tr.arch.yield %9 : !t
}
