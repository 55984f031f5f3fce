// SPDX-License-Identifier: Apache-2.0
// Every op of the family in three round trips: text, generic, bytecode.
// RUN: tr-opt %s | tr-opt | FileCheck %s
// RUN: tr-opt %s --mlir-print-op-generic | tr-opt | FileCheck %s
// RUN: tr-opt %s --emit-bytecode | tr-opt | FileCheck %s
// RUN: tr-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: tr.arch.network @primitives classes 7 attributes {tr.note = "kept"} {
// CHECK-NEXT: ^bb0(%[[X:.+]]: tensor<?x13x7x4xf32>):
// CHECK-NEXT: %[[V0:.+]] = tr.arch.conv %[[X]] ["0.conv"] <out = 6, kernel = [3, 2], stride = [2, 1], pad = [1, 0], dilation = [1, 2], groups = 2, bias = true> first : tensor<?x13x7x4xf32> -> tensor<?x?x?x?xf32>
// CHECK-NEXT: %[[V1:.+]] = tr.arch.conv %[[V0]] ["1.conv"] <out = 6, kernel = [1, 1]> {tr.note = 1 : i64} :
// CHECK-NEXT: %[[V2:.+]] = tr.arch.bn %[[V1]] ["2.bn"] eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: %[[V3:.+]] = tr.arch.bn2d %[[V2]] ["3.bn"] eps 1.000000e-03 momentum 1.000000e+00 :
// CHECK-NEXT: %[[V4:.+]] = tr.arch.act %[[V3]] ["4"] <none> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["5"] <relu> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["6"] <relu6> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["7"] <tanh> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["8"] <silu> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["9"] <leaky_relu> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["10"] <hardswish> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["11"] <elu> :
// CHECK-NEXT: tr.arch.act %{{.+}} ["12"] <sigmoid> :
// CHECK-NEXT: tr.arch.dropout %{{.+}} ["13"] 5.000000e-01 :
// CHECK-NEXT: tr.arch.maxpool %{{.+}} ["14"] <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> :
// CHECK-NEXT: tr.arch.avgpool %{{.+}} ["15"] <kernel = [2, 2], stride = [1, 1]> :
// CHECK-NEXT: tr.arch.channel_padding %{{.+}} ["16"] :
// CHECK-NEXT: tr.arch.identity %{{.+}} ["17"] :
// CHECK-NEXT: tr.arch.flatten %{{.+}} ["18"] :
// CHECK-NEXT: tr.arch.bn1d %{{.+}} ["19.bn"] eps 1.000000e-05 momentum 0.000000e+00 :
// CHECK-NEXT: tr.arch.fc %{{.+}} ["20.fc"] out 7 bias true :
// CHECK-NEXT: tr.arch.gap %{{.+}} ["21"] :
// CHECK-NEXT: %[[LAST:.+]] = tr.arch.softmax_ce %{{.+}} ["22"] classes 7 :
// CHECK-NEXT: tr.arch.yield %[[LAST]] : tensor<?x?x?x?xf32>
tr.arch.network @primitives classes 7 attributes {tr.note = "kept"} {
^bb0(%x: tensor<?x13x7x4xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 6, kernel = [3, 2], stride = [2, 1], pad = [1, 0], dilation = [1, 2], groups = 2, bias = true> first : tensor<?x13x7x4xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.conv %0 ["1.conv"] <out = 6, kernel = [1, 1]> {tr.note = 1 : i64} : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.bn %1 ["2.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.bn2d %2 ["3.bn"] eps 1.0e-3 momentum 1.0 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.act %3 ["4"] <none> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.act %4 ["5"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.act %5 ["6"] <relu6> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.act %6 ["7"] <tanh> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.act %7 ["8"] <silu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %9 = tr.arch.act %8 ["9"] <leaky_relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %10 = tr.arch.act %9 ["10"] <hardswish> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %11 = tr.arch.act %10 ["11"] <elu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %12 = tr.arch.act %11 ["12"] <sigmoid> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %13 = tr.arch.dropout %12 ["13"] 0.5 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %14 = tr.arch.maxpool %13 ["14"] <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %15 = tr.arch.avgpool %14 ["15"] <kernel = [2, 2], stride = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %16 = tr.arch.channel_padding %15 ["16"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %17 = tr.arch.identity %16 ["17"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %18 = tr.arch.flatten %17 ["18"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %19 = tr.arch.bn1d %18 ["19.bn"] eps 1.0e-5 momentum 0.0 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %20 = tr.arch.fc %19 ["20.fc"] out 7 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %21 = tr.arch.gap %20 ["21"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %22 = tr.arch.softmax_ce %21 ["22"] classes 7 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %22 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: tr.arch.network @joins classes 3 {
// CHECK: tr.arch.concat %{{.+}} ["0"] : tensor<?x6x8x3xf32> -> tensor<?x6x8x9xf32> {
// CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<?x6x8x3xf32>):
// CHECK-NEXT: tr.arch.yield %[[A]] : tensor<?x6x8x3xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%{{.+}}: tensor<?x6x8x3xf32>):
// CHECK-NEXT: tr.arch.avgpool %{{.+}} ["0.1"] <kernel = [1, 1], stride = [1, 1], ceil = true> :
// CHECK: }, {
// CHECK: tr.arch.mul2 %{{.+}} ["1"] : tensor<?x6x8x9xf32> -> tensor<?x6x8x9xf32> a {
// CHECK: } b {
// CHECK: tr.arch.maxpool %{{.+}} ["2"] <kernel = [2, 2], stride = [2, 2], ceil = true> :
tr.arch.network @joins classes 3 {
^bb0(%x: tensor<?x6x8x3xf32>):
  %0 = tr.arch.concat %x ["0"] : tensor<?x6x8x3xf32> -> tensor<?x6x8x9xf32> {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    tr.arch.yield %a : tensor<?x6x8x3xf32>
  }, {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    %1 = tr.arch.avgpool %a ["0.1"] <kernel = [1, 1], stride = [1, 1], ceil = true> : tensor<?x6x8x3xf32> -> tensor<?x6x8x3xf32>
    tr.arch.yield %1 : tensor<?x6x8x3xf32>
  }, {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    tr.arch.yield %x : tensor<?x6x8x3xf32>
  }
  %2 = tr.arch.mul2 %0 ["1"] : tensor<?x6x8x9xf32> -> tensor<?x6x8x9xf32> a {
  ^bb0(%a: tensor<?x6x8x9xf32>):
    tr.arch.yield %a : tensor<?x6x8x9xf32>
  } b {
  ^bb0(%a: tensor<?x6x8x9xf32>):
    %3 = tr.arch.gap %a ["1.1"] : tensor<?x6x8x9xf32> -> tensor<?x1x1x9xf32>
    tr.arch.yield %3 : tensor<?x1x1x9xf32>
  }
  %4 = tr.arch.maxpool %2 ["2"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x6x8x9xf32> -> tensor<?x3x4x9xf32>
  tr.arch.yield %4 : tensor<?x3x4x9xf32>
}

// CHECK-LABEL: tr.arch.network @fused classes 3 {
// CHECK: tr.arch.cbr %{{.+}} ["0.conv", "0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1], bias = true> eps 1.000000e-05 momentum 1.000000e-01 act <silu> first :
// CHECK-NEXT: tr.arch.cbrp %{{.+}} ["1.conv", "1.bn"] <out = 8, kernel = [3, 3]> eps 1.000000e-05 momentum 1.000000e-01 act <relu> window <kernel = [2, 2], stride = [2, 2]> :
// CHECK-NEXT: tr.arch.block %{{.+}} ["2.conv1", "2.bn1", "2.conv2", "2.bn2", "2.conv3", "2.bn3"] <bottleneck, inner = 4, out = 8, shortcut = identity, act = relu> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.block %{{.+}} ["3.conv1", "3.bn1", "3.conv2", "3.bn2", "3.conv3", "3.bn3", "3.proj.conv", "3.proj.bn"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.block %{{.+}} ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 16, shortcut = identity, act = relu> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.block %{{.+}} ["5.conv1", "5.bn1", "5.conv2", "5.bn2", "5.proj.conv", "5.proj.bn"] <basic_block, out = 24, stride = 2, shortcut = projection, act = relu> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.block %{{.+}} ["6.dw.conv", "6.dw.bn", "6.project.conv", "6.project.bn"] <inv_residual, out = 5, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.block %{{.+}} ["7.expand.conv", "7.expand.bn", "7.dw.conv", "7.dw.bn", "7.project.conv", "7.project.bn"] <inv_residual, inner = 30, out = 5, shortcut = identity, act = relu6> eps 1.000000e-05 momentum 1.000000e-01 :
// CHECK-NEXT: tr.arch.gap_fc %{{.+}} ["8.fc"] out 3 bias false :
tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x?x?x3xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1], bias = true> eps 1.0e-5 momentum 0.1 act <silu> first : tensor<?x?x?x3xf32> -> tensor<?x?x?x8xf32>
  %1 = tr.arch.cbrp %0 ["1.conv", "1.bn"] <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [2, 2]> : tensor<?x?x?x8xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.block %1 ["2.conv1", "2.bn1", "2.conv2", "2.bn2", "2.conv3", "2.bn3"] <bottleneck, inner = 4, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.block %2 ["3.conv1", "3.bn1", "3.conv2", "3.bn2", "3.conv3", "3.bn3", "3.proj.conv", "3.proj.bn"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.block %3 ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 16, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %5 = tr.arch.block %4 ["5.conv1", "5.bn1", "5.conv2", "5.bn2", "5.proj.conv", "5.proj.bn"] <basic_block, out = 24, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.block %5 ["6.dw.conv", "6.dw.bn", "6.project.conv", "6.project.bn"] <inv_residual, out = 5, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.block %6 ["7.expand.conv", "7.expand.bn", "7.dw.conv", "7.dw.bn", "7.project.conv", "7.project.bn"] <inv_residual, inner = 30, out = 5, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %8 = tr.arch.gap_fc %7 ["8.fc"] out 3 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %8 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: tr.arch.network @residual classes 3 {
// CHECK-NEXT: ^bb0(%[[X:.+]]: tensor<?x4x4x8xf32>):
// CHECK-NEXT: %[[SUM:.+]] = tr.arch.add2 %[[X]] ["0"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32> shortcut {
// CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<?x4x4x8xf32>):
// CHECK-NEXT: tr.arch.yield %[[A]] : tensor<?x4x4x8xf32>
// CHECK-NEXT: } stem {
// CHECK-NEXT: ^bb0(%[[B:.+]]: tensor<?x4x4x8xf32>):
// CHECK-NEXT: %[[R:.+]] = tr.arch.act %[[B]] ["0.1.0"] <relu>
// CHECK-NEXT: tr.arch.yield %[[R]] : tensor<?x4x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: tr.arch.yield %[[SUM]] : tensor<?x4x4x8xf32>
tr.arch.network @residual classes 3 {
^bb0(%x: tensor<?x4x4x8xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32> shortcut {
  ^bb0(%a: tensor<?x4x4x8xf32>):
    tr.arch.yield %a : tensor<?x4x4x8xf32>
  } stem {
  ^bb0(%a: tensor<?x4x4x8xf32>):
    %1 = tr.arch.act %a ["0.1.0"] <relu> : tensor<?x4x4x8xf32> -> tensor<?x4x4x8xf32>
    tr.arch.yield %1 : tensor<?x4x4x8xf32>
  }
  tr.arch.yield %0 : tensor<?x4x4x8xf32>
}
