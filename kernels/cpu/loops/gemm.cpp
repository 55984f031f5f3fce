// SPDX-License-Identifier: Apache-2.0
//
// Matrix product of a strided matrix with one that is cut into panels of columns. A
// panel is two vectors wide, so that a tile of the result stays in registers while
// the panel streams by.
#include "cpu/loops/simd.h"

#include <utility>

namespace trk::cpu::TRK_ISA {
namespace {

constexpr int kPanel = 2 * kLanes;
// With 32 registers 14 x 2 sums, else 6 x 2, beside two vectors of B and one of A.
#if defined(__AVX512F__)
constexpr int kTileRows = 14;
#elif defined(__AVX2__)
constexpr int kTileRows = 6;
#else
constexpr int kTileRows = 4;
#endif

// The row numbers are constants from the start: the compiler splits the array of sums
// into registers before it unrolls loops.
template <int... R>
TRK_INLINE void multiplyRows(std::integer_sequence<int, R...>, const PanelProduct &g,
                             const float *a, const float *b, float *c, int64_t cRow) {
  Whole l;
  bool accumulate = g.accumulate;
  int64_t aRow = g.aRow, aCol = g.aCol;
  F low[] = {(accumulate ? l.load(c + R * cRow) : F{})...};
  F high[] = {(accumulate ? l.load(c + R * cRow + kLanes) : F{})...};
  for (int64_t p = g.k; p > 0; --p, a += aCol, b += kPanel) {
    F b0 = l.load(b), b1 = l.load(b + kLanes);
    auto row = [&](F &sum0, F &sum1, float value) {
      F v = splat(value);
      sum0 += v * b0;
      sum1 += v * b1;
    };
    (row(low[R], high[R], a[R * aRow]), ...);
  }
  (l.store(c + R * cRow, low[R]), ...);
  (l.store(c + R * cRow + kLanes, high[R]), ...);
}

template <int Rows>
void multiplyTile(const PanelProduct &g, const float *a, const float *b, float *c, int64_t cRow) {
  multiplyRows(std::make_integer_sequence<int, Rows>(), g, a, b, c, cRow);
}

using Tile = void (*)(const PanelProduct &, const float *, const float *, float *, int64_t);

template <int Rows> struct Tiles {
  static Tile of(int rows) { return rows == Rows ? multiplyTile<Rows> : Tiles<Rows - 1>::of(rows); }
};
template <> struct Tiles<0> {
  static Tile of(int) { return nullptr; }
};

// A tile of the last panel, of which only `columns` exist in C.
void multiplyEdge(Tile tile, const PanelProduct &g, const float *a, const float *b, float *c,
                  int64_t rows, int64_t columns) {
  float whole[kTileRows * kPanel] = {};
  size_t bytes = size_t(columns) * sizeof(float);
  for (int64_t r = 0; g.accumulate && r < rows; ++r)
    __builtin_memcpy(whole + r * kPanel, c + r * g.cRow, bytes);
  tile(g, a, b, whole, kPanel);
  for (int64_t r = 0; r < rows; ++r)
    __builtin_memcpy(c + r * g.cRow, whole + r * kPanel, bytes);
}

// Panels that fit into the second-level cache are read once for each strip of rows, so
// that C is written in the order of memory; others are read once for all rows.
constexpr int64_t kCachedPanels = (1 << 20) / int64_t(sizeof(float));

void multiplyPanels(const PanelProduct &g) {
  // Strips of nearly equal height: a last one of a row or two would cost as much as a whole one.
  int64_t strips = (g.m + kTileRows - 1) / kTileRows, panels = (g.n + kPanel - 1) / kPanel;
  auto multiply = [&](int64_t strip, int64_t panel) {
    int64_t first = g.m * strip / strips, rows = g.m * (strip + 1) / strips - first;
    int64_t columns = g.n - panel * kPanel;
    const float *a = g.a + first * g.aRow, *b = g.b + panel * g.bPanel;
    float *c = g.c + panel * g.cPanel + first * g.cRow;
    Tile tile = Tiles<kTileRows>::of(int(rows));
    if (columns >= kPanel || g.wholePanels)
      tile(g, a, b, c, g.cRow);
    else
      multiplyEdge(tile, g, a, b, c, rows, columns);
  };
  if (g.k * g.n <= kCachedPanels && !g.wholePanels) {
    for (int64_t strip = 0; strip < strips; ++strip)
      for (int64_t panel = 0; panel < panels; ++panel)
        multiply(strip, panel);
  } else {
    for (int64_t panel = 0; panel < panels; ++panel)
      for (int64_t strip = 0; strip < strips; ++strip)
        multiply(strip, panel);
  }
}

// One block of kLanes rows and columns, or what is left of them.
void packTransposed(const float *from, int64_t column, int64_t rows, int64_t columns, float *to) {
  F block[kLanes];
  auto fill = [&](auto l) {
    for (int i = 0; i < kLanes; ++i)
      block[i] = i < columns ? l.load(from + i * column) : F{};
  };
  if (rows >= kLanes)
    fill(Whole{});
  else
    fill(Rest{int(rows)});
  transpose(block);
  for (int p = 0; p < kLanes && p < rows; ++p)
    Whole().store(to + p * kPanel, block[p]); // columns that do not exist hold zeros
}

// Element (p, j) from from[p * row + j * column], one of the strides being 1.
void packPanels(const float *from, int64_t row, int64_t column, int64_t k, int64_t n, float *to) {
  for (int64_t j = 0; j < n; j += kPanel, to += k * kPanel) {
    int64_t columns = n - j < kPanel ? n - j : kPanel;
    if (column == 1) {
      for (int64_t p = 0; p < k; ++p)
        forLanes(columns, [&](int64_t i, auto l) {
          l.store(to + p * kPanel + i, l.load(from + p * row + j + i));
        });
      continue;
    }
    for (int64_t p = 0; p < k; p += kLanes)
      for (int64_t i = 0; i < columns; i += kLanes)
        packTransposed(from + p + (j + i) * column, column, k - p, columns - i,
                       to + p * kPanel + i);
  }
}

} // namespace

void fillGemmLoops(Loops &loops) {
  loops.panel = kPanel;
  loops.tileRows = kTileRows;
  loops.multiplyPanels = multiplyPanels;
  loops.packPanels = packPanels;
}

} // namespace trk::cpu::TRK_ISA
