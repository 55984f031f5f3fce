// SPDX-License-Identifier: Apache-2.0
//
// The `tr` dialect, its enumerations and attributes, and the base classes of the
// op families. Each family has a file of its own that includes this one.
#ifndef TR_BASE_TD
#define TR_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TR_Dialect : Dialect {
  let name = "tr";
  let cppNamespace = "::tr";
  let summary = "neural networks from layer trees to memory plans";
  let description = [{
    One namespace with three families of ops, one for each level of the compiler:

    - `tr.bp.*`, the **blueprint**: the layer tree as the user wrote it;
    - `tr.arch.*`, the **architecture**: layers as SSA values on NHWC tensors with a
      symbolic batch;
    - `tr.graph.*`, the **graph**: tensors with regions and offsets, variants,
      subgraphs of kernel ops and the step schedules.

    The module attribute `tr.options` (`#tr.options`) carries what the user asked
    for; no pass reads a global setting.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerBPOps();
    void registerArchOps();
    void registerGraphOps();
    /// Name of the module attribute that holds `#tr.options`.
    static constexpr ::llvm::StringLiteral getOptionsAttrName() { return "tr.options"; }
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class TR_Attr<string name, string attrMnemonic> : AttrDef<TR_Dialect, name> {
  let mnemonic = attrMnemonic;
}

// An enumeration of a table of the plan format, spelled as there.
class TR_Spelling<string cppType, string desc = ""> : AttrOrTypeParameter<cppType, desc> {
  let printer = "::tr::printSpelling($_printer, $_self)";
  let parser = "::tr::parseSpelling<" # cppType # ">($_parser)";
}
class TR_DefaultSpelling<string cppType, string value> : TR_Spelling<cppType> {
  let defaultValue = value;
}
class TR_QuotedSpelling<string cppType> : TR_Spelling<cppType> {
  let printer = "::tr::printQuoted($_printer, $_self)";
}
// The same as an attribute of its own; accessors of ops return the enumerator.
class TR_TableAttr<string name, string attrMnemonic, string enumType, string what>
    : TR_Attr<name, attrMnemonic> {
  let summary = what;
  let parameters = (ins TR_QuotedSpelling<enumType>:$value);
  let assemblyFormat = "`` $value";
  let returnType = enumType;
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::tr::" # name # "Attr::get($_builder.getContext(), $0)";
}

def TR_ActivationAttr
    : TR_TableAttr<"Activation", "act", "::trf::Act", "activation function"> {
  let description = [{
    With its parameter where it is not the usual one.

    ```mlir
    #tr.act<leaky_relu(0.2)>
    ```
  }];
  let parameters = (ins TR_Spelling<"::trf::Act">:$value);
  let assemblyFormat = "`<` $value `>`";
}

def TR_BlockStyleAttr
    : TR_TableAttr<"BlockStyle", "style", "::tr::BlockStyle", "style of a block"> {
  let parameters = (ins TR_Spelling<"::tr::BlockStyle">:$value);
  let assemblyFormat = "`<` $value `>`";
}

def TR_BlockAttr : TR_Attr<"Block", "block"> {
  let summary = "shape of a residual block";
  let description = [{
    Which convolutions its stem and its shortcut have; BlockSpec.h spells them out. `inner` is the
    number of channels between the first and the last convolution (0: there is no first one to
    change them), `groups` those of the convolution in the middle.

    ```mlir
    #tr.block<bottleneck, inner = 64, out = 256, stride = 2, shortcut = projection, act = relu>
    ```
  }];
  let parameters = (ins
    TR_Spelling<"::tr::BlockFamily">:$family,
    DefaultValuedParameter<"int64_t", "0">:$inner, "int64_t":$out,
    DefaultValuedParameter<"int64_t", "1">:$stride,
    DefaultValuedParameter<"int64_t", "1">:$groups,
    TR_Spelling<"::tr::BlockShortcut">:$shortcut,
    TR_Spelling<"::trf::Act">:$act);
  let assemblyFormat = [{
    `<` $family `,` struct($inner, $out, $stride, $groups, $shortcut, $act) `>`
  }];
  let genVerifyDecl = 1;
}

def TR_Dims2 : AttrOrTypeParameter<"::tr::Dims2", "height and width"> {}
def TR_Ones2 : DefaultValuedParameter<"::tr::Dims2", "(::tr::Dims2{1, 1})", "height and width">;
def TR_Zeros2 : DefaultValuedParameter<"::tr::Dims2", "(::tr::Dims2{0, 0})", "height and width">;

def TR_ConvAttr : TR_Attr<"Conv", "conv"> {
  let summary = "geometry of a convolution";
  let description = [{
    `out` output channels; kernel, stride, pad and dilation as `[height, width]`; `groups` divides
    input and output channels; `bias` adds a trainable bias per output channel. The pad is that at
    the top and at the left; at the bottom and at the right it is `pad + more`.

    ```mlir
    #tr.conv<out = 64, kernel = [7, 7], stride = [2, 2], pad = [3, 3]>
    ```
  }];
  let parameters = (ins "int64_t":$out, TR_Dims2:$kernel, TR_Ones2:$stride, TR_Zeros2:$pad,
                        TR_Ones2:$dilation, DefaultValuedParameter<"int64_t", "1">:$groups,
                        DefaultValuedParameter<"bool", "false">:$bias, TR_Zeros2:$more);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TR_PoolAttr : TR_Attr<"Pool", "pool"> {
  let summary = "geometry of a pooling window";
  let description = [{
    Kernel, stride, pad and dilation as `[height, width]`; the pad at the bottom and at the right is
    `pad + more`. Output extents round down, or up with `ceil`, as long as the last window starts in
    the input or the pad before it. Averages with `count_pad` are of the cells inside the padded
    input, else of those inside the input; maxima alone may be dilated.
  }];
  let parameters = (ins TR_Dims2:$kernel, TR_Dims2:$stride, TR_Zeros2:$pad,
                        DefaultValuedParameter<"bool", "false">:$ceil, TR_Zeros2:$more,
                        TR_Ones2:$dilation, DefaultValuedParameter<"bool", "false">:$count_pad);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TR_VariantAttr : TR_Attr<"Variant", "variant"> {
  let summary = "one variant: a batch and a resolution to compile for";
  let description = [{
    Without a resolution the variant is compiled for the network's own input.

    ```mlir
    #tr.variant<name = "train_base", training = true, batch = 32>
    ```
  }];
  let parameters = (ins StringRefParameter<"variant name">:$name, "bool":$training,
                        "int64_t":$batch, TR_Zeros2:$resolution);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TR_OptionsAttr : TR_Attr<"Options", "options"> {
  let summary = "what to compile for";
  let description = [{
    Lives on the module as `tr.options`; passes read there what they are asked for. Its keys are
    the rows of `renaissance/Options/CompileOptions.def` that passes use, written where they
    differ from the default. `variants` lists the variants in order; without it there are
    `train_base` and `val_base` at batch 32 and the input's own resolution. `lowres_epoch` is the
    first epoch (0-based) of the `lowres` variants, -1 for never.

    ```mlir
    #tr.options<optimizer = adamw, target = "cpu:x86-64-v4",
                variants = [#tr.variant<name = "infer", training = false, batch = 8>]>
    ```
  }];
  let parameters = (ins
    AttrOrTypeParameter<"::tr::CompileOptions", "values of the rows",
                        "const ::tr::CompileOptions &">:$values,
    OptionalParameter<"::mlir::ArrayAttr", "variants, of #tr.variant">:$variants,
    DefaultValuedParameter<"int64_t", "-1">:$lowresEpoch);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Attributes of `tr.graph`, whose numbers are those of plan files.
class Graph_TableAttr<string name, string attrMnemonic, string what>
    : TR_TableAttr<name, attrMnemonic, "::trf::" # name, what>;
def Graph_DTypeAttr : Graph_TableAttr<"DType", "dtype", "element type">;
def Graph_RegionAttr : Graph_TableAttr<"TypedRegion", "region", "region of memory">;
def Graph_LayoutAttr : Graph_TableAttr<"ParamLayout", "param_layout", "layout in weight files">;
def Graph_InitAttr : Graph_TableAttr<"Init", "init", "rule of a parameter's first value">;
def Graph_SubgraphAttr : Graph_TableAttr<"Subgraph", "subgraph", "subgraph of a step">;
def Graph_OpcodeAttr : Graph_TableAttr<"Opcode", "opcode", "kernel op">;
def Graph_InstanceAttr : Graph_TableAttr<"Instance", "instance", "types of a kernel op's operands">;
def Graph_AlgorithmAttr
    : Graph_TableAttr<"ConvAlgorithm", "algorithm", "algorithm of a convolution">;
def Graph_ScheduleAttr : Graph_TableAttr<"Schedule", "schedule", "schedule of a step">;
def Graph_PrecisionAttr : Graph_TableAttr<"Precision", "precision", "precision of a network">;

//===----------------------------------------------------------------------===//
// Op families
//===----------------------------------------------------------------------===//

class TR_Op<string family, string opMnemonic, list<Trait> traits = []>
    : Op<TR_Dialect, family # "." # opMnemonic, traits> {
  let cppNamespace = "::tr::" # family;
}

#endif // TR_BASE_TD
