// SPDX-License-Identifier: Apache-2.0
// Field report 17.3: a value that is defined later, and one that is never defined.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

tr.arch.network @later classes 4 {
^bb0(%x: tensor<?x1x1x4xf32>):
  // expected-error @+1 {{operand #0 does not dominate this use}}
  %0 = tr.arch.act %1 ["0"] <relu> : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  // expected-note @+1 {{operand defined here (op in the same block)}}
  %1 = tr.arch.act %x ["1"] <relu> : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %0 : tensor<?x1x1x4xf32>
}

// -----

tr.arch.network @never classes 4 {
^bb0(%x: tensor<?x1x1x4xf32>):
  // expected-error @+1 {{use of undeclared SSA value name}}
  %0 = tr.arch.act %missing ["0"] <relu> : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %0 : tensor<?x1x1x4xf32>
}
