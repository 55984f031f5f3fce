// RUN: tr-opt %s --tr-graph-place-memory --split-input-file --verify-diagnostics

tr.graph.program @elements classes 3 {
  // expected-error @below {{expected at most 281474976710656 elements, but got shape array<i64: 2147483647, 2147483647, 2147483647, 2147483647>}}
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 2147483647, 2147483647, 2147483647, 2147483647>]
}

// -----

tr.graph.program @operand classes 3 {
  tr.graph.variant "v" batch 4 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "t0" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    // expected-error @below {{expected one of 1 tensors as operand 'y', but got 1}}
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
}

// -----

tr.graph.program @node classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "copy" [0, 0] {} layer -1
  }
  // expected-error @below {{expected a kernel op below 1, but got 100000}}
  tr.graph.schedule "infer_a" graph 0 nodes [0, 100000] edges []
}

// -----

tr.graph.program @cleared classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 1 "d" region "f_grad_slot" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    // expected-error@+1 {{expected regions outside the pool, whose tensors do not stay together}}
    tr.graph.range "range_clear" [["i_a_data", "f_grad_slot"]] tensors []
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0] edges []
}
