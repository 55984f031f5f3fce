// SPDX-License-Identifier: Apache-2.0
// Nothing folds in this family: canonicalization may not touch what the ten steps
// own (an idempotent activation pair, identities), only drop what nobody reads.
// RUN: tr-opt %s --canonicalize=test-convergence=true | FileCheck %s

// CHECK-LABEL: tr.arch.network @kept
// CHECK: tr.arch.identity
// CHECK-NEXT: %[[A:.+]] = tr.arch.act {{.*}} ["1"] <relu>
// CHECK-NEXT: %[[B:.+]] = tr.arch.act %[[A]] ["2"] <relu>
// CHECK-NEXT: tr.arch.yield %[[B]]
tr.arch.network @kept classes 8 {
^bb0(%x: tensor<?x4x4x8xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %1 = tr.arch.act %0 ["1"] <relu> : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
  %3 = tr.arch.conv %1 ["3.conv"] <out = 4, kernel = [1, 1]> : tensor<?x4x4x8xf32> -> tensor<?x4x4x4xf32>
  tr.arch.yield %2 : tensor<?x4x4x8xf32>
}
