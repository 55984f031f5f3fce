// SPDX-License-Identifier: Apache-2.0
//
// Expansions of plan_format.h and kernel_ops.def for the compiler.
#include "renaissance/Target/PlanTables.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tr::plan {
namespace {

constexpr llvm::StringLiteral kDTypeNames[] = {
#define X(name, spelling, bytes) spelling,
    TRRT_DTYPES(X)
#undef X
};
constexpr int64_t kDTypeBytes[] = {
#define X(name, spelling, bytes) bytes,
    TRRT_DTYPES(X)
#undef X
};
constexpr llvm::StringLiteral kRegionNames[] = {
#define X(name, spelling, dtype, life, purpose) spelling,
    TRRT_REGIONS(X)
#undef X
};
constexpr DType kRegionDTypes[] = {
#define X(name, spelling, dtype, life, purpose) DType::dtype,
    TRRT_REGIONS(X)
#undef X
};
constexpr bool Pooled = true, Kept = false;
constexpr bool kRegionIsPooled[] = {
#define X(name, spelling, dtype, life, purpose) life,
    TRRT_REGIONS(X)
#undef X
};
constexpr llvm::StringLiteral kSubgraphNames[] = {
#define X(id, name, spelling) spelling,
    TRRT_SUBGRAPHS(X)
#undef X
};
constexpr llvm::StringLiteral kScheduleNames[] = {
#define X(value, name, spelling) spelling,
    TRRT_SCHEDULES(X)
#undef X
};
constexpr llvm::StringLiteral kInitNames[] = {
#define X(name, spelling) spelling,
    TRRT_INITS(X)
#undef X
};
constexpr llvm::StringLiteral kParamLayoutNames[] = {
#define X(name, spelling) spelling,
    TRRT_PARAM_LAYOUTS(X)
#undef X
};

constexpr llvm::StringLiteral kConvAlgorithmNames[] = {
#define X(name, spelling) spelling,
    TRRT_CONV_ALGORITHMS(X)
#undef X
};

// The name arrays are indexed by value, so values must be positions.
template <size_t N> constexpr bool countsUp(const uint32_t (&values)[N]) {
  for (uint32_t i = 0; i < N; ++i)
    if (values[i] != i)
      return false;
  return true;
}
#define X(value, ...) value,
constexpr uint32_t kSubgraphValues[] = {TRRT_SUBGRAPHS(X)};
constexpr uint32_t kScheduleValues[] = {TRRT_SCHEDULES(X)};
#undef X
static_assert(countsUp(kSubgraphValues) && countsUp(kScheduleValues));
static_assert(std::size(kSubgraphValues) == TRRT_SUBGRAPH_COUNT);

constexpr std::optional<DType> Any = std::nullopt;
constexpr std::optional<DType> F32 = DType::F32;
constexpr std::optional<DType> I32 = DType::I32;
constexpr std::optional<DType> U8 = DType::U8;

// What the table says of an op's cost where it is no number.
constexpr int Conv = -1, Fc = -2;
static_assert(Conv != Fc);

// A leading entry keeps the lists of ops without attributes non-empty arrays.
#define TRRT_OPERANDS(...)                                                                         \
  { __VA_ARGS__ }
#define TRRT_ATTRS(...)                                                                            \
  { {"", false}, __VA_ARGS__ }
#define TRRT_NO_ATTRS                                                                              \
  {                                                                                                \
    { "", false }                                                                                  \
  }
#define TRRT_IN(name, dtype)                                                                       \
  { #name, dtype, Access::Read, false, false }
#define TRRT_OPT_IN(name, dtype)                                                                   \
  { #name, dtype, Access::Read, true, false }
#define TRRT_OUT(name, dtype)                                                                      \
  { #name, dtype, Access::Write, false, false }
#define TRRT_OUT_OVER(name, dtype, inputs)                                                         \
  { #name, dtype, Access::Write, false, false, inputs }
#define TRRT_OPT_OUT(name, dtype)                                                                  \
  { #name, dtype, Access::Write, true, false }
#define TRRT_INOUT(name, dtype)                                                                    \
  { #name, dtype, Access::ReadWrite, false, false }
#define TRRT_RANGE_IN(name, dtype)                                                                 \
  { #name, dtype, Access::Read, false, true }
#define TRRT_RANGE_OUT(name, dtype)                                                                \
  { #name, dtype, Access::Write, false, true }
#define TRRT_RANGE_INOUT(name, dtype)                                                              \
  { #name, dtype, Access::ReadWrite, false, true }
#define TRRT_INT(name)                                                                             \
  { #name, false }
#define TRRT_FLOAT(name)                                                                           \
  { #name, true }
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc)                                  \
  constexpr OperandInfo name##Operands[] = operands;                                               \
  constexpr AttrInfo name##Attrs[] = attrs;
#include "trrt/kernel_ops.def"

constexpr KernelInfo kKernels[] = {
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc)                                  \
  {#name, Stream::stream, flops == Conv, llvm::ArrayRef<OperandInfo>(name##Operands),              \
   llvm::ArrayRef<AttrInfo>(name##Attrs + 1, std::size(name##Attrs) - 1)},
#include "trrt/kernel_ops.def"
};

constexpr llvm::StringLiteral kStreamNames[] = {"transfer", "compute", "update"};

constexpr llvm::StringLiteral kKernelNames[] = {
#define TRRT_KERNEL_OP(name, ...) #name,
#include "trrt/kernel_ops.def"
};

// Names in alphabetical order with their values. Passes look up a name for each tensor and each
// kernel op, so the search must not walk the table.
struct Entry {
  std::string_view name;
  uint32_t value = 0;
};

template <size_t N>
constexpr std::array<Entry, N> sortNames(const llvm::StringLiteral (&names)[N]) {
  std::array<Entry, N> entries{};
  for (size_t i = 0; i < N; ++i) {
    Entry entry{std::string_view(names[i].data(), names[i].size()), static_cast<uint32_t>(i)};
    size_t place = i;
    for (; place > 0 && entry.name < entries[place - 1].name; --place)
      entries[place] = entries[place - 1];
    entries[place] = entry;
  }
  return entries;
}

template <typename Enum, const auto &Names> std::optional<Enum> symbolize(llvm::StringRef text) {
  static constexpr auto kEntries = sortNames(Names);
  std::string_view wanted(text.data(), text.size());
  auto found =
      std::lower_bound(kEntries.begin(), kEntries.end(), wanted,
                       [](const Entry &entry, std::string_view name) { return entry.name < name; });
  if (found == kEntries.end() || found->name != wanted)
    return std::nullopt;
  return static_cast<Enum>(found->value);
}

} // namespace

llvm::StringRef stringify(DType value) { return kDTypeNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(Region value) { return kRegionNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(Subgraph value) { return kSubgraphNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(Schedule value) { return kScheduleNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(Init value) { return kInitNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(ParamLayout value) {
  return kParamLayoutNames[static_cast<uint32_t>(value)];
}
llvm::StringRef stringify(Stream value) { return kStreamNames[static_cast<uint32_t>(value)]; }
llvm::StringRef stringify(ConvAlgorithm value) {
  return kConvAlgorithmNames[static_cast<uint32_t>(value)];
}

std::optional<DType> symbolizeDType(llvm::StringRef text) {
  return symbolize<DType, kDTypeNames>(text);
}
std::optional<Region> symbolizeRegion(llvm::StringRef text) {
  return symbolize<Region, kRegionNames>(text);
}
std::optional<Subgraph> symbolizeSubgraph(llvm::StringRef text) {
  return symbolize<Subgraph, kSubgraphNames>(text);
}
std::optional<Schedule> symbolizeSchedule(llvm::StringRef text) {
  return symbolize<Schedule, kScheduleNames>(text);
}
std::optional<Init> symbolizeInit(llvm::StringRef text) {
  return symbolize<Init, kInitNames>(text);
}
std::optional<ParamLayout> symbolizeParamLayout(llvm::StringRef text) {
  return symbolize<ParamLayout, kParamLayoutNames>(text);
}
std::optional<ConvAlgorithm> symbolizeConvAlgorithm(llvm::StringRef text) {
  return symbolize<ConvAlgorithm, kConvAlgorithmNames>(text);
}
std::optional<Kernel> symbolizeKernel(llvm::StringRef text) {
  return symbolize<Kernel, kKernelNames>(text);
}

int64_t getBytes(DType dtype) { return kDTypeBytes[static_cast<uint32_t>(dtype)]; }
DType getDType(Region region) { return kRegionDTypes[static_cast<uint32_t>(region)]; }

bool isPooled(Region region) { return kRegionIsPooled[static_cast<uint32_t>(region)]; }

bool OperandInfo::mayLieOn(const OperandInfo &input) const {
  llvm::SmallVector<llvm::StringRef, 2> names;
  over.split(names, ' ');
  return llvm::is_contained(names, input.name);
}

bool fits(DType dtype, Region region) {
  return dtype == getDType(region) || (region == Region::SMask && dtype == DType::I32);
}

// The 16 bytes let vector code read past the last element.
int64_t getSlotBytes(DType dtype, int64_t elements) {
  int64_t bytes = getBytes(dtype);
  auto align = [](int64_t size) {
    return static_cast<int64_t>(llvm::alignTo(size, TRRT_PLAN_TENSOR_ALIGN));
  };
  return bytes == 4 ? 2 * align(2 * elements + 16) : align(bytes * elements + 16);
}

const KernelInfo &getInfo(Kernel kernel) { return kKernels[static_cast<uint32_t>(kernel)]; }

} // namespace tr::plan
