// SPDX-License-Identifier: Apache-2.0
//
// Every layer needs kernels for the precision, whether it is fused or not.
// RUN: tr-opt %s --tr-arch-check-kernels --split-input-file --verify-diagnostics

module attributes {tr.options = #tr.options<precision = amp_fp16>} {
  tr.arch.network @fused classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    // expected-error @+1 {{cbr layer '0.conv': expected kernel op 'conv_stats_fwd' for precision amp_fp16, but the kernel table has none; compile for fp32}}
    %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x4x3xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %0 : tensor<?x5x4x8xf32>
  }
}

// -----

module attributes {tr.options = #tr.options<precision = amp_bf16>} {
  tr.arch.network @primitive classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    // expected-error @+1 {{conv layer '0.conv': expected kernel op 'conv_fwd' for precision amp_bf16, but the kernel table has none; compile for fp32}}
    %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x5x4x8xf32>
    tr.arch.yield %0 : tensor<?x5x4x8xf32>
  }
}

// -----

// What only moves values works in every type; the layer after it does not.
module attributes {tr.options = #tr.options<precision = amp_bf16>} {
  tr.arch.network @moves classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    %0 = tr.arch.identity %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32>
    %1 = tr.arch.flatten %0 ["1"] : tensor<?x5x4x3xf32> -> tensor<?x1x1x60xf32>
    // expected-error @+1 {{fc layer '2.fc': expected kernel op 'fc_fwd' for precision amp_bf16}}
    %2 = tr.arch.fc %1 ["2.fc"] out 3 bias true : tensor<?x1x1x60xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %2 : tensor<?x1x1x3xf32>
  }
}

// -----

// Branches are looked at before the layer that joins them.
module attributes {tr.options = #tr.options<precision = amp_bf16>} {
  tr.arch.network @branches classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    %0 = tr.arch.mul2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> a {
    ^bb0(%a: tensor<?x5x4x3xf32>):
      // expected-error @+1 {{gap layer '0.0': expected kernel op 'gap_fwd' for precision amp_bf16}}
      %1 = tr.arch.gap %a ["0.0"] : tensor<?x5x4x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    } b {
    ^bb0(%a: tensor<?x5x4x3xf32>):
      tr.arch.yield %a : tensor<?x5x4x3xf32>
    }
    tr.arch.yield %0 : tensor<?x5x4x3xf32>
  }
}

// -----

module attributes {tr.options = #tr.options<precision = amp_bf16>} {
  tr.arch.network @product classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    // expected-error @+1 {{mul2 layer '0': expected kernel op 'mul_fwd' for precision amp_bf16}}
    %0 = tr.arch.mul2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> a {
    ^bb0(%a: tensor<?x5x4x3xf32>):
      tr.arch.yield %a : tensor<?x5x4x3xf32>
    } b {
    ^bb0(%a: tensor<?x5x4x3xf32>):
      tr.arch.yield %a : tensor<?x5x4x3xf32>
    }
    tr.arch.yield %0 : tensor<?x5x4x3xf32>
  }
}

// -----

module attributes {tr.options = #tr.options<precision = amp_fp16>} {
  tr.arch.network @unshaped classes 3 {
  ^bb0(%x: tensor<?x5x4x3xf32>):
    // expected-error @+1 {{act layer '0': expected inferred shapes, but got 'tensor<?x5x4x?xf32>'; run --tr-arch-infer-shapes first}}
    %0 = tr.arch.act %x ["0"] <relu> : tensor<?x5x4x3xf32> -> tensor<?x5x4x?xf32>
    tr.arch.yield %0 : tensor<?x5x4x?xf32>
  }
}
