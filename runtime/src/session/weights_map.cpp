// SPDX-License-Identifier: Apache-2.0
//
// Patterns without backtracking: each literal is taken where it first occurs, and the last one at
// the end, so a name costs no more than its length.
#include "session/weights_map.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"

#include <algorithm>
#include <cctype>

namespace trrt {

// What is wrong with a line.
static Error lineError(const std::string &what) { return Error(TRRT_INVALID_FILE, what); }

static std::string_view trim(std::string_view text) {
  const char *kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

static bool isCaptureName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

WeightsMap::Pattern WeightsMap::parsePattern(std::string_view text) {
  if (text.empty() || text.find_first_of(" \t") != std::string_view::npos)
    throw lineError("expected a name or a pattern without spaces, but got '" + printable(text) +
                    "'");
  Pattern pattern;
  for (;;) {
    const size_t open = text.find('{');
    pattern.literals.emplace_back(text.substr(0, open));
    if (pattern.literals.back().find('}') != std::string::npos)
      throw lineError("expected a '{' before '}'");
    if (open == std::string_view::npos)
      return pattern;
    const size_t close = text.find('}', open);
    const std::string_view name = text.substr(open + 1, std::min(close, text.size()) - open - 1);
    if (close == std::string_view::npos || !isCaptureName(name))
      throw lineError("expected letters and digits between '{' and '}', but got '" +
                      printable(text.substr(open)) + "'");
    pattern.captures.emplace_back(name);
    text.remove_prefix(close + 1);
  }
}

WeightsMap::Rule WeightsMap::parseRule(std::string_view line) {
  const size_t arrow = line.find("->");
  if (arrow == std::string_view::npos)
    throw lineError("expected 'pattern -> pattern' or 'pattern -> ignore', but got '" +
                    printable(line) + "'");
  Rule rule;
  rule.from = parsePattern(trim(line.substr(0, arrow)));
  const std::vector<std::string> &known = rule.from.captures;
  for (size_t i = 0; i < known.size(); ++i) {
    if (std::find(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(i), known[i]) !=
        known.begin() + static_cast<std::ptrdiff_t>(i))
      throw lineError("expected each capture once on the left, but got {" + known[i] + "} twice");
    if (i > 0 && rule.from.literals[i].empty())
      throw lineError("expected a text between {" + known[i - 1] + "} and {" + known[i] + "}");
  }
  const std::string_view right = trim(line.substr(arrow + 2));
  if (right == "ignore")
    return rule;
  rule.to = parsePattern(right);
  for (const std::string &capture : rule.to->captures)
    if (std::find(known.begin(), known.end(), capture) == known.end())
      throw lineError("expected a capture of the left side, but got {" + capture + "}");
  return rule;
}

WeightsMap::WeightsMap(const std::string &text, const std::string &path) {
  size_t number = 0;
  for (size_t begin = 0; begin < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    line = trim(line.substr(0, line.find('#')));
    begin = end + 1;
    if (line.empty())
      continue;
    try {
      rules.push_back(parseRule(line));
    } catch (const Error &error) {
      throw Error(error.code(),
                  printable(path) + ":" + std::to_string(number + 1) + ": " + error.what());
    }
  }
}

WeightsMap WeightsMap::read(const std::string &path) {
  const std::vector<uint8_t> bytes = readFile(path);
  return WeightsMap(std::string(bytes.begin(), bytes.end()), path);
}

bool WeightsMap::match(const Pattern &pattern, std::string_view name,
                       std::vector<std::string_view> &captured) {
  captured.clear();
  const std::vector<std::string> &literals = pattern.literals;
  const size_t last = literals.size() - 1;
  if (last == 0)
    return name == literals[0];
  if (name.substr(0, literals[0].size()) != literals[0])
    return false;
  name.remove_prefix(literals[0].size());
  for (size_t i = 1; i <= last; ++i) {
    if (name.empty())
      return false;
    size_t at = name.find(literals[i], 1);
    if (i == last) {
      if (name.size() <= literals[i].size())
        return false;
      at = name.size() - literals[i].size();
      if (name.substr(at) != literals[i])
        return false;
    }
    if (at == std::string_view::npos)
      return false;
    captured.push_back(name.substr(0, at));
    name.remove_prefix(at + literals[i].size());
  }
  return true;
}

std::optional<std::string> WeightsMap::apply(std::string_view name) const {
  std::vector<std::string_view> captured;
  for (const Rule &rule : rules) {
    if (!match(rule.from, name, captured))
      continue;
    if (!rule.to)
      return std::nullopt;
    std::string result = rule.to->literals[0];
    for (size_t i = 0; i < rule.to->captures.size(); ++i) {
      const auto &known = rule.from.captures;
      const auto found = std::find(known.begin(), known.end(), rule.to->captures[i]);
      result += captured[static_cast<size_t>(found - known.begin())];
      result += rule.to->literals[i + 1];
    }
    return result;
  }
  return std::string(name);
}

} // namespace trrt
