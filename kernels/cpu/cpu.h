// SPDX-License-Identifier: Apache-2.0
//
// What the files of the cpu library share: how work is split and how scratch is laid out. A
// split depends on shapes and `call.slices` only, never on threads.
#ifndef TRK_CPU_CPU_H
#define TRK_CPU_CPU_H

#include "common/bn_operands.h"
#include "common/registrar.h"
#include "cpu/loops.h"
#include "trk/float_mode.h"

#include <algorithm>
#include <initializer_list>

namespace trk::cpu {

void fillKernels(KernelTable &table);

void addConvKernels(const Registrar &kernels);
void addChannelKernels(const Registrar &kernels);
void addConvInferenceKernels(const Registrar &kernels);
void addBnKernels(const Registrar &kernels);
void addBnBackwardKernels(const Registrar &kernels);
void addElementwiseKernels(const Registrar &kernels);
void addFactorKernels(const Registrar &kernels);
void addGateKernels(const Registrar &kernels);
void addGroupNormKernels(const Registrar &kernels);
void addJoinBackwardKernels(const Registrar &kernels);
void addMultiplyKernels(const Registrar &kernels);
void addPoolKernels(const Registrar &kernels);
void addFcKernels(const Registrar &kernels);
void addLossKernels(const Registrar &kernels);
void addRangeKernels(const Registrar &kernels);
void addResampleKernels(const Registrar &kernels);

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

// body(part index) for `count` parts; one part runs on the calling thread. Each flushes
// denormals.
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

// Parts of whole images.
inline int imageParts(const Call &call, const Tensor &t) {
  return partCount(call, t.n(), t.h() * t.w() * t.c());
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

// Some elements of tensors of equal shape: `rows` rows of `count` each, from a channel of a pixel
// on.
struct Block {
  int64_t pixel = 0, channel = 0, rows = 0, count = 0;
};

// Whole pixels of c channels: one row where they are dense.
inline Block blockOf(const Pixels &p, int64_t pixels, int64_t c) {
  return p.pitch == c ? Block{0, 0, 1, pixels * c} : Block{0, 0, pixels, c};
}

// From a pixel or a block on. What is absent stays so.
template <typename P> P skip(const P &pixels, int64_t pixel, int64_t channel = 0) {
  return {pixels.data + pixel * pixels.pitch + channel, pixels.pitch};
}
inline Pixels pixelsOf(const Tensor &t, int64_t pixel = 0) {
  return skip(Pixels{t.f32(), t.pitch}, pixel);
}
inline Pixels pixelsOf(const Tensor &t, const Block &b) {
  return skip(pixelsOf(t), b.pixel, b.channel);
}
inline ConstPixels constPixelsOf(const Pixels &p) { return {p.data, p.pitch}; }
inline ConstPixels constPixelsOf(const Tensor &t, int64_t pixel = 0) {
  return constPixelsOf(pixelsOf(t, pixel));
}
inline ConstPixels constPixelsOf(const Tensor &t, const Block &b) {
  return constPixelsOf(pixelsOf(t, b));
}

// body(block) over a range of the elements of tensors of equal shape. Where all are dense it is
// one row, else the end of a row, whole rows and the beginning of one.
template <typename Body>
void forRows(std::initializer_list<const Tensor *> tensors, Range elements, Body &&body) {
  const int64_t c = (*tensors.begin())->c(), begin = elements.begin, end = elements.end;
  auto rows = [&](int64_t first, int64_t count, int64_t width) {
    if (count * width > 0)
      body(Block{first / c, first % c, count, width});
  };
  if (std::all_of(tensors.begin(), tensors.end(), [](const Tensor *t) { return t->isDense(); }))
    return rows(begin, 1, end - begin);
  const int64_t head = std::min(roundUp(begin, c), end), whole = (end - head) / c;
  rows(begin, 1, head - begin);
  rows(head, whole, c);
  rows(head + whole * c, 1, end - head - whole * c);
}

// body(block) over all elements, in parts as above.
template <typename Body>
void forElements(const Call &call, std::initializer_list<const Tensor *> tensors, Body &&body) {
  forElements(call, (*tensors.begin())->elements(),
              [&](Range elements) { forRows(tensors, elements, body); });
}

// The rows (n, h, w) of a tensor in parts: whole images where there are enough, as
// the convolutions split them.
struct RowParts {
  int count = 1;
  int64_t items = 0, rowsPerItem = 1;

  RowParts(const Call &call, const Tensor &t) : items(t.n()), rowsPerItem(t.h() * t.w()) {
    if (items < call.slices) {
      items *= rowsPerItem;
      rowsPerItem = 1;
    }
    count = partCount(call, items, rowsPerItem * t.c());
  }
  RowParts(int parts, int64_t images, int64_t pixels)
      : count(parts), items(images), rowsPerItem(pixels) {}
  Range range(int index) const {
    Range r = part(items, count, index);
    return {r.begin * rowsPerItem, r.end * rowsPerItem};
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

// Sums over the columns of an image, for each part.
struct SumScratch {
  double *sums;
  float *work;
  SumScratch(Carver &carver, int parts, int64_t c)
      : sums(carver.take<double>(parts * c)), work(carver.take<float>(parts * c)) {}
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
// Combines the parts of the statistics of rows with c channels.
void finishStats(const StatsScratch &s, const RowParts &parts, int64_t c, const BnStatistics &to);

} // namespace trk::cpu

#endif // TRK_CPU_CPU_H
