// SPDX-License-Identifier: Apache-2.0
//
// Rules that turn the names of a weight file into those of a plan.
#ifndef TRRT_SESSION_WEIGHTS_MAP_H
#define TRRT_SESSION_WEIGHTS_MAP_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trrt {

// A text of lines `pattern -> pattern` and `pattern -> ignore`; `#` begins a comment. A pattern on
// the left must fit a whole name: `{x}` stands for one or more characters, as few as the rest
// allows, and gives them to `{x}` on the right. The first line that fits a name counts; a name that
// none fits stays.
class WeightsMap {
public:
  WeightsMap() = default;
  // Throws Error "FILE:LINE: ...".
  WeightsMap(const std::string &text, const std::string &path);
  static WeightsMap read(const std::string &path);

  // Empty: the tensor is ignored.
  std::optional<std::string> apply(std::string_view name) const;

private:
  // Texts and captures in turn: literals[0] {captures[0]} literals[1] ...
  struct Pattern {
    std::vector<std::string> literals, captures;
  };
  struct Rule {
    Pattern from;
    std::optional<Pattern> to;
  };
  static Pattern parsePattern(std::string_view text);
  static Rule parseRule(std::string_view line);
  static bool match(const Pattern &pattern, std::string_view name,
                    std::vector<std::string_view> &captured);

  std::vector<Rule> rules;
};

} // namespace trrt

#endif // TRRT_SESSION_WEIGHTS_MAP_H
