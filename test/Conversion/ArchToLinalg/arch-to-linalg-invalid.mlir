// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-to-linalg --split-input-file --verify-diagnostics
// RUN: not tr-opt %s --tr-arch-to-linalg=batch=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: error: expected a batch of at least 1, but got 0

tr.arch.network @unknown classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  // expected-error @below {{expected inferred shapes, but got 'tensor<?x?x?x?xf32>'; --tr-arch-infer-shapes finds them}}
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// Also inside a branch.
tr.arch.network @branch classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.concat %x ["0"] : tensor<?x8x8x3xf32> -> tensor<?x8x8x6xf32> {
  ^bb0(%a: tensor<?x8x8x3xf32>):
    tr.arch.yield %a : tensor<?x8x8x3xf32>
  }, {
  ^bb0(%a: tensor<?x8x8x3xf32>):
    // expected-error @below {{expected inferred shapes, but got 'tensor<?x?x?x3xf32>'; --tr-arch-infer-shapes finds them}}
    %1 = tr.arch.act %a ["0.1"] <relu> : tensor<?x8x8x3xf32> -> tensor<?x?x?x3xf32>
    tr.arch.yield %1 : tensor<?x?x?x3xf32>
  }
  tr.arch.yield %0 : tensor<?x8x8x6xf32>
}

// -----

module attributes {tr.options = #tr.options<precision = amp_fp16>} {
  // expected-error @below {{network 'precision': expected precision fp32, in which this lowering computes, but got amp_fp16}}
  tr.arch.network @precision classes 3 {
  ^bb0(%x: tensor<?x8x8x3xf32>):
    %0 = tr.arch.gap %x ["0"] : tensor<?x8x8x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %0 : tensor<?x1x1x3xf32>
  }
}
