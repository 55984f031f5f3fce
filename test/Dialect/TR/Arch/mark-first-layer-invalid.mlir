// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-mark-first-layer --split-input-file --verify-diagnostics

// expected-error @+1 {{network 'several': expected one layer that reads the images, but got 2 readers; run --tr-arch-normalize-identity first}}
tr.arch.network @several classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  %1 = tr.arch.act %x ["1"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %1 : tensor<?x1x1x8xf32>
}

// -----

// expected-error @+1 {{network 'none': expected one layer that reads the images, but got a yield; run}}
tr.arch.network @none classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  tr.arch.yield %x : tensor<?x1x1x8xf32>
}

// -----

// expected-error @+1 {{network 'loss': expected one layer that reads the images, but got a softmax_ce; run}}
tr.arch.network @loss classes 8 {
^bb0(%x: tensor<?x1x1x8xf32>):
  %0 = tr.arch.softmax_ce %x ["0"] classes 8 : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
  tr.arch.yield %0 : tensor<?x1x1x8xf32>
}
