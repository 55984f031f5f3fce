// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s

// Layers that change extents: later attributes of kernel ops stand only where they say something.

module attributes {tr.options = #tr.options<optimizer = sgd>} {
  tr.arch.network @maps classes 3 {
  ^bb0(%x: tensor<?x9x7x3xf32>):
    %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [3, 3], more = [0, 1]> first : tensor<?x9x7x3xf32> -> tensor<?x7x6x4xf32>
    %1 = tr.arch.conv_transpose %0 ["1.conv"] <out = 3, kernel = [2, 2], stride = [2, 2], bias = true> extra_h 0 extra_w 1 : tensor<?x7x6x4xf32> -> tensor<?x14x13x3xf32>
    %2 = tr.arch.maxpool %1 ["2"] <kernel = [2, 2], stride = [1, 1], dilation = [3, 1]> : tensor<?x14x13x3xf32> -> tensor<?x11x12x3xf32>
    %3 = tr.arch.avgpool %2 ["3"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], count_pad = true> : tensor<?x11x12x3xf32> -> tensor<?x6x7x3xf32>
    %4 = tr.arch.adaptive_avgpool %3 ["4"] height 3 width 2 : tensor<?x6x7x3xf32> -> tensor<?x3x2x3xf32>
    %5 = tr.arch.upsample %4 ["5"] factor_h 2 factor_w 1 bilinear false : tensor<?x3x2x3xf32> -> tensor<?x6x2x3xf32>
    %6 = tr.arch.upsample %5 ["6"] factor_h 1 factor_w 2 bilinear true : tensor<?x6x2x3xf32> -> tensor<?x6x4x3xf32>
    %7 = tr.arch.channel_padding %6 ["7"] before 1 after 2 : tensor<?x6x4x3xf32> -> tensor<?x6x4x6xf32>
    %8 = tr.arch.global_maxpool %7 ["8"] : tensor<?x6x4x6xf32> -> tensor<?x1x1x6xf32>
    %9 = tr.arch.fc %8 ["9.fc"] out 3 bias false : tensor<?x1x1x6xf32> -> tensor<?x1x1x3xf32>
    %10 = tr.arch.softmax_ce %9 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %10 : tensor<?x1x1x3xf32>
  }
}

// CHECK: first_layer_fwd_a:
// CHECK: conv_fwd data_a 0.conv.weight - 0.conv.output {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 0, pad_more_w = 1, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: conv_bwd_data 0.conv.output 1.conv.weight 1.conv.product {dilation_h = 1, {{.*}}stride_w = 2}
// CHECK-NEXT: bias_add 1.conv.product 1.conv.bias 1.conv.output {}
// CHECK-NEXT: maxpool_fwd 1.conv.output 2.output 2.index {ceil = 0, dilation_h = 3, kernel_h = 2, kernel_w = 2, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: avgpool_fwd 2.output 3.output {ceil = 0, count_pad = 1, kernel_h = 2,
// CHECK-NEXT: adaptive_avgpool_fwd 3.output 4.output {out_h = 3, out_w = 2}
// CHECK-NEXT: upsample_nearest_fwd 4.output 5.output {factor_h = 2, factor_w = 1}
// CHECK-NEXT: upsample_bilinear_fwd 5.output 6.output {factor_h = 1, factor_w = 2}
// CHECK-NEXT: channel_place 6.output 7.output {at = 1}
// CHECK-NEXT: global_maxpool_fwd 7.output 8.output 8.index {}
// CHECK: global_maxpool_bwd 8.output.grad 8.index 7.output.grad {}
// CHECK-NEXT: channel_take 7.output.grad 6.output.grad {at = 1}
// CHECK-NEXT: upsample_bilinear_bwd 6.output.grad 5.output.grad {factor_h = 1, factor_w = 2}
// CHECK-NEXT: upsample_nearest_bwd 5.output.grad 4.output.grad {factor_h = 2, factor_w = 1}
// CHECK-NEXT: adaptive_avgpool_bwd 4.output.grad 3.output.grad {out_h = 3, out_w = 2}
// CHECK-NEXT: avgpool_bwd 3.output.grad 2.output.grad {ceil = 0, count_pad = 1,
// CHECK-NEXT: maxpool_bwd 2.output.grad 2.index 1.conv.output.grad {ceil = 0, dilation_h = 3,
// CHECK-NEXT: conv_bwd_weight 1.conv.output.grad 0.conv.output 1.conv.weight.grad - {
// CHECK-NEXT: bias_sum 1.conv.output.grad 1.conv.bias.grad {}
// CHECK-NEXT: conv_fwd 1.conv.output.grad 1.conv.weight - 0.conv.output.grad {
// CHECK: inf_main_a:
// CHECK: conv_bwd_data {{.*}} 1.conv.weight 1.conv.product
// CHECK: global_maxpool_fwd {{.*}} - {}
