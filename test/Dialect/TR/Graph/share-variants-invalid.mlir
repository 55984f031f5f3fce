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
