// SPDX-License-Identifier: Apache-2.0
//
// The interface that every layer of `tr.arch` implements.
#ifndef TR_INTERFACES_TD
#define TR_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TR_LayerOpInterface : OpInterface<"LayerOpInterface"> {
  let cppNamespace = "::tr";
  let description = [{
    A layer maps one NHWC tensor to another. It has one operand, one result and a
    `parts` attribute with the paths of the parts that it was made of, at least one.
    Parameter names are a part followed by a role (`0.conv` + `.weight`).
  }];
  let methods = [
    InterfaceMethod<[{
      Output extents for an input of `h`, `w`, `c`. Reports channel and extent
      errors through `emitError`, phrased "expected X, but got Y".
    }], "::mlir::FailureOr<::tr::ImageShape>", "inferOutputShape",
      (ins "::tr::ImageShape":$input,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
    InterfaceMethod<[{
      Declares the layer's tensors and the kernel ops of training forward, backward
      and inference on them, for the shapes and settings of the description's
      context. What it declares but shapes is the same under every context of a
      compilation.
    }], "void", "describe", (ins "::tr::LayerDescription &":$description)>,
    InterfaceMethod<"The layer's path, for messages: its first part.",
      "::llvm::StringRef", "getPath", (ins), "", [{
        return ::llvm::cast<::mlir::StringAttr>($_op.getParts()[0]).getValue();
      }]>
  ];
  let verify = [{ return ::tr::detail::verifyLayer($_op); }];
}

#endif // TR_INTERFACES_TD
