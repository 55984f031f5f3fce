// SPDX-License-Identifier: Apache-2.0
//
// Text to values and back, by type: each type has values(), parse() and print().
#include "renaissance/Options/CheckOptions.h"

#include "trs/number.h"

namespace tr {
namespace {

struct Range {
  Range() = default;
  Range(int64_t low, int64_t high) : low(low), high(high) {}
  int64_t low = 0, high = 0;
};

template <typename T> constexpr std::string_view kTypeName = "TEXT";
template <> constexpr std::string_view kTypeName<int64_t> = "INT";
template <> constexpr std::string_view kTypeName<bool> = "BOOL";
template <> constexpr std::string_view kTypeName<trf::Optimizer> = "NAME";
template <> constexpr std::string_view kTypeName<trf::Precision> = "NAME";
template <> constexpr std::string_view kTypeName<trf::Target> = "NAME";

bool parseInteger(std::string_view text, int64_t &value) {
  return trs::parseInteger(text, value).empty();
}

std::string describe(const int64_t &, Range range) {
  return "an integer in [" + std::to_string(range.low) + ", " + std::to_string(range.high) + "]";
}
bool parse(std::string_view text, Range range, int64_t &value) {
  return parseInteger(text, value) && value >= range.low && value <= range.high;
}
std::string print(int64_t value) { return std::to_string(value); }
// Why a text is no value, where one would not see it.
std::string explain(const int64_t &, std::string_view text) {
  int64_t ignored = 0;
  std::string reason = trs::parseInteger(text, ignored);
  return reason.empty() ? "" : ": " + reason;
}
template <typename T> std::string explain(const T &, std::string_view) { return {}; }

std::string describe(const bool &, Range) { return "true or false"; }
bool parse(std::string_view text, Range, bool &value) {
  value = text == "true" || text == "1";
  return value || text == "false" || text == "0";
}
std::string print(bool value) { return value ? "true" : "false"; }

// "a, b or c" of the table that a type is.
template <typename E> std::string listNames() {
  std::string text;
  size_t left = trf::kCount<E>;
  for (const auto &row : trf::Table<E>::rows) {
    text += row.name;
    text += --left > 1 ? ", " : left == 1 ? " or " : "";
  }
  return text;
}

template <typename E> bool parseName(std::optional<E> found, E &value) {
  if (found)
    value = *found;
  return found.has_value();
}

std::string describe(const trf::Optimizer &, Range) { return listNames<trf::Optimizer>(); }
bool parse(std::string_view text, Range, trf::Optimizer &value) {
  return parseName(trf::symbolize<trf::Optimizer>(text), value);
}
std::string print(trf::Optimizer value) { return std::string(trf::name(value)); }

std::string describe(const trf::Precision &, Range) { return listNames<trf::Precision>(); }
bool parse(std::string_view text, Range, trf::Precision &value) {
  return parseName(trf::symbolize<trf::Precision>(text), value);
}
std::string print(trf::Precision value) { return std::string(trf::name(value)); }

std::string describe(const trf::Target &, Range) { return listNames<trf::Target>(); }
bool parse(std::string_view text, Range, trf::Target &value) {
  return parseName(trf::symbolizeTarget(text), value);
}
std::string print(trf::Target value) { return trf::targetName(value); }

std::string describe(const Resolution &, Range) { return "R or HxW"; }
bool parse(std::string_view text, Range, Resolution &value) {
  size_t cross = text.find('x');
  if (!parseInteger(text.substr(0, cross), value.h))
    return false;
  value.w = value.h;
  if (cross != text.npos && !parseInteger(text.substr(cross + 1), value.w))
    return false;
  return value.h >= 1 && value.h <= kMostExtent && value.w >= 1 && value.w <= kMostExtent;
}
std::string print(Resolution value) {
  return value == Resolution() ? "" : std::to_string(value.h) + "x" + std::to_string(value.w);
}

std::string describe(const TrainResolution &, Range) { return "R, HxW or R,R@EPOCH"; }
bool parse(std::string_view text, Range, TrainResolution &value) {
  value = {};
  size_t comma = text.find(',');
  if (!parse(text.substr(0, comma), {}, value.base))
    return false;
  if (comma == text.npos)
    return true;
  std::string_view second = text.substr(comma + 1);
  size_t at = second.find('@');
  return at != second.npos && parse(second.substr(0, at), {}, value.low) &&
         parseInteger(second.substr(at + 1), value.lowEpoch) && value.lowEpoch >= 0 &&
         value.lowEpoch <= kMostExtent;
}
std::string print(const TrainResolution &value) {
  if (value.lowEpoch == -1 && value.low == Resolution())
    return print(value.base);
  return print(value.base) + "," + print(value.low) + "@" + std::to_string(value.lowEpoch);
}

} // namespace

bool operator==(const CompileOptions &a, const CompileOptions &b) {
#define X(use, type, member, name, value, range, help) a.member == b.member &&
  return TR_COMPILE_OPTIONS(X) true;
#undef X
}

const std::vector<OptionRow> &getOptionRows() {
  static const std::vector<OptionRow> rows = {
#define X(use, type, member, name, value, range, help)                                             \
  {OptionUse::use, name, help, kTypeName<type>, describe(type(value), range)},
      TR_COMPILE_OPTIONS(X)
#undef X
  };
  return rows;
}

std::string setOption(CompileOptions &options, std::string_view name, std::string_view text) {
#define X(use, type, member, optionName, value, range, help)                                       \
  if (name == optionName) {                                                                        \
    type parsed = value;                                                                           \
    if (!parse(text, range, parsed))                                                               \
      return "expected " + describe(parsed, range) + ", but got '" + std::string(text) + "'" +     \
             explain(parsed, text);                                                                \
    options.member = parsed;                                                                       \
    return {};                                                                                     \
  }
  TR_COMPILE_OPTIONS(X)
#undef X
  return "expected the name of an option, but got '" + std::string(name) + "'";
}

std::string getOption(const CompileOptions &options, std::string_view name) {
#define X(use, type, member, optionName, value, range, help)                                       \
  if (name == optionName)                                                                          \
    return print(options.member);
  TR_COMPILE_OPTIONS(X)
#undef X
  return {};
}

std::vector<std::string> checkOptions(const CompileOptions &options) {
  std::vector<std::string> faults;
  CompileOptions scratch;
  for (const OptionRow &row : getOptionRows()) {
    std::string text = getOption(options, row.name);
    std::string fault = text.empty() ? text : setOption(scratch, row.name, text);
    if (!fault.empty())
      faults.push_back(std::string(row.name) + ": " + fault);
  }
  return faults;
}

void resetOption(CompileOptions &options, std::string_view name) {
  const CompileOptions defaults;
#define X(use, type, member, optionName, value, range, help)                                       \
  if (name == optionName)                                                                          \
    options.member = defaults.member;
  TR_COMPILE_OPTIONS(X)
#undef X
}

} // namespace tr
