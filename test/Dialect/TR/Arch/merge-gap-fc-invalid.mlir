// SPDX-License-Identifier: Apache-2.0
//
// Near misses of step 10 stay as they are and say why.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-gap-fc > %t.after
// RUN: tr-opt %s --split-input-file > %t.before
// RUN: diff %t.before %t.after
// RUN: tr-opt %s --split-input-file --tr-arch-merge-gap-fc -verify-diagnostics \
// RUN:   --remarks-filter-missed=tr-arch-merge-gap-fc -o /dev/null

!f = tensor<?x1x1x3xf32>
tr.arch.network @used_twice classes 3 {
^bb0(%x: tensor<?x5x3x3xf32>):
  // expected-remark @below {{expected one use of the result of tr.arch.gap '0', but got 2}}
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x3x3xf32> -> !f
  %1 = tr.arch.fc %0 ["1.fc"] out 3 bias true : !f -> !f
  %2 = tr.arch.add2 %1 ["2"] : !f -> !f shortcut {
  ^bb0(%a: !f):
    tr.arch.yield %0 : !f
  } stem {
  ^bb0(%a: !f):
    tr.arch.yield %a : !f
  }
  tr.arch.yield %2 : !f
}

// -----

// An average pooling of the whole image is no gap; a layer in between is no candidate.
!f = tensor<?x1x1x3xf32>
tr.arch.network @other_layers classes 3 {
^bb0(%x: tensor<?x5x3x3xf32>):
  %0 = tr.arch.avgpool %x ["0"] <kernel = [5, 3], stride = [1, 1]> : tensor<?x5x3x3xf32> -> !f
  %1 = tr.arch.fc %0 ["1.fc"] out 3 bias true : !f -> !f
  %2 = tr.arch.gap %1 ["2"] : !f -> !f
  %3 = tr.arch.dropout %2 ["3"] 0.5 : !f -> !f
  %4 = tr.arch.fc %3 ["4.fc"] out 3 bias true : !f -> !f
  tr.arch.yield %4 : !f
}

// -----

// The fc of a branch reads a gap outside it.
!f = tensor<?x1x1x3xf32>
tr.arch.network @outside classes 3 {
^bb0(%x: tensor<?x5x3x3xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x3x3xf32> -> !f
  %1 = tr.arch.gap %x ["1"] : tensor<?x5x3x3xf32> -> !f
  %2 = tr.arch.add2 %1 ["2"] : !f -> !f shortcut {
  ^bb0(%a: !f):
    tr.arch.yield %a : !f
  } stem {
  ^bb0(%a: !f):
    %3 = tr.arch.fc %0 ["3.fc"] out 3 bias true : !f -> !f
    tr.arch.yield %3 : !f
  }
  tr.arch.yield %2 : !f
}
