// SPDX-License-Identifier: Apache-2.0
//
// The page of `--dump-dir`: differences of lines, side by side.
#include "DumpDir.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tr {
namespace {

using llvm::StringRef;
using Lines = llvm::SmallVector<StringRef, 0>;

constexpr size_t kMostCells =
    4000000;                       // of the table of a difference; larger parts are replaced whole
constexpr size_t kContext = 3;     // unchanged lines around a change
constexpr size_t kMostRows = 3000; // of a step on the page

struct Row {
  const StringRef *left = nullptr, *right = nullptr; // null: no line on this side
};

Lines linesOf(StringRef text) {
  Lines lines;
  text.split(lines, '\n');
  return lines;
}

// By the longest common subsequence of what is left between equal beginnings and ends.
class Difference {
public:
  Difference(const Lines &before, const Lines &after) : a(before), b(after) {}

  std::vector<Row> rows() {
    size_t begin = 0, endA = a.size(), endB = b.size();
    while (begin < endA && begin < endB && a[begin] == b[begin])
      keep(begin, begin), ++begin;
    size_t tail = 0;
    while (begin < endA - tail && begin < endB - tail && a[endA - tail - 1] == b[endB - tail - 1])
      ++tail;
    middle(begin, endA - tail, begin, endB - tail);
    for (size_t i = tail; i > 0; --i)
      keep(endA - i, endB - i);
    return std::move(result);
  }

private:
  void keep(size_t i, size_t j) { result.push_back({&a[i], &b[j]}); }

  void middle(size_t i, size_t endA, size_t j, size_t endB) {
    size_t height = endA - i, width = endB - j;
    if (height == 0 || width == 0 || height > kMostCells / width)
      return replace(i, endA, j, endB);
    // length[x][y]: of the longest common subsequence of what follows x and y.
    std::vector<uint32_t> length((height + 1) * (width + 1));
    auto at = [&](size_t x, size_t y) -> uint32_t & { return length[x * (width + 1) + y]; };
    for (size_t x = height; x-- > 0;)
      for (size_t y = width; y-- > 0;)
        at(x, y) =
            a[i + x] == b[j + y] ? at(x + 1, y + 1) + 1 : std::max(at(x + 1, y), at(x, y + 1));
    size_t x = 0, y = 0;
    while (x < height && y < width) {
      size_t startX = x, startY = y;
      while (x < height && y < width && a[i + x] != b[j + y])
        at(x + 1, y) >= at(x, y + 1) ? ++x : ++y;
      replace(i + startX, i + x, j + startY, j + y);
      if (x < height && y < width)
        keep(i + x++, j + y++);
    }
    replace(i + x, endA, j + y, endB);
  }

  void replace(size_t i, size_t endA, size_t j, size_t endB) {
    for (; i < endA || j < endB; ++i, ++j)
      result.push_back({i < endA ? &a[i] : nullptr, j < endB ? &b[j] : nullptr});
  }

  const Lines &a, &b;
  std::vector<Row> result;
};

bool isUnchanged(const Row &row) { return row.left && row.right && *row.left == *row.right; }

void printCell(llvm::raw_ostream &os, const StringRef *line, StringRef style) {
  os << "<td class=\"" << (line ? style : StringRef("none")) << "\">";
  if (line)
    llvm::printHTMLEscaped(*line, os);
  os << "</td>";
}

void printRows(llvm::raw_ostream &os, const std::vector<Row> &rows) {
  std::vector<bool> shown(rows.size(), false);
  for (size_t i = 0; i < rows.size(); ++i)
    if (!isUnchanged(rows[i]))
      for (size_t j = i < kContext ? 0 : i - kContext; j < rows.size() && j <= i + kContext; ++j)
        shown[j] = true;
  size_t printed = 0, hidden = 0;
  auto gap = [&] {
    if (hidden)
      os << "<tr><td class=\"gap\" colspan=\"2\">" << hidden << " lines</td></tr>\n";
    hidden = 0;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!shown[i] || printed == kMostRows) {
      ++hidden;
      continue;
    }
    gap();
    ++printed;
    bool same = isUnchanged(rows[i]);
    os << "<tr>";
    printCell(os, rows[i].left, same ? "" : "old");
    printCell(os, rows[i].right, same ? "" : "new");
    os << "</tr>\n";
  }
  gap();
}

constexpr StringRef kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tr-compile: passes</title><style>
body { font: 14px sans-serif; margin: 1.5em; color: #222; background: #fff; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; }
td { font: 12px monospace; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top;
  width: 50%; padding: 0 .4em; border-left: 1px solid #ddd; }
.old { background: #fde7e7; } .new { background: #e4f6e6; } .none { background: #f5f5f5; }
.gap { text-align: center; color: #888; background: #fafafa; }
summary { cursor: pointer; font-weight: bold; padding: .3em 0; }
</style></head><body>
<h1>Passes that changed the module</h1>
)";

} // namespace

std::string renderSteps(llvm::ArrayRef<DumpStep> steps) {
  std::string page;
  llvm::raw_string_ostream os(page);
  os << kHead << "<p>" << steps.size() - 1
     << " passes changed it. Each is beside what it was given; the whole text is in the "
        "file.</p>\n";
  for (size_t i = 1; i < steps.size(); ++i) {
    Lines before = linesOf(steps[i - 1].text), after = linesOf(steps[i].text);
    os << "<details" << (i == 1 ? " open" : "") << "><summary>" << steps[i].file << " ("
       << before.size() << " to " << after.size() << " lines)</summary>\n<table>\n";
    printRows(os, Difference(before, after).rows());
    os << "</table></details>\n";
  }
  os << "</body></html>\n";
  return page;
}

} // namespace tr
