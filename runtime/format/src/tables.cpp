// SPDX-License-Identifier: Apache-2.0
//
// Names of regions and sizes of slots.
#include "trf/kernel_ops.h"
#include "trf/plan_format.h"
#include "trf/regions.h"

#include <charconv>

namespace trf {

std::string regionName(Region region) {
  std::string text(name(region.role));
  if (region.group != Group::None)
    text.append("_").append(name(region.group));
  return text;
}

std::string regionName(Region region, DType dtype) {
  std::string text = regionName(region);
  if (region.row().home != dtype)
    text.append("_").append(row(dtype).suffix);
  return text;
}

std::optional<Region> symbolizeRegion(std::string_view text) {
  for (const RoleRow &role : kRoles) {
    if (!role.grouped && role.name == text)
      return Region{role.value, Group::None};
    const size_t size = role.name.size();
    if (!role.grouped || text.substr(0, size) != role.name || text.substr(size, 1) != "_")
      continue;
    if (const auto group = symbolize<Group>(text.substr(size + 1)); group && *group != Group::None)
      return Region{role.value, *group};
  }
  return std::nullopt;
}

// The name of a region that is pooled, or of its home type, has no suffix.
std::optional<TypedRegion> symbolizeTypedRegion(std::string_view text) {
  if (const auto region = symbolizeRegion(text)) {
    const auto home = region->row().home;
    const TypedRegion typed{*region, region->isPooled() ? std::nullopt : home};
    return typed.isValid() ? std::optional(typed) : std::nullopt;
  }
  const size_t end = text.rfind('_');
  if (end == text.npos)
    return std::nullopt;
  const auto region = symbolizeRegion(text.substr(0, end));
  for (const DTypeRow &type : kDTypes)
    if (region && !region->isPooled() && type.suffix == text.substr(end + 1) &&
        region->row().home != type.value)
      return TypedRegion{*region, type.value};
  return std::nullopt;
}

std::string targetName(Target target) {
  std::string text(name(row(target).device));
  return text.append(":").append(row(target).name);
}

std::optional<Target> symbolizeTarget(std::string_view text) {
  const size_t colon = text.find(':');
  const auto device = symbolize<DeviceKind>(text.substr(0, colon));
  const std::string_view feature = colon != text.npos ? text.substr(colon + 1)
                                   : device           ? std::string_view("any")
                                                      : text;
  for (const TargetRow &candidate : kTargets)
    if (candidate.name == feature &&
        (device ? candidate.device == *device
                : colon == text.npos && candidate.device == DeviceKind::Cpu))
      return candidate.value;
  return std::nullopt;
}

int64_t slotBytes(DType dtype, int64_t elements) {
  constexpr int64_t kSlack = 16; // bytes that a vector load may read past the end
  const auto align = [](int64_t size) {
    return (size + TRF_TENSOR_ALIGN - 1) / TRF_TENSOR_ALIGN * TRF_TENSOR_ALIGN;
  };
  const int64_t bytes = bytesOf(dtype);
  return bytes == 4 ? 2 * align(2 * elements + kSlack) : align(bytes * elements + kSlack);
}

std::string name(Act act) {
  std::string text(row(act.kind).name);
  if (act == Act(act.kind))
    return text;
  char digits[192]; // those of the smallest number, without an exponent
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), act.parameter, std::chars_format::fixed);
  return text.append("(").append(digits, end.ptr).append(")");
}

std::optional<Act> symbolizeAct(std::string_view text) {
  const size_t open = text.find('(');
  const auto kind = symbolize<Activation>(text.substr(0, open));
  if (!kind || open == text.npos)
    return kind ? std::optional(Act(*kind)) : std::nullopt;
  Act act(*kind);
  const char *first = text.data() + open + 1, *last = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(first, last, act.parameter);
  const bool whole = error == std::errc() && end == last && *last == ')';
  return whole && row(*kind).hasParameter() && act.isValid() ? std::optional(act) : std::nullopt;
}

std::optional<Opcode> symbolizeOpcode(std::string_view text) {
  for (const OpInfo &op : kOps)
    if (op.name == text)
      return op.opcode;
  return std::nullopt;
}

} // namespace trf
