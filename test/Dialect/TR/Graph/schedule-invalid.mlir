// RUN: tr-opt %s --tr-graph-schedule --split-input-file --verify-diagnostics

// expected-error @below {{expected subgraphs; --tr-graph-build makes them}}
tr.graph.program @p classes 3 {
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a graph with subgraphs, but got graph 1}}
  tr.graph.variant "v" batch 4 input [1, 1, 7] graph 1 shape_id 0
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 4 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "t0" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    // expected-error @below {{expected one of 1 tensors as operand 'y', but got 1}}
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
}
