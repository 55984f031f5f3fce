// SPDX-License-Identifier: Apache-2.0
//
// A strict reader: every field is a number in range or an error with its place.
#include "csv.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

namespace memplan {

using tr::planner::Buffer;
using tr::planner::kLargestValue;
using trrt::printable;

namespace {

const char *const kColumnNames[] = {"id", "lower", "upper", "size", "offset"};
enum Column { Id, Lower, Upper, Size, Offset, NumColumns };

struct Field {
  std::string_view text;
  size_t column; // 1-based
};

std::string quote(std::string_view text) {
  return text.empty() ? "nothing" : "'" + printable(std::string(text)) + "'";
}

class Parser {
public:
  Parser(const std::string &name, const std::string &text) : name(name), rest(text) {}
  Table parse();

private:
  bool nextLine();
  void parseHeader();
  void parseRow(Table &table);
  int64_t parseNumber(const Field &field, int64_t least) const;
  [[noreturn]] void fail(size_t column, const std::string &expected, const std::string &got) const;

  const std::string &name;
  std::string_view rest;
  size_t line = 0;
  std::vector<Field> fields;                               // of the line
  std::vector<Column> columns;                             // of the header, in its order
  std::unordered_map<std::string_view, size_t> firstLines; // of the ids
};

void Parser::fail(size_t column, const std::string &expected, const std::string &got) const {
  throw CsvError(printable(name) + ":" + std::to_string(line) + ":" + std::to_string(column) +
                 ": error: expected " + expected + ", but got " + got);
}

// Splits the next line that is not empty; false at the end.
bool Parser::nextLine() {
  std::string_view text;
  while (text.empty()) {
    if (rest.empty())
      return false;
    const size_t end = std::min(rest.find('\n'), rest.size());
    text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!text.empty() && text.back() == '\r')
      text.remove_suffix(1);
    ++line;
  }
  fields.clear();
  size_t start = 0;
  for (size_t end = 0; end != text.size(); start = end + 1) {
    end = std::min(text.find(',', start), text.size());
    fields.push_back({text.substr(start, end - start), start + 1});
  }
  return true;
}

void Parser::parseHeader() {
  const std::string all = "the header id,lower,upper,size[,offset] in any order";
  if (!nextLine()) {
    line = 1;
    fail(1, all, "nothing");
  }
  for (const Field &field : fields) {
    const auto found = std::find(std::begin(kColumnNames), std::end(kColumnNames), field.text);
    if (found == std::end(kColumnNames))
      fail(field.column, all, quote(field.text));
    const Column column = static_cast<Column>(found - std::begin(kColumnNames));
    if (std::count(columns.begin(), columns.end(), column))
      fail(field.column, "each column once", quote(field.text));
    columns.push_back(column);
  }
  for (Column column : {Id, Lower, Upper, Size})
    if (!std::count(columns.begin(), columns.end(), column))
      fail(1, std::string("a column ") + kColumnNames[column], "none");
}

int64_t Parser::parseNumber(const Field &field, int64_t least) const {
  int64_t value = 0;
  const char *end = field.text.data() + field.text.size();
  const auto [stop, error] = std::from_chars(field.text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > kLargestValue)
    fail(field.column, "an integer from " + std::to_string(least) + " to 2^60", quote(field.text));
  return value;
}

void Parser::parseRow(Table &table) {
  if (fields.size() != columns.size())
    fail(fields.back().column + fields.back().text.size(),
         std::to_string(columns.size()) + " fields", std::to_string(fields.size()));
  Buffer buffer;
  const Field *upper = nullptr;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field &field = fields[i];
    if (columns[i] == Id) {
      const auto [first, isNew] = firstLines.emplace(field.text, line);
      if (field.text.empty())
        fail(field.column, "an id", "nothing");
      if (!isNew)
        fail(field.column, "an id other than that of line " + std::to_string(first->second),
             quote(field.text));
      table.ids.emplace_back(field.text);
    } else if (columns[i] == Lower) {
      buffer.lower = parseNumber(field, -kLargestValue);
    } else if (columns[i] == Upper) {
      buffer.upper = parseNumber(field, -kLargestValue);
      upper = &field;
    } else if (columns[i] == Size) {
      buffer.size = parseNumber(field, 0);
    } else if (!field.text.empty()) {
      buffer.offset = parseNumber(field, -1);
    }
  }
  if (buffer.lower >= buffer.upper)
    fail(upper->column, "an upper above lower " + std::to_string(buffer.lower), quote(upper->text));
  table.buffers.push_back(buffer);
  table.lines.push_back(line);
}

Table Parser::parse() {
  Table table;
  parseHeader();
  while (nextLine())
    parseRow(table);
  size_t where = 0;
  if (std::optional<std::string> fault = tr::planner::checkBuffers(table.buffers, &where))
    throw CsvError(printable(name) + ":" + std::to_string(table.lines[where]) +
                   ":1: error: " + *fault);
  return table;
}

} // namespace

Table parseCsv(const std::string &name, const std::string &text) {
  return Parser(name, text).parse();
}

std::string writeCsv(const Table &table, const std::vector<int64_t> &offsets) {
  std::string text = "id,lower,upper,size,offset\n";
  for (size_t i = 0; i < offsets.size(); ++i) {
    const Buffer &buffer = table.buffers[i];
    text += table.ids[i];
    for (int64_t value : {buffer.lower, buffer.upper, buffer.size, offsets[i]})
      text += "," + std::to_string(value);
    text += '\n';
  }
  return text;
}

} // namespace memplan
