// SPDX-License-Identifier: Apache-2.0
//
// How sums over rows are cut into blocks.
#ifndef TRK_CPU_LOOPS_ROWS_H
#define TRK_CPU_LOOPS_ROWS_H

#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

// Rows whose sums are kept in float: about 32 KB, so that a block stays in the
// first-level cache and its sums lose at most a few bits.
inline int64_t blockRows(int64_t c) {
  int64_t rows = 8192 / c / 4 * 4;
  return rows < 8 ? 8 : (rows > 128 ? 128 : rows);
}

template <typename Body> TRK_INLINE void forBlocks(int64_t rows, int64_t c, Body body) {
  int64_t step = blockRows(c);
  for (int64_t first = 0; first < rows; first += step)
    body(first, rows - first < step ? rows - first : step);
}

inline void clear(float *p, int64_t count) {
  __builtin_memset(p, 0, size_t(count) * sizeof(float));
}

} // namespace
} // namespace trk::cpu::TRK_ISA

#endif // TRK_CPU_LOOPS_ROWS_H
