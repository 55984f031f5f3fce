// SPDX-License-Identifier: Apache-2.0
//
// Parsing against the option tables.
#include "args.h"

#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "io/file.h"
#include "trs/number.h"
#include "trs/output_file.h"

#include <algorithm>
#include <cmath>

namespace trrun {

using trrt::didYouMean;
using trrt::joined;
using trrt::printable;
using trrt::shortNumber;

Option inputFile(const char *name, const char *help, bool required) {
  return {name, "FILE", help, required, nullptr, Names::Input};
}

Option outputFile(const char *name, const char *help, bool required) {
  return {name, "FILE", help, required, nullptr, Names::Output};
}

static const Option &findOption(const Command &command, const std::string &name) {
  std::vector<std::string> names;
  for (const Option &option : command.options) {
    if (name == option.name || (option.alias && name == option.alias))
      return option;
    names.push_back(option.name);
  }
  throw UsageError("unknown option '" + printable(name) + "'" + didYouMean(name, names));
}

void Args::addPositional(const Command &command, const std::string &word) {
  const size_t expected = command.positionals.size();
  if (positionals.size() < expected)
    return positionals.push_back(word);
  if (command.more)
    return others.push_back(word);
  throw UsageError(expected == 1 ? "expected one plan, but got '" + printable(positionals[0]) +
                                       "' and '" + printable(word) + "'"
                                 : "expected nothing after '" + printable(positionals.back()) +
                                       "', but got '" + printable(word) + "'");
}

Args::Args(const Command &command, const std::vector<std::string> &words) {
  bool onlyPlans = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (onlyPlans || word.size() < 2 || word[0] != '-') {
      addPositional(command, word);
      continue;
    }
    if (word == "--") {
      onlyPlans = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option &option = findOption(command, name);
    std::string value;
    if (equals != std::string::npos) {
      if (!option.value)
        throw UsageError("option '" + name + "' takes no value");
      value = word.substr(equals + 1);
    } else if (option.value) {
      if (++i == words.size())
        throw UsageError("option '" + name + "' expects a value " + option.value);
      value = words[i];
    }
    if (!values.emplace(option.name, value).second)
      throw UsageError("option '" + name + "' is given twice");
  }
  if (positionals.size() < command.positionals.size())
    throw UsageError(std::string("expected ") + command.positionals[positionals.size()].what);
  for (const Option &option : command.options)
    if (option.required && !has(option.name))
      throw UsageError(std::string("option '") + option.name + "' is required");
  if (has("--weights-map") && !has("--weights"))
    throw UsageError("option '--weights-map' needs --weights");
  checkFiles(command);
}

// Before any work: no output is a file that is read or another output, and each can be written.
void Args::checkFiles(const Command &command) const {
  std::vector<trs::NamedPath> inputs, outputs;
  for (size_t i = 0; i < positionals.size(); ++i) {
    const Positional &row = command.positionals[i];
    if (row.names == Names::Input)
      inputs.push_back({"the plan", positionals[i]});
    if (row.names == Names::Output)
      outputs.push_back({row.value, positionals[i]});
    if (row.names == Names::DataSet)
      for (const std::string &path : trrt::dataSetFiles(positionals[i]))
        inputs.push_back({"the data set", path});
  }
  for (const Option &option : command.options) {
    if (!has(option.name))
      continue;
    const std::string value = text(option.name);
    if (option.names == Names::Input)
      inputs.push_back({option.name, value});
    if (option.names == Names::DataSet)
      for (const std::string &path : trrt::dataSetFiles(value))
        inputs.push_back({option.name, path});
    if (option.names == Names::Output || option.names == Names::Log)
      outputs.push_back({option.name, value});
  }
  const std::string same = trs::checkDistinct(inputs, outputs);
  if (!same.empty())
    throw trrt::Error(TRRT_INVALID_ARGUMENT, same);
  for (const trs::NamedPath &output : outputs)
    trrt::requireWritten(trs::checkWritable(output.path));
}

std::string Args::text(const std::string &name, const std::string &otherwise) const {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

UsageError valueError(const std::string &name, const std::string &expected,
                      const std::string &value, const std::string &reason) {
  return UsageError("option '" + name + "' expects " + expected + ", but got '" + printable(value) +
                    "'" + (reason.empty() ? "" : ": " + reason));
}

int64_t Args::integer(const std::string &name, int64_t otherwise, int64_t least,
                      int64_t most) const {
  const auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  int64_t value = 0;
  const std::string reason = trs::parseInteger(found->second, value);
  if (!reason.empty() || value < least || value > most)
    throw valueError(name,
                     "an integer from " + std::to_string(least) + " to " + std::to_string(most),
                     found->second, reason);
  return value;
}

double Args::real(const std::string &name, double otherwise) const {
  const auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  double value = 0;
  const std::string reason = trs::parseReal(found->second, value);
  if (!reason.empty())
    throw valueError(name, "a number", found->second, reason);
  return value;
}

double Args::real(const std::string &name, double otherwise, double least, double most) const {
  const double value = real(name, otherwise);
  if (value < least || value >= most)
    throw valueError(name, "a number in [" + shortNumber(least) + ", " + shortNumber(most) + ")",
                     text(name), "");
  return value;
}

std::string Args::choice(const std::string &name, const std::vector<std::string> &choices) const {
  const std::string value = text(name, choices.front());
  if (std::find(choices.begin(), choices.end(), value) != choices.end())
    return value;
  throw UsageError("option '" + name + "' expects " + joined(choices, " or ") + ", but got '" +
                   printable(value) + "'" + didYouMean(value, choices));
}

uint64_t Args::seed(uint64_t otherwise) const {
  const auto found = values.find("--seed");
  if (found == values.end())
    return otherwise;
  uint64_t value = 0;
  const std::string reason = trs::parseUnsigned(found->second, value);
  if (!reason.empty())
    throw valueError("--seed", "an unsigned integer", found->second, reason);
  return value;
}

std::string optionHelp(const std::vector<Option> &options) {
  const auto left = [](const Option &option) {
    return std::string("  ") + option.name + (option.value ? std::string(" ") + option.value : "");
  };
  size_t width = 0;
  for (const Option &option : options)
    width = std::max(width, left(option).size());
  std::string out;
  for (const Option &option : options) {
    const std::string name = left(option);
    out += name + std::string(width + 2 - name.size(), ' ') + option.help +
           (option.required ? " (required)" : "") + "\n";
  }
  return out;
}

std::string commandHelp(const Command &command) {
  std::string words;
  for (const Positional &positional : command.positionals)
    words += std::string(" ") + positional.value;
  if (command.more)
    words += std::string(" [") + command.more + "...]";
  return std::string("usage: tr-run ") + command.name + words + " [options]\n\n" + command.summary +
         "\n\noptions:\n" + optionHelp(command.options);
}

} // namespace trrun
