// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected classes >= 1, but got 0}}
tr.graph.program @p classes 0 {
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.layer "0" kind "act"
  // expected-error @below {{expected variants, regions, layers, tensors, params, fusions, subgraphs, schedules and atlas in this order}}
  tr.graph.variant "v" batch 1 input [1, 1, 7] graph 0 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected id 0, the position among the tensors, but got 1}}
  tr.graph.tensor 1 "x" region "s_scalar_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected batch in [1, 2147483647], but got 0}}
  tr.graph.variant "v" batch 0 input [1, 1, 7] graph 0 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected 3 values for input, but got 2}}
  tr.graph.variant "v" batch 1 input [1, 7] graph 0 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a name, but got an empty one}}
  tr.graph.variant "" batch 1 input [1, 1, 7] graph 0 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected graph >= 0, but got -1}}
  tr.graph.variant "v" batch 1 input [1, 1, 7] graph -1 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected offset to be a multiple of 256 and >= 0, but got 100}}
  tr.graph.region "w_fc_bias" offset 100 bytes 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected f32 in region w_fc_bias, but got i32}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a shape for each variant, but got none}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f32" layer -1 shapes []
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected 4 values for shape, but got 3}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected shape in [1, 2147483647], but got 0}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 0>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected array<i64: n, h, w, c> in shapes, but got "x"}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f32" layer -1 shapes ["x"]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected slot to be a multiple of 256 and >= 0, but got 4}}
  tr.graph.tensor 0 "x" region "w_fc_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>] slot 4
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a finite scale >= 0, but got -1}}
  tr.graph.param "w" tensor 0 grad -1 layout "fc" init "ones" scale -1.0 logical [1, 1, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a reason for an empty subgraph}}
  tr.graph.subgraph "ema_update" graph 0 {
  }
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected no reason for a subgraph with kernel ops}}
  tr.graph.subgraph "deep_fwd_bwd" graph 0 reason "none" {
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected a kernel op without range operands, but got 'range_clear'}}
    tr.graph.compute "range_clear" [0] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected 4 tensor operands for fc_fwd, but got 3}}
    tr.graph.compute "fc_fwd" [0, 1, 2] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected a tensor id for operand 'w' of fc_fwd, but got -1}}
    tr.graph.compute "fc_fwd" [0, -1, -1, 2] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected an i64 value 'act' for act_fwd}}
    tr.graph.compute "act_fwd" [0, 1] {act = 1.0} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected an f64 value 'p' for dropout_bwd}}
    tr.graph.compute "dropout_bwd" [0, 1, 2] {} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected 1 values for act_fwd, but got 2}}
    tr.graph.compute "act_fwd" [0, 1] {act = 1 : i64, more = 1 : i64} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "optimizer" graph 0 {
    // expected-error @below {{expected a kernel op with range operands, but got 'copy'}}
    tr.graph.range "copy" [] tensors [0, 1]
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "optimizer" graph 0 {
    // expected-error @below {{expected 2 ranges for range_commit, but got 1}}
    tr.graph.range "range_commit" [["b_next_mean", "b_next_var"]] tensors [0]
  }
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected pairs of node positions in edges, but got 3 values}}
  tr.graph.schedule "train_a" graph 0 nodes [0, 1] edges [0, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected edges from an earlier to a later one of 2 nodes, but got 1 -> 0}}
  tr.graph.schedule "train_a" graph 0 nodes [0, 1] edges [1, 0]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected 33 entries, one for each subgraph, but got 2}}
  tr.graph.atlas "v" subgraphs [0, 1] captures [0, 1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a capture exactly where there is a subgraph, at entry 0}}
  tr.graph.atlas "v" subgraphs [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] captures [0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{is not a part of a tr.graph.program}}
  builtin.module {
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "ema_update" graph 0 {
    // expected-error @below {{is not a kernel op of tr.graph}}
    builtin.module {
    }
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "ema_update" graph 0 {
    // expected-error @below {{expected no algorithm of gap_fwd, which is no convolution, but got direct}}
    tr.graph.compute "gap_fwd" [0, 1] {} layer -1 algorithm "direct"
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "ema_update" graph 0 {
    // expected-error @below {{expected stride_w 1 with winograd, but got 2}}
    tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 2} layer -1 algorithm "winograd"
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "optimizer" graph 0 {
    // expected-error @below {{expected a list of regions for each range, but got []}}
    tr.graph.range "range_clear" [[]] tensors []
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "optimizer" graph 0 {
    // expected-error @below {{expected a list of regions for each range, but got ["g_fc_bias"]}}
    "tr.graph.range"() <{kernel = #tr<opcode"range_clear">, ranges = [["g_fc_bias"]], tensors = array<i64>}> : () -> ()
  }
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected a parent together with a first channel}}
  "tr.graph.tensor"() <{id = 0 : i64, name = "x", region = #tr<region"f_feature">, dtype = #tr<dtype"f32">, layer = -1 : i64, shapes = [array<i64: 1, 1, 1, 1>], parent = [1], first_channel = [], slot = [], offset = []}> : () -> ()
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected parent >= 0, but got -1}}
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>] parent -1 from 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected first channel >= 0, but got -1}}
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>] parent 1 from -1
}
