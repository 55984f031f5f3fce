// SPDX-License-Identifier: Apache-2.0
//
// Parameters and running statistics of a session by their position in the plan, in the
// layouts of files.
#ifndef TRRT_SESSION_PARAMETER_STORE_H
#define TRRT_SESSION_PARAMETER_STORE_H

#include "device/device.h"

namespace trrt {

class ParameterStore {
public:
  ParameterStore(const trf::Plan &plan, Device &device) : plan(&plan), device(&device) {}

  void init(uint64_t seed);
  std::vector<float> read(uint32_t index) const;
  std::vector<float> readGrad(uint32_t index) const; // empty: it has none
  void write(uint32_t index, const std::vector<float> &values);

private:
  std::vector<float> readLayout(const trf::Param &param, uint32_t tensor) const;

  const trf::Plan *plan;
  Device *device;
};

} // namespace trrt

#endif // TRRT_SESSION_PARAMETER_STORE_H
