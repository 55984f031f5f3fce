// SPDX-License-Identifier: Apache-2.0
//
// What the files of the cpu backend share: how work is split and how scratch is
// laid out. A split depends on shapes and `call.slices` only, never on threads.
#ifndef TRK_CPU_CPU_H
#define TRK_CPU_CPU_H

#include "cpu/loops.h"
#include "trk/kernel.h"

#include <algorithm>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace trk::cpu {

void addConvKernels(KernelTable &table);
void addConvInferenceKernels(KernelTable &table);
void addBnKernels(KernelTable &table);
void addBnBackwardKernels(KernelTable &table);
void addElementwiseKernels(KernelTable &table);
void addJoinBackwardKernels(KernelTable &table);
void addPoolKernels(KernelTable &table);
void addFcKernels(KernelTable &table);
void addLossKernels(KernelTable &table);
void addRangeKernels(KernelTable &table);

inline Kernel &slot(KernelTable &table, Opcode op) { return table[static_cast<uint32_t>(op)]; }

struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

inline int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Part `index` of `count` parts of [0, total) whose sizes differ by at most one.
inline Range part(int64_t total, int count, int index) {
  int64_t base = total / count, extra = total % count;
  int64_t begin = index * base + std::min<int64_t>(index, extra);
  return {begin, begin + base + (index < extra)};
}

inline int sliceCount(const Call &call, int64_t total) {
  return int(std::clamp<int64_t>(total, 1, std::max(call.slices, 1)));
}

// Denormals cost a hundred times a normal number; each task flushes them.
class FlushDenormals {
public:
#if defined(__SSE__)
  FlushDenormals() : saved(_mm_getcsr()) { _mm_setcsr(saved | 0x8040); }
  ~FlushDenormals() { _mm_setcsr(saved); }
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;

private:
  unsigned saved;
#endif
};

// body(part index) for `count` parts; one part runs on the calling thread.
template <typename Body> void forParts(const Call &call, int count, Body &&body) {
  auto task = [&](int i) {
    FlushDenormals flush;
    body(i);
  };
  if (count <= 1)
    task(0);
  else
    call.parallel->each(count, task);
}

// Below this a second thread costs more than it saves.
inline constexpr int64_t kSmallWork = 16384;

// Parts for `total` independent items of `item` elements each.
inline int partCount(const Call &call, int64_t total, int64_t item) {
  return total * item < kSmallWork ? 1 : sliceCount(call, total);
}

// body(range) over [0, elements) in parts that start at whole cache lines.
template <typename Body> void forElements(const Call &call, int64_t elements, Body &&body) {
  constexpr int64_t kLine = 16;
  int64_t lines = (elements + kLine - 1) / kLine;
  int count = partCount(call, lines, kLine);
  forParts(call, count, [&](int i) {
    Range r = part(lines, count, i);
    body(Range{r.begin * kLine, std::min(r.end * kLine, elements)});
  });
}

// body(byte range), as forElements.
template <typename Body> void forBytes(const Call &call, int64_t bytes, Body &&body) {
  forElements(call, (bytes + 3) / 4, [&](Range r) {
    body(Range{r.begin * 4, std::min(r.end * 4, bytes)});
  });
}

// The rows (n, h, w) of a tensor in parts: whole images where there are enough, as
// the convolutions split them.
struct RowParts {
  int count = 1;
  int64_t items = 0, rows_per_item = 1;

  RowParts(const Call &call, const Tensor &t) : items(t.n()), rows_per_item(t.h() * t.w()) {
    if (items < call.slices) {
      items *= rows_per_item;
      rows_per_item = 1;
    }
    count = partCount(call, items, rows_per_item * t.c());
  }
  RowParts(int parts, int64_t images, int64_t pixels)
      : count(parts), items(images), rows_per_item(pixels) {}
  Range range(int index) const {
    Range r = part(items, count, index);
    return {r.begin * rows_per_item, r.end * rows_per_item};
  }
};

// Hands out 64-byte aligned pieces of the scratch block, or counts them when base is
// null.
class Carver {
public:
  explicit Carver(void *base) : next(static_cast<char *>(base)) {}
  template <typename T> T *take(int64_t count) {
    int64_t bytes = (count * int64_t(sizeof(T)) + 63) / 64 * 64;
    T *piece = reinterpret_cast<T *>(next);
    next += next ? bytes : 0;
    total += bytes;
    return piece;
  }
  int64_t bytes() const { return total; }

private:
  char *next;
  int64_t total = 0;
};

// Statistics of the rows of a tensor: each part's mean and squared deviations are
// combined in order. Shared by bn_stats and conv_stats_fwd.
struct StatsScratch {
  double *mean, *m2;
  float *work;
  int64_t *images; // of each part, that are in mean and m2
  StatsScratch(Carver &carver, int parts, int64_t c)
      : mean(carver.take<double>(parts * c)), m2(carver.take<double>(parts * c)),
        work(carver.take<float>(parts * 3 * c)), images(carver.take<int64_t>(parts)) {}
};
// Operands from `first` on: mean, inv_std, next_mean, next_var; from `prev` on the two
// running values. Attributes from `attr` on: eps, momentum.
void finishStats(const Call &call, const StatsScratch &s, const RowParts &parts, int64_t c,
                 int prev, int first, int attr);

} // namespace trk::cpu

#endif // TRK_CPU_CPU_H
