// SPDX-License-Identifier: Apache-2.0
//
// `tr.arch`: layers as SSA values. Layer tensors are `tensor<?xHxWxCxf32>`; extents
// that are not inferred yet are `?`.
#ifndef TR_ARCH_OPS_TD
#define TR_ARCH_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "renaissance/Dialect/TR/IR/TRBase.td"
include "renaissance/Dialect/TR/IR/TRInterfaces.td"

class Arch_Op<string opMnemonic, list<Trait> traits = []> : TR_Op<"arch", opMnemonic, traits>;

def Arch_Tensor : 4DTensorOf<[F32]>;

def Arch_NetworkOp : Arch_Op<"network", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "a network as a list of layers";
  let description = [{
    One block with one argument, the images, ending in a yield of the last layer.
    `classes` is the number of classes.

    ```mlir
    tr.arch.network @mlp classes 10 {
    ^bb0(%x: tensor<?x28x28x1xf32>):
      %0 = tr.arch.flatten %x ["0"] : tensor<?x28x28x1xf32> -> tensor<?x1x1x784xf32>
      %1 = tr.arch.fc %0 ["0.fc"] out 10 bias true : tensor<?x1x1x784xf32> -> tensor<?x1x1x10xf32>
      %2 = tr.arch.softmax_ce %1 ["loss"] classes 10 : tensor<?x1x1x10xf32> -> tensor<?x1x1x10xf32>
      tr.arch.yield %2 : tensor<?x1x1x10xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$classes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `classes` $classes attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Arch_YieldOp : Arch_Op<"yield", [Terminator, Pure, ParentOneOf<["NetworkOp", "Add2Op"]>]> {
  let summary = "ends a network or a branch";
  let arguments = (ins Arch_Tensor:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Arch_Add2Op : Arch_Op<"add2", [SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<TR_LayerOpInterface, ["keepsExtents"]>,
    DeclareOpInterfaceMethods<TR_BranchOpInterface, ["getBranches", "getBranchName"]>]> {
  let summary = "sum of two branches that read the same input";
  let description = [{
    Both regions have one argument, the input, and yield tensors of equal shape. A
    branch may also use values defined above.

    ```mlir
    %1 = tr.arch.add2 %0 ["3"] : tensor<?x8x8x16xf32> -> tensor<?x8x8x16xf32> shortcut {
    ^bb0(%a: tensor<?x8x8x16xf32>):
      tr.arch.yield %a : tensor<?x8x8x16xf32>
    } stem {
    ^bb0(%a: tensor<?x8x8x16xf32>):
      %2 = tr.arch.act %a ["3.1.0"] <relu> : tensor<?x8x8x16xf32> -> tensor<?x8x8x16xf32>
      tr.arch.yield %2 : tensor<?x8x8x16xf32>
    }
    ```
  }];
  let arguments = (ins Arch_Tensor:$input, StrArrayAttr:$parts);
  let results = (outs Arch_Tensor:$output);
  let regions = (region SizedRegion<1>:$shortcut, SizedRegion<1>:$stem);
  let assemblyFormat = [{
    $input $parts attr-dict `:` type($input) `->` type($output)
    `shortcut` $shortcut `stem` $stem
  }];
  let extraClassDefinition = [{
    bool $cppClass::keepsExtents() { return true; }
    // The stem first, as in fused blocks, so that parameters have one order.
    ::llvm::SmallVector<::mlir::Region *, 4> $cppClass::getBranches() {
      return {&getStem(), &getShortcut()};
    }
    std::string $cppClass::getBranchName(::mlir::Region *branch) {
      return branch == &getStem() ? "stem" : "shortcut";
    }
  }];
}

// A layer: input and result, `parts`, and the mark of the first layer.
class Arch_LayerOp<string opMnemonic, string opSummary, dag layerArguments = (ins),
                   string format = "", list<string> overrides = []>
    : Arch_Op<opMnemonic, [Pure, DeclareOpInterfaceMethods<TR_LayerOpInterface, overrides>]> {
  let summary = opSummary;
  let arguments = !con((ins Arch_Tensor:$input, StrArrayAttr:$parts), layerArguments,
                       (ins UnitAttr:$first));
  let results = (outs Arch_Tensor:$output);
  let assemblyFormat = "$input $parts " # format #
      " (`first` $first^)? attr-dict `:` type($input) `->` type($output)";
}

// A layer that keeps height and width, one that makes features, one of several parts.
class Arch_KeepingOp<string opMnemonic, string opSummary, dag layerArguments = (ins),
                     string format = "">
    : Arch_LayerOp<opMnemonic, opSummary, layerArguments, format, ["keepsExtents"]> {
  let extraClassDefinition = "bool $cppClass::keepsExtents() { return true; }";
}
class Arch_FeatureOp<string opMnemonic, string opSummary, dag layerArguments = (ins),
                     string format = "">
    : Arch_LayerOp<opMnemonic, opSummary, layerArguments, format, ["makesFeatures"]> {
  let extraClassDefinition = "bool $cppClass::makesFeatures() { return true; }";
}
class Arch_PartsOp<string opMnemonic, string opSummary, string partCount, dag layerArguments,
                   string format>
    : Arch_LayerOp<opMnemonic, opSummary, layerArguments, format, ["countParts"]> {
  let extraClassDefinition = "size_t $cppClass::countParts() { return " # partCount # "; }";
}

defvar Arch_Bn = (ins F64Attr:$eps, F64Attr:$momentum);
defvar Arch_BnFormat = " `eps` $eps `momentum` $momentum ";

//===----------------------------------------------------------------------===//
// Primitive layers
//===----------------------------------------------------------------------===//

def Arch_ConvOp : Arch_LayerOp<"conv", "convolution; parts: conv",
    (ins TR_ConvAttr:$geometry), "$geometry">;
def Arch_BnOp : Arch_KeepingOp<"bn", "batch normalisation of a kind that --tr-arch-rename-bn decides; parts: bn",
    Arch_Bn, Arch_BnFormat>;
def Arch_Bn1dOp : Arch_FeatureOp<"bn1d", "batch normalisation of features; parts: bn", Arch_Bn,
    Arch_BnFormat>;
def Arch_Bn2dOp : Arch_LayerOp<"bn2d", "batch normalisation of feature maps; parts: bn", Arch_Bn,
    Arch_BnFormat>;
def Arch_ActOp : Arch_KeepingOp<"act", "activation", (ins TR_ActivationAttr:$kind), "$kind">;
def Arch_DropoutOp : Arch_KeepingOp<"dropout", "inverted dropout, the identity in inference",
    (ins F64Attr:$p), "$p">;
def Arch_FlattenOp : Arch_FeatureOp<"flatten", "(h,w,c) -> (1,1,h*w*c)">;
def Arch_ChannelPaddingOp : Arch_KeepingOp<"channel_padding",
    "zero channels up to the next multiple of 8">;
def Arch_MaxPoolOp : Arch_LayerOp<"maxpool", "maximum pooling", (ins TR_PoolAttr:$window),
    "$window">;
def Arch_AvgPoolOp : Arch_LayerOp<"avgpool", "average pooling over the cells inside the input",
    (ins TR_PoolAttr:$window), "$window">;
def Arch_GapOp : Arch_FeatureOp<"gap", "global average pooling: (h,w,c) -> (1,1,c)">;
def Arch_FcOp : Arch_FeatureOp<"fc", "fully connected layer over h, w and c; parts: fc",
    (ins I64Attr:$out, BoolAttr:$bias), "`out` $out `bias` $bias">;
def Arch_IdentityOp : Arch_KeepingOp<"identity", "passes its input on">;
def Arch_SoftmaxCeOp : Arch_KeepingOp<"softmax_ce", "softmax cross-entropy; the result is its input",
    (ins I64Attr:$classes), "`classes` $classes">;

//===----------------------------------------------------------------------===//
// Fused layers
//===----------------------------------------------------------------------===//

def Arch_CbrOp : Arch_PartsOp<"cbr",
    "convolution, batch normalisation, activation; parts: conv, bn", "2",
    !con((ins TR_ConvAttr:$geometry), Arch_Bn, (ins TR_ActivationAttr:$act)),
    !strconcat("$geometry", Arch_BnFormat, "`act` $act")>;
def Arch_CbrpOp : Arch_PartsOp<"cbrp", "cbr, then maximum pooling; parts: conv, bn", "2",
    !con((ins TR_ConvAttr:$geometry), Arch_Bn, (ins TR_ActivationAttr:$act, TR_PoolAttr:$window)),
    !strconcat("$geometry", Arch_BnFormat, "`act` $act `window` $window")>;
def Arch_GapFcOp : Arch_FeatureOp<"gap_fc",
    "global average pooling, then a fully connected layer; parts: fc",
    (ins I64Attr:$out, BoolAttr:$bias), "`out` $out `bias` $bias">;

def Arch_BottleneckProjectionOp : Arch_PartsOp<"bottleneck_projection", [{
    1x1 mid, 3x3 mid (stride, pad 1), 1x1 out with a projected shortcut, ReLU;
    parts: conv1, bn1, conv2, bn2, conv3, bn3, proj.conv, proj.bn}], "8",
    !con((ins I64Attr:$mid, I64Attr:$out, I64Attr:$stride), Arch_Bn),
    !strconcat("`mid` $mid `out` $out `stride` $stride", Arch_BnFormat)>;
def Arch_BottleneckIdentityOp : Arch_PartsOp<"bottleneck_identity", [{
    1x1 mid, 3x3 mid, 1x1 back to the input's channels, plus the input, ReLU;
    parts: conv1, bn1, conv2, bn2, conv3, bn3}], "6",
    !con((ins I64Attr:$mid), Arch_Bn), !strconcat("`mid` $mid", Arch_BnFormat)>;
def Arch_BasicBlockProjectionOp : Arch_PartsOp<"basic_block_projection", [{
    3x3 out (stride), 3x3 out with a projected shortcut, ReLU;
    parts: conv1, bn1, conv2, bn2, proj.conv, proj.bn}], "6",
    !con((ins I64Attr:$out, I64Attr:$stride), Arch_Bn),
    !strconcat("`out` $out `stride` $stride", Arch_BnFormat)>;
def Arch_BasicBlockIdentityOp : Arch_PartsOp<"basic_block_identity", [{
    two 3x3 convolutions with the input's channels, plus the input, ReLU;
    parts: conv1, bn1, conv2, bn2}], "4", Arch_Bn, Arch_BnFormat>;
def Arch_InvResidualNoShortcutOp : Arch_PartsOp<"inv_residual_no_shortcut", [{
    1x1 expand, depthwise 3x3 (stride), linear 1x1 out, ReLU6 after the first two;
    `expand` is the expanded channel count, 0 means no expansion convolution;
    parts: [expand.conv, expand.bn,] dw.conv, dw.bn, project.conv, project.bn}], "getExpand() == 0 ? 4 : 6",
    !con((ins I64Attr:$expand, I64Attr:$out, I64Attr:$stride), Arch_Bn),
    !strconcat("`expand` $expand `out` $out `stride` $stride", Arch_BnFormat)>;
def Arch_InvResidualIdentityOp : Arch_PartsOp<"inv_residual_identity", [{
    inv_residual_no_shortcut at stride 1 with the input's channels, plus the input}], "getExpand() == 0 ? 4 : 6",
    !con((ins I64Attr:$expand), Arch_Bn), !strconcat("`expand` $expand", Arch_BnFormat)>;

#endif // TR_ARCH_OPS_TD
