// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-identity --split-input-file --verify-diagnostics

tr.arch.network @empty_stem classes 8 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{add2 layer '0': expected a layer in the stem, such as identity(), but got an empty one}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @nested classes 8 {
^bb0(%x: tensor<?x?x?x?xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    // expected-error @+1 {{add2 layer '0.1': expected a layer in the stem, such as identity(), but got an empty one}}
    %1 = tr.arch.add2 %a ["0.1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      %2 = tr.arch.act %b ["0.1.0"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %2 : tensor<?x?x?x?xf32>
    } stem {
    ^bb0(%b: tensor<?x?x?x?xf32>):
      // A value from above is not a layer of the stem.
      tr.arch.yield %a : tensor<?x?x?x?xf32>
    }
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
