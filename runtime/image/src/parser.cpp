// SPDX-License-Identifier: Apache-2.0
//
//   pipeline: [call {"," call}]      call: name ["(" [argument {"," argument}] ")"]
//   argument: [name "="] value       value: number | name | "[" number {"," number} "]"
//
// White space, also line ends, stands between any two of them.
#include "parser.h"

#include "trs/number.h"
#include "trs/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace tri {

namespace {

constexpr size_t kMaxCalls = 32, kMaxText = 1 << 16;

struct Value {
  std::string_view word;       // of a name
  std::vector<double> numbers; // one, or those of a list
  bool isList = false;
};

// A fault, thrown inside this file only.
struct Fault {
  size_t position;
  std::string text;
};

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string quoted(std::string_view text) { return "'" + trs::printable(text) + "'"; }

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  void parse(ParsedPipeline &result) {
    if (text.size() > kMaxText)
      throw Fault{0, "expected at most " + std::to_string(kMaxText) + " characters"};
    if (atEnd())
      return;
    do {
      if (result.calls.size() == kMaxCalls)
        throw Fault{position, "expected at most " + std::to_string(kMaxCalls) + " calls"};
      parseCall(result);
    } while (take(','));
    if (!atEnd())
      throw Fault{position, "expected ',' and another call, but got " + here()};
  }

private:
  void skipSpace() {
    while (position < text.size() && std::isspace(static_cast<unsigned char>(text[position])))
      ++position;
  }
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  bool take(char c) {
    if (atEnd() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      throw Fault{position, std::string("expected '") + c + "', but got " + here()};
  }
  std::string here() { return atEnd() ? "the end" : quoted(text.substr(position, 1)); }

  std::string_view word(const char *what) {
    if (atEnd() || !isWordStart(text[position]))
      throw Fault{position, std::string("expected ") + what + ", but got " + here()};
    const size_t begin = position;
    while (position < text.size() && isWordPart(text[position]))
      ++position;
    return text.substr(begin, position - begin);
  }

  double number() {
    skipSpace();
    const size_t begin = position;
    while (position < text.size() &&
           (isWordPart(text[position]) ||
            std::string_view("+-.").find(text[position]) != std::string_view::npos))
      ++position;
    double value = 0;
    if (begin == position || !trs::parseReal(text.substr(begin, position - begin), value).empty()) {
      position = begin;
      throw Fault{begin, "expected a number, but got " + here()};
    }
    return value;
  }

  Value value() {
    Value result;
    if (take('[')) {
      result.isList = true;
      do
        result.numbers.push_back(number());
      while (take(','));
      expect(']');
    } else if (!atEnd() && isWordStart(text[position])) {
      result.word = word("a word");
    } else {
      result.numbers.push_back(number());
    }
    return result;
  }

  void parseCall(ParsedPipeline &result) {
    skipSpace();
    const size_t begin = position;
    const std::string_view name = word("a call such as flip()");
    if (result.normal)
      throw Fault{begin, "expected nothing after normalize, but got " + quoted(name)};
    if (name == "normalize")
      return parseNormalize(begin, result);
    const CallInfo *const end = kCalls + kCallCount;
    const CallInfo *info =
        std::find_if(kCalls, end, [&](const CallInfo &call) { return call.name == name; });
    if (info == end)
      throw Fault{begin, "unknown call " + quoted(name) + "; expected one of " + allNames()};
    result.calls.push_back(parseArguments(*info, begin));
  }

  static std::string allNames() {
    std::string names;
    for (size_t i = 0; i < kCallCount; ++i)
      names += std::string(kCalls[i].name) + ", ";
    return names + "normalize";
  }

  PipelineCall parseArguments(const CallInfo &info, size_t begin) {
    PipelineCall call;
    call.info = &info;
    for (size_t i = 0; i < info.paramCount; ++i)
      call.values[i] = info.params[i].otherwise;
    std::array<bool, PipelineCall::kMaxValues> given{};
    if (take('(') && !take(')')) {
      size_t next = 0;
      do
        parseArgument(info, next, call, given);
      while (take(','));
      expect(')');
    }
    for (size_t i = 0; i < info.paramCount; ++i) {
      if (call.values[i] == kNeeded)
        throw Fault{begin,
                    std::string(info.name) + " needs '" + std::string(info.params[i].name) + "'"};
      checkRange(info, i, call, begin);
    }
    return call;
  }

  // Of two parameters x_low and x_high.
  static void checkRange(const CallInfo &info, size_t i, const PipelineCall &call, size_t begin) {
    const std::string_view name = info.params[i].name;
    if (name.size() < 5 || name.substr(name.size() - 5) != "_high" ||
        call.values[i] >= call.values[i - 1])
      return;
    throw Fault{begin, std::string(info.name) + ": expected '" + std::string(name) +
                           "' not below '" + std::string(info.params[i - 1].name) + "'"};
  }

  // `Name =` in front of a value, where there is one.
  std::string_view argumentName() {
    const size_t before = position;
    if (!atEnd() && isWordStart(text[position])) {
      const std::string_view name = word("a name");
      if (take('='))
        return name;
    }
    position = before;
    return "";
  }

  void parseArgument(const CallInfo &info, size_t &next, PipelineCall &call,
                     std::array<bool, PipelineCall::kMaxValues> &given) {
    skipSpace();
    const size_t begin = position;
    const std::string_view name = argumentName();
    size_t i = next;
    if (!name.empty())
      for (i = 0; i < info.paramCount && info.params[i].name != name;)
        ++i;
    if (i >= info.paramCount)
      throw Fault{begin, name.empty() ? std::string(info.name) + " takes at most " +
                                            std::to_string(info.paramCount) + " values"
                                      : std::string(info.name) + " has no parameter " +
                                            quoted(name) + "; it has " + paramNames(info)};
    if (given[i])
      throw Fault{begin, "'" + std::string(info.params[i].name) + "' is given twice"};
    given[i] = true;
    next = i + 1;
    skipSpace();
    const size_t place = position;
    call.values[i] = valueOf(info.params[i], value(), place);
  }

  static std::string paramNames(const CallInfo &info) {
    std::string names;
    for (size_t i = 0; i < info.paramCount; ++i)
      names += std::string(i == 0 ? "" : ", ") + std::string(info.params[i].name);
    return names;
  }

  static double valueOf(const ParamInfo &param, const Value &value, size_t place) {
    if (param.isChoice())
      return choiceOf(param, value, place);
    if (value.isList || value.numbers.size() != 1)
      throw Fault{place, "'" + std::string(param.name) + "' expects a number"};
    const double number = value.numbers[0];
    const bool isWhole = param.name == "size" || param.name == "height" || param.name == "width" ||
                         param.name == "pad" || param.name == "fill" || param.name == "n";
    if (!(number >= param.low && number <= param.high) || (isWhole && number != std::floor(number)))
      throw Fault{place, "'" + std::string(param.name) + "' expects " +
                             (isWhole ? "an integer" : "a number") + " from " +
                             shownNumber(param.low) + " to " + shownNumber(param.high) +
                             ", but got " + shownNumber(number)};
    return number;
  }

  static double choiceOf(const ParamInfo &param, const Value &value, size_t place) {
    std::string_view rest = param.words;
    for (double i = 0; !rest.empty(); ++i) {
      const std::string_view word = rest.substr(0, rest.find('|'));
      if (word == value.word)
        return i;
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    throw Fault{place, "'" + std::string(param.name) + "' expects one of " +
                           std::string(param.words) +
                           (value.word.empty() ? "" : ", but got " + quoted(value.word))};
  }

  void parseNormalize(size_t begin, ParsedPipeline &result) {
    Normalisation normal;
    expect('(');
    argumentName();
    const Value first = value();
    if (first.word == "imagenet") {
      normal = imagenetNormalisation();
    } else {
      normal.mean = first.numbers;
      expect(',');
      argumentName();
      normal.std = value().numbers;
      checkNormalisation(normal, begin);
    }
    expect(')');
    result.normal = std::move(normal);
  }

  static void checkNormalisation(const Normalisation &normal, size_t begin) {
    const auto fits = [](size_t count) { return count == 1 || count == 3; };
    if (!fits(normal.mean.size()) || normal.mean.size() != normal.std.size())
      throw Fault{begin, "normalize expects imagenet, or a mean and a deviation: one number each "
                         "or [red, green, blue]"};
    for (const double std : normal.std)
      if (!(std >= 1e-6 && std <= 1e6))
        throw Fault{begin, "normalize expects deviations from 1e-06 to 1e+06"};
    for (const double mean : normal.mean)
      if (!(std::abs(mean) <= 1e6))
        throw Fault{begin, "normalize expects means from -1e+06 to 1e+06"};
  }

  std::string_view text;
  size_t position = 0;
};

} // namespace

std::string shownNumber(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string parsePipeline(std::string_view text, ParsedPipeline &result) {
  try {
    Parser(text).parse(result);
  } catch (const Fault &fault) {
    return "column " + std::to_string(fault.position + 1) + ": " + fault.text;
  }
  return "";
}

} // namespace tri
