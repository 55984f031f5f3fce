// RUN: tr-opt %s --tr-graph-max-slots | FileCheck %s

tr.graph.program @p classes 3 {
  tr.graph.variant "a" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.variant "b" batch 2 input [3, 1, 7] graph 0 shape_id 0
  // The larger of the variants decides: 5*7 and 2*3*7 elements, 2*align256(2*42+16).
  // CHECK: tensor 0 "x" {{.*}} slot 512
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>, array<i64: 2, 3, 1, 7>]
  // 120 elements fill one 256-byte half, 121 do not.
  // CHECK: tensor 1 "full" {{.*}} slot 512
  tr.graph.tensor 1 "full" region "t_temp_int32" dtype "i32" layer -1 shapes [array<i64: 120, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 2 "more" {{.*}} slot 1024
  tr.graph.tensor 2 "more" region "t_temp_int32" dtype "i32" layer -1 shapes [array<i64: 121, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // An FP16 slot is half of an FP32 slot of as many elements.
  // CHECK: tensor 3 "half" {{.*}} slot 512
  tr.graph.tensor 3 "half" region "f_feature_fp16" dtype "f16" layer -1 shapes [array<i64: 121, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 4 "mask" {{.*}} slot 256
  tr.graph.tensor 4 "mask" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 240, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // CHECK: tensor 5 "masks" {{.*}} slot 512
  tr.graph.tensor 5 "masks" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 241, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
  // A slot that is there is replaced.
  // CHECK: tensor 6 "index" {{.*}} slot 512
  tr.graph.tensor 6 "index" region "s_mask" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 1>, array<i64: 1, 1, 1, 1>] slot 8192
}
