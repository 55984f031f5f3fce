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
TRK_INLINE void multiplyRows(std::integer_sequence<int, R...>, const float *a, int64_t aRow,
                             int64_t aCol, const float *b, float *c, int64_t k, bool accumulate) {
  Whole l;
  F low[] = {(accumulate ? l.load(c + R * kPanel) : F{})...};
  F high[] = {(accumulate ? l.load(c + R * kPanel + kLanes) : F{})...};
  for (int64_t p = 0; p < k; ++p, a += aCol, b += kPanel) {
    F b0 = l.load(b), b1 = l.load(b + kLanes);
    auto row = [&](F &sum0, F &sum1, float value) {
      F v = splat(value);
      sum0 += v * b0;
      sum1 += v * b1;
    };
    (row(low[R], high[R], a[R * aRow]), ...);
  }
  (l.store(c + R * kPanel, low[R]), ...);
  (l.store(c + R * kPanel + kLanes, high[R]), ...);
}

template <int Rows>
void multiplyTile(const float *a, int64_t aRow, int64_t aCol, const float *b, float *c, int64_t k,
                  bool accumulate) {
  multiplyRows(std::make_integer_sequence<int, Rows>(), a, aRow, aCol, b, c, k, accumulate);
}

using Tile = void (*)(const float *, int64_t, int64_t, const float *, float *, int64_t, bool);

template <int Rows> struct Tiles {
  static Tile of(int rows) { return rows == Rows ? multiplyTile<Rows> : Tiles<Rows - 1>::of(rows); }
};
template <> struct Tiles<0> {
  static Tile of(int) { return nullptr; }
};

void multiplyPanels(const PanelProduct &g) {
  // Tiles of nearly equal height: a last one of a row or two would cost as much as a whole one.
  int64_t count = (g.m + kTileRows - 1) / kTileRows;
  for (int64_t panel = 0; panel * kPanel < g.n; ++panel)
    for (int64_t i = 0; i < count; ++i) {
      int64_t first = g.m * i / count, rows = g.m * (i + 1) / count - first;
      Tiles<kTileRows>::of(int(rows))(g.a + first * g.a_row, g.a_row, g.a_col,
                                      g.b + panel * g.b_panel,
                                      g.c + panel * g.c_panel + first * kPanel, g.k, g.accumulate);
    }
}

} // namespace

void fillGemmLoops(Loops &loops) {
  loops.panel = kPanel;
  loops.tile_rows = kTileRows;
  loops.multiply_panels = multiplyPanels;
}

} // namespace trk::cpu::TRK_ISA
