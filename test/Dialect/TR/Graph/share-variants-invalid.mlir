// RUN: tr-opt %s --tr-graph-share-variants --split-input-file --verify-diagnostics

// expected-error @below {{expected subgraphs; --tr-arch-to-graph makes them}}
tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 0 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 0 shape_id 0
  // expected-note @below {{the first one is here}}
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
  // expected-error @below {{expected one subgraph 'ema_update' in graph 0, but got a second one}}
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
}

// -----

// expected-error @below {{expected subgraph 'transfer_a' in graph 0, but got none}}
tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 0 shape_id 0
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
}

// -----

// expected-error @below {{expected at least one variant, but got none}}
tr.graph.program @p classes 3 {
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
}

// -----

// Sharing would move kernel ops that schedules count.
// expected-error @below {{expected no schedules yet, but got some, whose kernel ops would have other numbers; run --tr-graph-schedule after this pass}}
tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 1 shape_id 0
  tr.graph.subgraph "transfer_a" graph 0 reason "test" {
  }
  tr.graph.subgraph "transfer_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_fwd_a" graph 0 reason "test" {
  }
  tr.graph.subgraph "first_layer_fwd_b" graph 0 reason "test" {
  }
  tr.graph.subgraph "deep_fwd_bwd" graph 0 reason "test" {
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
  tr.graph.subgraph "optimizer" graph 0 reason "test" {
  }
  tr.graph.subgraph "ema_update" graph 0 reason "test" {
  }
  tr.graph.subgraph "inf_main_a" graph 0 reason "test" {
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
  tr.graph.subgraph "inf_main_a" graph 1 reason "test" {
  }
  tr.graph.schedule "infer_a" graph 1 nodes [] edges []
}
