// SPDX-License-Identifier: Apache-2.0
//
// Downloads, also of some channels of a wider tensor.
#include "session/tensor_values.h"

#include "base/status.h"
#include "base/text.h"
#include "session/call_spec.h"

#include <algorithm>

namespace trrt {

using namespace trf;

template <typename T>
static std::vector<T> readValues(const Plan &plan, const Device &device, uint32_t tensor,
                                 uint32_t variant, DType expected) {
  const OperandSpec place = placeOf(plan, tensor, variant);
  if (place.dtype != expected)
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(plan.tensors[tensor].name) +
                                           "' is not of type " + std::string(name(expected)));
  const int64_t channels = place.dims[3], count = elementsOf(place.dims);
  const int64_t pixels = channels == 0 ? 0 : count / channels;
  // From the first value to the last one, and those of other channels between.
  std::vector<T> values(pixels == 0 ? 0
                                    : static_cast<size_t>((pixels - 1) * place.pitch + channels));
  device.download(values.data(), *place.offset, values.size() * sizeof(T));
  for (int64_t pixel = 1; pixel < pixels && place.pitch != channels; ++pixel)
    std::copy_n(values.begin() + pixel * place.pitch, channels, values.begin() + pixel * channels);
  values.resize(static_cast<size_t>(count));
  return values;
}

std::vector<float> readF32(const Plan &plan, const Device &device, uint32_t tensor,
                           uint32_t variant) {
  return readValues<float>(plan, device, tensor, variant, DType::F32);
}

std::vector<int32_t> readI32(const Plan &plan, const Device &device, uint32_t tensor,
                             uint32_t variant) {
  return readValues<int32_t>(plan, device, tensor, variant, DType::I32);
}

} // namespace trrt
