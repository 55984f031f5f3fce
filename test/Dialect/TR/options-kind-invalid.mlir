// SPDX-License-Identifier: Apache-2.0
//
// `tr.options` is `#tr.options`, and on a module: anything else would be compiled with the defaults.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected #tr.options as attribute 'tr.options', but got 3 : i32}}
module attributes {tr.options = 3 : i32} {
}

// -----

// expected-error @below {{expected attribute 'tr.options' on a module, but got it on 'tr.bp.model'}}
tr.bp.model @m input [8, 8, 3] classes 10 attributes {tr.options = #tr.options<slices = 3>} {
  tr.bp.fc out 10 bias true
}
