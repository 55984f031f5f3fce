// SPDX-License-Identifier: Apache-2.0
//
// The layers: what a BluePrint may say (`tr.bp`) and what it becomes (`tr.arch`), a definition for
// both. All else about a layer is in its file in lib/Dialect/TR/Layers; docs/adding-a-layer.md leads
// through both.
#ifndef TR_LAYERS_TD
#define TR_LAYERS_TD

include "renaissance/Dialect/TR/IR/ArchOps.td"
include "renaissance/Dialect/TR/IR/BPOps.td"

// A layer of both families. `parts` are what it adds to the names of its parameters; none stands for
// a layer that has its path alone. `facts` are predicates of LayerOpInterface that hold, `own` are
// methods that its file has instead of the default; `checks` says that the node of the tree has a
// verifier there.
multiclass TR_Layer<string mnemonic, string summary, list<Field> fields, list<string> parts = [],
                    list<string> facts = [], list<string> own = [],
                    list<string> ownOfTree = [], bit checks = false> {
  def "BP_" # NAME # "Op" : BP_LayerOp<mnemonic, summary, fields, parts, ownOfTree> {
    let hasVerifier = checks;
  }
  def "Arch_" # NAME # "Op" : Arch_LayerOp<mnemonic, summary, fields, parts, facts, own>;
}

// A layer that joins branches, which all read its input.
multiclass TR_Join<string mnemonic, string summary, dag branches, string format,
                   list<string> facts = [], list<string> own = []> {
  def "BP_" # NAME # "Op" : BP_JoinOp<mnemonic, summary, branches, format>;
  def "Arch_" # NAME # "Op" : Arch_JoinOp<mnemonic, summary, branches, format, facts, own>;
}

// `plain`: without factors and shifts. `cumulative`: the running statistics are means over all
// batches, and momentum is 1.
defvar BnFields = [Eps, Momentum, UnitField<"plain">, UnitField<"cumulative">];

//===----------------------------------------------------------------------===//
// Primitive layers
//===----------------------------------------------------------------------===//

defm Conv : TR_Layer<"conv", "convolution; parts: conv", [Geometry], ["conv"]>;

def BP_ConvDwOp : BP_LayerOp<"conv_dw", "depthwise convolution: groups = channels",
    [PairField<"kernel">, PairField<"stride">, PairField<"pad">, PairField<"dilation">,
     BoolField<"bias">, ZeroPairField<"more">], ["conv"], ["expand"]> {
  let hasVerifier = 1;
}

defm Bn : TR_Layer<"bn", "batch normalisation of a kind that --tr-arch-rename-bn decides; parts: bn",
    BnFields, ["bn"], ["keepsExtents"], ["checkFields"], [], true>;
def Arch_Bn1dOp : Arch_LayerOp<"bn1d", "batch normalisation of features; parts: bn",
    BnFields, ["bn"], ["makesFeatures"], ["checkFields"]>;
def Arch_Bn2dOp : Arch_LayerOp<"bn2d", "batch normalisation of feature maps; parts: bn",
    BnFields, ["bn"], [], ["checkFields"]>;

defm LayerNorm : TR_Layer<"layer_norm", "normalisation of each pixel over its channels; parts: norm",
    [Eps, BoolField<"affine">], ["norm"], ["keepsExtents"], ["checkFields"], [], true>;
defm GroupNorm : TR_Layer<"group_norm",
    "normalisation of each sample over the map and a group of channels; parts: norm",
    [IntField<"groups">, Eps, BoolField<"affine">], ["norm"], ["keepsExtents"], ["checkFields"], [],
    true>;

defm PRelu : TR_Layer<"prelu", [{x, or a learned slope times x below 0, for each channel or `shared` by
    all; parts: prelu}], [BoolField<"shared">, RealField<"init">], ["prelu"], ["keepsExtents"],
    ["checkFields"], [], true>;
defm Scale : TR_Layer<"scale", "a learned factor for each channel; parts: scale",
    [RealField<"init">], ["scale"], ["keepsExtents"], ["checkFields"], [], true>;

defm Act : TR_Layer<"act", "activation", [Field<"kind", TR_ActivationAttr, "Act", "$kind">], [],
    ["keepsExtents"]>;

defm Dropout : TR_Layer<"dropout", "inverted dropout, the identity in inference",
    [Field<"p", F64Attr, "Real", "$p">], [], ["keepsExtents"], ["checkFields"], [], true>;

defm Dropout2d : TR_Layer<"dropout2d", "dropout of whole channels of a sample",
    [Field<"p", F64Attr, "Real", "$p">], [], ["keepsExtents"], ["checkFields"], [], true>;
defm StochasticDepth : TR_Layer<"stochastic_depth", "dropout of whole samples",
    [Field<"p", F64Attr, "Real", "$p">], [], ["keepsExtents"], ["checkFields"], [], true>;

def BP_FlattenOp : BP_LayerOp<"flatten", "(h,w,c) -> (1,1,h*w*c)", [IntField<"start_dim">], [],
    ["expand"]> {
  let hasVerifier = 1;
}
def Arch_FlattenOp : Arch_LayerOp<"flatten", "(h,w,c) -> (1,1,h*w*c)", [], [], ["makesFeatures"]>;

defm ConvTranspose : TR_Layer<"conv_transpose", [{transposed convolution, the gradient of a convolution
    with this geometry from the output to the input; parts: conv. `extra` rows and columns at the end
    have no window of their own}], [Geometry, IntField<"extra_h">, IntField<"extra_w">], ["conv"]>;

defm ChannelPadding : TR_Layer<"channel_padding", [{zero channels before and after those of the
    input; without numbers after them, up to the next multiple of 8}],
    [OptionalIntField<"before">, OptionalIntField<"after">], [], ["keepsExtents"], [], [], true>;

defm Slice : TR_Layer<"slice", "channels [begin, begin + count) of the input",
    [IntField<"begin">, IntField<"count">], [], ["keepsExtents"], [], [], true>;

defm ChannelShuffle : TR_Layer<"channel_shuffle", [{channels in another order: the first ones of all
    groups, then the second ones, and so on}], [IntField<"groups">], [], ["keepsExtents"], [], [],
    true>;

defm MaxPool : TR_Layer<"maxpool", "maximum pooling", [Window]>;
defm AvgPool : TR_Layer<"avgpool", "average pooling", [Window]>;
defm AdaptiveAvgPool : TR_Layer<"adaptive_avgpool", "averages over a grid of height x width cells",
    [IntField<"height">, IntField<"width">], [], [], [], [], true>;
defm GlobalMaxPool : TR_Layer<"global_maxpool", "global maximum pooling: (h,w,c) -> (1,1,c)", [], [],
    ["makesFeatures"]>;
defm Upsample : TR_Layer<"upsample", [{a map that is a whole number of times as large: pixels repeated,
    or bilinear between their centres}],
    [IntField<"factor_h">, IntField<"factor_w">, BoolField<"bilinear">], [], [], [], [], true>;

defm Gap : TR_Layer<"gap", "global average pooling: (h,w,c) -> (1,1,c)", [], [],
    ["makesFeatures"]>;

defm Fc : TR_Layer<"fc", "fully connected layer over h, w and c; parts: fc",
    [IntField<"out">, BoolField<"bias">], ["fc"], ["makesFeatures"], ["checkFields"], [],
    true>;

defm Identity : TR_Layer<"identity", "passes its input on", [], [], ["keepsExtents"]>;

def BP_SoftmaxCeOp : BP_LayerOp<"softmax_ce",
    "softmax cross-entropy; --tr-arch-normalize-softmax-ce leaves exactly one, last", [], [],
    ["expand"]>;
def Arch_SoftmaxCeOp : Arch_LayerOp<"softmax_ce", "softmax cross-entropy; the result is its input",
    [IntField<"classes">], [], ["keepsExtents"], ["checkFields"]>;

//===----------------------------------------------------------------------===//
// Layers that join branches
//===----------------------------------------------------------------------===//

defm Add2 : TR_Join<"add2", [{sum of a shortcut and a stem that read the same input; an empty
    shortcut is the identity}], (region SizedRegion<1>:$shortcut, SizedRegion<1>:$stem),
    "custom<SumBranches>($shortcut, $stem)", ["keepsExtents"], ["getBranches", "getBranchName"]>;

defm Mul2 : TR_Join<"mul2", [{product of two branches that read the same input; either may be 1x1xC,
    which then holds for the whole map, and an empty one is the input}],
    (region SizedRegion<1>:$a, SizedRegion<1>:$b), "custom<ProductBranches>($a, $b)">;

defm Concat : TR_Join<"concat", [{branches that read the same input, side by side along the channels;
    an empty one is the input}], (region VariadicRegion<SizedRegion<1>>:$pieces),
    "custom<Pieces>($pieces)">;

//===----------------------------------------------------------------------===//
// Fused layers
//===----------------------------------------------------------------------===//

defm Cbr : TR_Layer<"cbr", "convolution, batch normalisation, activation; parts: conv, bn",
    [Geometry, Eps, Momentum, Act], ["conv", "bn"], ["isFused"], ["checkFields"], ["expand"],
    true>;
defm Cbrp : TR_Layer<"cbrp", "cbr, then maximum pooling; parts: conv, bn",
    [Geometry, Eps, Momentum, Act, WindowAfter], ["conv", "bn"], ["isFused"], ["checkFields"],
    ["expand"], true>;
defm GapFc : TR_Layer<"gap_fc", "global average pooling, then a fully connected layer; parts: fc",
    [IntField<"out">, BoolField<"bias">], ["fc"], ["makesFeatures", "isFused"],
    ["checkFields"], ["expand"], true>;

def BP_BlockOp : BP_LayerOp<"block", "residual or inverted residual block",
    [Field<"style", TR_BlockStyleAttr, "Style", "$style">, OptionalIntField<"mid">,
     IntField<"out">, OptionalIntField<"groups">, OptionalField<"act", TR_ActivationAttr, "Act">,
     OptionalField<"eps", F64Attr, "Real">, OptionalField<"momentum", F64Attr, "Real">], [],
    ["expand"]> {
  let description = [{
    The rows of `renaissance/Dialect/TR/IR/BlockStyles.def` are the styles. What is not given, the
    style decides; eps is 1e-5 and momentum 0.1.

    The shortcut of a RESNET, RESNEXT or RESNETD block is the identity where the stride is 1 and
    the channels agree, else a 1x1 convolution with BN, in RESNETD on the input pooled 2x2. An
    inverted residual has one where the stride is 1 and the channels agree. `mbconv(expand, out,
    stride)` of the text language is this op.
  }];
  let hasVerifier = 1;
}
def Arch_BlockOp : Arch_LayerOp<"block", [{residual or inverted residual block; parts: a convolution
    and its normalisation for each stage of the stem, then for the shortcut}],
    [Field<"block", TR_BlockAttr, "Block", "$block">, Eps, Momentum], [], ["isFused"],
    ["countParts", "getLayerKind", "checkFields"]>;

#endif // TR_LAYERS_TD
