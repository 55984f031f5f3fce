// SPDX-License-Identifier: Apache-2.0
//
// `tr.graph`: a plan before it is a file. Tensors, variants, subgraphs and
// schedules are separate things; kernel ops name tensors by id and hold no shapes.
// Regions, element types, subgraphs, kernel ops and schedules are those of the tables of the
// plan format (runtime/format), and are spelled as there.
#ifndef TR_GRAPH_OPS_TD
#define TR_GRAPH_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/Properties.td"
include "mlir/IR/SymbolInterfaces.td"
include "renaissance/Dialect/TR/IR/TRBase.td"

class Graph_Op<string opMnemonic, list<Trait> traits = []> : TR_Op<"graph", opMnemonic, traits>;
class Graph_PartOp<string opMnemonic, list<Trait> traits = []>
    : Graph_Op<opMnemonic, !listconcat(traits, [HasParent<"ProgramOp">])>;

def Graph_ProgramOp : Graph_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator,
                                           NoRegionArguments]> {
  let summary = "tensors, variants, subgraphs and schedules of a network";
  let description = [{
    Holds, in this order: variants, regions, layers, tensors, parameters, fusions,
    subgraphs, schedules, atlas entries. Ids are positions among the ops of a kind.
    `--tr-arch-to-graph` makes all but the atlas (`--tr-graph-share-variants`), the
    schedules (`--tr-graph-schedule`), and regions, slots and offsets
    (`--tr-graph-place-memory`).

    The verifier knows every id, so that passes need not check any: what an op names (a layer, a
    tensor, a kernel op, a subgraph, a variant) is there, every tensor has a shape for each variant,
    a run of channels lies inside its parent, and no two subgraphs of a graph have one id.
    Numbers are below 2^31, slots and regions below 2^60 bytes in all.
    Whether a program makes sense as a whole is for `--tr-verify-graph` to say.

    ```mlir
    tr.graph.program @p classes 10 {
      tr.graph.variant "train_base" training batch 32 input [1, 1, 4] graph 0 shape_id 0
      tr.graph.region "w_fc_weight" offset 0 bytes 512
      tr.graph.layer "0.fc" kind "fc" first
      tr.graph.tensor 0 "0.fc.weight" region "w_fc_weight" dtype "f32" layer 0
        shapes [array<i64: 10, 1, 1, 4>] slot 512 offset 0
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$classes,
                       DefaultValuedAttr<Graph_PrecisionAttr,
                                         "::trf::Precision::FP32">:$precision);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `classes` $classes attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1; // what its ops name is there
}

def Graph_VariantOp : Graph_PartOp<"variant"> {
  let summary = "one batch and resolution";
  let description = [{
    `input` is height, width and channels. `--tr-graph-share-variants` sets `graph` and
    `shape_id`: variants with equal numbers share subgraphs and captures.
  }];
  let arguments = (ins StrAttr:$name, UnitAttr:$training, I64Attr:$batch,
                       DenseI64ArrayAttr:$input, DefaultValuedAttr<I64Attr, "0">:$graph,
                       DefaultValuedAttr<I64Attr, "0">:$shape_id);
  let assemblyFormat = [{
    $name (`training` $training^)? `batch` $batch `input` $input `graph` $graph
    `shape_id` $shape_id attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_RegionOp : Graph_PartOp<"region"> {
  let summary = "place of a region in the arena, in bytes";
  let description = [{
    Only regions that hold something are there, in the order of addresses. Pooled ones are one
    place, or follow each other.
  }];
  let arguments = (ins Graph_RegionAttr:$region, I64Attr:$offset, I64Attr:$bytes);
  let assemblyFormat = "$region `offset` $offset `bytes` $bytes attr-dict";
  let hasVerifier = 1;
}

def Graph_LayerOp : Graph_PartOp<"layer"> {
  let summary = "a layer that kernel ops and tensors belong to; its location is the source's";
  let arguments = (ins StrAttr:$path, StrAttr:$kind, UnitAttr:$first);
  let assemblyFormat = "$path `kind` $kind (`first` $first^)? attr-dict";
}

def Graph_TensorOp : Graph_PartOp<"tensor"> {
  let summary = "a row of the tensor table";
  let description = [{
    `shapes` holds n, h, w, c for each variant. `slot` is the byte size of the slot,
    the maximum over the variants; `offset` its place in the arena. Both are absent
    until `--tr-graph-place-memory` ran. `layer` is -1 for tensors of no layer.

    `parent P from C` makes the tensor a run of the channels of tensor P, beginning at channel C: it
    lies in the parent's slot, each of its pixels where the parent's are.

    ```mlir
    tr.graph.tensor 7 "2.output.64" region "f_feature" dtype "f32" layer 2
      shapes [array<i64: 4, 8, 8, 32>] parent 6 from 64
    ```
  }];
  // Plain numbers: there are too many tensors, and each has its own, for unique attributes.
  let arguments = (ins I64Prop:$id, StrAttr:$name, Graph_RegionAttr:$region,
                       Graph_DTypeAttr:$dtype, I64Prop:$layer, ArrayAttr:$shapes, OptionalProp<I64Prop>:$parent,
                       OptionalProp<I64Prop>:$first_channel, OptionalProp<I64Prop>:$slot,
                       OptionalProp<I64Prop>:$offset);
  let assemblyFormat = [{
    $id $name `region` $region `dtype` $dtype `layer` $layer `shapes` $shapes
    (`parent` $parent^ `from` $first_channel)? (`slot` $slot^)? (`offset` $offset^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_ParamOp : Graph_PartOp<"param"> {
  let summary = "a parameter or running statistic";
  let description = [{
    `tensor` and `grad` are tensor ids (`grad` -1: none, a running statistic).
    `layout` is the file's layout, `logical` the n, h, w, c extents in files, `init`
    and `scale` the rule of the first value.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$tensor, I64Attr:$grad,
                       Graph_LayoutAttr:$layout, Graph_InitAttr:$init, F64Attr:$scale, DenseI64ArrayAttr:$logical);
  let assemblyFormat = [{
    $name `tensor` $tensor `grad` $grad `layout` $layout `init` $init `scale` $scale
    `logical` $logical attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_FusionOp : Graph_PartOp<"fusion"> {
  let summary = "how often a fused layer occurs";
  let arguments = (ins StrAttr:$kind, I64Attr:$count);
  let assemblyFormat = "$kind `count` $count attr-dict";
  let hasVerifier = 1;
}

def Graph_SubgraphOp : Graph_PartOp<"subgraph", [SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "kernel ops that run as one unit";
  let description = [{
    An empty subgraph carries `reason`, why nothing is in it.
  }];
  let arguments = (ins Graph_SubgraphAttr:$id, DefaultValuedAttr<I64Attr, "0">:$graph,
                       OptionalAttr<StrAttr>:$reason);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$id `graph` $graph (`reason` $reason^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

// A kernel op of kernel_ops.def. `values` holds its attributes by name: i64 or f64.
class Graph_KernelOp<string opMnemonic> : Graph_Op<opMnemonic, [HasParent<"SubgraphOp">]>;

def Graph_ComputeOp : Graph_KernelOp<"compute"> {
  let summary = "a kernel op on tensors";
  let description = [{
    `operands` are tensor ids in the order of the kernel-op table, -1 for an absent
    optional operand. `instance` says what the type variables of the op's row are. `layer` is
    the layer id or -1. A convolution may fix its `algorithm`; without one the runtime chooses.

    ```mlir
    tr.graph.compute "conv_fwd" [4, 7, -1, 9] {dilation_h = 1, ..., stride_w = 2} layer 0
    ```
  }];
  let arguments = (ins Graph_OpcodeAttr:$kernel, DenseI64ArrayAttr:$tensors,
                       DictionaryAttr:$values, I64Attr:$layer,
                       OptionalAttr<Graph_AlgorithmAttr>:$algorithm,
                       DefaultValuedAttr<Graph_InstanceAttr, "::trf::Instance::F32">:$instance);
  let assemblyFormat = [{
    $kernel $tensors $values `layer` $layer (`algorithm` $algorithm^)?
    (`instance` $instance^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_RangeOp : Graph_KernelOp<"range"> {
  let summary = "a kernel op on runs of whole regions";
  let description = [{
    `ranges` holds the regions of each range operand, which lie side by side in memory, `tensors`
    the ids of the other operands, both in the order of the kernel-op table. Regions that hold
    nothing may be named.

    ```mlir
    tr.graph.range "range_commit" [["b_next_mean", "b_next_var"], ["b_prev_mean", "b_prev_var"]]
      tensors [5]
    ```
  }];
  let arguments = (ins Graph_OpcodeAttr:$kernel, ArrayAttr:$ranges, DenseI64ArrayAttr:$tensors);
  let assemblyFormat = "$kernel custom<Ranges>($ranges) `tensors` $tensors attr-dict";
  let hasVerifier = 1;
}

def Graph_ScheduleOp : Graph_PartOp<"schedule"> {
  let summary = "a step as a DAG of kernel ops";
  let description = [{
    `nodes` are positions of kernel ops in program order, listed in a topological
    order; `edges` are pairs of node positions (from, to) flattened, the transitive
    reduction of what reads and writes demand.
  }];
  let arguments = (ins Graph_ScheduleAttr:$kind, DefaultValuedAttr<I64Attr, "0">:$graph,
                       DenseI64ArrayAttr:$nodes, DenseI64ArrayAttr:$edges);
  let assemblyFormat = "$kind `graph` $graph `nodes` $nodes `edges` $edges attr-dict";
  let hasVerifier = 1;
}

def Graph_AtlasOp : Graph_PartOp<"atlas"> {
  let summary = "which subgraph and capture a variant runs";
  let description = [{
    `subgraphs` holds, for each of the subgraph ids, the position of the
    `tr.graph.subgraph` op or -1; `captures` equal numbers where one captured graph
    serves several variants, or -1.
  }];
  let arguments = (ins StrAttr:$variant, DenseI64ArrayAttr:$subgraphs,
                       DenseI64ArrayAttr:$captures);
  let assemblyFormat = "$variant `subgraphs` $subgraphs `captures` $captures attr-dict";
  let hasVerifier = 1;
}

#endif // TR_GRAPH_OPS_TD
