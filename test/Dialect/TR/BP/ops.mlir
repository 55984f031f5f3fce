// SPDX-License-Identifier: Apache-2.0
// Every op of tr.bp in three round trips: text, generic text, bytecode.
// RUN: tr-opt %s | tr-opt | FileCheck %s
// RUN: tr-opt %s --mlir-print-op-generic | tr-opt | FileCheck %s
// RUN: tr-opt %s --emit-bytecode | tr-opt | FileCheck %s
// RUN: tr-opt %s --verify-roundtrip --tr-verify-bp -o %t

// CHECK-LABEL: tr.bp.model @containers input [7, 5, 3] classes 11 attributes {note = "kept"} {
tr.bp.model @containers input [7, 5, 3] classes 11 attributes {note = "kept"} {
  // CHECK-NEXT: tr.bp.seq name "body" {
  tr.bp.seq name "body" {
    // CHECK-NEXT: tr.bp.repeat 3 name "loop" {
    // CHECK-NEXT: tr.bp.identity
    tr.bp.repeat 3 name "loop" { tr.bp.identity }
    // CHECK: tr.bp.repeat 1 {
    tr.bp.repeat 1 { tr.bp.identity name "one" }
    // CHECK: tr.bp.add2 name "sum" shortcut {
    // CHECK-NEXT: } stem {
    // CHECK-NEXT: tr.bp.act <relu> name "branch"
    tr.bp.add2 name "sum" shortcut {} stem { tr.bp.act <relu> name "branch" }
    // CHECK: tr.bp.add2 shortcut {
    // CHECK-NEXT: tr.bp.seq {
    // CHECK-NEXT: }
    // CHECK-NEXT: } stem {
    tr.bp.add2 shortcut { tr.bp.seq {} } stem { tr.bp.identity }
    // CHECK: tr.bp.concat name "side" {
    // CHECK-NEXT: }, {
    // CHECK-NEXT: tr.bp.seq {
    // CHECK-NEXT: }
    // CHECK-NEXT: }, {
    // CHECK-NEXT: tr.bp.identity
    // CHECK-NEXT: tr.bp.identity
    tr.bp.concat name "side" {}, { tr.bp.seq {} }, {
      tr.bp.identity
      tr.bp.identity
    }
    // CHECK: tr.bp.mul2 name "gated" a {
    // CHECK-NEXT: } b {
    // CHECK-NEXT: tr.bp.gap
    tr.bp.mul2 name "gated" a {} b { tr.bp.gap }
  }
}

// CHECK-LABEL: tr.bp.model @layers
tr.bp.model @layers input [32, 31, 3] classes 10 {
  // CHECK: tr.bp.conv <out = 6, kernel = [3, 5], stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 3, bias = true> name "c"
  tr.bp.conv <out = 6, kernel = [3, 5], stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 3, bias = true> name "c"
  // CHECK: tr.bp.conv <out = 8, kernel = [1, 1]>
  tr.bp.conv <out = 8, kernel = [1, 1], stride = [1, 1], pad = [0, 0], dilation = [1, 1], groups = 1, bias = false>
  // CHECK: tr.bp.conv_dw kernel [3, 1] stride [1, 2] pad [1, 0] dilation [1, 1] bias true name "dw"
  tr.bp.conv_dw kernel [3, 1] stride [1, 2] pad [1, 0] dilation [1, 1] bias true name "dw"
  // CHECK: tr.bp.bn eps 1.000000e-03 momentum 5.000000e-01
  tr.bp.bn eps 1.0e-3 momentum 0.5
  // CHECK: tr.bp.act <relu>
  tr.bp.act <relu>
  // CHECK: tr.bp.act <relu6>
  tr.bp.act <relu6>
  // CHECK: tr.bp.act <tanh>
  tr.bp.act <tanh>
  // CHECK: tr.bp.act <silu>
  tr.bp.act <silu>
  // CHECK: tr.bp.act <leaky_relu>
  tr.bp.act <leaky_relu>
  // CHECK: tr.bp.act <hardswish>
  tr.bp.act <hardswish>
  // CHECK: tr.bp.act <elu>
  tr.bp.act <elu>
  // CHECK: tr.bp.act <sigmoid>
  tr.bp.act <sigmoid>
  // CHECK: tr.bp.dropout 2.500000e-01
  tr.bp.dropout 0.25
  // CHECK: tr.bp.channel_padding name "pad"
  tr.bp.channel_padding name "pad"
  // CHECK: tr.bp.maxpool <kernel = [2, 3], stride = [2, 1], pad = [1, 1]>
  tr.bp.maxpool <kernel = [2, 3], stride = [2, 1], pad = [1, 1]>
  // CHECK: tr.bp.avgpool <kernel = [2, 2], stride = [2, 2]>
  tr.bp.avgpool <kernel = [2, 2], stride = [2, 2]>
  // CHECK: tr.bp.cbr <out = 4, kernel = [3, 3]> eps 1.000000e-05 momentum 1.000000e-01 act <hardswish>
  tr.bp.cbr <out = 4, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <hardswish>
  // CHECK: tr.bp.cbrp <out = 4, kernel = [3, 3]> eps 1.000000e-05 momentum 1.000000e-01 act <relu> window <kernel = [2, 2], stride = [1, 1]>
  tr.bp.cbrp <out = 4, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [1, 1]>
  // CHECK: tr.bp.block <RESNET_1_3_1> mid 4 out 16
  tr.bp.block <RESNET_1_3_1> mid 4 out 16
  // CHECK: tr.bp.block <RESNET_1_3_1_DS> mid 4 out 16
  tr.bp.block <RESNET_1_3_1_DS> mid 4 out 16
  // CHECK: tr.bp.block <RESNET_3_3> out 16 name "basic"
  tr.bp.block <RESNET_3_3> out 16 name "basic"
  // CHECK: tr.bp.block <RESNET_3_3_DS> out 16
  tr.bp.block <RESNET_3_3_DS> out 16
  // CHECK: tr.bp.block <MB_E1_K3> out 16
  tr.bp.block <MB_E1_K3> out 16
  // CHECK: tr.bp.block <MB_E1_K3_DS> out 16
  tr.bp.block <MB_E1_K3_DS> out 16
  // CHECK: tr.bp.block <MB_E6_K3> out 16
  tr.bp.block <MB_E6_K3> out 16
  // CHECK: tr.bp.block <MB_E6_K3_DS> out 16
  tr.bp.block <MB_E6_K3_DS> out 16
  // CHECK: tr.bp.block <RESNEXT_1_3_1> mid 64 out 16
  tr.bp.block <RESNEXT_1_3_1> mid 64 out 16
  // CHECK: tr.bp.block <RESNEXT_1_3_1_DS> mid 4 out 16 groups 2 act <silu> eps 1.000000e-03 momentum 2.000000e-01 name "x"
  tr.bp.block <RESNEXT_1_3_1_DS> mid 4 out 16 groups 2 act <silu> eps 1.0e-3 momentum 0.2 name "x"
  // CHECK: tr.bp.block <RESNETD_1_3_1_DS> mid 4 out 16
  tr.bp.block <RESNETD_1_3_1_DS> mid 4 out 16
  // CHECK: tr.bp.block <RESNETD_3_3_DS> out 16 act <hardswish>
  tr.bp.block <RESNETD_3_3_DS> out 16 act <hardswish>
  // CHECK: tr.bp.avgpool <kernel = [2, 2], stride = [2, 2], ceil = true>
  tr.bp.avgpool <kernel = [2, 2], stride = [2, 2], ceil = true>
  // CHECK: tr.bp.gap name "g"
  tr.bp.gap name "g"
  // CHECK: tr.bp.flatten start_dim 1
  tr.bp.flatten start_dim 1
  // CHECK: tr.bp.fc out 12 bias false
  tr.bp.fc out 12 bias false
  // CHECK: tr.bp.gap_fc out 10 bias true
  tr.bp.gap_fc out 10 bias true
  // CHECK: tr.bp.softmax_ce
  tr.bp.softmax_ce
}
