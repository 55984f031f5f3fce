// SPDX-License-Identifier: Apache-2.0
//
// kernel_ops.def as C++: an opcode and a constant row for each op, and in the namespace
// ops::NAME the positions of its operands and its attributes as a structure. Kernels say
// `call[op::dy]`, the compiler the same words.
#ifndef TRF_KERNEL_OPS_H
#define TRF_KERNEL_OPS_H

#include "trf/enums.h"

#include <cstring>
#include <limits>

namespace trf {

enum class Opcode : uint32_t {
#define KERNEL_OP(opcode, since, name, stream, work, operands, attrs, doc) name = opcode,
#define IN(...)
#define OUT(...)
#define INOUT(...)
#define INT(...)
#define FLOAT(...)
#define ENUM(...)
#define ACT(...)
#define LATER_INT(...)
#define LATER_FLOAT(...)
#include "trf/kernel_ops.def"
};

enum class Stream : uint8_t { Transfer, Compute, Update };
inline constexpr Stream kStreams[] = {Stream::Transfer, Stream::Compute, Stream::Update};
constexpr std::string_view name(Stream stream) {
  constexpr std::string_view names[] = {"transfer", "compute", "update"};
  return names[static_cast<int>(stream)];
}
enum class Access : uint8_t { Read, Write, ReadWrite };

// A fixed element type or a type variable.
enum class OperandType : uint8_t { F32, I32, U8, A, P, S, I, Any };

// The rules of kernel_ops.def: those that name operands of the op, and those that name none.
#define TRF_DIMS_RULES_ON_OPERANDS(X)                                                              \
  X(As)                                                                                            \
  X(Count)                                                                                         \
  X(Channels)                                                                                      \
  X(Samples)                                                                                       \
  X(Pixel)                                                                                         \
  X(Spread)                                                                                        \
  X(Wider)                                                                                         \
  X(Around)                                                                                        \
  X(Scaled)                                                                                        \
  X(Grid) X(Lone) X(Groups) X(Slopes) X(Slide) X(Pool) X(Filter) X(Matrix) X(Rows) X(Outputs)
#define TRF_DIMS_RULES_ALONE(X) X(Free) X(One) X(Pair) X(Run)

enum class DimsRule : uint8_t {
#define X(rule) rule,
  TRF_DIMS_RULES_ON_OPERANDS(X) TRF_DIMS_RULES_ALONE(X)
#undef X
};
constexpr std::string_view name(DimsRule rule) {
#define X(rule) #rule,
  constexpr std::string_view names[] = {TRF_DIMS_RULES_ON_OPERANDS(X) TRF_DIMS_RULES_ALONE(X)};
#undef X
  return names[static_cast<int>(rule)];
}
struct OperandDims {
  DimsRule rule;
  uint8_t first = 0, second = 0; // operands that the rule names
};

struct OperandInfo {
  std::string_view name;
  OperandType type;
  Access access;
  OperandDims dims;
  uint32_t flags;

  constexpr bool reads() const { return access != Access::Write; }
  constexpr bool writes() const { return access != Access::Read; }
  constexpr bool isOptional() const { return (flags & 1) != 0; }
  constexpr bool takesPitch() const { return (flags & 2) != 0; }
  // A run of whole regions instead of a tensor.
  constexpr bool isRun() const { return dims.rule == DimsRule::Run; }
  // Whether this output may lie on operand `input` ("in place").
  constexpr bool mayLieOn(uint32_t input) const { return (flags >> (8 + input) & 1) != 0; }
};

enum class AttrType : uint8_t { Int, Float, Enum, Act };
struct AttrInfo {
  std::string_view name;
  AttrType type;
  int64_t low, high;          // of integers; of a table the number of its rows
  double leastReal, mostReal; // of real numbers
  std::string_view noun;      // what an enumeration's rows are called
  uint32_t since = 0;         // the minor that brought it to its op, if it came later
  int64_t value = 0;          // of calls that lack it, where it is an integer
  double realValue = 0;       // and where it is a real number

  constexpr bool isFloat() const { return type == AttrType::Float; }
  // Whether it came after its op, so that plans may lack it.
  constexpr bool isLater() const { return since > 0; }
};

// An attribute as it lies in plans and calls: 64 bits of an int64 or a double.
union Attr {
  int64_t i;
  double f;
};

// What calls have that lack a later attribute.
inline Attr missingAttr(const AttrInfo &info) {
  Attr attr;
  if (info.isFloat())
    attr.f = info.realValue;
  else
    attr.i = info.value;
  return attr;
}
// Whether a call may leave it out.
inline bool isAsMissing(const AttrInfo &info, Attr attr) {
  return info.isLater() && attr.i == missingAttr(info).i;
}

// How the arithmetic of an op is counted; see cost.h.
struct Work {
  enum Kind : uint8_t { PerElement, Conv, Fc } kind;
  int perElement = 0;
};

// A list inside the rows below.
template <typename T> struct Rows {
  const T *first = nullptr;
  uint32_t count = 0;

  constexpr uint32_t size() const { return count; }
  constexpr const T &operator[](size_t i) const { return first[i]; }
  constexpr const T *begin() const { return first; }
  constexpr const T *end() const { return first + count; }
};

struct OpInfo {
  Opcode opcode;
  uint32_t since;
  std::string_view name;
  Stream stream;
  Work work;
  Rows<OperandInfo> operands;
  Rows<AttrInfo> attrs;
  std::string_view doc;

  constexpr bool isConv() const { return work.kind == Work::Conv; }
  // Attributes that every call has; later ones may be missing from the end.
  constexpr uint32_t leastAttrs() const {
    uint32_t count = 0;
    while (count < attrs.size() && !attrs[count].isLater())
      ++count;
    return count;
  }
  // Whether any operand is a run of regions.
  constexpr bool hasRuns() const {
    for (const OperandInfo &operand : operands)
      if (operand.isRun())
        return true;
    return false;
  }
};

// An enumerator in the place of an attribute.
template <typename E> struct EnumAttr {
  int64_t number = 0;

  constexpr EnumAttr() = default;
  constexpr EnumAttr(E value) : number(static_cast<int64_t>(value)) {}
  constexpr operator E() const { return static_cast<E>(number); }
};

// An activation in the place of an attribute: the number of its row, and in the upper half what
// makes the row's own parameter the one that it has, bit by bit. So the row's number alone, which
// is what files without parameters hold, is the activation with the row's own one.
struct ActAttr {
  int64_t bits = 0;

  ActAttr() = default;
  ActAttr(Activation kind) : bits(static_cast<int64_t>(kind)) {}
  ActAttr(Act act)
      : bits(static_cast<int64_t>(act.kind) |
             static_cast<int64_t>(bitsOf(act.parameter) ^ bitsOf(row(act.kind).fallback)) << 32) {}
  operator Act() const {
    const auto kind = static_cast<Activation>(rowNumber());
    const uint32_t parameter =
        static_cast<uint32_t>(static_cast<uint64_t>(bits) >> 32) ^ bitsOf(row(kind).fallback);
    Act act(kind);
    std::memcpy(&act.parameter, &parameter, sizeof(parameter));
    return act;
  }
  // The number may be none of a row, as long as nobody checked it.
  uint32_t rowNumber() const { return static_cast<uint32_t>(bits); }

private:
  static uint32_t bitsOf(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
};
inline bool operator==(ActAttr a, Act b) { return Act(a) == b; }

// Largest extent of a tensor, and of a window's attributes.
inline constexpr int64_t kMaxDim = 0x7fffffff;
inline constexpr int64_t kMaxWindow = 1 << 15;
// Of an eps: the smallest number that FP32 holds with all its digits. Kernels take less for 0.
inline constexpr double kLeastEps = std::numeric_limits<float>::min();

// How often a window fits along an axis of `size` cells with `pad` more before them and `pad +
// more` after them; below 1 where it is larger than that.
constexpr int64_t windowExtent(int64_t size, int64_t kernel, int64_t stride, int64_t pad,
                               int64_t dilation = 1, bool ceil = false, int64_t more = 0) {
  const int64_t rest = size + 2 * pad + more - (dilation * (kernel - 1) + 1);
  if (rest < 0)
    return 0;
  const int64_t extent = (rest + (ceil ? stride - 1 : 0)) / stride + 1;
  // The last window starts in the input or in the pad before it.
  return ceil && (extent - 1) * stride >= size + pad ? extent - 1 : extent;
}

// Positions of operands, and attributes by name.
namespace ops {
#define KERNEL_OP(code, since, name, stream, work, operands, attrs, doc)                           \
  namespace name {                                                                                 \
  inline constexpr Opcode kOpcode = Opcode::name;                                                  \
  enum Operand : int { operands kOperandCount };                                                   \
  struct Attrs {                                                                                   \
    attrs                                                                                          \
  };                                                                                               \
  }
#define IN(name, type, dims, flags) name,
#define OUT(name, type, dims, flags) name,
#define INOUT(name, type, dims, flags) name,
#define INT(name, low, high) int64_t name;
#define FLOAT(name, low, high) double name;
#define ENUM(name, type) EnumAttr<type> name;
#define ACT(name) ActAttr name;
#define LATER_INT(since, name, low, high, value) int64_t name = value;
#define LATER_FLOAT(since, name, low, high, value) double name = value;
#include "trf/kernel_ops.def"
} // namespace ops

// The attributes of a call of `op`, from their place in a plan or a call.
template <typename Attrs> Attrs readAttrs(const Attr *values) {
  static_assert(sizeof(Attrs) % sizeof(Attr) == 0, "attributes are 64 bits each");
  Attrs attrs;
  std::memcpy(static_cast<void *>(&attrs), values, sizeof(attrs));
  return attrs;
}

namespace detail {
inline constexpr uint32_t kOptional = 1, kPitch = 2;
inline constexpr int64_t kMinInt = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();

constexpr uint32_t over(int input) { return 1u << (8 + input); }

constexpr OperandDims dimsBy(DimsRule rule, int first, int second) {
  return {rule, static_cast<uint8_t>(first), static_cast<uint8_t>(second)};
}
#define X(rule) inline constexpr OperandDims rule{DimsRule::rule};
TRF_DIMS_RULES_ALONE(X)
#undef X
#define X(rule)                                                                                    \
  constexpr OperandDims rule(int a) { return dimsBy(DimsRule::rule, a, a); }                       \
  constexpr OperandDims rule(int a, int b) { return dimsBy(DimsRule::rule, a, b); }
TRF_DIMS_RULES_ON_OPERANDS(X)
#undef X

// The number of operations per element, or one of the two kinds.
struct WorkColumn {
  Work value;
  constexpr WorkColumn(int perElement) : value{Work::PerElement, perElement} {}
  constexpr WorkColumn(Work::Kind kind) : value{kind} {}
};
inline constexpr Work::Kind Conv = Work::Conv,
                            Fc = Work::Fc; // NOLINT(readability-identifier-naming): columns

// Each list ends in an empty row, because an op may have no attributes.
#define KERNEL_OP(code, since, name, stream, count, operandRows, attrRows, doc)                    \
  namespace name {                                                                                 \
  using namespace ops::name;                                                                       \
  inline constexpr OperandInfo operands[] = {operandRows{}};                                       \
  inline constexpr AttrInfo attrs[] = {attrRows{}};                                                \
  inline constexpr Work kWork = WorkColumn(count).value;                                           \
  }
#define IN(name, type, dims, flags)                                                                \
  {#name, OperandType::type, Access::Read, dims, static_cast<uint32_t>(flags)},
#define OUT(name, type, dims, flags)                                                               \
  {#name, OperandType::type, Access::Write, dims, static_cast<uint32_t>(flags)},
#define INOUT(name, type, dims, flags)                                                             \
  {#name, OperandType::type, Access::ReadWrite, dims, static_cast<uint32_t>(flags)},
#define INT(name, low, high) {#name, AttrType::Int, low, high, 0, 0, {}},
#define FLOAT(name, low, high) {#name, AttrType::Float, 0, 0, low, high, {}},
#define ENUM(name, type) {#name, AttrType::Enum, 0, kCount<type>, 0, 0, Table<type>::noun},
#define ACT(name)                                                                                  \
  {#name, AttrType::Act, 0, kCount<Activation>, 0, kMostActParameter, Table<Activation>::noun},
#define LATER_INT(since, name, low, high, value)                                                   \
  {#name, AttrType::Int, low, high, 0, 0, {}, since, value},
#define LATER_FLOAT(since, name, low, high, value)                                                 \
  {#name, AttrType::Float, 0, 0, low, high, {}, since, 0, value},
#include "trf/kernel_ops.def"
} // namespace detail

inline constexpr OpInfo kOps[] = {
#define KERNEL_OP(code, since, name, stream, count, operandRows, attrRows, doc)                    \
  {Opcode::name,                                                                                   \
   since,                                                                                          \
   #name,                                                                                          \
   Stream::stream,                                                                                 \
   detail::name::kWork,                                                                            \
   {detail::name::operands, std::size(detail::name::operands) - 1},                                \
   {detail::name::attrs, std::size(detail::name::attrs) - 1},                                      \
   doc},
#define IN(...)
#define OUT(...)
#define INOUT(...)
#define INT(...)
#define FLOAT(...)
#define ENUM(...)
#define ACT(...)
#define LATER_INT(...)
#define LATER_FLOAT(...)
#include "trf/kernel_ops.def"

    // Names of ops, operands and attributes are the format's.
    // NOLINTBEGIN(readability-identifier-naming)
};
inline constexpr uint32_t kOpCount = std::size(kOps);

namespace detail {
inline constexpr uint32_t kOpcodeEnd = static_cast<uint32_t>(kOps[kOpCount - 1].opcode) + 1;
struct OpPositions {
  uint16_t at[kOpcodeEnd];
  constexpr OpPositions() : at() {
    for (uint32_t i = 0; i < kOpcodeEnd; ++i)
      at[i] = kOpCount;
    for (uint32_t i = 0; i < kOpCount; ++i)
      at[static_cast<uint32_t>(kOps[i].opcode)] = static_cast<uint16_t>(i);
  }
};
inline constexpr OpPositions kOpPositions;

constexpr bool opcodesAscend() {
  for (uint32_t i = 1; i < kOpCount; ++i)
    if (kOps[i - 1].opcode >= kOps[i].opcode)
      return false;
  return true;
}
static_assert(opcodesAscend(), "rows of kernel_ops.def are in the order of their opcodes");

// Whether the rule names operands.
constexpr bool isRelative(DimsRule rule) {
  return rule != DimsRule::Free && rule != DimsRule::One && rule != DimsRule::Pair &&
         rule != DimsRule::Run;
}

// Rules name operands that are always there, and an output lies on inputs.
constexpr bool referencesHold() {
  for (const OpInfo &op : kOps)
    for (const OperandInfo &operand : op.operands) {
      if (op.operands.size() > 24 || operand.dims.first >= op.operands.size() ||
          operand.dims.second >= op.operands.size())
        return false;
      if (isRelative(operand.dims.rule) && (op.operands[operand.dims.first].isOptional() ||
                                            op.operands[operand.dims.second].isOptional()))
        return false;
      for (uint32_t i = 0; i < op.operands.size(); ++i)
        if (operand.mayLieOn(i) && (!operand.writes() || !op.operands[i].reads()))
          return false;
    }
  return true;
}
static_assert(referencesHold(), "an operand of kernel_ops.def refers to no operand");

// Later attributes end the list, in the order of their minors.
constexpr bool laterAttrsAreLast() {
  for (const OpInfo &op : kOps)
    for (uint32_t i = 0; i < op.attrs.size(); ++i)
      if (op.attrs[i].isLater() ? op.attrs[i].since <= op.since
                                : i > 0 && op.attrs[i - 1].isLater())
        return false;
  return true;
}
static_assert(laterAttrsAreLast(), "later attributes of kernel_ops.def come after all others");
} // namespace detail

// Position of the op's row, for tables with an entry for each op.
constexpr uint32_t positionOf(Opcode op) {
  return detail::kOpPositions.at[static_cast<uint32_t>(op)];
}
constexpr bool isOpcode(uint32_t number) {
  return number < detail::kOpcodeEnd && detail::kOpPositions.at[number] < kOpCount;
}
constexpr const OpInfo &info(Opcode op) { return kOps[positionOf(op)]; }
constexpr std::string_view name(Opcode op) { return info(op).name; }
std::optional<Opcode> symbolizeOpcode(std::string_view text);

// The element type of a fixed type or variable under an instance; none for I and Any.
constexpr std::optional<DType> typeOf(OperandType type, Instance instance) {
  const InstanceRow &types = row(instance);
  switch (type) {
  case OperandType::F32:
    return DType::F32;
  case OperandType::I32:
    return DType::I32;
  case OperandType::U8:
    return DType::U8;
  case OperandType::A:
    return types.activation;
  case OperandType::P:
    return types.parameter;
  case OperandType::S:
    return types.statistic;
  case OperandType::I:
  case OperandType::Any:
    break;
  }
  return std::nullopt;
}

// Whether the op has a variable that an instance decides; else it exists in the first one only.
constexpr bool hasInstances(const OpInfo &op) {
  for (const OperandInfo &operand : op.operands)
    if (operand.type == OperandType::A || operand.type == OperandType::P ||
        operand.type == OperandType::S)
      return true;
  return false;
}

} // namespace trf
// NOLINTEND(readability-identifier-naming)

#endif // TRF_KERNEL_OPS_H
