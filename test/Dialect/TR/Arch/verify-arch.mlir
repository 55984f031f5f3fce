// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-verify-arch | FileCheck %s

// CHECK-LABEL: tr.arch.network @residual
tr.arch.network @residual classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.identity %x ["input"] first : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.add2 %0 ["0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32> shortcut {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %2 = tr.arch.identity %a ["0.0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %2 : tensor<?x1x1x8xf32>
  } stem {
  ^bb0(%a: tensor<?x1x1x8xf32>):
    %2 = tr.arch.bn1d %a ["0.1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
    tr.arch.yield %2 : tensor<?x1x1x8xf32>
  }
  %3 = tr.arch.softmax_ce %1 ["1"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %3 : tensor<?x1x1x8xf32>
}
