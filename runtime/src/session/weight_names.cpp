// SPDX-License-Identifier: Apache-2.0
//
// Names are looked up, never compared with all others: a network has thousands.
#include "session/weight_names.h"

#include "base/status.h"
#include "base/text.h"
#include "plan/param_layout.h"

#include <algorithm>
#include <unordered_map>

namespace trrt {

using namespace trf;

std::string someOf(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < std::min(kShownNames, names.size()); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShownNames
             ? text + " and " + std::to_string(names.size() - kShownNames) + " more"
             : text;
}

namespace {

// PyTorch's batch normalisation counts its steps; no kernel needs that.
bool isStepCounter(std::string_view name) {
  constexpr std::string_view kName = "num_batches_tracked";
  const size_t size = name.size();
  return size >= kName.size() && name.substr(size - kName.size()) == kName &&
         (size == kName.size() || name[size - kName.size() - 1] == '.');
}

class Matcher {
public:
  Matcher(const SafetensorsFile &file, const std::vector<Param> &params)
      : file(file), params(params) {
    for (size_t i = 0; i < params.size(); ++i)
      indices.emplace(params[i].name, i);
    result.ofParams.resize(params.size());
  }

  void add(const std::string &name, const std::optional<std::string> &mapped) {
    if (!mapped)
      return;
    const auto found = indices.find(*mapped);
    if (found == indices.end()) {
      if (isStepCounter(*mapped))
        ++counters;
      else
        unexpected.push_back(*mapped);
      return;
    }
    std::string &slot = result.ofParams[found->second];
    if (!slot.empty())
      throw Error(TRRT_INVALID_FILE, printable(file.path()) + ": the map makes both '" +
                                         printable(slot) + "' and '" + printable(name) + "' '" +
                                         printable(*mapped) + "'");
    slot = name;
  }

  WeightNames finish();

private:
  std::string prefixHint() const;
  std::vector<std::string> describeUnexpected(bool withNear) const;
  std::string describe(const std::vector<std::string> &missing) const;

  const SafetensorsFile &file;
  const std::vector<Param> &params;
  std::unordered_map<std::string_view, size_t> indices;
  std::vector<std::string> unexpected;
  size_t counters = 0;
  WeightNames result;
};

// "module." where all names of the file but for that are the plan's.
std::string Matcher::prefixHint() const {
  if (unexpected.empty())
    return "";
  const std::string &first = unexpected.front();
  for (size_t dot = first.find('.'); dot != std::string::npos; dot = first.find('.', dot + 1)) {
    const std::string prefix = first.substr(0, dot + 1);
    bool all = true;
    for (size_t i = 0; all && i < unexpected.size(); ++i)
      all = unexpected[i].compare(0, prefix.size(), prefix) == 0 &&
            indices.count(std::string_view(unexpected[i]).substr(prefix.size())) != 0;
    if (all)
      return "; its names begin with '" + printable(prefix) + "', and the line '" +
             printable(prefix) + "{name} -> {name}' of a weights map takes that away";
  }
  return "";
}

// Near names only for those that are shown: each costs a look at all others.
std::vector<std::string> Matcher::describeUnexpected(bool withNear) const {
  std::vector<std::string> names, shown;
  for (const Param &param : params)
    names.push_back(param.name);
  for (size_t i = 0; i < unexpected.size(); ++i)
    shown.push_back("'" + printable(unexpected[i]) + "'" +
                    (withNear && i < kShownNames ? didYouMean(unexpected[i], names) : ""));
  return shown;
}

std::string Matcher::describe(const std::vector<std::string> &missing) const {
  const std::string hint = prefixHint();
  std::string text = missing.empty() ? "" : "missing " + someOf(missing);
  if (!unexpected.empty())
    text += (text.empty() ? "" : "; ") + ("unexpected " + someOf(describeUnexpected(hint.empty())));
  return text + hint;
}

WeightNames Matcher::finish() {
  std::vector<std::string> missing;
  for (size_t i = 0; i < params.size(); ++i)
    if (result.ofParams[i].empty())
      missing.push_back("'" + printable(params[i].name) + "' " + shapeText(fileShape(params[i])));
  if (!missing.empty() || !unexpected.empty())
    result.differences = describe(missing);
  if (counters != 0)
    result.notes.push_back("note: " + printable(file.path()) + ": " + std::to_string(counters) +
                           " tensors num_batches_tracked are ignored");
  return std::move(result);
}

} // namespace

WeightNames matchNames(const SafetensorsFile &file, const std::vector<Param> &params,
                       const WeightsMap &map) {
  Matcher matcher(file, params);
  for (const auto &item : file.tensors())
    matcher.add(item.first, map.apply(item.first));
  return matcher.finish();
}

} // namespace trrt
