// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-flatten --split-input-file --verify-diagnostics | FileCheck %s

tr.arch.network @unshaped classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x8x8x3xf32> -> tensor<?x?x8x3xf32>
  // expected-error @+1 {{fc layer '1.fc': expected an inferred input shape, but got 'tensor<?x?x8x3xf32>'; run --tr-arch-infer-shapes first}}
  %1 = tr.arch.fc %0 ["1.fc"] out 4 bias true : tensor<?x?x8x3xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %1 : tensor<?x1x1x4xf32>
}

// -----

// `flatten, dropout, fc` survives as the user wrote it, and so does a Flatten that an
// FC layer with an odd channel count needs.
// CHECK-LABEL: tr.arch.network @kept
// CHECK: tr.arch.flatten {{.*}} ["0"]
// CHECK-NEXT: tr.arch.dropout
// CHECK-NEXT: tr.arch.fc
// CHECK: tr.arch.flatten {{.*}} ["4"]
// CHECK-NEXT: tr.arch.fc
tr.arch.network @kept classes 4 {
^bb0(%x: tensor<?x2x2x8xf32>):
  %0 = tr.arch.flatten %x ["0"] : tensor<?x2x2x8xf32> -> tensor<?x1x1x32xf32>
  %1 = tr.arch.dropout %0 ["1"] 0.5 : tensor<?x1x1x32xf32> -> tensor<?x1x1x32xf32>
  %2 = tr.arch.fc %1 ["2.fc"] out 4 bias true : tensor<?x1x1x32xf32> -> tensor<?x1x1x4xf32>
  %3 = tr.arch.conv %2 ["3.conv"] <out = 4, kernel = [1, 1], pad = [1, 1]> : tensor<?x1x1x4xf32> -> tensor<?x3x3x4xf32>
  %4 = tr.arch.flatten %3 ["4"] : tensor<?x3x3x4xf32> -> tensor<?x1x1x36xf32>
  %5 = tr.arch.fc %4 ["5.fc"] out 4 bias true : tensor<?x1x1x36xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %5 : tensor<?x1x1x4xf32>
}
