// SPDX-License-Identifier: Apache-2.0
//
// Tensors on the device by name: scalars that steps read and write, and whole tensors after
// a step. Names of shared tensors are those of the plan format.
#ifndef TRRT_SESSION_NAMED_TENSORS_H
#define TRRT_SESSION_NAMED_TENSORS_H

#include "device/device.h"

#include <string>
#include <vector>

namespace trrt {

// "lr", or SharedTensor::Lr.
struct TensorName {
  TensorName(const char *name) : text(name) {}
  TensorName(const std::string &name) : text(name) {}
  TensorName(trf::SharedTensor tensor) : text(trf::name(tensor)) {}

  std::string_view text;
};

class NamedTensors {
public:
  NamedTensors(const trf::Plan &plan, Device &device) : plan(&plan), device(&device) {}

  bool has(TensorName name) const { return plan->findTensor(name.text) != trf::kNone; }

  // ---- scalars. The id stays valid.
  uint32_t scalarId(TensorName name) const;
  // Throws where the value is outside of what the scalar may be in its own type.
  void setScalar(TensorName name, double value);
  // Without a check: for factors of what was checked.
  void setF32(uint32_t id, float value);
  double scalar(TensorName name) const;
  // The key of dropout; nothing happens where the plan has none.
  void setSeed(uint64_t seed);

  // ---- whole tensors, with the extents that they have in a variant. Activations and
  // gradients of layers can be read in plans that reuse no memory only.
  std::vector<float> readF32(TensorName name, uint32_t variant) const;
  std::vector<int32_t> readI32(TensorName name, uint32_t variant) const;

private:
  uint32_t idOf(TensorName name) const;
  uint32_t readableId(TensorName name, uint32_t variant) const;

  const trf::Plan *plan;
  Device *device;
};

} // namespace trrt

#endif // TRRT_SESSION_NAMED_TENSORS_H
