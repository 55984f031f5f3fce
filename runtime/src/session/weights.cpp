// SPDX-License-Identifier: Apache-2.0
//
// Matches the tensors of a weight file with the parameters of a plan.
#include "session/weights.h"

#include "base/status.h"
#include "base/text.h"
#include "io/safetensors.h"
#include "plan/param_layout.h"

namespace trrt {

using namespace trf;

// Collects differences; long lists are cut, but counted.
class Differences {
public:
  void add(const std::string &text) {
    if (++count <= kShown)
      message += (message.empty() ? "" : "; ") + text;
  }
  void raise(const std::string &path) const {
    if (count == 0)
      return;
    std::string rest;
    if (count > kShown)
      rest = "; and " + std::to_string(count - kShown) + " more";
    throw Error(TRRT_INVALID_FILE, printable(path) + ": does not fit the plan: " + message + rest);
  }

private:
  static constexpr size_t kShown = 4;
  size_t count = 0;
  std::string message;
};

void loadWeights(Session &session, const std::string &path) {
  const SafetensorsFile file = SafetensorsFile::read(path);
  const std::vector<Param> &params = session.plan().params;
  std::vector<std::string> names;
  for (const Param &param : params)
    names.push_back(param.name);

  Differences differences;
  size_t matched = 0;
  for (const Param &param : params) {
    const auto found = file.tensors().find(param.name);
    if (found == file.tensors().end()) {
      differences.add("missing '" + printable(param.name) + "' " + shapeText(fileShape(param)));
      continue;
    }
    ++matched;
    if (found->second.dtype != "F32")
      differences.add("'" + printable(param.name) + "': expected F32, but got " +
                      found->second.dtype);
    else if (found->second.shape != fileShape(param))
      differences.add("'" + printable(param.name) + "': expected shape " +
                      shapeText(fileShape(param)) + ", but got " + shapeText(found->second.shape));
  }
  if (matched != file.tensors().size()) {
    const std::map<std::string, TensorView> &tensors = file.tensors();
    std::map<std::string, bool> known;
    for (const std::string &name : names)
      known[name] = true;
    for (const auto &item : tensors)
      if (!known.count(item.first))
        differences.add("unexpected '" + printable(item.first) + "'" +
                        didYouMean(item.first, names));
  }
  differences.raise(path);
  for (uint32_t i = 0; i < params.size(); ++i)
    session.parameters().write(i, file.f32(params[i].name));
}

void saveWeights(const Session &session, const std::string &path) {
  SafetensorsWriter writer;
  writer.addMetadata("format", "pt"); // the layouts are PyTorch's
  writer.addMetadata("model", session.plan().model);
  const std::vector<Param> &params = session.plan().params;
  for (uint32_t i = 0; i < params.size(); ++i)
    writer.addF32(params[i].name, fileShape(params[i]), session.parameters().read(i));
  writer.write(path);
}

} // namespace trrt
