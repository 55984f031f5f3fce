// SPDX-License-Identifier: Apache-2.0
//
// Memory of a plan: regions, tensors, their shapes and runs of regions (checks V20 to V22, V25
// and V26 of docs/plan-format.md).
#include "check.h"
#include "structure.h"
#include "trf/plan.h"

#include <array>
#include <set>
#include <unordered_set>

namespace trf {

namespace {

class MemoryVerifier {
public:
  explicit MemoryVerifier(const PlanRecords &tables) : t(tables) {}

  void run() const {
    checkRegions();
    checkTensors();
    checkShapes();
    checkShapeIds();
    checkRanges();
  }

private:
  void checkRegions() const;
  void checkRegion(size_t index) const;
  void checkTensors() const;
  void checkTensor(size_t index) const;
  void checkSlot(size_t index) const;
  void checkParent(size_t index) const;
  void checkShapes() const;
  void checkRunOfChannels(size_t index) const;
  void checkShapeIds() const;
  void checkRanges() const;

  const PlanRecords &t;
};

// Kept regions follow each other; pooled ones may all be one and the same place, the pool,
// else they follow each other like the rest.
void MemoryVerifier::checkRegions() const {
  const uint64_t arena = t.target[0].arena_bytes;
  const trf_region *pool = nullptr; // the first pooled region
  std::set<std::array<uint32_t, 3>> seen;
  uint64_t end = 0;
  for (size_t i = 0; i < t.regions.size(); ++i) {
    const trf_region &r = t.regions[i];
    const Field offset{Section::Regions, i, "offset"}, bytes{Section::Regions, i, "bytes"};
    checkRegion(i);
    Field{Section::Regions, i, "role"}.require(seen.insert({r.role, r.group, r.dtype}).second,
                                               "a second region of this role, group and type");
    offset.require(r.offset % TRF_TENSOR_ALIGN == 0, "expected a multiple of 256");
    bytes.require(r.bytes % TRF_TENSOR_ALIGN == 0, "expected a multiple of 256");
    const bool pooled = row(static_cast<Role>(r.role)).isPooled();
    if (pooled && pool && r.offset == pool->offset && r.bytes == pool->bytes)
      continue;
    if (pooled && !pool)
      pool = &r;
    offset.require(r.offset >= end, "the region starts before the previous one ends");
    bytes.require(r.offset <= arena && r.bytes <= arena - r.offset,
                  "the region ends outside the arena");
    end = r.offset + r.bytes;
  }
}

void MemoryVerifier::checkRegion(size_t index) const {
  const trf_region &r = t.regions[index];
  const Field group{Section::Regions, index, "group"}, dtype{Section::Regions, index, "dtype"};
  Field{Section::Regions, index, "role"}.inTable<Role>(r.role);
  group.inTable<Group>(r.group);
  const Region region{static_cast<Role>(r.role), static_cast<Group>(r.group)};
  group.require(region.isValid(), region.row().grouped
                                      ? "expected a group of parameters"
                                      : "expected none, as the role has no groups");
  if (region.isPooled())
    dtype.require(r.dtype == TRF_NONE, "expected none, as the region is pooled");
  else
    dtype.inTable<DType>(r.dtype);
  Field{Section::Regions, index, "reserved"}.zero(r.reserved);
}

void MemoryVerifier::checkTensors() const {
  std::unordered_set<std::string> sharedNames;
  for (size_t i = 0; i < t.tensors.size(); ++i) {
    const trf_tensor &tensor = t.tensors[i];
    const Field name{Section::Tensors, i, "name"};
    requireName(t, name, tensor.name);
    if (tensor.layer == TRF_NONE && !sharedNames.insert(std::string(t.text(tensor.name))).second)
      rejectTwice(name, t.text(tensor.name)); // they are found by name
    checkTensor(i);
    checkParent(i);
    checkSlot(i);
  }
}

void MemoryVerifier::checkTensor(size_t i) const {
  const trf_tensor &tensor = t.tensors[i];
  const Field dtype{Section::Tensors, i, "dtype"};
  Field{Section::Tensors, i, "region"}.below(tensor.region, t.regions.size(), "regions");
  dtype.inTable<DType>(tensor.dtype);
  Field{Section::Tensors, i, "layout"}.inTable<TensorLayout>(tensor.layout);
  Field{Section::Tensors, i, "layer"}.belowOrNone(tensor.layer, t.layers.size(), "layers");
  Field{Section::Tensors, i, "reserved"}.zero(tensor.reserved);
  const uint32_t expected = t.regions[tensor.region].dtype;
  dtype.require(expected == TRF_NONE || expected == tensor.dtype,
                "it is not the element type of the tensor's region");
}

void MemoryVerifier::checkSlot(size_t i) const {
  const trf_tensor &tensor = t.tensors[i];
  const trf_region &region = t.regions[tensor.region];
  const Field offset{Section::Tensors, i, "offset"}, slot{Section::Tensors, i, "slot_bytes"};
  offset.require(tensor.offset % TRF_TENSOR_ALIGN == 0, "expected a multiple of 256");
  slot.require(tensor.slot_bytes % TRF_TENSOR_ALIGN == 0, "expected a multiple of 256");
  if (tensor.offset < region.offset || tensor.slot_bytes > region.bytes ||
      tensor.offset - region.offset > region.bytes - tensor.slot_bytes)
    offset.reject("expected a slot inside the region's " + std::to_string(region.bytes) +
                  " bytes at " + std::to_string(region.offset) + ", but got " +
                  std::to_string(tensor.slot_bytes) + " bytes at " + std::to_string(tensor.offset));
}

// A run of a parent's channels lies where the parent does.
void MemoryVerifier::checkParent(size_t index) const {
  const trf_tensor &tensor = t.tensors[index];
  const Field parent{Section::Tensors, index, "parent"},
      first{Section::Tensors, index, "first_channel"};
  parent.belowOrNone(tensor.parent, t.tensors.size(), "tensors");
  if (tensor.parent == TRF_NONE)
    return first.zero(tensor.first_channel);
  // Those of no layer are found by name and read whole.
  parent.require(tensor.layer != TRF_NONE, "expected none, as the tensor belongs to no layer");
  const trf_tensor &whole = t.tensors[tensor.parent];
  parent.require(whole.parent == TRF_NONE, "expected a tensor that is no run of another one");
  parent.require(whole.region == tensor.region && whole.dtype == tensor.dtype &&
                     whole.offset == tensor.offset && whole.slot_bytes == tensor.slot_bytes,
                 "expected the region, element type, offset and slot of the parent");
}

void MemoryVerifier::checkShapes() const {
  requireCount(Section::Shapes, t.shapes.size(), uint64_t{t.tensors.size()} * t.variants.size());
  for (size_t i = 0; i < t.shapes.size(); ++i) {
    const trf_tensor &tensor = t.tensors[i / t.variants.size()];
    const Field dims{Section::Shapes, i, "dims"};
    uint64_t bytes = kDTypes[tensor.dtype].bytes;
    const uint32_t *d = t.shapes[i].dims;
    if (isPooled(t, tensor) && (d[0] | d[1] | d[2] | d[3]) == 0)
      continue; // the variant does not use the tensor
    for (uint32_t dim : t.shapes[i].dims) {
      dims.within(dim, 1, kMaxDim);
      dims.require(!__builtin_mul_overflow(bytes, uint64_t{dim}, &bytes) && bytes <= kMaxBytes,
                   "the tensor has too many bytes");
    }
    if (tensor.parent != TRF_NONE)
      checkRunOfChannels(i);
    else if (bytes > tensor.slot_bytes)
      dims.reject("expected at most the slot's " + std::to_string(tensor.slot_bytes) +
                  " bytes, but got " + std::to_string(bytes));
  }
}

// Of the shape of a tensor with a parent.
void MemoryVerifier::checkRunOfChannels(size_t index) const {
  const size_t count = t.variants.size();
  const trf_tensor &tensor = t.tensors[index / count];
  const uint32_t *whole = t.shapes[tensor.parent * count + index % count].dims;
  const uint32_t *run = t.shapes[index].dims;
  const Field dims{Section::Shapes, index, "dims"};
  for (int d = 0; d < 3; ++d)
    dims.require(run[d] == whole[d], "expected the extents of the parent but for channels");
  if (tensor.first_channel > whole[3] || run[3] > whole[3] - tensor.first_channel)
    dims.reject("expected channels inside the parent's " + std::to_string(whole[3]) + ", but got " +
                std::to_string(run[3]) + " from " + std::to_string(tensor.first_channel) + " on");
  for (size_t v = 0; v < index % count; ++v) {
    const uint32_t otherRun = t.shapes[index - index % count + v].dims[3];
    const uint32_t otherWhole = t.shapes[tensor.parent * count + v].dims[3];
    dims.require((otherRun == 0 || otherRun == run[3]) &&
                     (otherWhole == 0 || otherWhole == whole[3]),
                 "expected as many channels as in the other variants");
  }
}

// Equal shape ids promise equal shapes.
void MemoryVerifier::checkShapeIds() const {
  const size_t count = t.variants.size();
  for (size_t v = 1; v < count; ++v) {
    size_t first = 0;
    while (t.variants[first].shape_id != t.variants[v].shape_id)
      ++first;
    for (size_t tensor = 0; tensor < t.tensors.size() && first != v; ++tensor)
      for (int d = 0; d < 4; ++d)
        Field{Section::Variants, v, "shape_id"}.require(
            t.shapes[tensor * count + first].dims[d] == t.shapes[tensor * count + v].dims[d],
            "another variant has this id, but other shapes");
  }
}

void MemoryVerifier::checkRanges() const {
  for (size_t i = 0; i < t.ranges.size(); ++i) {
    Field{Section::Ranges, i, "last_region"}.below(t.ranges[i].last_region, t.regions.size(),
                                                   "regions");
    Field{Section::Ranges, i, "first_region"}.within(t.ranges[i].first_region, 0,
                                                     t.ranges[i].last_region);
  }
}

} // namespace

void verifyMemory(const PlanRecords &tables) { MemoryVerifier(tables).run(); }

} // namespace trf
