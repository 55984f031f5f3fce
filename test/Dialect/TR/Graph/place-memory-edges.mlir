// RUN: tr-opt %s --tr-graph-schedule --tr-graph-place-memory -o %t && FileCheck %s < %t
// Another program finds the same order by brute force.
// RUN: %python %S/Inputs/check_schedule.py %tr_src/runtime/format/include/trf/kernel_ops.def < %t

// CHECK-LABEL: tr.graph.program @p
// Ops by position: 0 and 1 are the transfers; 2 writes t0; 3 and 4 read t0 and may run side by
// side; 5 overwrites t0, so it waits for both readers, and for 2 only through them; 6 reads t1 and
// t2; 7 is a range op over the region of t0, t1, t2 and waits for 5 and 6; 8 belongs to half B.
// CHECK: tr.graph.schedule "val_a" graph 0 nodes [0, 2, 3, 4, 5, 6, 7] edges [1, 2, 1, 3, 2, 4, 3, 4, 2, 5, 3, 5, 4, 6, 5, 6]
// CHECK: tr.graph.schedule "val_b" graph 0 nodes [1, 8] edges []
// CHECK: tr.graph.schedule "infer_a"
// CHECK: tr.graph.schedule "infer_b"
tr.graph.program @p classes 3 {
  tr.graph.variant "val_base" batch 4 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "t0" region "g_fc_weight" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 1 "t1" region "g_fc_weight" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 2 "t2" region "g_fc_weight" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 3 "src" region "t_temp" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 4 "sum" region "t_temp" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.subgraph "transfer_a" graph 0 {
    tr.graph.range "range_h2d" [["i_a_label", "i_a_data"]] tensors []
  }
  tr.graph.subgraph "transfer_b" graph 0 {
    tr.graph.range "range_h2d" [["i_b_label", "i_b_data"]] tensors []
  }
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "copy" [3, 0] {} layer -1
    tr.graph.compute "copy" [0, 1] {} layer -1
    tr.graph.compute "copy" [0, 2] {} layer -1
    tr.graph.compute "copy" [3, 0] {} layer -1
    tr.graph.compute "add_fwd" [1, 2, 4] {act = 0 : i64} layer -1
    tr.graph.range "range_clear" [["g_fc_weight", "g_first_conv"]] tensors []
  }
  tr.graph.subgraph "inf_main_b" graph 0 {
    tr.graph.compute "copy" [3, 0] {} layer -1
  }
}
