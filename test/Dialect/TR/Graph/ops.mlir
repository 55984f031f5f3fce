// Every op of tr.graph survives three round trips: text, generic text, bytecode.
// RUN: tr-opt %s > %t && tr-opt %t | diff %t -
// RUN: tr-opt %s --mlir-print-op-generic | tr-opt | diff %t -
// RUN: tr-opt %s --emit-bytecode | tr-opt | diff %t -
// RUN: FileCheck %s < %t

// CHECK-LABEL: tr.graph.program @p classes 3
tr.graph.program @p classes 3 {
  // CHECK: tr.graph.variant "train_base" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.variant "train_base" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  // CHECK: tr.graph.variant "val_base" batch 2 input [1, 1, 7] graph 1 shape_id 1
  tr.graph.variant "val_base" batch 2 input [1, 1, 7] graph 1 shape_id 1
  // CHECK: tr.graph.region "w_fc_weight" offset 256 bytes 512
  tr.graph.region "w_fc_weight" offset 256 bytes 512
  // CHECK: tr.graph.layer "0.fc" kind "fc" first
  tr.graph.layer "0.fc" kind "fc" first
  // CHECK: tr.graph.layer "1" kind "act"
  tr.graph.layer "1" kind "act"
  // CHECK: tr.graph.tensor 0 "0.fc.weight" region "w_fc_weight" dtype "f32" layer 0 shapes [array<i64: 3, 1, 1, 7>, array<i64: 3, 1, 1, 7>] slot 512 offset 256
  tr.graph.tensor 0 "0.fc.weight" region "w_fc_weight" dtype "f32" layer 0 shapes [array<i64: 3, 1, 1, 7>, array<i64: 3, 1, 1, 7>] slot 512 offset 256
  // CHECK: tr.graph.tensor 1 "index" region "s_mask" dtype "i32" layer -1 shapes [array<i64: 5, 1, 1, 7>, array<i64: 2, 1, 1, 7>]
  tr.graph.tensor 1 "index" region "s_mask" dtype "i32" layer -1 shapes [array<i64: 5, 1, 1, 7>, array<i64: 2, 1, 1, 7>]
  // CHECK: tr.graph.param "0.fc.weight" tensor 0 grad -1 layout "fc" init "uniform" scale 2.500000e-01 logical [3, 1, 1, 7]
  tr.graph.param "0.fc.weight" tensor 0 grad -1 layout "fc" init "uniform" scale 0.25 logical [3, 1, 1, 7]
  // CHECK: tr.graph.fusion "cbr" count 2
  tr.graph.fusion "cbr" count 2
  // CHECK: tr.graph.subgraph "deep_fwd_bwd" graph 0 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // CHECK-NEXT: tr.graph.compute "fc_fwd" [0, 0, -1, 0] {} layer 0
    tr.graph.compute "fc_fwd" [0, 0, -1, 0] {} layer 0
    // The instance that there is goes without saying.
    // CHECK-NEXT: tr.graph.compute "act_fwd" [0, 0] {act = 1 : i64} layer 1{{$}}
    tr.graph.compute "act_fwd" [0, 0] {act = 1 : i64} layer 1 instance "f32"
    // CHECK-NEXT: tr.graph.compute "conv_fwd" [0, 0, -1, 0] {{.*}} layer 1 algorithm "direct"{{$}}
    tr.graph.compute "conv_fwd" [0, 0, -1, 0] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer 1 algorithm "direct" instance "f32"
    // CHECK-NEXT: tr.graph.range "range_commit" {{\[}}["b_next_mean", "b_next_var"], ["b_prev_mean", "b_prev_var"]] tensors [1]
    tr.graph.range "range_commit" [["b_next_mean", "b_next_var"], ["b_prev_mean", "b_prev_var"]] tensors [1]
  }
  // CHECK: tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
  // CHECK: tr.graph.schedule "train_a" graph 0 nodes [0, 1, 2] edges [0, 1, 1, 2]
  tr.graph.schedule "train_a" graph 0 nodes [0, 1, 2] edges [0, 1, 1, 2]
  // CHECK: tr.graph.atlas "train_base" subgraphs [-1, -1, -1, -1, 0, -1
  tr.graph.atlas "train_base" subgraphs [-1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] captures [-1, -1, -1, -1, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
}

// Another precision, and regions of another element type than their home or of any.
// CHECK-LABEL: tr.graph.program @half classes 3
// CHECK-SAME: attributes {precision = #tr<precision"amp_fp16">} {
tr.graph.program @half classes 3 attributes {precision = #tr<precision"amp_fp16">} {
  // CHECK: tr.graph.region "g_fc_weight_fp16" offset 0 bytes 256
  tr.graph.region "g_fc_weight_fp16" offset 0 bytes 256
  // CHECK: tr.graph.tensor 0 "g" region "g_fc_weight_fp16" dtype "f16"
  tr.graph.tensor 0 "g" region "g_fc_weight_fp16" dtype "f16" layer -1 shapes [array<i64: 3, 1, 1, 7>]
  // CHECK: tr.graph.tensor 1 "t" region "t_temp" dtype "f32"
  tr.graph.tensor 1 "t" region "t_temp" dtype "f32" layer -1 shapes [array<i64: 3, 1, 1, 7>]
  // CHECK: tr.graph.tensor 2 "u" region "t_temp" dtype "bf16"
  tr.graph.tensor 2 "u" region "t_temp" dtype "bf16" layer -1 shapes [array<i64: 3, 1, 1, 7>]
}
