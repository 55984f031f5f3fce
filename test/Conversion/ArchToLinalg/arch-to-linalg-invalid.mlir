// RUN: tr-opt %s --tr-arch-to-linalg --split-input-file --verify-diagnostics
// RUN: not tr-opt %s --tr-arch-to-linalg=batch=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: error: expected a batch of at least 1, but got 0

tr.arch.network @fused classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  // expected-error @below {{expected a layer that is not fused; --tr-arch-pipeline=fuse=false makes none}}
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
  tr.arch.yield %0 : tensor<?x8x8x4xf32>
}

// -----

tr.arch.network @unknown classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  // expected-error @below {{expected inferred shapes, but got 'tensor<?x?x?x?xf32>'; --tr-arch-infer-shapes finds them}}
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
