// SPDX-License-Identifier: Apache-2.0
//
// `tr.bp`: the layer tree as written. Ops have no operands and no results; the
// order in a block is the order of the layers. The layers themselves are in Layers.td.
#ifndef TR_BP_OPS_TD
#define TR_BP_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "renaissance/Dialect/TR/IR/LayerFields.td"
include "renaissance/Dialect/TR/IR/TRInterfaces.td"

class BP_Op<string opMnemonic, list<Trait> traits = []> : TR_Op<"bp", opMnemonic, traits>;

defvar BP_TreeTraits = [SingleBlock, NoTerminator, NoRegionArguments];

def BP_ModelOp : BP_Op<"model", !listconcat(BP_TreeTraits, [IsolatedFromAbove, Symbol])> {
  let summary = "a network as a layer tree";
  let description = [{
    `input` is height, width and channels of one sample; `classes` the number of
    classes of the loss that ends every network.

    ```mlir
    tr.bp.model @mlp input [28, 28, 1] classes 10 {
      tr.bp.fc out 128 bias true
      tr.bp.act <relu>
      tr.bp.fc out 10 bias true
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$input, I64Attr:$classes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `input` $input `classes` $classes attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

// A node of the tree. `name`, when given, replaces the child index in the paths
// of its parameters.
class BP_NodeOp<string opMnemonic, string opSummary, dag nodeArguments, list<Trait> traits>
    : BP_Op<opMnemonic, traits> {
  let summary = opSummary;
  let arguments = !con(nodeArguments, (ins OptionalAttr<StrAttr>:$name));
}

// A node that becomes layers of `tr.arch`; `partNames` are what they add to its path.
class BP_LayerOp<string opMnemonic, string opSummary, list<Field> fields, list<string> partNames,
                 list<string> own = []>
    : BP_NodeOp<opMnemonic, opSummary, !foldl((ins), fields, all, f, !con(all, f.argument)),
          [DeclareOpInterfaceMethods<TR_TreeOpInterface, !listconcat(["getPartNames"], own)>]> {
  let assemblyFormat = !interleave(!foreach(f, fields, f.format), " ") #
      " (`name` $name^)? attr-dict";
  let extraClassDefinition = [{
    ::llvm::ArrayRef<::llvm::StringRef> $cppClass::getPartNames() {
      static constexpr ::std::array<::llvm::StringRef, }] # !size(partNames) # "> names{" #
      !interleave(!foreach(part, partNames, "\"" # part # "\""), ", ") # [{};
      return names;
    }
  }];
}

// A node that holds nodes.
class BP_TreeOp<string opMnemonic, string opSummary, dag nodeArguments, dag children, string format,
                list<string> own = []>
    : BP_NodeOp<opMnemonic, opSummary, nodeArguments, !listconcat(BP_TreeTraits,
          [DeclareOpInterfaceMethods<TR_TreeOpInterface, own>])> {
  let regions = children;
  let assemblyFormat = format;
}
class BP_JoinOp<string opMnemonic, string opSummary, dag branches, string format>
    : BP_TreeOp<opMnemonic, opSummary, (ins), branches,
                "(`name` $name^)? attr-dict-with-keyword " # format, ["joinsBranches"]> {
  let extraClassDefinition = "bool $cppClass::joinsBranches() { return true; }";
}

def BP_SeqOp : BP_TreeOp<"seq", "children in order", (ins), (region SizedRegion<1>:$body),
    "(`name` $name^)? attr-dict-with-keyword $body">;

def BP_RepeatOp : BP_TreeOp<"repeat", "the body several times, each time with parameters of its own",
    (ins I64Attr:$times), (region SizedRegion<1>:$body),
    "$times (`name` $name^)? attr-dict-with-keyword $body"> {
  let hasVerifier = 1;
}

#endif // TR_BP_OPS_TD
