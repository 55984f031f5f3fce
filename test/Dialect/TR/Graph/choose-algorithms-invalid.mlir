// RUN: tr-opt %s --tr-graph-choose-algorithms --split-input-file --verify-diagnostics

module attributes {tr.options = #tr.options<target = "x86-64-v3">} {
  tr.graph.program @p classes 3 {
    tr.graph.variant "train_base" training batch 1 input [5, 7, 2] graph 0 shape_id 0
    tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 5, 7, 2>]
    tr.graph.subgraph "deep_fwd_bwd" graph 0 {
      // expected-error @below {{(conv_fwd), w: expected one of 1 tensors, but got 1}}
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
    }
  }
}
