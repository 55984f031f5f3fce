// SPDX-License-Identifier: Apache-2.0
//
// The dialect of another compiler: image classifiers in its own words, and one layer that it adds to
// those of Renaissance.
#ifndef VISION_OPS
#define VISION_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "renaissance/Dialect/TR/IR/TRInterfaces.td"

def Vision_Dialect : Dialect {
  let name = "vision";
  let cppNamespace = "::vision";
  let useDefaultTypePrinterParser = 1;
}

def Vision_MapType : TypeDef<Vision_Dialect, "Map"> {
  let mnemonic = "map";
  let summary = "maps of features, of whatever extents";
}
def Vision_Map : DialectType<Vision_Dialect, CPred<"::llvm::isa<::vision::MapType>($_self)">, "map">,
                 BuildableType<"$_builder.getType<::vision::MapType>()">;

class Vision_Op<string mnemonic, list<Trait> traits = []> : Op<Vision_Dialect, mnemonic, traits>;

def Vision_ClassifierOp : Vision_Op<"classifier", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "images of height, width and channels to one of some classes";
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$image, I64Attr:$classes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `image` $image `classes` $classes attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

// `name` is what the parameters of a step are called by.
class Vision_Step<string mnemonic, dag more, string format> : Vision_Op<mnemonic, [Pure]> {
  let arguments = !con((ins Vision_Map:$input, StrAttr:$name), more);
  let results = (outs Vision_Map:$output);
  let assemblyFormat = "$input $name " # format # " attr-dict";
}
def Vision_FilterOp : Vision_Step<"filter", (ins I64Attr:$channels), "`channels` $channels"> {
  let summary = "3x3 filters, normalised, below zero cut off";
}
def Vision_HalveOp : Vision_Step<"halve", (ins), ""> {
  let summary = "the greatest of each 2x2 pixels";
}
def Vision_RefineOp : Vision_Step<"refine", (ins I64Attr:$channels), "`channels` $channels"> {
  let summary = "x plus normalised 3x3 filters of x, below zero cut off";
}
def Vision_DecideOp : Vision_Op<"decide", [Terminator, HasParent<"ClassifierOp">]> {
  let summary = "a score for each class, from the mean over the map";
  let arguments = (ins Vision_Map:$input, StrAttr:$name);
  let assemblyFormat = "$input $name attr-dict";
}

// A layer: what Renaissance needs to know of it is in VisionDialect.cpp.
def Vision_SumReluOp : Vision_Op<"sum_relu", [SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<TR_LayerOpInterface>, TR_JoinOpInterface]> {
  let summary = "relu(left + right) of two branches that read the same input";
  let arguments = (ins 4DTensorOf<[F32]>:$input, StrArrayAttr:$parts);
  let results = (outs 4DTensorOf<[F32]>:$output);
  let regions = (region SizedRegion<1>:$left, SizedRegion<1>:$right);
  let assemblyFormat =
      "$input $parts attr-dict `:` type($input) `->` type($output) `left` $left `right` $right";
}

#endif // VISION_OPS
