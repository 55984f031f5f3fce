// RUN: tr-opt %s --tr-graph-place-memory --split-input-file | FileCheck %s
// Placing twice changes nothing.
// RUN: tr-opt %s --tr-graph-place-memory --split-input-file > %t && tr-opt %t --tr-graph-place-memory --split-input-file | diff %t -
// Without reuse every tensor has bytes of its own, and the edges are those of the kernel ops alone.
// RUN: tr-opt %s --tr-attach-options=reuse=false --tr-graph-place-memory --split-input-file | FileCheck %s --check-prefix=APART

// CHECK-LABEL: tr.graph.program @slots
tr.graph.program @slots classes 3 {
  tr.graph.variant "a" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.variant "b" batch 2 input [3, 1, 7] graph 0 shape_id 0
  // The larger of the variants decides: 5*7 and 2*3*7 elements, 2*align256(2*42+16).
  // CHECK: tensor 0 "x" {{.*}} slot 512
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>, array<i64: 2, 3, 1, 7>]
  // 120 elements fill one 256-byte half, 121 do not.
  // CHECK: tensor 1 "full" {{.*}} slot 512
  tr.graph.tensor 1 "full" region "t_temp" dtype "i32" layer -1 shapes [array<i64: 120, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 2 "more" {{.*}} slot 1024
  tr.graph.tensor 2 "more" region "t_temp" dtype "i32" layer -1 shapes [array<i64: 121, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // An FP16 slot is half of an FP32 slot of as many elements.
  // CHECK: tensor 3 "half" {{.*}} slot 512
  tr.graph.tensor 3 "half" region "f_feature" dtype "f16" layer -1 shapes [array<i64: 121, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 4 "mask" {{.*}} slot 256
  tr.graph.tensor 4 "mask" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 240, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 5 "masks" {{.*}} slot 512
  tr.graph.tensor 5 "masks" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 241, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // A slot that is there is replaced.
  // CHECK: tensor 6 "index" {{.*}} slot 512
  tr.graph.tensor 6 "index" region "s_mask" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>] slot 8192
  // A variant that does not use the tensor does not count.
  // CHECK: tensor 7 "unused" {{.*}} slot 512
  tr.graph.tensor 7 "unused" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 0, 0, 0, 0>, array<i64: 1, 1, 1, 7>]
}

// -----

// CHECK-LABEL: tr.graph.program @regions
tr.graph.program @regions classes 3 {
  tr.graph.variant "a" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  // Regions that hold something, in the order of addresses, behind the variants; the old row is
  // gone. Tensors follow each other in the order of the table.
  // CHECK: tr.graph.variant
  // CHECK-NEXT: region "w_bn_bias" offset 0 bytes 512
  // CHECK-NEXT: region "w_fc_weight" offset 512 bytes 1536
  // CHECK-NEXT: region "f_feature" offset 2048 bytes 2048
  // CHECK-NOT: tr.graph.region
  tr.graph.region "s_mask" offset 256 bytes 256
  // CHECK: tensor 0 {{.*}} offset 2048
  tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 10, 2, 1, 7>]
  // CHECK: tensor 1 {{.*}} offset 512
  tr.graph.tensor 1 "w" region "w_fc_weight" dtype "f32" layer -1 shapes [array<i64: 10, 2, 1, 7>]
  // CHECK: tensor 2 {{.*}} offset 1536
  tr.graph.tensor 2 "v" region "w_fc_weight" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>]
  // CHECK: tensor 3 {{.*}} offset 0
  tr.graph.tensor 3 "b" region "w_bn_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 4096
  // CHECK: tensor 4 {{.*}} offset 3072
  tr.graph.tensor 4 "y" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 10, 2, 1, 7>]
}

// -----

// Roles in the order of their table; in a role the groups that are not decayed before those that
// are; in a group the element types in the order of theirs. What runs of kernel ops name lies side
// by side: statistics, all gradients with the results behind them, labels and images of a half.
// CHECK-LABEL: tr.graph.program @order
// CHECK: tr.graph.variant
// CHECK-NEXT: region "b_prev_mean" offset 0 bytes 512
// CHECK-NEXT: region "b_prev_var" offset 512 bytes 512
// CHECK-NEXT: region "b_next_mean" offset 1024 bytes 512
// CHECK-NEXT: region "b_next_var" offset 1536 bytes 512
// CHECK-NEXT: region "w_eq_bias" offset 2048 bytes 512
// CHECK-NEXT: region "w_eq_scale" offset 2560 bytes 512
// CHECK-NEXT: region "w_deep_conv" offset 3072 bytes 512
// CHECK-NEXT: region "e_fc_weight" offset 3584 bytes 512
// CHECK-NEXT: region "e_fc_weight_fp16" offset 4096 bytes 256
// CHECK-NEXT: region "e_first_conv" offset 4352 bytes 512
// CHECK-NEXT: region "a_first_conv" offset 4864 bytes 256
// CHECK-NEXT: region "g_bn_bias" offset 5120 bytes 512
// CHECK-NEXT: region "g_bn_weight" offset 5632 bytes 512
// CHECK-NEXT: region "g_fc_bias" offset 6144 bytes 512
// CHECK-NEXT: region "g_fc_weight" offset 6656 bytes 512
// CHECK-NEXT: region "g_first_conv" offset 7168 bytes 512
// CHECK-NEXT: region "g_deep_conv" offset 7680 bytes 512
// CHECK-NEXT: region "r_result" offset 8192 bytes 512
// CHECK-NEXT: region "m_first_conv" offset 8704 bytes 512
// CHECK-NEXT: region "v_first_conv" offset 9216 bytes 512
// CHECK-NEXT: region "n_fc_weight" offset 9728 bytes 512
// CHECK-NEXT: region "i_a_label" offset 10240 bytes 512
// CHECK-NEXT: region "i_a_data" offset 10752 bytes 512
// CHECK-NEXT: region "i_b_label" offset 11264 bytes 512
// CHECK-NEXT: region "i_b_data" offset 11776 bytes 512
// The pool is one place for all that is pooled, at the first of its regions.
// CHECK-NEXT: region "f_feature" offset 12288 bytes 2048
// CHECK-NEXT: region "f_grad_slot" offset 12288 bytes 2048
// CHECK-NEXT: region "s_mask" offset 12288 bytes 2048
// CHECK-NEXT: region "t_temp" offset 12288 bytes 2048
// CHECK-NEXT: region "s_scalar_fp32" offset 14336 bytes 512
// CHECK-NEXT: region "s_scalar_int32" offset 14848 bytes 512
// CHECK-NEXT: region "s_scalar_int8" offset 15360 bytes 256
// CHECK-NEXT: region "r_predicted_label" offset 15616 bytes 512
// CHECK-NEXT: region "r_result_accumulated" offset 16128 bytes 512
// CHECK-NEXT: tr.graph.tensor 0
// APART-LABEL: tr.graph.program @order
// APART: region "f_feature" offset 12288 bytes 512
// APART-NEXT: region "f_grad_slot" offset 12800 bytes 512
// APART-NEXT: region "s_scalar_fp32" offset 13312 bytes 512
// APART-NEXT: region "s_scalar_int32" offset 13824 bytes 512
// APART-NEXT: region "s_scalar_int8" offset 14336 bytes 256
// APART-NEXT: region "s_mask" offset 14592 bytes 512
// APART-NEXT: region "t_temp" offset 15104 bytes 512
// APART-NEXT: region "r_predicted_label" offset 15616 bytes 512
tr.graph.program @order classes 3 {
  tr.graph.variant "a" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "t0" region "r_result_accumulated" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 1 "t1" region "t_temp" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 2 "t2" region "b_next_var" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 3 "t3" region "g_deep_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 4 "t4" region "i_b_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 5 "t5" region "s_scalar_int8" dtype "u8" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 6 "t6" region "e_fc_weight_fp16" dtype "f16" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 7 "t7" region "m_first_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 8 "t8" region "g_bn_weight" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 9 "t9" region "s_mask" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 10 "t10" region "w_eq_scale" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 11 "t11" region "i_a_label" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 12 "t12" region "f_grad_slot" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 13 "t13" region "b_prev_mean" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 14 "t14" region "r_result" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 15 "t15" region "e_first_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 16 "t16" region "g_fc_weight" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 17 "t17" region "s_scalar_int32" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 18 "t18" region "v_first_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 19 "t19" region "i_b_label" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 20 "t20" region "a_first_conv" dtype "f16" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 21 "t21" region "b_prev_var" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 22 "t22" region "g_bn_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 23 "t23" region "w_deep_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 24 "t24" region "r_predicted_label" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 25 "t25" region "n_fc_weight" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 26 "t26" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 27 "t27" region "b_next_mean" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 28 "t28" region "g_first_conv" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 29 "t29" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 30 "t30" region "e_fc_weight" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 31 "t31" region "w_eq_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 32 "t32" region "s_scalar_fp32" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 33 "t33" region "g_fc_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
}

// -----

// A chain x -> a -> b -> c of equal sizes behind the loss-free inference schedule. `a` dies where
// `c` is born, so two places serve three tensors; the in-place activation takes the place of its
// input. Tensors of no layer come first and keep their places. Regions behind the pool close up,
// and the first writer of a place waits for the users of what was there.

// CHECK-LABEL: tr.graph.program @chain
// CHECK: tr.graph.variant
// CHECK-NEXT: region "i_a_data" offset 0 bytes 512
// CHECK-NEXT: region "f_feature" offset 512 bytes 1536
// CHECK-NEXT: region "f_grad_slot" offset 512 bytes 1536
// CHECK-NEXT: region "r_predicted_label" offset 2048 bytes 512
// CHECK-NOT: tr.graph.region
// CHECK: tensor 0 "x" region "i_a_data" {{.*}} slot 512 offset 0
// CHECK-NEXT: tensor 1 "a" {{.*}} slot 512 offset [[#PLACE:]]
// CHECK-NEXT: tensor 2 "b" {{.*}} slot 512 offset [[#2560-PLACE]]{{$}}
// CHECK-NEXT: tensor 3 "c" {{.*}} slot 512 offset [[#PLACE]]{{$}}
// CHECK-NEXT: tensor 4 "d" {{.*}} slot 512 offset [[#PLACE]]{{$}}
// CHECK-NEXT: tensor 5 "logits" {{.*}} slot 512 offset 512
// CHECK-NEXT: tensor 6 "kept" {{.*}} slot 512 offset 2048
// Node 3 reads d, which lies on c; node 2 reads b.
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4] edges [0, 1, 1, 2, 2, 3, 3, 4]
// APART-LABEL: tr.graph.program @chain
// APART: region "f_feature" offset 512 bytes 2048
// APART-NEXT: region "f_grad_slot" offset 2560 bytes 512
// APART-NEXT: region "r_predicted_label" offset 3072 bytes 512
// APART: tensor 1 "a" {{.*}} slot 512 offset 512
// APART-NEXT: tensor 2 "b" {{.*}} slot 512 offset 1024
// APART-NEXT: tensor 3 "c" {{.*}} slot 512 offset 1536
// APART-NEXT: tensor 4 "d" {{.*}} slot 512 offset 2560
// APART-NEXT: tensor 5 "logits" {{.*}} slot 512 offset 2048
tr.graph.program @chain classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 1 "a" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 2 "b" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 3 "c" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 4 "d" region "f_grad_slot" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 5 "logits" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 6 "kept" region "r_predicted_label" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 2] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [2, 3] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "act_fwd" [3, 4] {act = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [4, 5] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
  }
  // Edges that are there are replaced.
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4] edges [0, 4]
}

// -----

// `a` has a second reader behind the activation, so the activation may not write over it.
// CHECK-LABEL: tr.graph.program @shared
// CHECK: region "f_feature" offset 512 bytes 2048
// CHECK: tensor 1 "a" {{.*}} offset [[A:[0-9]+]]
// CHECK-NOT: tensor {{[23]}} {{.*}} offset [[A]]
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 0, 2, 1, 3, 2, 3]
tr.graph.program @shared classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 1 "a" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 2 "b" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 3 "c" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 4 "logits" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "act_fwd" [1, 2] {act = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 3] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "add_fwd" [2, 3, 4] {act = 0 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges []
}

// -----

// Two branches that do not depend on each other share a place, which orders them.
// CHECK-LABEL: tr.graph.program @branches
// CHECK: tensor 1 "a" {{.*}} offset [[A:[0-9]+]]
// CHECK-NEXT: tensor 2 "b" {{.*}} offset [[A]]
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 1, 2, 2, 3]
// APART-LABEL: tr.graph.program @branches
// APART: schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges [0, 1, 2, 3]
tr.graph.program @branches classes 3 {
  tr.graph.variant "val_base" batch 1 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.layer "0" kind "act"
  tr.graph.tensor 0 "x" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 1 "a" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 2 "b" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 3 "logits" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.tensor 4 "probs" region "t_temp" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "avgpool_fwd" [0, 1] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [1, 3] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [0, 2] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
    tr.graph.compute "avgpool_fwd" [2, 4] {ceil = 0 : i64, kernel_h = 1 : i64, kernel_w = 1 : i64, pad_h = 0 : i64, pad_w = 0 : i64, stride_h = 1 : i64, stride_w = 1 : i64} layer 0
  }
  tr.graph.schedule "infer_a" graph 0 nodes [0, 1, 2, 3] edges []
}
