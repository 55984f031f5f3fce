// SPDX-License-Identifier: Apache-2.0
//
// `tr.arch`: layers as SSA values. Layer tensors are `tensor<?xHxWxCxf32>`; extents
// that are not inferred yet are `?`. The layers themselves are in Layers.td.
#ifndef TR_ARCH_OPS_TD
#define TR_ARCH_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "renaissance/Dialect/TR/IR/TRBase.td"
include "renaissance/Dialect/TR/IR/LayerFields.td"
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

def Arch_YieldOp : Arch_Op<"yield", [Terminator, Pure]> {
  let summary = "ends a network or a branch of any layer that joins some";
  let arguments = (ins Arch_Tensor:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

// A layer: input and result, `parts`, and the mark of the first layer.
class Arch_LayerOp<string opMnemonic, string opSummary, list<Field> fields, list<string> partNames,
                   list<string> facts = [], list<string> own = []>
    : Arch_Op<opMnemonic, [Pure, DeclareOpInterfaceMethods<TR_LayerOpInterface,
          !listconcat(["lower", "getFields", "countParts"], facts, own)>]> {
  let summary = opSummary;
  let arguments = !con(!foldl((ins Arch_Tensor:$input, StrArrayAttr:$parts), fields, all, f,
                              !con(all, f.argument)), (ins UnitAttr:$first));
  let results = (outs Arch_Tensor:$output);
  let assemblyFormat = "$input $parts " # !interleave(!foreach(f, fields, f.format), " ") #
      " (`first` $first^)? attr-dict `:` type($input) `->` type($output)";
  let extraClassDefinition = TR_LayerMethods<!listconcat(
      [Field<"parts", StrArrayAttr, "Strings", "">], fields,
      [Field<"first", UnitAttr, "Unit", "">]), facts>.methods #
      !if(!ne(!find(!interleave(own, " "), "countParts"), -1), "",
          "size_t $cppClass::countParts() { return " # !if(!empty(partNames), 1, !size(partNames)) # "; }");
}

// A layer of several inputs: what its branches yield.
class Arch_JoinOp<string opMnemonic, string opSummary, dag branches, string format,
                  list<string> facts = [], list<string> own = []>
    : Arch_Op<opMnemonic, [SingleBlock, RecursiveMemoryEffects,
          DeclareOpInterfaceMethods<TR_LayerOpInterface, !listconcat(["lower", "getFields"], facts)>,
          DeclareOpInterfaceMethods<TR_JoinOpInterface, own>]> {
  let summary = opSummary;
  let description = [{
    Every region has one argument, the input, and yields a tensor. A branch may also use values
    defined above.
  }];
  let arguments = (ins Arch_Tensor:$input, StrArrayAttr:$parts);
  let results = (outs Arch_Tensor:$output);
  let regions = branches;
  let assemblyFormat =
      "$input $parts attr-dict `:` type($input) `->` type($output) " # format;
  let extraClassDefinition =
      TR_LayerMethods<[Field<"parts", StrArrayAttr, "Strings", "">], facts>.methods;
}

#endif // TR_ARCH_OPS_TD
