// SPDX-License-Identifier: Apache-2.0
//
// Names to tensors, values to words and back.
#include "session/named_tensors.h"

#include "base/status.h"
#include "base/text.h"
#include "session/scalar_limits.h"
#include "session/scalar_names.h"
#include "session/tensor_values.h"
#include "trf/liveness.h"

#include <cmath>
#include <limits>

namespace trrt {

using namespace trf;

uint32_t NamedTensors::idOf(TensorName name) const {
  const uint32_t id = plan->findTensor(name.text);
  if (id == kNone)
    throw Error(TRRT_NOT_FOUND,
                "the plan has no tensor '" + printable(std::string(name.text)) + "'");
  return id;
}

// Also finds tensors of layers.
uint32_t NamedTensors::readableId(TensorName name, uint32_t variant) const {
  uint32_t id = plan->findTensor(name.text);
  for (uint32_t i = 0; id == kNone && i < plan->tensors.size(); ++i)
    if (plan->tensors[i].name == name.text)
      id = i;
  if (id == kNone)
    return idOf(name); // which says that there is none
  const TensorInfo &info = plan->tensors[id];
  if (info.layer != kNone && plan->isPooled(id) && reusesMemory(*plan))
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(info.name) +
                                           "' cannot be read: the plan reuses its memory; a plan "
                                           "of tr-compile --no-reuse does not");
  if (elementsOf(plan->shape(id, variant)) == 0)
    throw Error(TRRT_INVALID_ARGUMENT, "variant '" + plan->variants[variant].name +
                                           "' does not use tensor '" + printable(info.name) + "'");
  return id;
}

uint32_t NamedTensors::scalarId(TensorName name) const {
  const uint32_t id = plan->findTensor(name.text);
  if (id == kNone)
    throw Error(TRRT_NOT_FOUND, missingScalarText(*plan, name.text));
  const TensorInfo &info = plan->tensors[id];
  if (elementsOf(plan->shape(id, 0)) != 1 || (info.dtype != DType::F32 && info.dtype != DType::I32))
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(info.name) + "' is not a scalar");
  return id;
}

void NamedTensors::setF32(uint32_t id, float value) {
  device->upload(plan->tensors.at(id).offset, &value, sizeof(value));
}

void NamedTensors::setScalar(TensorName name, double value) {
  const TensorInfo &info = plan->tensors[scalarId(name)];
  if (info.dtype == DType::F32) {
    float narrow = 0;
    if (const std::optional<ScalarFault> fault = checkScalar(name.text, value, narrow))
      throw Error(TRRT_INVALID_ARGUMENT, "scalar '" + printable(info.name) + "': expected " +
                                             fault->expected + ", but got " + shortNumber(value) +
                                             (fault->reason.empty() ? "" : ": " + fault->reason));
    device->upload(info.offset, &narrow, sizeof(narrow));
    return;
  }
  if (!(value >= std::numeric_limits<int32_t>::min() &&
        value <= std::numeric_limits<int32_t>::max() && value == std::floor(value)))
    throw Error(TRRT_INVALID_ARGUMENT, "scalar '" + printable(info.name) + "' is a 32-bit integer");
  const int32_t narrow = static_cast<int32_t>(value);
  device->upload(info.offset, &narrow, sizeof(narrow));
}

double NamedTensors::scalar(TensorName name) const {
  const TensorInfo &info = plan->tensors[scalarId(name)];
  device->synchronise();
  if (info.dtype == DType::F32) {
    float value = 0;
    device->download(&value, info.offset, sizeof(value));
    return static_cast<double>(value);
  }
  int32_t value = 0;
  device->download(&value, info.offset, sizeof(value));
  return value;
}

void NamedTensors::setSeed(uint64_t seed) {
  const uint32_t id = plan->findTensor(SharedTensor::Seed);
  if (id == kNone)
    return;
  const uint32_t words[2] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  device->upload(plan->tensors[id].offset, words, sizeof(words));
}

std::vector<float> NamedTensors::readF32(TensorName name, uint32_t variant) const {
  const uint32_t id = readableId(name, variant);
  device->synchronise();
  return trrt::readF32(*plan, *device, id, variant);
}

std::vector<int32_t> NamedTensors::readI32(TensorName name, uint32_t variant) const {
  const uint32_t id = readableId(name, variant);
  device->synchronise();
  return trrt::readI32(*plan, *device, id, variant);
}

} // namespace trrt
