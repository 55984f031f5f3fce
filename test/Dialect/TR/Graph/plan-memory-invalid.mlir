// RUN: tr-opt %s --tr-graph-plan-memory --split-input-file --verify-diagnostics

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a slot size; --tr-graph-max-slots sets it}}
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>] slot 1152921504606846976
  // expected-error @below {{expected an arena of at most 1152921504606846976 bytes}}
  tr.graph.tensor 1 "y" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>] slot 256
}
