// RUN: tr-opt %s --tr-graph-schedule | FileCheck %s
// Scheduling twice changes nothing.
// RUN: tr-opt %s --tr-graph-schedule > %t && tr-opt %t --tr-graph-schedule | diff %t -

// Only validation: no training schedule. Positions of kernel ops in the program; the order is that
// of the table of subgraphs, where the transfer comes first and the metrics last, whatever stands
// where in the program. A takes what belongs to half A or to both. Inference has no metrics. Edges
// come with the places of tensors.
// CHECK-LABEL: tr.graph.program @p
// CHECK-NOT: "train_a"
// CHECK: tr.graph.schedule "val_a" graph 0 nodes [2, 3, 4, 0] edges []
// CHECK-NEXT: tr.graph.schedule "val_b" graph 0 nodes [5, 6, 0] edges []
// CHECK-NEXT: tr.graph.schedule "infer_a" graph 0 nodes [2, 3, 4] edges []
// CHECK-NEXT: tr.graph.schedule "infer_b" graph 0 nodes [5, 6] edges []
// CHECK-NOT: tr.graph.schedule
tr.graph.program @p classes 3 {
  tr.graph.variant "val_base" batch 4 input [1, 1, 7] graph 0 shape_id 0
  tr.graph.tensor 0 "t0" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.tensor 1 "t1" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 4, 1, 1, 7>]
  tr.graph.subgraph "accum_metrics_val_last" graph 0 {
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
  tr.graph.subgraph "deep_fwd_bwd" graph 0 {
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
  tr.graph.subgraph "transfer_a" graph 0 {
    tr.graph.range "range_h2d" [["i_a_label", "i_a_data"]] tensors []
  }
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "copy" [0, 1] {} layer -1
    tr.graph.compute "copy" [1, 0] {} layer -1
  }
  tr.graph.subgraph "transfer_b" graph 0 {
    tr.graph.range "range_h2d" [["i_b_label", "i_b_data"]] tensors []
  }
  tr.graph.subgraph "inf_main_b" graph 0 {
    tr.graph.compute "copy" [0, 1] {} layer -1
  }
  // One that is there is replaced.
  tr.graph.schedule "train_b" graph 0 nodes [1] edges []
}
