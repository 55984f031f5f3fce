// SPDX-License-Identifier: Apache-2.0
//
// Staging blocks and what is put into them.
#include "session/input_half.h"

#include "base/status.h"

#include <algorithm>

namespace trrt {

using namespace trf;

HalfExtent findHalf(const Plan &plan, Half half) {
  const auto isOfHalf = [&](const RegionInfo &r) { return r.region.row().half == half; };
  const auto first = std::find_if(plan.regions.begin(), plan.regions.end(), isOfHalf);
  const auto end = std::find_if_not(first, plan.regions.end(), isOfHalf);
  if (first == end || std::any_of(end, plan.regions.end(), isOfHalf))
    throw Error(TRRT_INVALID_FILE,
                "the plan cannot be run: the regions of an input half do not follow each other");
  const RegionInfo &last = *std::prev(end);
  return {first->offset, last.offset + last.bytes - first->offset};
}

InputHalf::InputHalf(const Plan &plan, Half half, Device &device)
    : extent(findHalf(plan, half)), staging(device.allocateStaging(extent.bytes)) {
  const HalfTensors tensors = tensorsOf(half);
  const auto at = [&](SharedTensor tensor) {
    return staging + (plan.tensors[plan.findTensor(tensor)].offset - extent.offset);
  };
  images = reinterpret_cast<float *>(at(tensors.images));
  labels = reinterpret_cast<int32_t *>(at(tensors.labels));
  valid = reinterpret_cast<int32_t *>(at(tensors.valid));
}

static int64_t pixelsOf(const Variant &v) { return v.height * v.width * v.channels; }

void InputHalf::fill(const Variant &variant, const float *samples, const int32_t *classes,
                     int64_t count) const {
  std::copy_n(samples, count * pixelsOf(variant), images);
  if (classes)
    std::copy_n(classes, count, labels);
  else
    std::fill_n(labels, count, 0);
  pad(variant, count);
}

void InputHalf::pad(const Variant &variant, int64_t count) const {
  const int64_t pixels = pixelsOf(variant);
  std::fill(images + count * pixels, images + variant.batch * pixels, 0.0f);
  std::fill(labels + count, labels + variant.batch, 0);
  *valid = static_cast<int32_t>(count);
}

const uint8_t *InputHalf::stagingOf(const Plan &plan, const Range &range) const {
  const uint64_t begin = plan.regions[range.first].offset, end = begin + plan.bytesOf(range);
  if (begin < extent.offset || end > extent.offset + extent.bytes)
    throw Error(TRRT_INVALID_FILE,
                "the plan cannot be run: a transfer leaves the regions of its input half");
  return staging + (begin - extent.offset);
}

} // namespace trrt
