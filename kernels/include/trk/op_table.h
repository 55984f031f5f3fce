// SPDX-License-Identifier: Apache-2.0
//
// kernel_ops.def as constant tables for kernels and runtime.
#ifndef TRK_OP_TABLE_H
#define TRK_OP_TABLE_H

#include "trrt/plan_format.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trk {

enum class DType : uint8_t {
#define X(name, spelling, bytes) name,
  TRRT_DTYPES(X)
#undef X
      Any = 255
};

enum class Activation : uint8_t {
#define X(name, spelling) name,
  TRRT_ACTIVATIONS(X)
#undef X
};

enum class ConvAlgorithm : uint8_t {
#define X(name, spelling) name,
  TRRT_CONV_ALGORITHMS(X)
#undef X
};

inline constexpr const char *kConvAlgorithmNames[] = {
#define X(name, spelling) spelling,
    TRRT_CONV_ALGORITHMS(X)
#undef X
};

enum class Isa : uint8_t {
#define X(name, spelling) name,
  TRRT_ISAS(X)
#undef X
};
inline constexpr const char *kIsaNames[] = {
#define X(name, spelling) spelling,
    TRRT_ISAS(X)
#undef X
};

enum class Stream : uint8_t { Transfer, Compute, Update };

enum class Opcode : uint32_t {
#define TRRT_KERNEL_OP(name, ...) name,
#include "trrt/kernel_ops.def"
};

enum class Access : uint8_t { Read, Write, ReadWrite };

struct OperandInfo {
  const char *name;
  DType dtype;
  Access access;
  bool optional;
  bool range;            // a run of whole regions instead of a tensor
  const char *over = ""; // inputs that this output may lie on, separated by spaces
};

struct AttrInfo {
  const char *name;
  bool is_float;
};

struct OpInfo {
  const char *name;
  Stream stream;
  int flops; // operations per element, or one of the kinds below
  const OperandInfo *operands;
  uint32_t operand_count;
  const AttrInfo *attrs;
  uint32_t attr_count;
  const char *doc;
};

inline constexpr int kFlopsConv = -1;
inline constexpr int kFlopsFc = -2;

namespace detail {
inline constexpr int Conv = kFlopsConv;
inline constexpr int Fc = kFlopsFc;
// clang-format off
#define TRRT_OPERANDS(...) {__VA_ARGS__}
#define TRRT_ATTRS(...) {__VA_ARGS__}
#define TRRT_NO_ATTRS {{nullptr, false}}
#define TRRT_IN(name, dtype) {#name, DType::dtype, Access::Read, false, false}
#define TRRT_OPT_IN(name, dtype) {#name, DType::dtype, Access::Read, true, false}
#define TRRT_OUT(name, dtype) {#name, DType::dtype, Access::Write, false, false}
#define TRRT_OUT_OVER(name, dtype, inputs)                                                         \
  {#name, DType::dtype, Access::Write, false, false, inputs}
#define TRRT_OPT_OUT(name, dtype) {#name, DType::dtype, Access::Write, true, false}
#define TRRT_INOUT(name, dtype) {#name, DType::dtype, Access::ReadWrite, false, false}
#define TRRT_RANGE_IN(name, dtype) {#name, DType::dtype, Access::Read, false, true}
#define TRRT_RANGE_OUT(name, dtype) {#name, DType::dtype, Access::Write, false, true}
#define TRRT_RANGE_INOUT(name, dtype) {#name, DType::dtype, Access::ReadWrite, false, true}
#define TRRT_INT(name) {#name, false}
#define TRRT_FLOAT(name) {#name, true}
// clang-format on
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc)                                  \
  inline constexpr OperandInfo name##_operands[] = operands;                                       \
  inline constexpr AttrInfo name##_attrs[] = attrs;                                                \
  inline constexpr int name##_flops = flops;
#include "trrt/kernel_ops.def"

template <size_t N> constexpr uint32_t countAttrs(const AttrInfo (&attrs)[N]) {
  return attrs[0].name ? static_cast<uint32_t>(N) : 0;
}
} // namespace detail

inline constexpr OpInfo kOps[] = {
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc)                                  \
  {#name,                                                                                          \
   Stream::stream,                                                                                 \
   detail::name##_flops,                                                                           \
   detail::name##_operands,                                                                        \
   sizeof(detail::name##_operands) / sizeof(OperandInfo),                                          \
   detail::name##_attrs,                                                                           \
   detail::countAttrs(detail::name##_attrs),                                                       \
   doc},
#include "trrt/kernel_ops.def"
};
inline constexpr uint32_t kOpCount = sizeof(kOps) / sizeof(OpInfo);

// Whether operand `out` of the op may lie on operand `in` ("in place").
inline bool mayLieOn(const OpInfo &op, uint32_t out, uint32_t in) {
  const std::string_view over = op.operands[out].over, name = op.operands[in].name;
  for (size_t at = over.find(name); at != over.npos; at = over.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || over[at - 1] == ' ') && (end == over.size() || over[end] == ' '))
      return true;
  }
  return false;
}

inline const OpInfo &info(Opcode op) { return kOps[static_cast<uint32_t>(op)]; }

inline constexpr int64_t kDTypeBytes[] = {
#define X(name, spelling, bytes) bytes,
    TRRT_DTYPES(X)
#undef X
};
inline int64_t dtypeBytes(DType d) { return kDTypeBytes[static_cast<int>(d)]; }

inline constexpr const char *kDTypeNames[] = {
#define X(name, spelling, bytes) spelling,
    TRRT_DTYPES(X)
#undef X
};

} // namespace trk

#endif // TRK_OP_TABLE_H
