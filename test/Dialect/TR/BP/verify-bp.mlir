// SPDX-License-Identifier: Apache-2.0
// The check accepts and keeps what obeys the contract.
// RUN: tr-opt --tr-verify-bp %s | FileCheck %s

// CHECK-LABEL: tr.bp.model @m
tr.bp.model @m input [8, 8, 3] classes 10 {
  // Equal names are fine in different lists.
  // CHECK: tr.bp.seq name "a-1"
  tr.bp.seq name "a-1" { tr.bp.act <relu> name "x" }
  // CHECK: tr.bp.seq name "b_2"
  tr.bp.seq name "b_2" { tr.bp.act <relu> name "x" }
  // Empty branches are fine, as a region and as a seq.
  // CHECK: tr.bp.add2
  tr.bp.add2 shortcut {} stem { tr.bp.seq {} }
  // CHECK: tr.bp.concat
  tr.bp.concat {}, { tr.bp.seq {} }, { tr.bp.act <relu> name "c" }
  // CHECK: tr.bp.mul2
  tr.bp.mul2 a {} b { tr.bp.seq {} }
}
// CHECK-LABEL: tr.bp.model @one
tr.bp.model @one input [8, 8, 3] classes 10 {
  // CHECK: tr.bp.gap_fc
  tr.bp.gap_fc out 10 bias true
}
// Other levels are not its business.
// CHECK-LABEL: tr.arch.network @p
tr.arch.network @p classes 10 {
^bb0(%x: tensor<?x1x1x10xf32>):
  tr.arch.yield %x : tensor<?x1x1x10xf32>
}
