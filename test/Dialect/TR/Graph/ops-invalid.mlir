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

// -----

// What one op says of others is checked by the program.
tr.graph.program @p classes 3 {
  // expected-error @below {{expected id 0, the position among the tensors, but got 1}}
  tr.graph.tensor 1 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{layer: expected one of 0 layers, but got 0}}
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.variant "a" batch 1 input [1, 1, 7] graph 0 shape_id 0
  // expected-error @below {{expected 1 shapes, one for each variant, but got 2}}
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
}

// -----

// Without variants too, no tensor has fewer shapes than another.
tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // expected-error @below {{expected 2 shapes, one for each variant, but got 1}}
  tr.graph.tensor 1 "y" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{tensor: expected one of 0 tensors, but got 0}}
  tr.graph.param "w" tensor 0 grad -1 layout "fc" init "ones" scale 1.0 logical [1, 1, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "w" region "w_fc_weight" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
  // expected-error @below {{grad: expected one of 1 tensors, but got 1}}
  tr.graph.param "w" tensor 0 grad 1 layout "fc" init "ones" scale 1.0 logical [1, 1, 1, 1]
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{layer: expected one of 0 layers, but got 3}}
    tr.graph.compute "copy" [0, 0] {} layer 3
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "update_stats" graph 0 {
    // expected-error @below {{(range_commit), nonfinite: expected one of 0 tensors, but got 5}}
    tr.graph.range "range_commit" [["b_next_mean", "b_next_var"], ["b_prev_mean", "b_prev_var"]] tensors [5]
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected a tensor id for operand 'y' of copy, but got 9223372036854775807}}
    tr.graph.compute "copy" [0, 9223372036854775807] {} layer -1
  }
}

// -----

// Numbers that serve as keys are below 2^31.
tr.graph.program @p classes 3 {
  // expected-error @below {{expected graph <= 2147483647, but got 9223372036854775807}}
  tr.graph.subgraph "transfer_b" graph 9223372036854775807 reason "none" {
  }
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected graph <= 2147483647, but got 9223372036854775806}}
  tr.graph.variant "v" batch 1 input [1, 1, 7] graph 9223372036854775806 shape_id 0
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected count >= 1, but got -3}}
  tr.graph.fusion "cbr" count -3
}

// -----

tr.graph.program @p classes 3 {
  // expected-note @below {{the first one is here}}
  tr.graph.subgraph "ema_update" graph 4 reason "no EMA" {
  }
  // expected-error @below {{expected one subgraph 'ema_update' in graph 4, but got a second one}}
  tr.graph.subgraph "ema_update" graph 4 reason "no EMA" {
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 1>]
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    tr.graph.compute "copy" [0, 0] {} layer -1
  }
  // expected-error @below {{expected kernel-op positions below 1, but got 1}}
  tr.graph.schedule "train_a" graph 0 nodes [0, 1] edges []
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected the name of a variant, but got 'v'}}
  tr.graph.atlas "v" subgraphs [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] captures [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 7] graph 0 shape_id 0
  // expected-error @below {{subgraphs: expected one of 0 subgraphs, but got 7}}
  tr.graph.atlas "v" subgraphs [7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] captures [0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
}

// -----

tr.graph.program @p classes 3 {
  // expected-error @below {{expected offset of at most 1152921504606846976 bytes, but got 2305843009213693952}}
  tr.graph.region "w_fc_bias" offset 2305843009213693952 bytes 0
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.region "w_fc_bias" offset 0 bytes 1152921504606846976
  // expected-error @below {{expected at most 1152921504606846976 bytes up to here, but got 1152921504606847232}}
  tr.graph.region "w_fc_weight" offset 0 bytes 256
}

// -----

// Values of kernel ops have the ranges of the kernel-op table.
tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected an activation for act, but got 77}}
    tr.graph.compute "act_fwd" [0, 1] {act = 77 : i64} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected stride_h in [1, 32768], but got 0}}
    tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 0, stride_w = 1} layer -1
  }
}

// -----

tr.graph.program @p classes 3 {
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    // expected-error @below {{expected p in }}
    tr.graph.compute "dropout_bwd" [0, 1, 2] {p = 0x7FF8000000000000 : f64} layer -1
  }
}

// -----

// expected-error @below {{expected a name, but got an empty one}}
"tr.graph.program"() <{sym_name = "", classes = 10 : i64}> ({
^bb0:
}) : () -> ()
