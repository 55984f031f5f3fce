// Each direction is judged by the nearest measured shape of its instruction set.
// RUN: sed s/TARGET/x86-64-v4/ %s | tr-opt --tr-graph-choose-algorithms -o %t.v4
// RUN: FileCheck %s < %t.v4
// Algorithms that are there are replaced, so a second run changes nothing.
// RUN: tr-opt %t.v4 --tr-graph-choose-algorithms | diff %t.v4 -
// RUN: sed s/TARGET/x86-64-v3/ %s | tr-opt --tr-graph-choose-algorithms | FileCheck %s
// Without a target the runtime chooses.
// RUN: sed s/TARGET/any/ %s | tr-opt --tr-graph-choose-algorithms | FileCheck %s --check-prefix=ANY
// ANY: compute
// ANY-NOT: algorithm "winograd"

module attributes {tr.options = #tr.options<target = "TARGET">} {
  tr.graph.program @p classes 3 {
    tr.graph.variant "train_base" training batch 16 input [56, 56, 64] graph 0 shape_id 0
    tr.graph.variant "val_base" batch 4 input [56, 56, 64] graph 0 shape_id 1
    tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 16, 56, 56, 64>, array<i64: 4, 56, 56, 64>]
    tr.graph.tensor 1 "w" region "w_deep_conv" dtype "f32" layer -1 shapes [array<i64: 64, 3, 3, 64>, array<i64: 64, 3, 3, 64>]
    tr.graph.tensor 2 "y" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 16, 56, 56, 64>, array<i64: 4, 56, 56, 64>]
    // Few input channels: the transforms cost more than they save.
    tr.graph.tensor 3 "image" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 16, 224, 224, 3>, array<i64: 4, 224, 224, 3>]
    tr.graph.tensor 4 "v" region "w_first_conv" dtype "f32" layer -1 shapes [array<i64: 64, 3, 3, 3>, array<i64: 64, 3, 3, 3>]
    tr.graph.tensor 5 "z" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 16, 224, 224, 64>, array<i64: 4, 224, 224, 64>]
    tr.graph.subgraph "deep_fwd_bwd" graph 0 {
      // CHECK: compute "conv_fwd" [0, 1, -1, 2] {{.*}} layer -1 algorithm "winograd"
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
      // CHECK: compute "conv_bwd_data" [2, 1, 0] {{.*}} layer -1 algorithm "winograd"
      tr.graph.compute "conv_bwd_data" [2, 1, 0] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
      // CHECK: compute "conv_bwd_weight" [0, 2, 1, -1] {{.*}} layer -1 algorithm "winograd"
      tr.graph.compute "conv_bwd_weight" [0, 2, 1, -1] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1 algorithm "direct"
      // CHECK: compute "conv_fwd" [3, 4, -1, 5] {{.*}} layer -1 algorithm "direct"
      tr.graph.compute "conv_fwd" [3, 4, -1, 5] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
      // No choice: stride 2, another kernel, dilation, groups.
      // CHECK-COUNT-4: layer -1{{$}}
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 2, stride_w = 1} layer -1
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 1, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 2, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
      tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 2, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
    }
  }
}
