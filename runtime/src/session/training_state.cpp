// SPDX-License-Identifier: Apache-2.0
//
// One list of what there is, for both directions.
#include "session/training_state.h"

#include "base/status.h"
#include "base/text.h"
#include "plan/param_layout.h"
#include "session/tensor_values.h"
#include "trf/crc32c.h"

#include <cstring>

namespace trrt {

using namespace trf;

namespace {

struct StateTensor {
  std::string name;
  uint32_t tensor = kNone;
  const Param *param = nullptr; // whose layout it has; null: as it is
  bool ofOptimizer = false;
};

// The tensor of a role that belongs to a parameter lies where the parameter lies in its region.
uint32_t companion(const Plan &plan, const Param &param, Role role) {
  const TensorInfo &weight = plan.tensors[param.tensor];
  const RegionInfo &home = plan.regions[weight.region];
  for (uint32_t id = 0; id < plan.tensors.size(); ++id) {
    const TensorInfo &tensor = plan.tensors[id];
    const RegionInfo &region = plan.regions[tensor.region];
    if (region.region.role == role && region.region.group == home.region.group &&
        tensor.offset - region.offset == weight.offset - home.offset)
      return id;
  }
  return kNone;
}

void addMoments(const Plan &plan, const Param &param, std::vector<StateTensor> &list) {
  const std::pair<Role, const char *> moments[] = {{Role::Moment1, "moment1."},
                                                   {Role::Moment2, "moment2."}};
  for (const auto &[role, prefix] : moments)
    if (const uint32_t id = companion(plan, param, role); id != kNone)
      list.push_back({prefix + param.name, id, &param, true});
}

bool isOfOptimizer(SharedTensor tensor) {
  return tensor == SharedTensor::AdamStep || tensor == SharedTensor::BiasCorrection1 ||
         tensor == SharedTensor::BiasCorrection2;
}

// Counters, sums and seeds. Numbers of the optimizer are set before each run, what is left out
// besides a step makes anew before it reads it.
bool isState(SharedTensor tensor, Role role) {
  switch (tensor) {
  case SharedTensor::BiasCorrection1:
  case SharedTensor::BiasCorrection2:
  case SharedTensor::AdamStep:
  case SharedTensor::Seed:
  case SharedTensor::Step:
  case SharedTensor::Folds:
    return true;
  default:
    return role == Role::Accumulated;
  }
}

std::vector<StateTensor> listState(const Plan &plan) {
  std::vector<StateTensor> list;
  for (const Param &param : plan.params) {
    list.push_back({param.name, param.tensor, &param, false});
    if (param.trainable)
      addMoments(plan, param, list);
  }
#define X(id, enumerator, spelling, role, ...)                                                     \
  if (const uint32_t tensor = plan.findTensor(SharedTensor::enumerator);                           \
      tensor != kNone && isState(SharedTensor::enumerator, Role::role))                            \
    list.push_back({"state." spelling, tensor, nullptr, isOfOptimizer(SharedTensor::enumerator)});
  TRF_SHARED_TENSORS(X)
#undef X
  return list;
}

std::vector<int64_t> shapeOf(const Plan &plan, const StateTensor &state) {
  return state.param ? fileShape(*state.param)
                     : std::vector<int64_t>{elementsOf(plan.shape(state.tensor, 0))};
}

std::vector<float> readFloats(const Session &session, const StateTensor &state) {
  const Plan &plan = session.plan();
  std::vector<float> values = readF32(plan, session.device(), state.tensor, 0);
  if (!state.param)
    return values;
  std::vector<float> file(static_cast<size_t>(fileElements(*state.param)));
  deviceToFile(*state.param, plan.shape(state.tensor, 0), values.data(), file.data());
  return file;
}

bool isInteger(const Plan &plan, const StateTensor &state) {
  return plan.tensors[state.tensor].dtype == DType::I32;
}

std::string difference(const Plan &plan, const SafetensorsFile &file, const StateTensor &state) {
  const auto found = file.tensors().find(state.name);
  if (found == file.tensors().end())
    return "no tensor '" + printable(state.name) + "'";
  const std::string dtype = isInteger(plan, state) ? "I32" : "F32";
  const std::vector<int64_t> shape = shapeOf(plan, state);
  if (found->second.dtype == dtype && found->second.shape == shape)
    return "";
  return "tensor '" + printable(state.name) + "': expected " + dtype + " " + shapeText(shape) +
         ", but got " + found->second.dtype + " " + shapeText(found->second.shape);
}

void upload(Session &session, const SafetensorsFile &file, const StateTensor &state) {
  const Plan &plan = session.plan();
  const TensorView &view = file.tensors().at(state.name);
  if (!state.param)
    return session.upload(state.tensor, view.data, view.bytes);
  std::vector<float> values(view.bytes / sizeof(float));
  std::memcpy(values.data(), view.data, view.bytes);
  const Dims &dims = plan.shape(state.tensor, 0);
  std::vector<float> onDevice(static_cast<size_t>(elementsOf(dims)));
  fileToDevice(*state.param, dims, values.data(), onDevice.data());
  session.upload(state.tensor, onDevice.data(), onDevice.size() * sizeof(float));
}

} // namespace

void captureState(const Session &session, SafetensorsWriter &writer) {
  const Plan &plan = session.plan();
  for (const StateTensor &state : listState(plan)) {
    if (isInteger(plan, state))
      writer.addI32(state.name, shapeOf(plan, state),
                    readI32(plan, session.device(), state.tensor, 0));
    else
      writer.addF32(state.name, shapeOf(plan, state), readFloats(session, state));
  }
}

void restoreState(Session &session, const SafetensorsFile &file, StateParts parts) {
  const std::vector<StateTensor> list = listState(session.plan());
  const auto isWanted = [&](const StateTensor &state) {
    return parts == StateParts::All || !state.ofOptimizer;
  };
  checkAllChecksums(file);
  size_t wanted = 0;
  for (const StateTensor &state : list)
    if (isWanted(state)) {
      ++wanted;
      if (const std::string text = difference(session.plan(), file, state); !text.empty())
        throw Error(TRRT_INVALID_FILE,
                    printable(file.path()) + ": the checkpoint does not fit the plan: " + text);
    }
  if (parts == StateParts::All && wanted != file.tensors().size())
    throw Error(TRRT_INVALID_FILE, printable(file.path()) +
                                       ": the checkpoint does not fit the plan: expected " +
                                       std::to_string(wanted) + " tensors, but got " +
                                       std::to_string(file.tensors().size()));
  for (const StateTensor &state : list)
    if (isWanted(state))
      upload(session, file, state);
}

void checkAllChecksums(const SafetensorsFile &file) {
  for (const auto &[name, view] : file.tensors()) {
    const auto checksum = file.metadata().find(checksumKey(name));
    if (checksum == file.metadata().end() ||
        checksumText(trf::crc32c(view.data, view.bytes)) != checksum->second)
      throw Error(TRRT_INVALID_FILE, printable(file.path()) + ": tensor '" + printable(name) +
                                         "' does not have its checksum: the file is damaged");
  }
}

} // namespace trrt
