// SPDX-License-Identifier: Apache-2.0
//
// A kernel op on the tensors of a layer. Operands and attributes are named by
// trf::ops::NAME, as in the kernels:
//
//   namespace op = trf::ops::bn_inf;
//   KernelCall(op::kOpcode, {{op::x, x}, {op::scale, scale}, {op::bias, shift}, {op::y, y}},
//              op::Attrs{act})
#ifndef RENAISSANCE_DIALECT_TR_IR_KERNELCALL_H
#define RENAISSANCE_DIALECT_TR_IR_KERNELCALL_H

#include "trf/kernel_ops.h"
#include "trf/regions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cstring>

namespace tr {

/// An operand of a kernel op, relative to the layer.
struct TensorRef {
  enum Kind : uint8_t { Absent, Own, Input, InputGrad, OutputGrad, Shared };
  Kind kind = Absent;
  int32_t index = -1; ///< of an own tensor, an input, or a shared tensor

  explicit operator bool() const { return kind != Absent; }
  bool operator==(TensorRef o) const { return kind == o.kind && index == o.index; }
};

/// Attributes of a call, in the order of the op's row.
using AttrList = llvm::SmallVector<trf::Attr, 11>;

template <typename Attrs> AttrList toAttrList(const Attrs &values) {
  static_assert(sizeof(Attrs) % sizeof(trf::Attr) == 0, "attributes are 64 bits each");
  AttrList list(sizeof(Attrs) / sizeof(trf::Attr));
  std::memcpy(static_cast<void *>(list.data()), &values, sizeof(Attrs));
  return list;
}

struct KernelCall {
  /// An operand's position with what stands there.
  struct Argument {
    int operand;
    TensorRef tensor;
  };

  /// For ops without attributes.
  KernelCall(trf::Opcode kernel, llvm::ArrayRef<Argument> arguments)
      : KernelCall(kernel, arguments, AttrList()) {}
  template <typename Attrs>
  KernelCall(trf::Opcode kernel, llvm::ArrayRef<Argument> arguments, const Attrs &values)
      : KernelCall(kernel, arguments, toAttrList(values)) {}
  KernelCall(trf::Opcode kernel, llvm::ArrayRef<Argument> arguments, AttrList values)
      : kernel(kernel), operands(trf::info(kernel).operands.size()), attrs(std::move(values)) {
    assert(attrs.size() == trf::info(kernel).attrs.size() && "attributes differ from the row");
    for (Argument argument : arguments)
      operands[argument.operand] = argument.tensor;
  }

  /// Whether an operand is `ref`.
  bool uses(TensorRef ref) const { return llvm::is_contained(operands, ref); }
  bool usesKind(TensorRef::Kind kind) const {
    return llvm::any_of(operands, [&](TensorRef ref) { return ref.kind == kind; });
  }

  trf::Opcode kernel;
  llvm::SmallVector<TensorRef, 10> operands;
  AttrList attrs;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_KERNELCALL_H
