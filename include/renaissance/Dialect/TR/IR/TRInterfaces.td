// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of the layers of `tr.arch`.
#ifndef TR_INTERFACES_TD
#define TR_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TR_LayerOpInterface : OpInterface<"LayerOpInterface"> {
  let cppNamespace = "::tr";
  let description = [{
    A layer makes one NHWC tensor from its inputs. Most have one input, their operand; those that
    join branches (`JoinOpInterface`) have one for each branch, what the branch yields. A layer has
    one result and a `parts` attribute with the paths of the parts that it was made of, at
    least one. Parameter names are a part followed by a role (`0.conv` + `.weight`).
  }];
  let methods = [
    InterfaceMethod<[{
      Output extents for inputs of these `h`, `w`, `c`. Reports channel and extent
      errors through `emitError`, phrased "expected X, but got Y".
    }], "::mlir::FailureOr<::tr::ImageShape>", "inferOutputShape",
      (ins "::llvm::ArrayRef<::tr::ImageShape>":$inputs,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
    InterfaceMethod<[{
      Declares the layer's tensors and the kernel ops of training forward, backward
      and inference on them, for the shapes and settings of the description's
      context. Everything but shapes must be the same under every context of a
      compilation.
    }], "void", "describe", (ins "::tr::LayerDescription &":$description)>,
    InterfaceMethod<[{
      What the layer computes in inference, from what its inputs are. The default fails: the layer
      cannot be lowered this way.
    }], "::mlir::FailureOr<::mlir::Value>", "lower",
      (ins "::tr::TensorBuilder &":$builder, "::mlir::ValueRange":$inputs), "",
      "return ::mlir::failure();">,
    StaticInterfaceMethod<"The layer's attributes, as fields of YAML.",
      "::llvm::ArrayRef<::tr::LayerField>", "getFields", (ins), "", "return {};">,
    InterfaceMethod<"The paths of the layer's parts: the attribute `parts`.", "::mlir::ArrayAttr",
      "getParts">,
    InterfaceMethod<"How many parts the layer is made of.", "size_t", "countParts", (ins), "",
      "return 1;">,
    InterfaceMethod<[{
      Checks the ranges of the layer's attributes, which no input changes; its verifier runs this
      before extents are known, and nothing else needs to. Reports as `inferOutputShape` does.
    }], "::llvm::LogicalResult", "checkFields",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError), "",
      "return ::mlir::success();">,
    InterfaceMethod<[{
      Whether the output always has the extents of the input, so that what holds for the values
      before it (a feature map or a vector) holds after it.
    }], "bool", "keepsExtents", (ins), "", "return false;">,
    InterfaceMethod<"Whether the output is a vector of features, 1x1xC, whatever the input is.",
      "bool", "makesFeatures", (ins), "", "return false;">,
    InterfaceMethod<"Whether the layer stands for several that could be written alone.", "bool",
      "isFused", (ins), "", "return false;">,
    InterfaceMethod<"The layer's path, for messages: its first part.",
      "::llvm::StringRef", "getPath", (ins), "", [{
        return ::llvm::cast<::mlir::StringAttr>($_op.getParts()[0]).getValue();
      }]>,
    InterfaceMethod<"The op's name without `tr.arch.`.", "::llvm::StringRef", "getLayerKind", (ins), "",
      [{ return ::tr::detail::getLayerKind($_op); }]>
  ];
  let verify = [{ return ::tr::detail::verifyLayer($_op); }];
}

def TR_JoinOpInterface : OpInterface<"JoinOpInterface"> {
  let cppNamespace = "::tr";
  let description = [{
    A layer that joins branches. Each region is a branch: one block whose argument is the layer's
    operand, ending in a yield. The inputs of the layer are what the branches yield, in the order in
    which the branches run.
  }];
  let methods = [
    InterfaceMethod<"The branches in the order in which they run.",
      "::llvm::SmallVector<::mlir::Region *, 4>", "getBranches", (ins), "", [{
        ::llvm::SmallVector<::mlir::Region *, 4> branches;
        for (::mlir::Region &region : $_op->getRegions())
          branches.push_back(&region);
        return branches;
      }]>,
    InterfaceMethod<"What messages call a branch: \"the stem\".",
      "std::string", "getBranchName", (ins "::mlir::Region *":$branch), "", [{
        return "branch " + std::to_string(branch->getRegionNumber());
      }]>
  ];
  let verify = [{ return ::tr::detail::verifyBranches($_op); }];
}

def TR_TreeOpInterface : OpInterface<"TreeOpInterface"> {
  let cppNamespace = "::tr";
  let description = [{
    A node of the tree of `tr.bp`. Where nodes have regions, these hold nodes; else the node becomes
    layers of `tr.arch`.
  }];
  let methods = [
    StaticInterfaceMethod<"The calls of the BluePrint language that make the op.",
      "::llvm::ArrayRef<::tr::Signature>", "getSignatures">,
    InterfaceMethod<[{
      Appends what the node becomes, and reports what that cannot take. The default appends the op of
      `tr.arch` of the same name with the same attributes.
    }], "::llvm::LogicalResult", "expand",
      (ins "::tr::LayerChain &":$chain, "const ::tr::LayerSite &":$site), "",
      "return ::tr::detail::expandAlike($_op, chain, site);">,
    InterfaceMethod<"What the default gives the layer as parts, after the node's path.",
      "::llvm::ArrayRef<::llvm::StringRef>", "getPartNames", (ins), "", "return {};">,
    InterfaceMethod<[{
      Whether the regions are branches that all read the node's input; they may be empty. The node
      becomes the op of `tr.arch` of the same name with as many regions.
    }], "bool", "joinsBranches", (ins), "", "return false;">
  ];
}

#endif // TR_INTERFACES_TD
