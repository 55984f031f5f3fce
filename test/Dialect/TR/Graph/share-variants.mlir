// RUN: tr-opt %s --tr-graph-share-variants | FileCheck %s
// Sharing twice changes nothing.
// RUN: tr-opt %s --tr-graph-share-variants > %t && tr-opt %t --tr-graph-share-variants | diff %t -

// Graph 1 differs in one subgraph and lists only that: it stays a graph of its own and gets clones
// of the others. Graph 2 lists nothing and equals graph 0 then: its variant shares graph 0.
// Equal shapes give equal shape ids, whatever the graph.

// CHECK-LABEL: tr.graph.program @p
// CHECK: variant "train_base" training batch 4 {{.*}} graph 0 shape_id 0
// CHECK: variant "train_last" training batch 3 {{.*}} graph 0 shape_id 1
// CHECK: variant "val_base" batch 4 {{.*}} graph 1 shape_id 0
// CHECK: subgraph "transfer_a" graph 0 {
// CHECK: subgraph "inf_main_a" graph 0 {
// CHECK-NEXT: {act = 1 : i64}
// CHECK: subgraph "update_bn_inf_params" graph 0 reason
// CHECK: subgraph "transfer_a" graph 1 {
// CHECK: subgraph "deep_fwd_bwd" graph 1 {
// CHECK: subgraph "inf_main_a" graph 1 {
// CHECK-NEXT: {act = 2 : i64}
// CHECK: subgraph "update_bn_inf_params" graph 1 reason
// CHECK-NOT: tr.graph.subgraph

// The positions of transfer_a (0), deep_fwd_bwd (4), optimizer (15); training runs no inference.
// train_last has shapes of its own: another capture of deep_fwd_bwd, but the same of the optimizer,
// whose tensors have one shape, and of the transfer, a range op.
// CHECK: atlas "train_base" subgraphs [0, -1, -1, -1, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 15, -1, -1, -1,
// CHECK-SAME: captures [0, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, -1, -1,
// CHECK: atlas "train_last" subgraphs [0, -1, -1, -1, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 15, -1, -1, -1,
// CHECK-SAME: captures [0, -1, -1, -1, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, -1, -1,
// CHECK: atlas "val_base" subgraphs [33, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 50, -1,
// CHECK-SAME: captures [4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 5, -1,
tr.graph.program @p classes 3 {
  tr.graph.variant "train_base" training batch 4 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.variant "train_last" training batch 3 input [1, 1, 7] graph 2 shape_id 0
  tr.graph.variant "val_base" batch 4 input [1, 1, 7] graph 1 shape_id 0
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>, array<i64: 3, 1, 1, 7>, array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 1 "lr" region "s_scalar_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  tr.graph.subgraph "transfer_a" graph 0 {
    tr.graph.range "range_clear" [["i_a_label", "i_a_data"]] tensors []
  }
  tr.graph.subgraph "transfer_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_fwd_a" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_fwd_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    tr.graph.compute "act_fwd" [0, 0] {act = 1 : i64} layer -1
  }
  tr.graph.subgraph "zero_grad" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_bwd_a" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_bwd_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_comm" graph 0 reason "test" {
  }
  tr.graph.subgraph "deep_comm" graph 0 reason "test" {
  }
  tr.graph.subgraph "cast_deep_grad_fp16_to_fp32" graph 0 reason "test" {
  }
  tr.graph.subgraph "cast_first_grad_fp16_to_fp32" graph 0 reason "test" {
  }
  tr.graph.subgraph "nan_check_and_grad_scaling" graph 0 reason "test" {
  }
  tr.graph.subgraph "stats_comm" graph 0 reason "test" {
  }
  tr.graph.subgraph "update_stats" graph 0 reason "test" {
  }
  tr.graph.subgraph "optimizer" graph 0 {
    tr.graph.compute "copy" [1, 1] {} layer -1
  }
  tr.graph.subgraph "ema_update" graph 0 reason "test" {
  }
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "act_fwd" [0, 0] {act = 1 : i64} layer -1
  }
  tr.graph.subgraph "inf_main_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "inf_ema_a" graph 0 reason "test" {
  }
  tr.graph.subgraph "inf_ema_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "cast_main_fp32_to_fp16" graph 0 reason "test" {
  }
  tr.graph.subgraph "cast_ema_fp32_to_fp16" graph 0 reason "test" {
  }
  tr.graph.subgraph "accum_metrics" graph 0 reason "test" {
  }
  tr.graph.subgraph "accum_metrics_train_last" graph 0 reason "test" {
  }
  tr.graph.subgraph "accum_metrics_val_last" graph 0 reason "test" {
  }
  tr.graph.subgraph "val_result_comm" graph 0 reason "test" {
  }
  tr.graph.subgraph "clear_metrics" graph 0 reason "test" {
  }
  tr.graph.subgraph "user_graph" graph 0 reason "test" {
  }
  tr.graph.subgraph "lars_fc_opt" graph 0 reason "test" {
  }
  tr.graph.subgraph "lars_first_conv_opt" graph 0 reason "test" {
  }
  tr.graph.subgraph "lars_deep_conv_opt" graph 0 reason "test" {
  }
  tr.graph.subgraph "update_bn_inf_params" graph 0 reason "test" {
  }
  tr.graph.subgraph "inf_main_a" graph 1 {
    tr.graph.compute "act_fwd" [0, 0] {act = 2 : i64} layer -1
  }
}
