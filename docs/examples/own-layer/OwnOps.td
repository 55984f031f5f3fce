// SPDX-License-Identifier: Apache-2.0
//
// A dialect with one layer, made of kernel ops that Renaissance has.
#ifndef OWN_OPS
#define OWN_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "renaissance/Dialect/TR/IR/TRInterfaces.td"

def Own_Dialect : Dialect {
  let name = "own";
  let cppNamespace = "::own";
}

def Own_ResidualUnitOp : Op<Own_Dialect, "residual_unit",
    [Pure, DeclareOpInterfaceMethods<TR_LayerOpInterface>]> {
  let summary = "x + relu(conv1x1(x)), with a weight of its own";
  let arguments = (ins 4DTensorOf<[F32]>:$input, StrArrayAttr:$parts);
  let results = (outs 4DTensorOf<[F32]>:$output);
  let assemblyFormat = "$input $parts attr-dict `:` type($input) `->` type($output)";
}

#endif // OWN_OPS
