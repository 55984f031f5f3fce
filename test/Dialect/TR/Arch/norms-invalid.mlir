// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of normalisations, learned factors and masks.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected momentum 1 beside cumulative, but got 5.000000e-01}}
  %0 = tr.arch.bn %x ["0.bn"] eps 1.0e-5 momentum 0.5 cumulative : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected momentum 1 beside cumulative, but got 5.000000e-01}}
  %0 = tr.arch.bn2d %x ["0.bn"] eps 1.0e-5 momentum 0.5 cumulative : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.layer_norm %x ["0.norm"] eps 0.0 affine true : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected channels divisible by groups 4, but got 6}}
  %0 = tr.arch.group_norm %x ["0.norm"] groups 4 eps 1.0e-5 affine true : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected groups in [1, 2147483647], but got 0}}
  %0 = tr.arch.group_norm %x ["0.norm"] groups 0 eps 1.0e-5 affine true : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected a finite init of at least 0, but got}}
  %0 = tr.arch.prelu %x ["0.prelu"] shared true init 0x7FF0000000000000 : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected a finite init of at least 0, but got 1.000000e+39}}
  %0 = tr.arch.scale %x ["0.scale"] init 1.0e39 : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected p in [0, 1), but got 1.000000e+00}}
  %0 = tr.arch.dropout2d %x ["0"] 1.0 : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // expected-error @+1 {{expected p in [0, 1), but got -5.000000e-01}}
  %0 = tr.arch.stochastic_depth %x ["0"] -0.5 : !t -> !t
  tr.arch.yield %0 : !t
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected momentum 1 beside cumulative, but got 5.000000e-01}}
  tr.bp.bn eps 1.0e-5 momentum 0.5 cumulative
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected eps > 0, but got -1.000000e+00}}
  tr.bp.layer_norm eps -1.0 affine true
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected groups in [1, 2147483647], but got -1}}
  tr.bp.group_norm groups -1 eps 1.0e-5 affine true
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected a finite init of at least 0, but got 1.000000e+39}}
  tr.bp.prelu shared true init 1.0e39
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected a finite init of at least 0, but got 1.000000e+39}}
  tr.bp.scale init 1.0e39
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected p in [0, 1), but got 1.000000e+00}}
  tr.bp.dropout2d 1.0
}

// -----

tr.bp.model @net input [4, 4, 6] classes 10 {
  // expected-error @+1 {{expected p in [0, 1), but got 1.500000e+00}}
  tr.bp.stochastic_depth 1.5
}
