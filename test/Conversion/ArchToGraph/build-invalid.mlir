// RUN: tr-opt %s --tr-graph-build --split-input-file --verify-diagnostics

// expected-error @below {{expected the tr.arch.plan that the program was derived from}}
tr.graph.program @lonely classes 3 {
}

// -----

tr.arch.plan @net classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
// expected-error @below {{expected at least one variant, but got none}}
tr.graph.program @net_graph classes 3 {
}

// -----

tr.arch.plan @net classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
tr.graph.program @net_graph classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 3] graph 0 shape_id 0
  // expected-error @below {{expected the tensor table of --tr-graph-derive-shapes, but 'mine' is not tensor 0 of it}}
  tr.graph.tensor 0 "mine" region "s_mask" dtype "u8" layer -1 shapes [array<i64: 1, 1, 1, 1>]
}

// -----

tr.arch.plan @net classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
// expected-error @below {{tensors as in --tr-graph-derive-shapes, but got 0}}
tr.graph.program @net_graph classes 3 {
  tr.graph.variant "v" batch 1 input [1, 1, 3] graph 0 shape_id 0
}
