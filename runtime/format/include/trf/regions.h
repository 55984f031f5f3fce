// SPDX-License-Identifier: Apache-2.0
//
// Regions of memory: roles, groups, and the tensors that belong to no layer.
#ifndef TRF_REGIONS_H
#define TRF_REGIONS_H

#include "trf/enums.h"

#include <string>

namespace trf {

enum class Life : uint8_t { Kept, Pooled };
enum class Made : uint8_t { Before, Step };
enum class ChangedBy : uint8_t { Any, Training };

enum class Role : uint8_t {
#define X(id, value, name, grouped, home, life, made, by, half, purpose) value = id,
  TRF_ROLES(X)
#undef X
};
struct RoleRow {
  Role value;
  std::string_view name;
  bool grouped; // one region for each group of parameters
  std::optional<DType> home;
  Life life;
  Made made;
  ChangedBy changedBy;
  Half half;
  std::string_view purpose;

  constexpr bool isPooled() const { return life == Life::Pooled; }
  constexpr bool isMadeByStep() const { return made == Made::Step; }
  constexpr bool isTrained() const { return changedBy == ChangedBy::Training; }
};
namespace detail {
// Element types of roles; None: tensors of several types, each in a region of its own.
namespace home {
#define X(id, value, name, bytes, suffix) inline constexpr std::optional<DType> value{DType::value};
TRF_DTYPES(X)
#undef X
inline constexpr std::optional<DType> None; // NOLINT(readability-identifier-naming): a column
} // namespace home
} // namespace detail
inline constexpr RoleRow kRoles[] = {
#define X(id, value, name, grouped, homeType, life, made, by, half, purpose)                       \
  {Role::value,   name,       grouped, detail::home::homeType, Life::life, Made::made,             \
   ChangedBy::by, Half::half, purpose},
    TRF_ROLES(X)
#undef X
};
template <> struct Table<Role> {
  static constexpr const auto &rows = kRoles;
  static constexpr const char *noun = "roles";
};
static_assert(detail::isDense(kRoles), "ids of kRoles count from 0");

enum class Group : uint8_t {
#define X(id, value, name, decayed, first, purpose) value = id,
  TRF_GROUPS(X)
#undef X
};
struct GroupRow {
  Group value;
  std::string_view name;
  bool decayed;    // weight decay applies
  bool firstLayer; // parameters of the layer that reads the images
  std::string_view purpose;
};
inline constexpr GroupRow kGroups[] = {
#define X(id, value, name, decayed, first, purpose) {Group::value, name, decayed, first, purpose},
    TRF_GROUPS(X)
#undef X
};
template <> struct Table<Group> {
  static constexpr const auto &rows = kGroups;
  static constexpr const char *noun = "groups";
};
static_assert(detail::isDense(kGroups), "ids of kGroups count from 0");

struct Region {
  Role role{};
  Group group = Group::None;

  constexpr const RoleRow &row() const { return trf::row(role); }
  constexpr bool isPooled() const { return row().isPooled(); }
  // A grouped role has a group, another one has none.
  constexpr bool isValid() const { return row().grouped == (group != Group::None); }
  constexpr bool operator==(Region o) const { return role == o.role && group == o.group; }
  constexpr bool operator!=(Region o) const { return !(*this == o); }
};

// Order of regions in memory: by role; in a role those that are not decayed first.
constexpr bool isBefore(Region a, Region b) {
  if (a.role != b.role)
    return a.role < b.role;
  const bool decayedA = row(a.group).decayed, decayedB = row(b.group).decayed;
  return decayedA != decayedB ? decayedB : a.group < b.group;
}

// "w_fc_weight"; with an element type "g_fc_weight_fp16", "f_feature_fp32".
std::string regionName(Region region);
std::string regionName(Region region, DType dtype);
std::optional<Region> symbolizeRegion(std::string_view text);

// A region as it lies in memory: of one element type, or pooled and of any.
struct TypedRegion {
  Region region;
  std::optional<DType> dtype; // none: pooled

  // Pooled regions have no type, all others one.
  constexpr bool isValid() const { return region.isValid() && region.isPooled() == !dtype; }
  std::string name() const { return dtype ? regionName(region, *dtype) : regionName(region); }
  constexpr bool operator==(const TypedRegion &o) const {
    return region == o.region && dtype == o.dtype;
  }
  constexpr bool operator!=(const TypedRegion &o) const { return !(*this == o); }
};
// Where tensors of a type that belong to a region lie.
constexpr TypedRegion typedRegion(Region region, DType dtype) {
  return {region, region.isPooled() ? std::nullopt : std::optional<DType>(dtype)};
}
std::optional<TypedRegion> symbolizeTypedRegion(std::string_view text);

// Bytes of a tensor's slot. An F32 slot is twice the slot of 16 bits with as many
// elements, so that whole regions can be cast.
int64_t slotBytes(DType dtype, int64_t elements);

enum class SharedExtents : uint8_t { One, Pair, Samples, Images, Logits };
enum class ThereWhen : uint8_t { Always, Trains, SGD, AdamW, Draws, CountsFolds };

enum class SharedTensor : uint8_t {
#define X(id, value, name, role, dtype, extents, when) value = id,
  TRF_SHARED_TENSORS(X)
#undef X
};
struct SharedTensorRow {
  SharedTensor value;
  std::string_view name;
  Role role;
  DType dtype;
  SharedExtents extents;
  ThereWhen when;
};
inline constexpr SharedTensorRow kSharedTensors[] = {
#define X(id, value, name, role, dtype, extents, when)                                             \
  {SharedTensor::value, name, Role::role, DType::dtype, SharedExtents::extents, ThereWhen::when},
    TRF_SHARED_TENSORS(X)
#undef X
};
template <> struct Table<SharedTensor> {
  static constexpr const auto &rows = kSharedTensors;
  static constexpr const char *noun = "shared tensors";
};
static_assert(detail::isDense(kSharedTensors), "ids of kSharedTensors count from 0");

// The images, labels and valid count of an input half.
struct HalfTensors {
  SharedTensor images, labels, valid;
};
constexpr HalfTensors tensorsOf(Half half) {
  return half == Half::B
             ? HalfTensors{SharedTensor::DataB, SharedTensor::LabelB, SharedTensor::ValidB}
             : HalfTensors{SharedTensor::DataA, SharedTensor::LabelA, SharedTensor::ValidA};
}

} // namespace trf

#endif // TRF_REGIONS_H
