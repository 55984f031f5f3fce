// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.graph` and its boundary check.
#ifndef TR_GRAPH_PASSES_TD
#define TR_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

// On a program, or on each program of a module. Ids need no check: the verifier of programs knows
// what they name.
class TR_GraphPass<string flag> : Pass<"tr-graph-" # flag> {
  let dependentDialects = ["::tr::TRDialect"];
}

def GraphShareVariants : TR_GraphPass<"share-variants"> {
  let summary = "one graph for variants of equal topology, and the atlas";
  let description = [{
    Six variants of a network mostly differ in shapes alone, so what was prepared for one serves
    the others. Variants whose subgraphs are equal op by op share one graph. A graph that lists
    only the subgraphs in which it differs gets clones of the others from graph 0.
    Graphs are then numbered without gaps.

    Variants whose every shape is equal get one `shape_id`. The atlas says for each
    variant and subgraph which `tr.graph.subgraph` it runs and as which capture:
    captures are equal where graph, subgraph and shape id are, and a subgraph whose
    tensors have one shape under all variants is captured once.

    Requires variants and subgraphs, and no schedules where it would renumber kernel ops. Ensures
    that no two graphs are equal and that each variant has an atlas; replaces one that is there.
    Does not merge parts of subgraphs.

    After `--tr-arch-to-graph`:

    ```mlir
    tr.arch.network @net classes 3 {
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
    Which algorithm of a convolution is fastest depends on its shape, by a factor of two and more.
    The pass gives `algorithm` to every convolution that more than one algorithm can compute: of
    one group with kernel 3x3, stride 1 and dilation 1, or kernel 1x1 and no pad. Forward,
    backward data and backward weight have an algorithm each. The table, `renaissance/Target/ConvCosts.def`, holds
    speeds measured for some shapes on some targets; the nearest of them decides,
    so equal input gives equal plans on every machine. An op that variants of different
    shapes run is judged by the largest.

    Requires tensors and subgraphs. Ensures an algorithm of
    every convolution that has a choice, whichever it had before. Does nothing
    for a target that asks for no feature (`cpu:any`), and does not touch convolutions without a
    choice. Winograd rounds a few times more; `winograd = false` in `#tr.options` leaves it out.

    ```mlir
    module attributes {tr.options = #tr.options<target = "cpu:x86-64-v4">} {
      tr.graph.program @p classes 3 {
        tr.graph.variant "train_base" training batch 16 input [56, 56, 64] graph 0 shape_id 0
        tr.graph.tensor 0 "x" region "f_feature" dtype "f32" layer -1
          shapes [array<i64: 16, 56, 56, 64>]
        tr.graph.tensor 1 "w" region "w_deep_conv" dtype "f32" layer -1
          shapes [array<i64: 64, 3, 3, 64>]
        tr.graph.tensor 2 "y" region "f_feature" dtype "f32" layer -1
          shapes [array<i64: 16, 56, 56, 64>]
        tr.graph.subgraph "deep_fwd_bwd" graph 0 {
          tr.graph.compute "conv_fwd" [0, 1, -1, 2] {dilation_h = 1, dilation_w = 1, groups = 1,
            kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1} layer -1
        }
      }
    }
    ```
  }];
  let statistics = [Statistic<"numWinograd", "num-winograd", "Convolutions by Winograd">,
                    Statistic<"numPointwise", "num-pointwise", "Convolutions as own products">,
                    Statistic<"numDirect", "num-direct", "Convolutions by the direct algorithm">];
}

def GraphSchedule : TR_GraphPass<"schedule"> {
  let summary = "which kernel ops a step runs, in which order";
  let description = [{
    A step runs some of the subgraphs, each at its place in the table of subgraphs. The pass makes
    the schedules `train_a/b`, `val_a/b` and `infer_a/b` of each graph, as far as a variant trains or
    validates: their nodes are the kernel ops in the order that a single stream would run.
    Schedules that are there are replaced; one with the same nodes keeps its edges.

    Requires variants and subgraphs. Ensures that each node comes after those that it depends on. Does not make
    edges, which depend on where tensors lie: `--tr-graph-place-memory` does. Does not choose
    streams: the kernel-op table does.

    After `--tr-arch-to-graph`:

    ```mlir
    tr.arch.network @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numNodes", "num-nodes", "Number of schedule nodes">];
}

def GraphPlaceMemory : TR_GraphPass<"place-memory"> {
  let summary = "slots, offsets, one pool for what is not alive at the same time, and edges";
  let description = [{
    Memory is planned once, before anything runs, and one offset serves every variant. Each tensor
    gets a slot that holds it under every variant, rounded so that an FP32 slot is twice the
    FP16 slot of equally many elements: `2 * align256(2e + 16)` bytes for four-byte types,
    `align256(bytes * e + 16)` for the others. A variant that does not use a tensor has the shape
    0x0x0x0 for it and does not count.

    Kept regions follow each other in the order of the table of roles, their tensors in the order
    of the tensor table. The tensors of the pooled regions (activations, their gradients, masks,
    temporaries) share one pool, so that two lie in the same bytes when no step needs both. A tensor
    lives from the kernel op that writes it first to the one that uses it last, in the order of a
    schedule's nodes. An output may take the place of an input that dies at the same op where the
    kernel-op table allows it. Training and inference are packed each for itself, in the same
    bytes. Tensors of no layer and tensors that both use live through a whole step; they lie first
    in the pool. Where `#tr.options` says
    `reuse = false` every tensor has bytes of its own.

    Then the schedules get their edges. An edge means that one op must wait for another: it reads
    what the other wrote, or writes what the other read or wrote, by the operand roles of the
    kernel-op table, where tensors that overlap count as one place and a range operand counts as
    every tensor of its regions. Edges that follow from others are left out.

    Requires tensors, and schedules with nodes (`--tr-graph-schedule`). Ensures 256-byte offsets, no
    overlap of tensors that are alive at the same op, and an edge, or a path, for each dependency;
    replaces what is there. Deterministic; near-linear in the number of kernel ops. Does not reorder
    kernel ops.

    After `--tr-arch-to-graph --tr-graph-share-variants --tr-graph-schedule`:

    ```mlir
    tr.arch.network @net classes 3 {
    ^bb0(%x: tensor<?x1x1x7xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
      %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %1 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numPacked", "num-packed", "Tensors that were packed">,
                    Statistic<"numBytes", "num-bytes", "Bytes of the arena">,
                    Statistic<"numPoolBytes", "num-pool-bytes", "Bytes of the pool">,
                    Statistic<"numEdges", "num-edges", "Number of schedule edges">];
}

def VerifyGraph : Pass<"tr-verify-graph"> {
  let summary = "check a program as a whole";
  let description = [{
    A plan must be right as a whole before it is a file. The pass makes the records of the plan and
    runs the checks of the plan format on them (V10 to V60 of docs/plan-format.md), the same that a
    runtime runs when it loads the file: names, ids, shapes by the kernel-op table under every
    variant, places of tensors, ranges that lie side by side, and in every schedule a path of edges
    for what reads, writes and shared memory demand. A fault is reported at the op that the record
    came from.

    Requires a program that all passes of `--tr-graph-pipeline` have gone over. Ensures that
    `--mlir-to-plan` writes it and every runtime of this version loads what is written. Changes
    nothing. Does not look for kernels: a session does when it takes the plan.

    After `--tr-graph-pipeline`:

    ```mlir
    tr.arch.network @net classes 3 {
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
