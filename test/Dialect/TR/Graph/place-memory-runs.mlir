// SPDX-License-Identifier: Apache-2.0
//
// Channels of a tensor in memory: a run lies where its parent does, the parent lives from the first
// use of a run to the last and counts once, and parts of one parent need no order.
// RUN: tr-opt %s --tr-graph-schedule --tr-graph-place-memory --tr-debug-only=tr-graph-place-memory -o %t 2> %t.trace
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=TRACE < %t.trace
// RUN: %python %S/Inputs/check_schedule.py %tr_src/runtime/format/include/trf/kernel_ops.def < %t
// RUN: tr-opt %s --tr-attach-options=reuse=false --tr-graph-schedule --tr-graph-place-memory | FileCheck %s --check-prefix=APART

// Seven tensors, three of them runs.
// TRACE: validation and inference: 4 tensors as 4 buffers, 2048 bytes (at least 2048

// CHECK-LABEL: tr.graph.program @runs
// CHECK: tensor 0 "early" {{.*}} slot 1536 offset [[ALL:[0-9]+]]
// CHECK: tensor 1 "all" {{.*}} slot 1536 offset [[ALL]]
// CHECK: tensor 2 "left" {{.*}} parent 1 from 0 slot 1536 offset [[ALL]]
// CHECK: tensor 3 "right" {{.*}} parent 1 from 3 slot 1536 offset [[ALL]]
// CHECK: tensor 4 "middle" {{.*}} parent 1 from 2 slot 1536 offset [[ALL]]
// APART: tensor 1 "all" {{.*}} slot 1536 offset [[ALL:[0-9]+]]
// APART: tensor 2 "left" {{.*}} parent 1 from 0 slot 1536 offset [[ALL]]

// 0 and 1 make and read the early tensor. 2 and 3 write the two parts of the parent side by side, each
// after 1, whose tensor lay there; 4 reads channels of both, 5 all.
// CHECK: schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4, 5] edges [0, 1, 1, 2, 1, 3, 2, 4, 3, 4, 4, 5]
// APART: schedule "infer_a" graph 0 nodes [0, 1, 2, 3, 4, 5] edges [0, 1, 2, 4, 3, 4, 4, 5]
tr.graph.program @runs classes 3 {
  tr.graph.variant "v" batch 4 input [4, 2, 8] graph 0 shape_id 0
  tr.graph.layer "0" kind "concat"
  tr.graph.tensor 0 "early" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 4, 2, 8>]
  tr.graph.tensor 1 "all" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 4, 2, 8>]
  tr.graph.tensor 2 "left" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 4, 2, 3>] parent 1 from 0
  tr.graph.tensor 3 "right" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 4, 2, 5>] parent 1 from 3
  tr.graph.tensor 4 "middle" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 4, 2, 2>] parent 1 from 2
  tr.graph.tensor 5 "small" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 1, 1, 8>]
  tr.graph.tensor 6 "sum" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 4, 1, 1, 8>]
  tr.graph.tensor 7 "images" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 4, 4, 2, 8>]
  tr.graph.subgraph "inf_main_a" graph 0 {
    tr.graph.compute "copy" [7, 0] {} layer 0
    tr.graph.compute "gap_fwd" [0, 5] {} layer 0
    tr.graph.compute "copy" [7, 2] {} layer 0
    tr.graph.compute "copy" [7, 3] {} layer 0
    tr.graph.compute "gap_fwd" [4, 6] {} layer 0
    tr.graph.compute "gap_fwd" [1, 6] {} layer 0
  }
}
