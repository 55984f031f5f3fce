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
    // expected-error @below {{(copy), y: expected one of 1 tensors, but got 1}}
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
  // expected-error @below {{expected kernel-op positions below 1, but got 100000}}
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

// -----

tr.graph.program @no_parent classes 3 {
  tr.graph.layer "0" kind "concat"
  // expected-error @below {{parent: expected one of 1 tensors, but got 1}}
  tr.graph.tensor 0 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 3>] parent 1 from 0
}

// -----

tr.graph.program @other_region classes 3 {
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "f_grad_slot" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 8>]
  // expected-error @below {{expected a parent in the same pooled region that is no run itself, but got 'whole'}}
  tr.graph.tensor 1 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 3>] parent 0 from 0
}

// -----

// What is kept lies in order, so nothing there has runs.
tr.graph.program @kept classes 3 {
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "w_fc_bias" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 8>]
  // expected-error @below {{expected a parent in the same pooled region that is no run itself, but got 'whole'}}
  tr.graph.tensor 1 "run" region "w_fc_bias" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 3>] parent 0 from 0
}

// -----

tr.graph.program @run_of_a_run classes 3 {
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 8>]
  tr.graph.tensor 1 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 3>] parent 0 from 0
  // expected-error @below {{expected a parent in the same pooled region that is no run itself, but got 'run'}}
  tr.graph.tensor 2 "inner" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 1>] parent 1 from 0
}

// -----

tr.graph.program @past_the_end classes 3 {
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 8>]
  // expected-error @below {{expected channels of 'whole' of shape array<i64: 4, 2, 2, 8>, but got array<i64: 4, 2, 2, 3>}}
  tr.graph.tensor 1 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 3>] parent 0 from 6
}

// -----

tr.graph.program @other_extents classes 3 {
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 8>]
  // expected-error @below {{expected channels of 'whole' of shape array<i64: 4, 2, 2, 8>, but got array<i64: 4, 2, 1, 3>}}
  tr.graph.tensor 1 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 1, 3>] parent 0 from 0
}

// -----

// Channels do not depend on the variant.
tr.graph.program @other_channels classes 3 {
  tr.graph.variant "a" batch 4 input [2, 2, 8] graph 0 shape_id 0
  tr.graph.variant "b" batch 4 input [2, 2, 8] graph 0 shape_id 1
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "whole" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 8>, array<i64: 4, 2, 2, 8>]
  // expected-error @below {{expected channels of 'whole' of shape array<i64: 4, 2, 2, 8>, but got array<i64: 4, 2, 2, 4>}}
  tr.graph.tensor 1 "run" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 2, 2, 3>, array<i64: 4, 2, 2, 4>] parent 0 from 0
}
