// SPDX-License-Identifier: Apache-2.0
//
// Matches the tensors of a weight file with the parameters of a plan.
#include "session/weights.h"

#include "base/status.h"
#include "base/text.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "plan/param_layout.h"
#include "session/weight_names.h"
#include "trf/crc32c.h"

#include <cmath>
#include <cstring>

namespace trrt {

using namespace trf;

static Error tensorError(const SafetensorsFile &file, const std::string &name,
                         const std::string &what) {
  return Error(TRRT_INVALID_FILE,
               printable(file.path()) + ": tensor '" + printable(name) + "': " + what);
}

// Empty, or how the tensor's type or shape is not the parameter's.
static std::string formDifference(const TensorView &view, const Param &param) {
  if (view.dtype != "F32")
    return "'" + printable(param.name) + "': expected F32, but got " + view.dtype;
  if (view.shape != fileShape(param))
    return "'" + printable(param.name) + "': expected shape " + shapeText(fileShape(param)) +
           ", but got " + shapeText(view.shape);
  return "";
}

static void checkFit(const SafetensorsFile &file, const std::vector<Param> &params,
                     const WeightNames &names) {
  std::vector<std::string> forms;
  for (size_t i = 0; i < params.size(); ++i)
    if (const std::string &name = names.ofParams[i]; !name.empty())
      if (std::string difference = formDifference(file.tensors().at(name), params[i]);
          !difference.empty())
        forms.push_back(std::move(difference));
  if (forms.empty() && names.differences.empty())
    return;
  const char *between = forms.empty() || names.differences.empty() ? "" : "; ";
  throw Error(TRRT_INVALID_FILE, printable(file.path()) + ": does not fit the plan: " +
                                     someOf(forms) + between + names.differences);
}

static size_t firstNonFinite(const float *values, size_t count) {
  size_t i = 0;
  while (i < count && std::isfinite(values[i]))
    ++i;
  return i;
}

// A file that says what its bytes are may say NaN; elsewhere it is taken for damage.
static void checkValues(const SafetensorsFile &file, const std::string &name) {
  const TensorView &view = file.tensors().at(name);
  const auto checksum = file.metadata().find(checksumKey(name));
  if (checksum != file.metadata().end()) {
    if (checksumText(crc32c(view.data, view.bytes)) != checksum->second)
      throw tensorError(file, name,
                        "its values do not have the checksum that the file gives: it "
                        "is damaged, or was changed without '" +
                            printable(checksum->first) + "' in the metadata");
    return;
  }
  const std::vector<float> values = file.f32(name);
  const size_t at = firstNonFinite(values.data(), values.size());
  if (at != values.size())
    throw tensorError(file, name, "value " + std::to_string(at) + " is not finite");
}

std::vector<std::string> loadWeights(Session &session, const std::string &path,
                                     const WeightsMap &map) {
  const SafetensorsFile file = SafetensorsFile::read(path);
  const std::vector<Param> &params = session.plan().params;
  const WeightNames names = matchNames(file, params, map);
  checkFit(file, params, names);
  for (const std::string &name : names.ofParams)
    checkValues(file, name);
  for (uint32_t i = 0; i < params.size(); ++i)
    session.parameters().write(i, file.f32(names.ofParams[i]));
  return names.notes;
}

void saveWeights(const Session &session, const std::string &path,
                 const std::map<std::string, std::string> &notes) {
  SafetensorsWriter writer;
  for (const auto &[key, value] : notes)
    writer.addMetadata(key, value);
  writer.addMetadata("format", "pt"); // the layouts are PyTorch's
  writer.addMetadata("model", session.plan().model);
  const std::vector<Param> &params = session.plan().params;
  for (uint32_t i = 0; i < params.size(); ++i)
    writer.add(params[i].name, "F32", fileShape(params[i]),
               [&session, i](const SafetensorsWriter::Sink &sink) {
                 const std::vector<float> values = session.parameters().read(i);
                 sink(values.data(), values.size() * sizeof(float));
               });
  writer.addChecksums();
  writer.write(path);
}

std::string weightsNote(const std::string &path, const std::string &key) {
  const SafetensorsFile file = SafetensorsFile::read(path);
  const auto found = file.metadata().find(key);
  return found == file.metadata().end() ? "" : found->second;
}

std::string nonFiniteWeight(const Session &session) {
  const std::vector<Param> &params = session.plan().params;
  for (uint32_t i = 0; i < params.size(); ++i) {
    const std::vector<float> values = session.parameters().read(i);
    if (firstNonFinite(values.data(), values.size()) != values.size())
      return params[i].name;
  }
  return "";
}

} // namespace trrt
