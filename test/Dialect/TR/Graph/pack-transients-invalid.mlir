// RUN: tr-opt %s --tr-graph-pack-transients --split-input-file --verify-diagnostics

// expected-error@+1 {{expected regions and offsets; --tr-graph-plan-memory sets them}}
tr.graph.program @unplaced classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512
}

// -----

tr.graph.program @cleared classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.region "b_prev_mean" offset 0 bytes 0
  tr.graph.region "b_prev_var" offset 0 bytes 0
  tr.graph.region "b_next_mean" offset 0 bytes 0
  tr.graph.region "b_next_var" offset 0 bytes 0
  tr.graph.region "w_eq_bias" offset 0 bytes 0
  tr.graph.region "w_eq_scale" offset 0 bytes 0
  tr.graph.region "w_bn_bias" offset 0 bytes 0
  tr.graph.region "w_bn_weight" offset 0 bytes 0
  tr.graph.region "w_fc_bias" offset 0 bytes 0
  tr.graph.region "w_fc_weight" offset 0 bytes 0
  tr.graph.region "w_first_conv" offset 0 bytes 0
  tr.graph.region "w_deep_conv" offset 0 bytes 0
  tr.graph.region "e_bn_bias" offset 0 bytes 0
  tr.graph.region "e_bn_weight" offset 0 bytes 0
  tr.graph.region "e_fc_bias" offset 0 bytes 0
  tr.graph.region "e_fc_weight" offset 0 bytes 0
  tr.graph.region "e_first_conv" offset 0 bytes 0
  tr.graph.region "e_deep_conv" offset 0 bytes 0
  tr.graph.region "e_fc_weight_fp16" offset 0 bytes 0
  tr.graph.region "e_first_conv_fp16" offset 0 bytes 0
  tr.graph.region "e_deep_conv_fp16" offset 0 bytes 0
  tr.graph.region "a_fc_weight" offset 0 bytes 0
  tr.graph.region "a_first_conv" offset 0 bytes 0
  tr.graph.region "a_deep_conv" offset 0 bytes 0
  tr.graph.region "g_bn_bias" offset 0 bytes 0
  tr.graph.region "g_bn_weight" offset 0 bytes 0
  tr.graph.region "g_fc_bias" offset 0 bytes 0
  tr.graph.region "g_fc_weight" offset 0 bytes 0
  tr.graph.region "g_first_conv" offset 0 bytes 0
  tr.graph.region "g_deep_conv" offset 0 bytes 0
  tr.graph.region "r_result" offset 0 bytes 0
  tr.graph.region "g_fc_weight_fp16" offset 0 bytes 0
  tr.graph.region "g_first_conv_fp16" offset 0 bytes 0
  tr.graph.region "g_deep_conv_fp16" offset 0 bytes 0
  tr.graph.region "m_bn_bias" offset 0 bytes 0
  tr.graph.region "m_bn_weight" offset 0 bytes 0
  tr.graph.region "m_fc_bias" offset 0 bytes 0
  tr.graph.region "m_fc_weight" offset 0 bytes 0
  tr.graph.region "m_first_conv" offset 0 bytes 0
  tr.graph.region "m_deep_conv" offset 0 bytes 0
  tr.graph.region "v_bn_bias" offset 0 bytes 0
  tr.graph.region "v_bn_weight" offset 0 bytes 0
  tr.graph.region "v_fc_bias" offset 0 bytes 0
  tr.graph.region "v_fc_weight" offset 0 bytes 0
  tr.graph.region "v_first_conv" offset 0 bytes 0
  tr.graph.region "v_deep_conv" offset 0 bytes 0
  tr.graph.region "n_fc_weight" offset 0 bytes 0
  tr.graph.region "n_first_conv" offset 0 bytes 0
  tr.graph.region "n_deep_conv" offset 0 bytes 0
  tr.graph.region "i_a_label" offset 0 bytes 512
  tr.graph.region "i_a_data" offset 512 bytes 512
  tr.graph.region "i_b_label" offset 1024 bytes 0
  tr.graph.region "i_b_data" offset 1024 bytes 0
  tr.graph.region "f_feature_fp32" offset 1024 bytes 2048
  tr.graph.region "f_grad_slot_fp32" offset 3072 bytes 512
  tr.graph.region "f_feature_fp16" offset 3584 bytes 0
  tr.graph.region "f_grad_slot_fp16" offset 3584 bytes 0
  tr.graph.region "s_scalar_fp32" offset 3584 bytes 0
  tr.graph.region "s_scalar_fp16" offset 3584 bytes 0
  tr.graph.region "s_scalar_int32" offset 3584 bytes 0
  tr.graph.region "s_scalar_int8" offset 3584 bytes 0
  tr.graph.region "s_mask" offset 3584 bytes 0
  tr.graph.region "t_temp_fp32" offset 3584 bytes 0
  tr.graph.region "t_temp_fp16" offset 3584 bytes 0
  tr.graph.region "t_temp_int32" offset 3584 bytes 0
  tr.graph.region "t_temp_int8" offset 3584 bytes 0
  tr.graph.region "r_predicted_label" offset 3584 bytes 512
  tr.graph.region "r_result_accumulated" offset 4096 bytes 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 512
  tr.graph.tensor 1 "a" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1024
  tr.graph.tensor 2 "b" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1536
  tr.graph.tensor 3 "c" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2048
  tr.graph.tensor 4 "d" region "f_grad_slot_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 3072
  tr.graph.tensor 5 "logits" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2560
  tr.graph.tensor 6 "kept" region "r_predicted_label" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 3584
  tr.graph.subgraph "inf_main_a" graph 0 {
    // expected-error@+1 {{expected regions outside the pool, whose tensors do not stay together}}
    tr.graph.range "range_clear" [["i_a_data", "f_grad_slot_fp32"]] tensors []
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0] edges []
}

// -----

// expected-error@+1 {{expected a memory plan, but the planner says:}}
tr.graph.program @huge classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.region "b_prev_mean" offset 0 bytes 0
  tr.graph.region "b_prev_var" offset 0 bytes 0
  tr.graph.region "b_next_mean" offset 0 bytes 0
  tr.graph.region "b_next_var" offset 0 bytes 0
  tr.graph.region "w_eq_bias" offset 0 bytes 0
  tr.graph.region "w_eq_scale" offset 0 bytes 0
  tr.graph.region "w_bn_bias" offset 0 bytes 0
  tr.graph.region "w_bn_weight" offset 0 bytes 0
  tr.graph.region "w_fc_bias" offset 0 bytes 0
  tr.graph.region "w_fc_weight" offset 0 bytes 0
  tr.graph.region "w_first_conv" offset 0 bytes 0
  tr.graph.region "w_deep_conv" offset 0 bytes 0
  tr.graph.region "e_bn_bias" offset 0 bytes 0
  tr.graph.region "e_bn_weight" offset 0 bytes 0
  tr.graph.region "e_fc_bias" offset 0 bytes 0
  tr.graph.region "e_fc_weight" offset 0 bytes 0
  tr.graph.region "e_first_conv" offset 0 bytes 0
  tr.graph.region "e_deep_conv" offset 0 bytes 0
  tr.graph.region "e_fc_weight_fp16" offset 0 bytes 0
  tr.graph.region "e_first_conv_fp16" offset 0 bytes 0
  tr.graph.region "e_deep_conv_fp16" offset 0 bytes 0
  tr.graph.region "a_fc_weight" offset 0 bytes 0
  tr.graph.region "a_first_conv" offset 0 bytes 0
  tr.graph.region "a_deep_conv" offset 0 bytes 0
  tr.graph.region "g_bn_bias" offset 0 bytes 0
  tr.graph.region "g_bn_weight" offset 0 bytes 0
  tr.graph.region "g_fc_bias" offset 0 bytes 0
  tr.graph.region "g_fc_weight" offset 0 bytes 0
  tr.graph.region "g_first_conv" offset 0 bytes 0
  tr.graph.region "g_deep_conv" offset 0 bytes 0
  tr.graph.region "r_result" offset 0 bytes 0
  tr.graph.region "g_fc_weight_fp16" offset 0 bytes 0
  tr.graph.region "g_first_conv_fp16" offset 0 bytes 0
  tr.graph.region "g_deep_conv_fp16" offset 0 bytes 0
  tr.graph.region "m_bn_bias" offset 0 bytes 0
  tr.graph.region "m_bn_weight" offset 0 bytes 0
  tr.graph.region "m_fc_bias" offset 0 bytes 0
  tr.graph.region "m_fc_weight" offset 0 bytes 0
  tr.graph.region "m_first_conv" offset 0 bytes 0
  tr.graph.region "m_deep_conv" offset 0 bytes 0
  tr.graph.region "v_bn_bias" offset 0 bytes 0
  tr.graph.region "v_bn_weight" offset 0 bytes 0
  tr.graph.region "v_fc_bias" offset 0 bytes 0
  tr.graph.region "v_fc_weight" offset 0 bytes 0
  tr.graph.region "v_first_conv" offset 0 bytes 0
  tr.graph.region "v_deep_conv" offset 0 bytes 0
  tr.graph.region "n_fc_weight" offset 0 bytes 0
  tr.graph.region "n_first_conv" offset 0 bytes 0
  tr.graph.region "n_deep_conv" offset 0 bytes 0
  tr.graph.region "i_a_label" offset 0 bytes 0
  tr.graph.region "i_a_data" offset 0 bytes 0
  tr.graph.region "i_b_label" offset 0 bytes 0
  tr.graph.region "i_b_data" offset 0 bytes 0
  tr.graph.region "f_feature_fp32" offset 0 bytes 1024
  tr.graph.region "f_grad_slot_fp32" offset 1024 bytes 0
  tr.graph.region "f_feature_fp16" offset 1024 bytes 0
  tr.graph.region "f_grad_slot_fp16" offset 1024 bytes 0
  tr.graph.region "s_scalar_fp32" offset 1024 bytes 0
  tr.graph.region "s_scalar_fp16" offset 1024 bytes 0
  tr.graph.region "s_scalar_int32" offset 1024 bytes 0
  tr.graph.region "s_scalar_int8" offset 1024 bytes 0
  tr.graph.region "s_mask" offset 1024 bytes 0
  tr.graph.region "t_temp_fp32" offset 1024 bytes 0
  tr.graph.region "t_temp_fp16" offset 1024 bytes 0
  tr.graph.region "t_temp_int32" offset 1024 bytes 0
  tr.graph.region "t_temp_int8" offset 1024 bytes 0
  tr.graph.region "r_predicted_label" offset 1024 bytes 0
  tr.graph.region "r_result_accumulated" offset 1024 bytes 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 2305843009213693952 offset 0
  tr.graph.tensor 1 "y" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 2305843009213693952 offset 512
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0] edges []
}
