// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-softmax-ce --split-input-file --verify-diagnostics

tr.arch.network @last classes 4 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{softmax_ce layer '7': expected the network's 4 classes, but got 5}}
  %0 = tr.arch.softmax_ce %x ["7"] classes 5 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @middle classes 4 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{softmax_ce layer '7': expected the network's 4 classes, but got 3}}
  %0 = tr.arch.softmax_ce %x ["7"] classes 3 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.act %0 ["8"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// The last layer is to blame, not the loss that the step would add.
tr.arch.network @outputs classes 4 {
^bb0(%x: tensor<?x2x3x5xf32>):
  // expected-error @+1 {{layer '0.fc': expected 4 outputs for 4 classes, but got 1x1x3}}
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true : tensor<?x2x3x5xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
