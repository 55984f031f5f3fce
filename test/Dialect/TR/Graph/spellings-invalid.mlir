// A spelling that the tables of the plan format do not have, for each of the attributes of tr.graph.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @+2 {{expected one of the precisions, but got 'fp64'}}
// expected-error @+1 {{failed to parse Graph_PrecisionAttr parameter 'value' which is to be a `::trf::Precision`}}
tr.graph.program @p classes 3 attributes {precision = #tr<precision"fp64">} {
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the regions, but got 'w_fc'}}
  // expected-error @+1 {{failed to parse Graph_RegionAttr parameter 'value' which is to be a `::trf::TypedRegion`}}
  tr.graph.region "w_fc" offset 0 bytes 0
}

// -----

// A group of parameters is missing.
tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the regions, but got 'w'}}
  // expected-error @+1 {{failed to parse Graph_RegionAttr parameter 'value' which is to be a `::trf::TypedRegion`}}
  tr.graph.tensor 0 "x" region "w" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

// An element type is missing.
tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the regions, but got 's_scalar'}}
  // expected-error @+1 {{failed to parse Graph_RegionAttr parameter 'value' which is to be a `::trf::TypedRegion`}}
  tr.graph.tensor 0 "x" region "s_scalar" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

// The element type that the region has anyway.
tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the regions, but got 'w_fc_weight_fp32'}}
  // expected-error @+1 {{failed to parse Graph_RegionAttr parameter 'value' which is to be a `::trf::TypedRegion`}}
  tr.graph.tensor 0 "x" region "w_fc_weight_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

// A pooled region has none.
tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the regions, but got 'f_feature_fp32'}}
  // expected-error @+1 {{failed to parse Graph_RegionAttr parameter 'value' which is to be a `::trf::TypedRegion`}}
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the element types, but got 'f64'}}
  // expected-error @+1 {{failed to parse Graph_DTypeAttr parameter 'value' which is to be a `::trf::DType`}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f64" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the layouts, but got 'fcw'}}
  // expected-error @+1 {{failed to parse Graph_LayoutAttr parameter 'value' which is to be a `::trf::ParamLayout`}}
  tr.graph.param "w" tensor 0 grad -1 layout "fcw" init "ones" scale 0.0 logical [1, 1, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the rules, but got 'two'}}
  // expected-error @+1 {{failed to parse Graph_InitAttr parameter 'value' which is to be a `::trf::Init`}}
  tr.graph.param "w" tensor 0 grad -1 layout "fc" init "two" scale 0.0 logical [1, 1, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the subgraphs, but got 'forward'}}
  // expected-error @+1 {{failed to parse Graph_SubgraphAttr parameter 'value' which is to be a `::trf::Subgraph`}}
  tr.graph.subgraph "forward" graph 0 reason "none" {
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @+2 {{expected one of the kernel ops, but got 'conv'}}
    // expected-error @+1 {{failed to parse Graph_OpcodeAttr parameter 'value' which is to be a `::trf::Opcode`}}
    tr.graph.compute "conv" [0, 1] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @+2 {{expected one of the kernel ops, but got 'range'}}
    // expected-error @+1 {{failed to parse Graph_OpcodeAttr parameter 'value' which is to be a `::trf::Opcode`}}
    tr.graph.range "range" [] tensors []
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @+2 {{expected one of the algorithms, but got 'fft'}}
    // expected-error @+2 {{failed to parse Graph_AlgorithmAttr parameter 'value' which is to be a `::trf::ConvAlgorithm`}}
    tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1 algorithm "fft"
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @+2 {{expected one of the instances, but got 'f16'}}
    // expected-error @+2 {{failed to parse Graph_InstanceAttr parameter 'value' which is to be a `::trf::Instance`}}
    tr.graph.compute "act_fwd" [0, 1] {act = 1 : i64} layer -1 instance "f16"
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @+1 {{expected one of the regions, but got 'b_next'}}
    tr.graph.range "range_clear" [["b_next_var", "b_next"]] tensors []
  }
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @+2 {{expected one of the schedules, but got 'train'}}
  // expected-error @+1 {{failed to parse Graph_ScheduleAttr parameter 'value' which is to be a `::trf::Schedule`}}
  tr.graph.schedule "train" graph 0 nodes [0] edges []
}
