// SPDX-License-Identifier: Apache-2.0
//
// Between files and the device.
#include "session/parameter_store.h"

#include "base/status.h"
#include "plan/param_layout.h"
#include "session/initial_values.h"
#include "session/tensor_values.h"

namespace trrt {

using namespace trf;

void ParameterStore::init(uint64_t seed) {
  for (uint32_t i = 0; i < plan->params.size(); ++i) {
    std::vector<float> values(static_cast<size_t>(fileElements(plan->params[i])));
    initialValues(plan->params[i], i, seed, values.data());
    write(i, values);
  }
}

// All variants have one shape of a parameter.
std::vector<float> ParameterStore::readLayout(const Param &param, uint32_t tensor) const {
  device->synchronise();
  const std::vector<float> values = readF32(*plan, *device, tensor, 0);
  std::vector<float> file(static_cast<size_t>(fileElements(param)));
  deviceToFile(param, plan->shape(tensor, 0), values.data(), file.data());
  return file;
}

std::vector<float> ParameterStore::read(uint32_t index) const {
  const Param &param = plan->params.at(index);
  return readLayout(param, param.tensor);
}

std::vector<float> ParameterStore::readGrad(uint32_t index) const {
  const Param &param = plan->params.at(index);
  return param.grad == kNone ? std::vector<float>() : readLayout(param, param.grad);
}

void ParameterStore::write(uint32_t index, const std::vector<float> &values) {
  const Param &param = plan->params.at(index);
  if (static_cast<int64_t>(values.size()) != fileElements(param))
    throw Error(TRRT_INVALID_ARGUMENT, "parameter '" + param.name + "': expected " +
                                           std::to_string(fileElements(param)) +
                                           " values, but got " + std::to_string(values.size()));
  const Dims &dims = plan->shape(param.tensor, 0);
  std::vector<float> onDevice(static_cast<size_t>(elementsOf(dims)));
  fileToDevice(param, dims, values.data(), onDevice.data());
  device->upload(plan->tensors[param.tensor].offset, onDevice.data(),
                 onDevice.size() * sizeof(float));
}

} // namespace trrt
