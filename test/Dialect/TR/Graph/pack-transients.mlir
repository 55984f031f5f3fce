// RUN: tr-opt %s --tr-graph-pack-transients --split-input-file | FileCheck %s

// A chain x -> a -> b -> c of equal sizes behind the loss-free inference schedule. `a` dies where
// `c` is born, so two places serve three tensors; the in-place activation takes the place of its
// input. Tensors of no layer come first and keep their places. Regions behind the pool close up,
// and the first writer of a place waits for the users of what was there.

// CHECK-LABEL: tr.graph.program @chain
// CHECK: tr.graph.region "f_feature_fp32" offset 1024 bytes 1536
// CHECK: tr.graph.region "f_grad_slot_fp32" offset 1024 bytes 1536
// CHECK: tr.graph.region "s_scalar_fp32" offset 2560 bytes 0
// CHECK: tr.graph.region "s_mask" offset 1024 bytes 1536
// CHECK: tr.graph.region "r_predicted_label" offset 2560 bytes 512
// CHECK: tensor 0 "x" region "i_a_data" {{.*}} slot 512 offset 512
// CHECK-NEXT: tensor 1 "a" {{.*}} slot 512 offset [[A:1536|2048]]
// CHECK-NEXT: tensor 2 "b" {{.*}} slot 512 offset [[B:1536|2048]]
// CHECK-NEXT: tensor 3 "c" {{.*}} slot 512 offset [[A]]
// CHECK-NEXT: tensor 4 "d" {{.*}} slot 512 offset [[A]]
// CHECK-NEXT: tensor 5 "logits" {{.*}} slot 512 offset 1024
// CHECK-NEXT: tensor 6 "kept" {{.*}} slot 512 offset 2560
// Node 3 reads d, which lies on c; node 2 reads b.
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4] edges [0, 1, 1, 2, 2, 3, 3, 4]
tr.graph.program @chain classes 3 {
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
    tr.graph.compute "avgpool_fwd" [0, 1] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 2] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [2, 3] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "act_fwd" [3, 4] {act = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [4, 5] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4] edges [0, 1, 1, 2, 2, 3, 3, 4]
}

// -----

// `a` has a second reader behind the activation, so the activation may not write over it.
// CHECK-LABEL: tr.graph.program @shared
// CHECK: tr.graph.region "f_feature_fp32" offset 1024 bytes 2048
// CHECK: tensor 1 "a" {{.*}} offset [[A:[0-9]+]]
// CHECK-NOT: tensor {{[23]}} {{.*}} offset [[A]]
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 0, 2, 1, 3, 2, 3]
tr.graph.program @shared classes 3 {
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
  tr.graph.region "f_grad_slot_fp32" offset 3072 bytes 0
  tr.graph.region "f_feature_fp16" offset 3072 bytes 0
  tr.graph.region "f_grad_slot_fp16" offset 3072 bytes 0
  tr.graph.region "s_scalar_fp32" offset 3072 bytes 0
  tr.graph.region "s_scalar_fp16" offset 3072 bytes 0
  tr.graph.region "s_scalar_int32" offset 3072 bytes 0
  tr.graph.region "s_scalar_int8" offset 3072 bytes 0
  tr.graph.region "s_mask" offset 3072 bytes 0
  tr.graph.region "t_temp_fp32" offset 3072 bytes 0
  tr.graph.region "t_temp_fp16" offset 3072 bytes 0
  tr.graph.region "t_temp_int32" offset 3072 bytes 0
  tr.graph.region "t_temp_int8" offset 3072 bytes 0
  tr.graph.region "r_predicted_label" offset 3072 bytes 0
  tr.graph.region "r_result_accumulated" offset 3072 bytes 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 512
  tr.graph.tensor 1 "a" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1024
  tr.graph.tensor 2 "b" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1536
  tr.graph.tensor 3 "c" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2048
  tr.graph.tensor 4 "logits" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2560
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "act_fwd" [1, 2] {act = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 3] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "add_fwd" [2, 3, 4] {act = 0 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 0, 2, 1, 3, 2, 3]
}

// -----

// Two branches that do not depend on each other share a place, which orders them.
// CHECK-LABEL: tr.graph.program @branches
// CHECK: tensor 1 "a" {{.*}} offset [[A:[0-9]+]]
// CHECK-NEXT: tensor 2 "b" {{.*}} offset [[A]]
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 1, 2, 2, 3]
tr.graph.program @branches classes 3 {
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
  tr.graph.region "f_feature_fp32" offset 1024 bytes 1536
  tr.graph.region "f_grad_slot_fp32" offset 2560 bytes 0
  tr.graph.region "f_feature_fp16" offset 2560 bytes 0
  tr.graph.region "f_grad_slot_fp16" offset 2560 bytes 0
  tr.graph.region "s_scalar_fp32" offset 2560 bytes 0
  tr.graph.region "s_scalar_fp16" offset 2560 bytes 0
  tr.graph.region "s_scalar_int32" offset 2560 bytes 0
  tr.graph.region "s_scalar_int8" offset 2560 bytes 0
  tr.graph.region "s_mask" offset 2560 bytes 0
  tr.graph.region "t_temp_fp32" offset 2560 bytes 512
  tr.graph.region "t_temp_fp16" offset 3072 bytes 0
  tr.graph.region "t_temp_int32" offset 3072 bytes 0
  tr.graph.region "t_temp_int8" offset 3072 bytes 0
  tr.graph.region "r_predicted_label" offset 3072 bytes 0
  tr.graph.region "r_result_accumulated" offset 3072 bytes 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 512
  tr.graph.tensor 1 "a" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1024
  tr.graph.tensor 2 "b" region "f_feature_fp32" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 1536
  tr.graph.tensor 3 "logits" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2048
  tr.graph.tensor 4 "probs" region "t_temp_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 2560
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 3] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [0, 2] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [2, 4] {kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 2, 3]
}
