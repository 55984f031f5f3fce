// SPDX-License-Identifier: Apache-2.0
//
// plan_format.h and kernel_ops.def as the compiler sees them: enumerations, their
// spellings and the operand lists of kernel ops. Everything is expanded from those
// two files; enumerator values are the values that a plan file stores.
#ifndef RENAISSANCE_TARGET_PLANTABLES_H
#define RENAISSANCE_TARGET_PLANTABLES_H

#include "trrt/plan_format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tr::plan {

enum class DType : uint32_t {
#define X(name, spelling, bytes) name,
  TRRT_DTYPES(X)
#undef X
};

enum class Region : uint32_t {
#define X(name, spelling, dtype, life, purpose) name,
  TRRT_REGIONS(X)
#undef X
};
inline constexpr uint32_t kRegionCount = 0
#define X(name, spelling, dtype, life, purpose) +1
    TRRT_REGIONS(X)
#undef X
    ;

enum class Subgraph : uint32_t {
#define X(id, name, spelling) name = id,
  TRRT_SUBGRAPHS(X)
#undef X
};
inline constexpr uint32_t kSubgraphCount = TRRT_SUBGRAPH_COUNT;

enum class Schedule : uint32_t {
#define X(value, name, spelling) name = value,
  TRRT_SCHEDULES(X)
#undef X
};

enum class Init : uint32_t {
#define X(name, spelling) name,
  TRRT_INITS(X)
#undef X
};

enum class ParamLayout : uint32_t {
#define X(name, spelling) name,
  TRRT_PARAM_LAYOUTS(X)
#undef X
};

enum class ConvAlgorithm : uint32_t {
#define X(name, spelling) name,
  TRRT_CONV_ALGORITHMS(X)
#undef X
};

/// Spelling in plan text, and back; nullopt for an unknown spelling.
llvm::StringRef stringify(DType);
llvm::StringRef stringify(Region);
llvm::StringRef stringify(Subgraph);
llvm::StringRef stringify(Schedule);
llvm::StringRef stringify(Init);
llvm::StringRef stringify(ParamLayout);
llvm::StringRef stringify(ConvAlgorithm);
std::optional<DType> symbolizeDType(llvm::StringRef);
std::optional<Region> symbolizeRegion(llvm::StringRef);
std::optional<Subgraph> symbolizeSubgraph(llvm::StringRef);
std::optional<Schedule> symbolizeSchedule(llvm::StringRef);
std::optional<Init> symbolizeInit(llvm::StringRef);
std::optional<ParamLayout> symbolizeParamLayout(llvm::StringRef);
std::optional<ConvAlgorithm> symbolizeConvAlgorithm(llvm::StringRef);

/// Whether tensors of the region hold nothing between steps and may share memory. Tensors
/// of all other regions keep their place.
bool isPooled(Region);
/// Bytes of one element.
int64_t getBytes(DType);
/// Element type of a region. Pooling indices of `s_mask` may also be i32.
DType getDType(Region);
/// Whether a tensor of this type may live in the region.
bool fits(DType, Region);
/// Bytes of a tensor's slot; an FP32 slot is twice the FP16 slot of equal count.
int64_t getSlotBytes(DType, int64_t elements);

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

/// Position in kernel_ops.def, the opcode of a plan file.
enum class Kernel : uint32_t {
#define TRRT_KERNEL_OP(name, ...) name,
#include "trrt/kernel_ops.def"
};
inline constexpr uint32_t kKernelCount = 0
#define TRRT_KERNEL_OP(name, ...) +1
#include "trrt/kernel_ops.def"
    ;

enum class Stream : uint8_t { Transfer, Compute, Update };
inline constexpr Stream kStreams[] = {Stream::Transfer, Stream::Compute, Stream::Update};
/// "transfer", for reports.
llvm::StringRef stringify(Stream);
enum class Access : uint8_t { Read, Write, ReadWrite };

struct OperandInfo {
  llvm::StringLiteral name;
  std::optional<DType> dtype; // nullopt: equal to the first operand without one
  Access access;
  bool optional;
  bool range;                    // a run of whole regions instead of a tensor
  llvm::StringLiteral over = ""; // inputs that this output may lie on, separated by spaces

  bool reads() const { return access != Access::Write; }
  bool writes() const { return access != Access::Read; }
  /// Whether this output may lie on `input` ("in place").
  bool mayLieOn(const OperandInfo &input) const;
};

struct AttrInfo {
  llvm::StringLiteral name;
  bool isFloat;
};

struct KernelInfo {
  llvm::StringLiteral name;
  Stream stream;
  bool isConv;
  llvm::ArrayRef<OperandInfo> operands;
  llvm::ArrayRef<AttrInfo> attrs;

  /// Whether any operand is a run of regions.
  bool hasRanges() const {
    return llvm::any_of(operands, [](const OperandInfo &operand) { return operand.range; });
  }
};

const KernelInfo &getInfo(Kernel);
std::optional<Kernel> symbolizeKernel(llvm::StringRef);

} // namespace tr::plan

#endif // RENAISSANCE_TARGET_PLANTABLES_H
