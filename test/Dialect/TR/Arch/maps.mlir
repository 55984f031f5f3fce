// SPDX-License-Identifier: Apache-2.0
// Layers that change extents or the order of channels: three round trips, and their shapes.
// RUN: tr-opt %s | tr-opt | FileCheck %s
// RUN: tr-opt %s --mlir-print-op-generic | tr-opt | FileCheck %s
// RUN: tr-opt %s --emit-bytecode | tr-opt | FileCheck %s
// RUN: tr-opt %s --tr-arch-infer-shapes | FileCheck %s --check-prefix=SHAPE

// CHECK: tr.arch.conv_transpose %{{.+}} ["0.conv"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 3, bias = true> extra_h 1 extra_w 0 :
// CHECK: tr.arch.conv %{{.+}} ["1.conv"] <out = 6, kernel = [4, 2], stride = [2, 1], more = [1, 2]> :
// CHECK: tr.arch.maxpool %{{.+}} ["2"] <kernel = [3, 2], stride = [1, 1], pad = [1, 0], more = [-1, 1], dilation = [2, 3]> :
// CHECK: tr.arch.avgpool %{{.+}} ["3"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], ceil = true, count_pad = true> :
// CHECK: tr.arch.upsample %{{.+}} ["4"] factor_h 3 factor_w 2 bilinear true :
// CHECK: tr.arch.adaptive_avgpool %{{.+}} ["5"] height 5 width 4 :
// CHECK: tr.arch.channel_padding %{{.+}} ["6"] before 2 after 4 :
// CHECK: tr.arch.channel_padding %{{.+}} ["7"] :
// CHECK: tr.arch.channel_shuffle %{{.+}} ["8"] groups 4 :
// CHECK: tr.arch.slice %{{.+}} ["9"] begin 3 count 10 :
// CHECK: tr.arch.global_maxpool %{{.+}} ["10"] :
//
// SHAPE: conv_transpose {{.*}} -> tensor<?x18x13x6xf32>
// SHAPE: conv {{.*}} -> tensor<?x8x14x6xf32>
// SHAPE: maxpool {{.*}} -> tensor<?x5x12x6xf32>
// SHAPE: avgpool {{.*}} -> tensor<?x3x7x6xf32>
// SHAPE: upsample {{.*}} -> tensor<?x9x14x6xf32>
// SHAPE: adaptive_avgpool {{.*}} -> tensor<?x5x4x6xf32>
// SHAPE: channel_padding {{.*}} -> tensor<?x5x4x12xf32>
// SHAPE: channel_padding {{.*}} -> tensor<?x5x4x16xf32>
// SHAPE: channel_shuffle {{.*}} -> tensor<?x5x4x16xf32>
// SHAPE: slice {{.*}} -> tensor<?x5x4x10xf32>
// SHAPE: global_maxpool {{.*}} -> tensor<?x1x1x10xf32>
tr.arch.network @maps classes 10 {
^bb0(%x: tensor<?x9x7x3xf32>):
  %0 = tr.arch.conv_transpose %x ["0.conv"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 3, bias = true> extra_h 1 extra_w 0 : tensor<?x9x7x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.conv %0 ["1.conv"] <out = 6, kernel = [4, 2], stride = [2, 1], more = [1, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.maxpool %1 ["2"] <kernel = [3, 2], stride = [1, 1], pad = [1, 0], more = [-1, 1], dilation = [2, 3]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.avgpool %2 ["3"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], ceil = true, count_pad = true> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.upsample %3 ["4"] factor_h 3 factor_w 2 bilinear true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.adaptive_avgpool %4 ["5"] height 5 width 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.channel_padding %5 ["6"] before 2 after 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.channel_padding %6 ["7"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.channel_shuffle %7 ["8"] groups 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %9 = tr.arch.slice %8 ["9"] begin 3 count 10 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %10 = tr.arch.global_maxpool %9 ["10"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %10 : tensor<?x?x?x?xf32>
}

// Field report 3.5: one rule for both kinds of pooling, 9x9 of 17x17.
// SHAPE: maxpool {{.*}} -> tensor<?x9x9x3xf32>
// SHAPE: avgpool {{.*}} -> tensor<?x9x9x3xf32>
tr.arch.network @field_report_3_5 classes 3 {
^bb0(%x: tensor<?x17x17x3xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x17x17x3xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x17x17x3xf32>):
    %1 = tr.arch.maxpool %a ["0.0"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], ceil = true> : tensor<?x17x17x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x17x17x3xf32>):
    %2 = tr.arch.avgpool %a ["0.1"] <kernel = [2, 2], stride = [2, 2], pad = [1, 1], ceil = true> : tensor<?x17x17x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
