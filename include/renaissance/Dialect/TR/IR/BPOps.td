// SPDX-License-Identifier: Apache-2.0
//
// `tr.bp`: the layer tree as written. Ops have no operands and no results; the
// order in a block is the order of the layers.
#ifndef TR_BP_OPS_TD
#define TR_BP_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "renaissance/Dialect/TR/IR/TRBase.td"

class BP_Op<string opMnemonic, list<Trait> traits = []> : TR_Op<"bp", opMnemonic, traits>;

// A node of the tree. `name`, when given, replaces the child index in the paths
// of its parameters.
class BP_NodeOp<string opMnemonic, dag nodeArguments = (ins), list<Trait> traits = []>
    : BP_Op<opMnemonic, traits> {
  let arguments = !con(nodeArguments, (ins OptionalAttr<StrAttr>:$name));
}
class BP_LeafOp<string opMnemonic, string opSummary, dag nodeArguments = (ins),
                string format = ""> : BP_NodeOp<opMnemonic, nodeArguments> {
  let summary = opSummary;
  let assemblyFormat = format # " (`name` $name^)? attr-dict";
}

defvar BP_Bn = (ins F64Attr:$eps, F64Attr:$momentum);
defvar BP_BnFormat = " `eps` $eps `momentum` $momentum";
defvar BP_TreeTraits = [SingleBlock, NoTerminator, NoRegionArguments];

def BP_ModelOp : BP_Op<"model", !listconcat(BP_TreeTraits, [IsolatedFromAbove, Symbol])> {
  let summary = "a network as a layer tree";
  let description = [{
    `input` is height, width and channels of one sample; `classes` the number of
    classes of the loss that ends every network.

    ```mlir
    tr.bp.model @mlp input [28, 28, 1] classes 10 {
      tr.bp.fc 128 bias true
      tr.bp.act <relu>
      tr.bp.fc 10 bias true
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$input, I64Attr:$classes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `input` $input `classes` $classes attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def BP_SeqOp : BP_NodeOp<"seq", (ins), BP_TreeTraits> {
  let summary = "children in order";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`name` $name^)? attr-dict-with-keyword $body";
}

def BP_RepeatOp : BP_NodeOp<"repeat", (ins I64Attr:$times), BP_TreeTraits> {
  let summary = "the body several times, each time with parameters of its own";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$times (`name` $name^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def BP_Add2Op : BP_NodeOp<"add2", (ins), BP_TreeTraits> {
  let summary = "sum of a shortcut and a stem that read the same input";
  let description = [{
    An empty shortcut is the identity. An activation after the sum is a sibling.
  }];
  let regions = (region SizedRegion<1>:$shortcut, SizedRegion<1>:$stem);
  let assemblyFormat =
      "(`name` $name^)? attr-dict-with-keyword `shortcut` $shortcut `stem` $stem";
}

def BP_ConvOp : BP_LeafOp<"conv", "convolution", (ins TR_ConvAttr:$geometry), "$geometry">;
def BP_ConvDwOp : BP_LeafOp<"conv_dw", "depthwise convolution: groups = channels",
    (ins DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad,
         DenseI64ArrayAttr:$dilation, BoolAttr:$bias),
    "`kernel` $kernel `stride` $stride `pad` $pad `dilation` $dilation `bias` $bias"> {
  let hasVerifier = 1;
}
def BP_BnOp : BP_LeafOp<"bn", "batch normalisation", BP_Bn, BP_BnFormat> {
  let hasVerifier = 1;
}
def BP_ActOp : BP_LeafOp<"act", "activation", (ins TR_ActivationAttr:$kind), "$kind">;
def BP_DropoutOp : BP_LeafOp<"dropout", "inverted dropout, gone in inference",
    (ins F64Attr:$p), "$p"> {
  let hasVerifier = 1;
}
def BP_FlattenOp : BP_LeafOp<"flatten", "(h,w,c) -> (1,1,h*w*c)",
    (ins I64Attr:$start_dim), "`start_dim` $start_dim"> {
  let hasVerifier = 1;
}
def BP_ChannelPaddingOp : BP_LeafOp<"channel_padding",
    "zero channels up to the next multiple of 8">;
def BP_MaxPoolOp : BP_LeafOp<"maxpool", "maximum pooling", (ins TR_PoolAttr:$window), "$window">;
def BP_AvgPoolOp : BP_LeafOp<"avgpool", "average pooling over the cells inside the input",
    (ins TR_PoolAttr:$window), "$window">;
def BP_GapOp : BP_LeafOp<"gap", "global average pooling">;
def BP_FcOp : BP_LeafOp<"fc", "fully connected layer", (ins I64Attr:$out, BoolAttr:$bias),
    "$out `bias` $bias"> {
  let hasVerifier = 1;
}
def BP_IdentityOp : BP_LeafOp<"identity", "passes its input on">;
def BP_SoftmaxCeOp : BP_LeafOp<"softmax_ce",
    "softmax cross-entropy; step 3 leaves exactly one, last">;
def BP_CbrOp : BP_LeafOp<"cbr", "convolution, batch normalisation, activation",
    !con((ins TR_ConvAttr:$geometry), BP_Bn, (ins TR_ActivationAttr:$act)),
    !strconcat("$geometry", BP_BnFormat, " `act` $act")> {
  let hasVerifier = 1;
}
def BP_CbrpOp : BP_LeafOp<"cbrp", "cbr, then maximum pooling",
    !con((ins TR_ConvAttr:$geometry), BP_Bn, (ins TR_ActivationAttr:$act, TR_PoolAttr:$window)),
    !strconcat("$geometry", BP_BnFormat, " `act` $act `window` $window")> {
  let hasVerifier = 1;
}
def BP_GapFcOp : BP_LeafOp<"gap_fc", "global average pooling, then a fully connected layer",
    (ins I64Attr:$out, BoolAttr:$bias), "$out `bias` $bias"> {
  let hasVerifier = 1;
}

def BP_BlockOp : BP_LeafOp<"block", "residual or inverted residual block",
    (ins TR_BlockStyleAttr:$style, OptionalAttr<I64Attr>:$mid, I64Attr:$out),
    "$style (`mid` $mid^)? `out` $out"> {
  let description = [{
    - `RESNET_1_3_1[_DS]` takes `mid` and `out`: 1x1 mid, 3x3 mid, 1x1 out, each with
      BN; ReLU after the first two and after the sum. `_DS` has stride 2 on the 3x3.
    - `RESNET_3_3[_DS]`: two 3x3 convolutions; `_DS` has stride 2 on the first.
    - `MB_E{1,6}_K3[_DS]`: inverted residual with ReLU6, expansion 1 (no 1x1
      expansion) or 6, depthwise 3x3 (stride 2 for `_DS`), linear 1x1 projection; the
      input is added when the stride is 1 and the channels agree.

    The shortcut of a RESNET block is the identity when the stride is 1 and the
    channels agree, else a 1x1 convolution with BN. `mbconv(expand, out, stride)` of
    the text language is this op.
  }];
  let hasVerifier = 1;
}

#endif // TR_BP_OPS_TD
