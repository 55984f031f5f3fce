// RUN: tr-opt %s --tr-graph-max-slots --split-input-file --verify-diagnostics

tr.graph.program @p classes 3 {
  // expected-error @below {{expected at most 281474976710656 elements, but got shape array<i64: 2147483647, 2147483647, 2147483647, 2147483647>}}
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 2147483647, 2147483647, 2147483647, 2147483647>]
}
