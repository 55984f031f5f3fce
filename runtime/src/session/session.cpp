// SPDX-License-Identifier: Apache-2.0
//
// What a session does after it is made: steps, scalars, tensors, parameters.
#include "session/session.h"

#include "base/status.h"
#include "base/text.h"
#include "plan/liveness.h"
#include "session/param_layout.h"

#include <cmath>
#include <limits>

namespace trrt {

static int64_t elementsOf(const Dims &dims) { return dims[0] * dims[1] * dims[2] * dims[3]; }

uint32_t Session::variant(const std::string &name) const {
  const uint32_t found = thePlan->findVariant(name);
  if (found != kNone)
    return found;
  std::string known;
  for (const Variant &v : thePlan->variants)
    known += (known.empty() ? "" : ", ") + v.name;
  throw Error(TRRT_NOT_FOUND, "the plan has no variant '" + printable(name) + "'; it has " + known);
}

bool Session::canRun(uint32_t variant, ScheduleKind kind) const {
  return schedules[variant][static_cast<size_t>(kind)] != kNoCapture;
}

CaptureId Session::captureOf(uint32_t variant, ScheduleKind kind) const {
  const CaptureId capture = schedules[variant][static_cast<size_t>(kind)];
  if (capture == kNoCapture)
    throw Error(TRRT_INVALID_ARGUMENT, "variant '" + thePlan->variants[variant].name +
                                           "' of the plan has no schedule for this step");
  return capture;
}

void Session::observeStep(uint32_t variant, ScheduleKind kind, CallObserver &observer) {
  device->replay(captureOf(variant, kind), observer);
}

std::vector<std::string> Session::implementations(uint32_t variant, ScheduleKind kind) const {
  const CaptureId capture = captureOf(variant, kind);
  std::vector<std::string> names;
  for (const auto &[calls, id] : captured)
    for (size_t i = 0; id == capture && i < calls.size(); ++i)
      names.push_back(device->implementation(calls[i]));
  return names;
}

void Session::run(uint32_t variant, ScheduleKind kind, int half) {
  // Schedules come in pairs: A, then B.
  const auto ofHalf = static_cast<ScheduleKind>(static_cast<int>(kind) + half);
  const CaptureId capture = captureOf(variant, ofHalf);
  if (debug == Debug::Poison)
    return poisoned.at(capture).run(*device, arena);
  device->replay(capture);
}

void Session::trainStep(uint32_t variant, int half) { run(variant, ScheduleKind::TrainA, half); }
void Session::evalStep(uint32_t variant, int half) { run(variant, ScheduleKind::ValA, half); }
void Session::inferStep(uint32_t variant, int half) { run(variant, ScheduleKind::InferA, half); }

// Runs a subgraph that does not depend on the batch: any variant's form will do.
// Empty, as the folding of a network without BN: there is nothing to do.
void Session::runOnce(const std::vector<CaptureId> &perVariant) {
  for (const CaptureId capture : perVariant)
    if (capture != kNoCapture)
      return device->replay(capture);
}

void Session::foldBn() { runOnce(foldCaptures); }
void Session::clearMetrics() { runOnce(clearCaptures); }

bool Session::hasTensor(const std::string &name) const {
  return thePlan->findTensor(name) != kNone;
}

uint32_t Session::tensorId(const std::string &name) const {
  const uint32_t id = thePlan->findTensor(name);
  if (id == kNone)
    throw Error(TRRT_NOT_FOUND, "the plan has no tensor '" + printable(name) + "'");
  return id;
}

// Also finds tensors of layers.
uint32_t Session::readableId(const std::string &name, uint32_t variant) const {
  uint32_t id = thePlan->findTensor(name);
  for (uint32_t i = 0; id == kNone && i < thePlan->tensors.size(); ++i)
    if (thePlan->tensors[i].name == name)
      id = i;
  if (id == kNone)
    return tensorId(name); // which says that there is none
  const TensorInfo &info = thePlan->tensors[id];
  if (info.layer != kNone && isPooled(info.region) && reusesMemory(*thePlan))
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(name) +
                                           "' cannot be read: the plan reuses its memory; a plan "
                                           "of tr-compile --no-reuse does not");
  if (elementsOf(thePlan->shape(id, variant)) == 0)
    throw Error(TRRT_INVALID_ARGUMENT, "variant '" + thePlan->variants[variant].name +
                                           "' does not use tensor '" + printable(name) + "'");
  return id;
}

uint32_t Session::scalarId(const std::string &name) const {
  const uint32_t id = tensorId(name);
  const TensorInfo &info = thePlan->tensors[id];
  if (elementsOf(thePlan->shape(id, 0)) != 1 ||
      (info.dtype != trk::DType::F32 && info.dtype != trk::DType::I32))
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(name) + "' is not a scalar");
  return id;
}

void Session::setScalar(uint32_t id, double value) {
  const TensorInfo &info = thePlan->tensors.at(id);
  if (info.dtype == trk::DType::F32) {
    const float narrow = static_cast<float>(value);
    device->upload(address(id), &narrow, sizeof(narrow));
    return;
  }
  if (!(value >= std::numeric_limits<int32_t>::min() &&
        value <= std::numeric_limits<int32_t>::max() && value == std::floor(value)))
    throw Error(TRRT_INVALID_ARGUMENT, "scalar '" + printable(info.name) + "' is a 32-bit integer");
  const int32_t narrow = static_cast<int32_t>(value);
  device->upload(address(id), &narrow, sizeof(narrow));
}

double Session::scalar(const std::string &name) const {
  const uint32_t id = scalarId(name);
  device->synchronise();
  if (thePlan->tensors[id].dtype == trk::DType::F32) {
    float value = 0;
    device->download(&value, address(id), sizeof(value));
    return static_cast<double>(value);
  }
  int32_t value = 0;
  device->download(&value, address(id), sizeof(value));
  return value;
}

void Session::setSeed(uint64_t seed) {
  const uint32_t id = thePlan->findTensor("seed");
  if (id == kNone)
    return;
  const uint32_t words[2] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  device->upload(address(id), words, sizeof(words));
}

const Dims &Session::dims(const std::string &name, uint32_t variant) const {
  return thePlan->shape(tensorId(name), variant);
}

template <typename T>
static std::vector<T> readTensor(const Backend &device, const TensorInfo &info, const Dims &dims,
                                 const uint8_t *address, trk::DType expected) {
  if (info.dtype != expected)
    throw Error(TRRT_INVALID_ARGUMENT, "tensor '" + printable(info.name) + "' is not of type " +
                                           trk::kDTypeNames[static_cast<int>(expected)]);
  std::vector<T> values(static_cast<size_t>(elementsOf(dims)));
  device.download(values.data(), address, values.size() * sizeof(T));
  return values;
}

std::vector<float> Session::readF32(const std::string &name, uint32_t variant) const {
  const uint32_t id = readableId(name, variant);
  device->synchronise();
  return readTensor<float>(*device, thePlan->tensors[id], thePlan->shape(id, variant), address(id),
                           trk::DType::F32);
}

std::vector<int32_t> Session::readI32(const std::string &name, uint32_t variant) const {
  const uint32_t id = readableId(name, variant);
  device->synchronise();
  return readTensor<int32_t>(*device, thePlan->tensors[id], thePlan->shape(id, variant),
                             address(id), trk::DType::I32);
}

void Session::initParameters(uint64_t seed) {
  for (uint32_t i = 0; i < thePlan->params.size(); ++i) {
    std::vector<float> values(static_cast<size_t>(fileElements(thePlan->params[i])));
    initialValues(thePlan->params[i], i, seed, values.data());
    writeParam(i, values);
  }
}

std::vector<float> Session::readLayout(const Param &param, uint32_t tensor) const {
  const Dims &dims = thePlan->shape(tensor, 0);
  device->synchronise();
  const std::vector<float> values =
      readTensor<float>(*device, thePlan->tensors[tensor], dims, address(tensor), trk::DType::F32);
  std::vector<float> file(static_cast<size_t>(fileElements(param)));
  deviceToFile(param, dims, values.data(), file.data());
  return file;
}

std::vector<float> Session::readParam(uint32_t index) const {
  const Param &param = thePlan->params.at(index);
  return readLayout(param, param.tensor);
}

std::vector<float> Session::readGrad(uint32_t index) const {
  const Param &param = thePlan->params.at(index);
  return param.grad == kNone ? std::vector<float>() : readLayout(param, param.grad);
}

void Session::writeParam(uint32_t index, const std::vector<float> &values) {
  const Param &param = thePlan->params.at(index);
  if (static_cast<int64_t>(values.size()) != fileElements(param))
    throw Error(TRRT_INVALID_ARGUMENT, "parameter '" + param.name + "': expected " +
                                           std::to_string(fileElements(param)) +
                                           " values, but got " + std::to_string(values.size()));
  const Dims &dims = thePlan->shape(param.tensor, 0);
  std::vector<float> onDevice(static_cast<size_t>(elementsOf(dims)));
  fileToDevice(param, dims, values.data(), onDevice.data());
  device->upload(address(param.tensor), onDevice.data(), onDevice.size() * sizeof(float));
}

} // namespace trrt
