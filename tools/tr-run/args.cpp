// SPDX-License-Identifier: Apache-2.0
//
// Parsing against the option tables.
#include "args.h"

#include "base/text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace trrun {

using trrt::didYouMean;
using trrt::joined;
using trrt::printable;

static const Option &findOption(const Command &command, const std::string &name) {
  std::vector<std::string> names;
  for (const Option &option : command.options) {
    if (name == option.name || (option.alias && name == option.alias))
      return option;
    names.push_back(option.name);
  }
  throw UsageError("unknown option '" + printable(name) + "'" + didYouMean(name, names));
}

void Args::addPlan(const std::string &word) {
  if (!planPath.empty())
    throw UsageError("expected one plan, but got '" + printable(planPath) + "' and '" +
                     printable(word) + "'");
  planPath = word;
}

Args::Args(const Command &command, const std::vector<std::string> &words) {
  bool onlyPlans = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (onlyPlans || word.size() < 2 || word[0] != '-') {
      addPlan(word);
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
  if (planPath.empty())
    throw UsageError("expected a plan file");
  for (const Option &option : command.options)
    if (option.required && !has(option.name))
      throw UsageError(std::string("option '") + option.name + "' is required");
}

std::string Args::text(const std::string &name, const std::string &otherwise) const {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

int64_t Args::integer(const std::string &name, int64_t otherwise, int64_t least,
                      int64_t most) const {
  const auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(found->second.c_str(), &end, 10);
  if (found->second.empty() || *end || errno || value < least || value > most)
    throw UsageError("option '" + name + "' expects an integer from " + std::to_string(least) +
                     " to " + std::to_string(most) + ", but got '" + printable(found->second) +
                     "'");
  return value;
}

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

double Args::real(const std::string &name, double otherwise, double least, double most) const {
  const auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  char *end = nullptr;
  const double value = std::strtod(found->second.c_str(), &end);
  if (found->second.empty() || *end || !std::isfinite(value) || value < least || value >= most)
    throw UsageError("option '" + name + "' expects a number " +
                     (std::isfinite(most)
                          ? "in [" + shortNumber(least) + ", " + shortNumber(most) + ")"
                          : "not below " + shortNumber(least)) +
                     ", but got '" + printable(found->second) + "'");
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
  char *end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(found->second.c_str(), &end, 10);
  if (found->second.empty() || found->second[0] == '-' || *end || errno)
    throw UsageError("option '--seed' expects an unsigned integer, but got '" +
                     printable(found->second) + "'");
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
  return std::string("usage: tr-run ") + command.name + " PLAN [options]\n\n" + command.summary +
         "\n\noptions:\n" + optionHelp(command.options);
}

} // namespace trrun
