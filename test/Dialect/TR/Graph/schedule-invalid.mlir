// RUN: tr-opt %s --tr-graph-schedule --split-input-file --verify-diagnostics

// expected-error @below {{expected subgraphs; --tr-arch-to-graph makes them}}
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

// expected-error @below {{expected at least one variant, but got none}}
tr.graph.program @p classes 3 {
  tr.graph.subgraph "ema_update" graph 0 reason "no EMA" {
  }
}
