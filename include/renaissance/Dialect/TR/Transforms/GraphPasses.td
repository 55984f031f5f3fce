// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.graph` (the phases after shapes are known) and its boundary
// check.
#ifndef TR_GRAPH_PASSES_TD
#define TR_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

class TR_GraphPass<string flag> : Pass<"tr-graph-" # flag, "::tr::graph::ProgramOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

def GraphMaxSlots : TR_GraphPass<"max-slots"> {
  let summary = "slot bytes of each tensor: the maximum over the variants (phase 2)";
  let description = [{
    A slot holds the tensor under every variant, rounded so that an FP32 slot is twice
    the FP16 slot of equally many elements: `2 * align256(2e + 16)` bytes for four-byte
    types, `align256(bytes * e + 16)` for the others. A variant that does not use a
    tensor has the shape 0x0x0x0 for it and does not count.

    Requires the tensor table of phase 1. Ensures that every tensor has a slot. Does not
    place it: phase 3 does.

    ```mlir
    tr.graph.program @p classes 3 {
      tr.graph.variant "train_base" training batch 5 input [1, 1, 7] graph 0 shape_id 0
      tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1
        shapes [array<i64: 5, 1, 1, 7>]
    }
    ```
  }];
  let statistics = [Statistic<"numSlots", "num-slots", "Number of slots">];
}

def GraphPlanMemory : TR_GraphPass<"plan-memory"> {
  let summary = "regions in order and an offset for each tensor (phase 3)";
  let description = [{
    Lays the regions out one behind the other in the order of the plan format and the
    tensors of a region in the order of the table. Offsets are the same under every
    variant. Replaces regions and offsets that are there.

    Requires slots (phase 2). Ensures one row for each region, empty ones included,
    256-byte offsets and no overlap. Does not reuse memory.

    ```mlir
    tr.graph.program @p classes 3 {
      tr.graph.variant "train_base" training batch 5 input [1, 1, 7] graph 0 shape_id 0
      tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1
        shapes [array<i64: 5, 1, 1, 7>] slot 512
    }
    ```
  }];
  let statistics = [Statistic<"numBytes", "num-bytes", "Bytes of the arena">];
}

def GraphShareVariants : TR_GraphPass<"share-variants"> {
  let summary = "one graph for variants of equal topology, and the atlas (phase 5)";
  let description = [{
    Variants whose subgraphs are equal op by op share one graph. A graph that lists
    only the subgraphs in which it differs gets clones of the others from graph 0.
    Graphs are then numbered without gaps.

    Variants whose every shape is equal get one `shape_id`. The atlas says for each
    variant and subgraph which `tr.graph.subgraph` it runs and as which capture:
    captures are equal where graph, subgraph and shape id are, and a subgraph whose
    tensors have one shape under all variants is captured once.

    Requires subgraphs (phase 4). Ensures that no two graphs are equal and that each
    variant has an atlas; replaces one that is there. Does not merge parts of subgraphs.

    After `--tr-graph-derive-shapes --tr-graph-build`:

    ```mlir
    tr.arch.plan @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numCaptures", "num-captures", "Number of different captures">];
}

def GraphChooseAlgorithms : TR_GraphPass<"choose-algorithms"> {
  let summary = "the algorithm of each convolution, from a table of measured speeds";
  let description = [{
    Gives `algorithm` to every convolution that more than one algorithm can compute: of
    one group with kernel 3x3, stride 1 and dilation 1, or kernel 1x1 and no pad. Forward, backward data and backward
    weight have an algorithm each. The table, `renaissance/Target/ConvCosts.def`, holds
    speeds measured for some shapes on some instruction sets; the nearest of them decides,
    so equal input gives equal plans on every machine. An op that variants of different
    shapes run is judged by the largest.

    Requires the tensor table (phase 1) and subgraphs (phase 4). Ensures an algorithm of
    every convolution that has a choice, whichever it had before. Does nothing without a
    target in `#tr.options`, and does not touch convolutions without a choice.

    ```mlir
    module attributes {tr.options = #tr.options<target = "x86-64-v4">} {
      tr.graph.program @p classes 3 {
        tr.graph.variant "train_base" training batch 16 input [56, 56, 64] graph 0 shape_id 0
        tr.graph.tensor 0 "x" region "f_feature_fp32" dtype "f32" layer -1
          shapes [array<i64: 16, 56, 56, 64>]
        tr.graph.tensor 1 "w" region "w_deep_conv" dtype "f32" layer -1
          shapes [array<i64: 64, 3, 3, 64>]
        tr.graph.tensor 2 "y" region "f_feature_fp32" dtype "f32" layer -1
          shapes [array<i64: 16, 56, 56, 64>]
        tr.graph.subgraph "deep_fwd_bwd" graph 0 {
          tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1,
            kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
        }
      }
    }
    ```
  }];
  let options = [Option<"winograd", "winograd", "bool", "true",
                        "take Winograd where it is faster; it rounds a few times more">];
  let statistics = [Statistic<"numWinograd", "num-winograd", "Convolutions by Winograd">,
                    Statistic<"numPointwise", "num-pointwise", "Convolutions as own products">,
                    Statistic<"numDirect", "num-direct", "Convolutions by the direct algorithm">];
}

def GraphSchedule : TR_GraphPass<"schedule"> {
  let summary = "the step DAGs, from reads and writes";
  let description = [{
    Makes the schedules `train_a/b`, `val_a/b` and `infer_a/b` of each graph, as far as
    a variant trains or validates. Nodes are kernel ops in a fixed topological order.
    An edge means that one op must wait for another: it reads what the other wrote, or
    writes what the other read or wrote, by the operand roles of the kernel-op table. A
    range operand counts as every tensor of its regions. Edges that follow from others
    are left out. Schedules that are there are replaced. With `edges=false` only the
    nodes are made: `--tr-graph-pack-transients` makes the edges in any case.

    Requires subgraphs (phase 4). Ensures an edge, or a path, for each dependency.
    Near-linear in the number of kernel ops. Does not choose streams: the runtime does.

    After `--tr-graph-derive-shapes --tr-graph-build`:

    ```mlir
    tr.arch.plan @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let options = [Option<"edges", "edges", "bool", "true", "make the edges, not only the nodes">];
  let statistics = [Statistic<"numNodes", "num-nodes", "Number of schedule nodes">,
                    Statistic<"numEdges", "num-edges", "Number of schedule edges">];
}

def GraphPackTransients : TR_GraphPass<"pack-transients"> {
  let summary = "one pool for tensors that are not alive at the same time";
  let description = [{
    Gives the tensors of the pooled regions (activations, their gradients, masks,
    temporaries) new offsets in one pool, so that tensors share memory when no step
    needs both. A tensor lives from the kernel op that writes it first to the one that
    uses it last, in the order of a schedule's nodes. An output may take the place of an
    input that dies at the same op where the kernel-op table allows it. Training and
    inference are packed each for itself, in the same bytes. Tensors of no layer and
    tensors that both use live through a whole step; they lie first in the pool.

    The edges of every schedule are made anew: where a tensor takes the place of another
    one, its first writer waits for all users of the other.

    Requires offsets (phase 3) and schedules. Ensures that all pooled regions are the
    pool, that regions behind it follow it, and that no two tensors that are alive at the
    same op overlap. Deterministic. Does not reorder kernel ops.

    After `--tr-graph-derive-shapes --tr-graph-max-slots --tr-graph-plan-memory
    --tr-graph-build --tr-graph-share-variants --tr-graph-schedule`:

    ```mlir
    tr.arch.plan @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numPacked", "num-packed", "Tensors that were packed">,
                    Statistic<"numBytes", "num-bytes", "Bytes of the pool">];
}

def VerifyGraph : Pass<"tr-verify-graph", "::tr::graph::ProgramOp"> {
  let summary = "check a program as a whole";
  let description = [{
    What a verifier of one op cannot see: tensor ids and types of operands by the
    kernel-op table, slots that hold their tensors under every variant, tensors inside
    their regions without overlap, equal slot order and sizes of W, G, M and V,
    gradients of the parameter's shape, range operands of equal length, complete graphs,
    schedules whose nodes are kernel ops of their graph, an edge of every schedule for each
    step of the transitive reduction of what reads, writes and shared memory demand, no
    tensor written over before its last use, and an atlas that fits the graphs.

    Requires a program after all phases. Ensures that the plan writer and the runtime
    can take it. Changes nothing. Does not recompute shapes: the runtime does.

    After `--tr-graph-pipeline`:

    ```mlir
    tr.arch.plan @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::tr::TRDialect"];
}

#endif // TR_GRAPH_PASSES_TD
