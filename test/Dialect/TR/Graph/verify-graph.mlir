// A program of the pipeline passes; each damage is found.
// RUN: tr-opt %s --tr-graph-pipeline -o %t && tr-opt %t --tr-verify-graph -o %t.same && diff %t %t.same
// RUN: sed 's/"1.fc.weight" region "w_fc_weight"/"1.fc.weight" region "w_fc_bias"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: sed '/tr.graph.region "r_result"/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: sed 's/\(tr.graph.region "w_fc_weight".*\)/\1\n\1/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=AGAIN
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
// RUN: sed '/schedule "train_a"/s/nodes \[/nodes [1000, /' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: sed '/schedule "train_a"/s/nodes \[0, /nodes [0, 0, /' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: sed '/schedule "train_a"/s/graph 0/graph 1/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: sed '/atlas "val_base"/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=ATLAS
// RUN: sed '/atlas "train_base"/s/subgraphs \[0, 1,/subgraphs [1, 0,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: sed '/atlas "train_base"/s/captures \[0, 1,/captures [0, 0,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=CAPTURE
// RUN: sed 's/"val_base"/"train_base"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: sed -e '/tr.graph.variant/d' -e '/tr.graph.atlas/d' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NOVARIANT

// RUN: sed 's/atlas "train_base"/atlas "val_base"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/tensor \([0-9]*\) "1.fc.output"/tensor \1 "1.fc\\0Aoutput"/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=CONTROL
// RUN: %python -c "import sys; print(open(sys.argv[1]).read().replace('layer \"1.fc\"', 'layer \"' + 5000 * 'x' + '\"'))" %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: sed 's/\(tr.graph.layer "1.fc" .*\)/\1 loc("bell\\07.bp":1:1)/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: sed '/atlas "train_base"/s/captures \[0, 1,/captures [4294967297, 1,/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NARROW

// Damage to the tensor table that later phases carry on.
// DEFINE: %{rest} = tr-opt --tr-graph-share-variants --tr-graph-schedule --tr-graph-place-memory --tr-verify-graph
// RUN: tr-opt %s --tr-arch-to-graph -o %t.table && %{rest} %t.table -o %t.same && diff %t %t.same
// RUN: sed 's/"1.fc.weight.m" region "m_fc_weight"/"1.fc.weight.m" region "t_temp"/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=MOMENTS
// RUN: sed '/"1.fc.weight.m"/s/array<i64: 16, 7, 5, 1>/array<i64: 16, 5, 7, 1>/g' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=MOMENTSHAPE
// RUN: sed '/"1.fc.bias"/s/array<i64: 1, 1, 1, 16>\]/array<i64: 1, 1, 1, 15>]/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: sed 's/\(param "1.fc.bias" tensor [0-9]* grad\) [0-9]*/\1 8/' %t.table | not %{rest} 2>&1 | FileCheck %s --check-prefix=GRADSHAPE
// RUN: sed '/"lr" region/s/ slot [0-9]*//' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NOSLOT
// RUN: sed '/tensor .*"1.fc.bias/s/array<i64: 1, 1, 1, 16>\]/array<i64: 1, 1, 1, 15>]/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=VARIANTS

// NOSLOT: error: {{.*}}tensor' op expected a slot and an offset
// VARIANTS: error: {{.*}}param' op tensor: the parameter has other shapes in other variants
// PLACE: error: {{.*}}tensor' op offset: expected a slot inside the region's 1024 bytes at 0, but got 2560 bytes at 1024
// GONE: error: {{.*}}tensor' op expected the program to place region 'r_result', but got no tr.graph.region of it
// AGAIN: error: {{.*}}region' op role: a second region of this role, group and type
// AFTER: error: {{.*}}region' op offset: the region starts before the previous one ends
// POOL: error: {{.*}}region' op offset: the region starts before the previous one ends
// INSIDE: error: {{.*}}tensor' op offset: expected a slot inside the region's
// SLOT: error: {{.*}}tensor' op dims: expected at most the slot's 256 bytes, but got 576
// SHAPES: error: {{.*}}tensor' op expected 2 shapes, one for each variant, but got 1
// MOMENT: error: {{.*}}tensor' op offset: expected a slot inside the region's
// MOMENTS: error: {{.*}}range' op (range_sgd), m: expected a range of 3584 bytes like the first one, but got 1024
// MOMENTSHAPE: error: {{.*}}range' op (range_sgd), m: expected tensor '1.fc.weight.m' to have the place and the shapes of '1.fc.weight', its partner in w
// WEIGHTS: error: {{.*}}param' op tensor: the parameter has other shapes in other variants
// GRADSHAPE: error: {{.*}}param' op grad: the gradient has another shape than the parameter
// PARAM: error: {{.*}}param' op name: expected a name of its own, but got '1.fc.weight' again
// GRAD: error: {{.*}}param' op grad: expected one of {{[0-9]+}} tensors, but got 1000
// DTYPE: error: {{.*}}compute' op (act_fwd), x: expected f32, but tensor 'label_a' is i32
// TENSOR: error: {{.*}}compute' op (act_fwd), x: expected one of {{[0-9]+}} tensors, but got 1000
// LAYER: error: {{.*}}compute' op layer: expected one of 5 layers, but got 9
// RANGE: error: {{.*}}range' op (range_sgd), m: expected a range of 3584 bytes like the first one, but got 1024
// SIDE: error: {{.*}}range' op expected the regions of range 1 side by side, but got 'g_fc_weight' between them
// NORANGE: error: {{.*}}range' op expected a region that is there in range 1, but got 'g_first_conv', 'g_deep_conv'
// TWICE: error: {{.*}}subgraph' op expected one subgraph 'first_comm' in graph 0, but got a second one
// NODE: error: {{.*}}schedule' op expected kernel-op positions below {{[0-9]+}}, but got 1000
// REPEAT: error: {{.*}}schedule' op node 1 (OPS record 0, range_h2d): the schedule runs this op twice
// REPEAT: note: this 'tr.graph.range' is concerned too
// GRAPH: error: {{.*}}schedule' op graph: expected one of 1 graphs, but got 1
// ATLAS: error: {{.*}}program' op expected one atlas op for each of 2 variants, but got 1
// OTHER: error: {{.*}}atlas' op expected the atlas of variant 'train_base', but got 'val_base'
// OTHER: note: this variant is the next one
// ENTRY: error: {{.*}}atlas' op subgraph_record: it is another subgraph's record
// CAPTURE: error: {{.*}}atlas' op capture: another subgraph record has this number
// NAMES: error: {{.*}}variant' op name: expected a name of its own, but got 'train_base' again
// NOVARIANT: error: {{.*}}program' op expected at least one variant, but got none
// CONTROL: error: {{.*}}tensor' op expected UTF-8 text without control characters
// LONG: error: {{.*}}layer' op bytes: expected 0 to 4096, but got 5000
// FILE: bell{{.*}}layer' op expected UTF-8 text without control characters
// NARROW: error: {{.*}}atlas' op expected entry <= 2147483647, but got 4294967297
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
