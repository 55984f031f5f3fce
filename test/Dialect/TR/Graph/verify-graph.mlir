// A program of the pipeline passes; each damage is found.
// RUN: tr-opt %s --tr-graph-pipeline -o %t && tr-opt %t --tr-verify-graph -o %t.same && diff %t %t.same
// RUN: sed 's/"1.fc.weight" region "w_fc_weight"/"1.fc.weight" region "w_fc_bias"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: sed '/tr.graph.region "r_result"/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: sed 's/region "m_fc_bias" offset/region "w_fc_bias" offset/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: sed 's/region "w_fc_bias" offset [0-9]*/region "w_fc_bias" offset 256/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: sed 's/\(region "t_temp" offset [0-9]* bytes\) [0-9]*/\1 256/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=POOL
// RUN: sed '/"top1" region/s/offset [0-9]*/offset 4096/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: sed '/"1.fc.output" region/s/slot [0-9]*/slot 256/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: sed '/"lr" region/s/, array<i64: 1, 1, 1, 1>\]/]/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: sed 's/"1.fc.weight.m" region "m_fc_weight"/"1.fc.weight.m" region "m_fc_bias"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=MOMENT
// RUN: sed 's/param "1.fc.bias"/param "1.fc.weight"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=PARAM
// RUN: sed 's/\(param "1.fc.bias" tensor [0-9]* grad\) [0-9]*/\1 1000/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=GRAD
// RUN: sed 's/compute "act_fwd" \[[0-9]*,/compute "act_fwd" [0,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: sed 's/compute "act_fwd" \[[0-9]*,/compute "act_fwd" [1000,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: sed 's/} layer 2$/} layer 9/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=LAYER
// RUN: sed 's/\["m_fc_weight", /["m_fc_bias", /' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: sed 's/\["g_fc_weight", "g_first_conv", "g_deep_conv"\]/["g_fc_bias", "r_result"]/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: sed 's/\["g_fc_weight", "g_first_conv", "g_deep_conv"\]/["g_first_conv", "g_deep_conv"]/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NORANGE
// RUN: sed 's/subgraph "ema_update"/subgraph "first_comm"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed '/subgraph "ema_update"/,/}/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: sed '/schedule "train_a"/s/nodes \[/nodes [1000, /' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: sed '/schedule "train_a"/s/nodes \[0, /nodes [0, 0, /' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: sed '/schedule "train_a"/s/graph 0/graph 1/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: sed '/atlas "val_base"/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=ATLAS
// RUN: sed '/atlas "train_base"/s/subgraphs \[0, 1,/subgraphs [1, 0,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: sed '/atlas "train_base"/s/captures \[0, 1,/captures [0, 0,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=CAPTURE
// RUN: sed 's/"val_base" batch/"train_base" batch/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: sed '/tr.graph.variant/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NOVARIANT

// Damage to the tensor table that later phases carry on.
// DEFINE: %{rest} = tr-opt --tr-graph-share-variants --tr-graph-schedule --tr-graph-place-memory --tr-verify-graph
// RUN: tr-opt %s --tr-arch-to-graph -o %t.table && %{rest} %t.table -o %t.same && diff %t %t.same
// RUN: sed 's/"1.fc.weight.m" region "m_fc_weight"/"1.fc.weight.m" region "t_temp"/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=MOMENTS
// RUN: sed '/"1.fc.weight.m"/s/array<i64: 16, 7, 5, 1>/array<i64: 16, 5, 7, 1>/g' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=MOMENTSHAPE
// RUN: sed '/"1.fc.bias"/s/array<i64: 1, 1, 1, 16>\]/array<i64: 1, 1, 1, 15>]/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: sed 's/\(param "1.fc.bias" tensor [0-9]* grad\) [0-9]*/\1 8/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=GRADSHAPE
// RUN: sed '/"lr" region/s/ slot [0-9]*//' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NOSLOT
// RUN: sed '/tensor .*"1.fc.bias/s/array<i64: 1, 1, 1, 16>\]/array<i64: 1, 1, 1, 15>]/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=VARIANTS

// NOSLOT: error: {{.*}}expected a slot and an offset
// VARIANTS: error: {{.*}}expected one shape under all variants, but got
// PLACE: error: {{.*}}expected a slot inside region 'w_fc_bias' of 1024 bytes at 0, but got 2560 bytes at 1024
// GONE: error: {{.*}}expected the program to place region 'r_result', but got no tr.graph.region of it
// AGAIN: error: {{.*}}expected each region once, but got 'w_fc_bias' again
// AFTER: error: {{.*}}expected an offset of at least
// POOL: error: 'tr.graph.region' op expected an offset of at least {{[0-9]+}}, where the region before ends, but got
// INSIDE: error: {{.*}}expected a slot inside region 'r_result'
// SLOT: error: {{.*}}expected a slot that holds shape array<i64: 9, 1, 1, 16>, but got 256 bytes
// SHAPES: error: {{.*}}expected 2 shapes, one for each variant, but got 1
// MOMENT: error: {{.*}}expected a slot inside region 'm_fc_bias'
// MOMENTS: error: {{.*}}expected 2 tensors in region 'm_fc_weight', as many as weights, but got 1
// MOMENTSHAPE: error: {{.*}}expected the shapes of '1.fc.weight', the weight at its place, but '1.fc.weight.m' has
// WEIGHTS: error: {{.*}}expected the shapes of '1.fc.bias', the weight at its place
// GRADSHAPE: error: {{.*}}expected a gradient of shape array<i64: 1, 1, 1, 16>, but got array<i64: 9, 1, 1, 10>
// PARAM: error: {{.*}}expected different parameter names, but got '1.fc.weight' twice
// GRAD: error: {{.*}}expected a tensor below {{[0-9]+}}, but got 1000
// DTYPE: error: {{.*}}expected f32 for operand 'x', but tensor 'label_a' is i32
// TENSOR: error: {{.*}}expected a tensor below {{[0-9]+}}, but got 1000
// LAYER: error: {{.*}}expected a layer below 5, but got 9
// RANGE: error: {{.*}}expected ranges of equal length, but operand 'm' has
// SIDE: error: {{.*}}expected the regions of range 1 side by side, but got 'g_fc_weight' between them
// NORANGE: error: {{.*}}expected a region that is there in range 1, but got 'g_first_conv', 'g_deep_conv'
// TWICE: error: {{.*}}expected one subgraph 'first_comm' in graph 0, but got a second one
// MISSING: error: {{.*}}expected a graph with all subgraphs, but graph 0 has no 'ema_update'
// NODE: error: {{.*}}expected a kernel op below {{[0-9]+}}, but got 1000
// REPEAT: error: {{.*}}expected each kernel op once, but got 0 twice
// GRAPH: error: {{.*}}expected kernel ops of graph 1, but 0 is one of graph 0
// ATLAS: error: {{.*}}expected an atlas for each of 2 variants, but got 1
// ENTRY: error: {{.*}}expected 'transfer_a' of graph 0 at entry 0, but got 'transfer_b' of graph 0
// CAPTURE: error: {{.*}}expected one subgraph for each capture, but got several for 0
// NAMES: error: {{.*}}expected different variant names, but got 'train_base' twice
// NOVARIANT: error: {{.*}}expected at least one variant, but got none
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 9>, #tr.variant<name = "val_base", training = false, batch = 3>]>} {
  tr.arch.network @mlp classes 10 {
  ^bb0(%x: tensor<?x7x5x1xf32>):
    %0 = tr.arch.flatten %x ["0"] first : tensor<?x7x5x1xf32> -> tensor<?x1x1x35xf32>
    %1 = tr.arch.fc %0 ["1.fc"] out 16 bias true : tensor<?x1x1x35xf32> -> tensor<?x1x1x16xf32>
    %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x1x1x16xf32> -> tensor<?x1x1x16xf32>
    %3 = tr.arch.fc %2 ["3.fc"] out 10 bias true : tensor<?x1x1x16xf32> -> tensor<?x1x1x10xf32>
    %4 = tr.arch.softmax_ce %3 ["loss"] classes 10 : tensor<?x1x1x10xf32> -> tensor<?x1x1x10xf32>
    tr.arch.yield %4 : tensor<?x1x1x10xf32>
  }
}
