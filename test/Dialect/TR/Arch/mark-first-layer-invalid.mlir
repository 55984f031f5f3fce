// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-mark-first-layer --split-input-file --verify-diagnostics

// expected-error @+1 {{plan 'several': expected one layer that reads the images, but got 2 readers; run --tr-arch-normalize-identity first}}
tr.arch.plan @several classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.act %x ["1"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %1 : tensor<?x1x1x8xf32>
}

// -----

// expected-error @+1 {{plan 'none': expected one layer that reads the images, but got a yield; run}}
tr.arch.plan @none classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  tr.arch.yield %x : tensor<?x1x1x8xf32>
}

// -----

// expected-error @+1 {{plan 'loss': expected one layer that reads the images, but got a softmax_ce; run}}
tr.arch.plan @loss classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.softmax_ce %x ["0"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %0 : tensor<?x1x1x8xf32>
}
