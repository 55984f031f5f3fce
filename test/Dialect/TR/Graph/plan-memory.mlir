// RUN: tr-opt %s --tr-graph-plan-memory | FileCheck %s
// Planning twice changes nothing.
// RUN: tr-opt %s --tr-graph-plan-memory > %t && tr-opt %t --tr-graph-plan-memory | diff %t -

tr.graph.program @p classes 3 {
  tr.graph.variant "a" training batch 5 input [1, 1, 7] graph 0 shape_id 0
  // All 68 regions, in order, behind the variants; the old row is gone.
  // CHECK: tr.graph.variant
  // CHECK-NEXT: region "b_prev_mean" offset 0 bytes 0
  // CHECK: region "w_bn_bias" offset 0 bytes 512
  // CHECK-NEXT: region "w_bn_weight" offset 512 bytes 0
  // CHECK-NEXT: region "w_fc_bias" offset 512 bytes 0
  // CHECK-NEXT: region "w_fc_weight" offset 512 bytes 1536
  // CHECK-NEXT: region "w_first_conv" offset 2048 bytes 0
  // CHECK: region "f_feature_fp32" offset 2048 bytes 2048
  // CHECK: region "r_result_accumulated" offset 4096 bytes 0
  // CHECK-NOT: tr.graph.region
  tr.graph.region "s_mask" offset 256 bytes 256
  // CHECK: tensor 0 {{.*}} offset 2048
  tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>] slot 1024
  // CHECK: tensor 1 {{.*}} offset 512
  tr.graph.tensor 1 "w" region "w_fc_weight" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>] slot 1024
  // CHECK: tensor 2 {{.*}} offset 1536
  tr.graph.tensor 2 "v" region "w_fc_weight" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>] slot 512
  // CHECK: tensor 3 {{.*}} offset 0
  tr.graph.tensor 3 "b" region "w_bn_bias" dtype "f32" layer -1 shapes [array<i64: 1, 1, 1, 7>] slot 512 offset 4096
  // CHECK: tensor 4 {{.*}} offset 3072
  tr.graph.tensor 4 "y" region "f_feature_fp32" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 7>] slot 1024
}
