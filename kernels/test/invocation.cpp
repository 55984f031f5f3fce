// SPDX-License-Identifier: Apache-2.0
//
// Outputs that follow from a row, and short forms of operands.
#include "invocation.h"

#include <optional>

namespace trk::test {

Host Host::f32(const Dims &shape, const std::vector<float> &values) {
  Host h(DType::F32, shape);
  std::memcpy(h.bytes.data(), values.data(), h.bytes.size());
  return h;
}
Host Host::i32(const Dims &shape, const std::vector<int32_t> &values) {
  Host h(DType::I32, shape);
  std::memcpy(h.bytes.data(), values.data(), h.bytes.size());
  return h;
}
Host Host::vec(const std::vector<float> &values) {
  return f32({1, 1, 1, int64_t(values.size())}, values);
}

// Of windows and weights the tests say the extents themselves: they are what is tested.
static std::optional<Dims> dimsByRule(trf::DimsRule rule, const Dims &of) {
  switch (rule) {
  case trf::DimsRule::As:
  case trf::DimsRule::Count:
    return of;
  case trf::DimsRule::Channels:
    return Dims{1, 1, 1, of[3]};
  case trf::DimsRule::One:
    return Dims{1, 1, 1, 1};
  case trf::DimsRule::Samples:
    return Dims{of[0], 1, 1, 1};
  case trf::DimsRule::Pixel:
    return Dims{of[0], 1, 1, of[3]};
  case trf::DimsRule::Lone:
    return Dims{of[0], of[1], of[2], 1};
  default:
    return std::nullopt;
  }
}

Act Invocation::activation() const {
  trf::ActAttr act;
  for (size_t i = 0; i < attrs.size(); ++i)
    if (info().attrs[i].type == trf::AttrType::Act)
      act.bits = attrs[i].i;
  return act;
}

void Invocation::makeOutputs() {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (row(i).reads() || row(i).isOptional() || operands[i].present())
      continue;
    const Host &named = operands[row(i).dims.first];
    // A copy has the type of what it copies; no other output is of any type.
    const DType dtype = trf::typeOf(row(i).type, instance).value_or(named.dtype);
    if (const auto dims = dimsByRule(row(i).dims.rule, named.dims))
      operands[i] = Host(dtype, *dims);
  }
}

std::string Invocation::findFault() const {
  const std::string name(info().name);
  if (attrs.size() != info().attrs.size())
    return "the test gives " + std::to_string(attrs.size()) + " attributes of " + name;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string operand = name + "'s " + std::string(row(i).name);
    if (!operands[i].present()) {
      if (!row(i).isOptional())
        return "the test lacks " + operand;
      continue;
    }
    const std::optional<DType> type = trf::typeOf(row(i).type, instance);
    if (type && *type != operands[i].dtype)
      return "the test gives another element type of " + operand;
  }
  return std::string();
}

Window paddedMore(Window w, int64_t h, int64_t x) {
  w.moreH = h;
  w.moreW = x;
  return w;
}

Window dilated(Window w, int64_t h, int64_t x) {
  w.dilationH = h;
  w.dilationW = x;
  return w;
}

Window countingPad(Window w) {
  w.countPad = true;
  return w;
}

Window ceiled(Window w) {
  w.ceil = true;
  return w;
}

Dims windowDims(const Dims &x, const Window &w, int64_t channels) {
  return {x[0], trf::windowExtent(x[1], w.kernelH, w.strideH, w.padH, w.dilationH, w.ceil, w.moreH),
          trf::windowExtent(x[2], w.kernelW, w.strideW, w.padW, w.dilationW, w.ceil, w.moreW),
          channels};
}

DType indexType(const Window &w) { return w.kernelH * w.kernelW <= 256 ? DType::U8 : DType::I32; }

} // namespace trk::test
