// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-check-kernels=precision=amp_fp16 --split-input-file --verify-diagnostics
// RUN: not tr-opt %s --tr-arch-check-kernels=precision=amp_bf16 2>&1 | FileCheck %s --check-prefix=BF16

// BF16: cbr layer '1.conv': expected kernel op 'conv_stats_fwd' for precision amp_bf16

// Layers that are not fused are not this pass's business.
tr.arch.network @convolution classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x5x4x8xf32>
  // expected-error @+1 {{cbr layer '1.conv': expected kernel op 'conv_stats_fwd' for precision amp_fp16, which this fused layer needs, but the kernel table has none; use fuse=false or precision=fp32}}
  %1 = tr.arch.cbr %0 ["1.conv", "1.bn"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %1 : tensor<?x5x4x8xf32>
}

// -----

tr.arch.network @unshaped classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{act layer '0': expected inferred shapes, but got 'tensor<?x5x4x?xf32>'; run --tr-arch-infer-shapes first}}
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x5x4x3xf32> -> tensor<?x5x4x?xf32>
  tr.arch.yield %0 : tensor<?x5x4x?xf32>
}
