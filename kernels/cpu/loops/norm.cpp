// SPDX-License-Identifier: Apache-2.0
//
// Loops over rows of channels: batch statistics, normalisation and its gradients.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

void addColumns(const float *x, int64_t rows, int64_t c, int64_t stride, float *sums) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const float *base = x + row * stride;
    forLanes(c, [&](int64_t i, auto l) {
      F sum = l.load(base + i);
      for (int r = 1; r < group.value; ++r)
        sum += l.load(base + r * stride + i);
      l.store(sums + i, l.load(sums + i) + sum);
    });
  });
}

void columnSums(const float *x, int64_t rows, int64_t c, int64_t stride, double *sums,
                float *work) {
  for (int64_t i = 0; i < c; ++i)
    sums[i] = 0;
  forBlocks(rows, c, [&](int64_t first, int64_t count) {
    clear(work, c);
    addColumns(x + first * stride, count, c, stride, work);
    for (int64_t i = 0; i < c; ++i)
      sums[i] += double(work[i]);
  });
}

constexpr int64_t kPivotRows = 8; // that are read twice

// Adds x - pivot and its square.
void addDeviations(const float *x, int64_t rows, int64_t c, const float *pivot, float *sums,
                   float *squares) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const float *base = x + row * c;
    forLanes(c, [&](int64_t i, auto l) {
      F p = l.load(pivot + i), sum = l.load(sums + i), square = l.load(squares + i);
      for (int r = 0; r < group.value; ++r) {
        F d = l.load(base + r * c + i) - p;
        sum += d;
        square += d * d;
      }
      l.store(sums + i, sum);
      l.store(squares + i, square);
    });
  });
}

// One pass. Each block is shifted by the mean of all blocks before it (the first by that of its
// first rows): what the shift can cancel is then no more than what the difference of
// the means adds to the variance. Blocks are combined by Chan's formula in double.
void stats(const float *x, int64_t rowsBefore, int64_t rows, int64_t c, double *mean, double *m2,
           float *work) {
  float *pivot = work, *sums = work + c, *squares = work + 2 * c;
  for (int64_t i = 0; i < c && rowsBefore == 0; ++i)
    mean[i] = m2[i] = 0;
  forBlocks(rows, c, [&](int64_t first, int64_t count) {
    clear(sums, 2 * c);
    if (rowsBefore + first == 0) {
      int64_t some = count < kPivotRows ? count : kPivotRows;
      addColumns(x, some, c, c, sums);
      for (int64_t i = 0; i < c; ++i)
        pivot[i] = sums[i] / float(some);
      clear(sums, c);
    } else {
      for (int64_t i = 0; i < c; ++i)
        pivot[i] = float(mean[i]);
    }
    addDeviations(x + first * c, count, c, pivot, sums, squares);
    double n = double(count), before = double(rowsBefore + first), inverse = 1 / n;
    double weight = n / (before + n), cross = before * weight;
    for (int64_t i = 0; i < c; ++i) {
      double shift = double(sums[i]) * inverse;
      double delta = double(pivot[i]) + shift - mean[i];
      mean[i] += delta * weight;
      m2[i] += double(squares[i]) - double(sums[i]) * shift + delta * delta * cross;
    }
  });
}

// The channel vectors of a term.
struct TermVectors {
  F mean, scale, beta;
  template <typename L>
  TermVectors(const NormTerm &t, int64_t i, L l)
      : mean(l.load(t.mean + i)), scale(l.load(t.scale + i)), beta(l.load(t.beta + i)) {}
  F value(F x) const { return (x - mean) * scale + beta; }
};

enum class Shortcut { None, Plain, Normalised };

template <Shortcut S, typename Act> void applyRows(const NormApply &a, Act act) {
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    const float *x = a.x.x + row * a.c,
                *shortcut = S == Shortcut::None ? x : a.shortcut.x + row * a.c;
    float *y = a.y + row * a.c;
    forLanes(a.c, [&](int64_t i, auto l) {
      TermVectors term(a.x, i, l);
      TermVectors other(S == Shortcut::Normalised ? a.shortcut : a.x, i, l);
      for (int r = 0; r < group.value; ++r) {
        int64_t e = r * a.c + i;
        F v = term.value(l.load(x + e));
        if (S == Shortcut::Plain)
          v += l.load(shortcut + e);
        if (S == Shortcut::Normalised)
          v += other.value(l.load(shortcut + e));
        l.store(y + e, act.value(v));
      }
    });
  });
}

} // namespace

void normApply(const NormApply &a) {
  withActivation(a.act, [&](auto act) {
    if (!a.shortcut.x)
      applyRows<Shortcut::None>(a, act);
    else if (!a.shortcut.mean)
      applyRows<Shortcut::Plain>(a, act);
    else
      applyRows<Shortcut::Normalised>(a, act);
  });
}

namespace {

template <typename Act>
void reduceBlock(const NormReduce &a, int64_t first, int64_t rows, float *g, float *gx, Act act) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const float *x = a.x.x + (first + row) * a.c, *dy = a.dy + (first + row) * a.c;
    forLanes(a.c, [&](int64_t i, auto l) {
      TermVectors term(a.x, i, l);
      F sum = l.load(g + i), product = l.load(gx + i);
      for (int r = 0; r < group.value; ++r) {
        int64_t e = r * a.c + i;
        F d = l.load(x + e) - term.mean;
        F gradient = act.gradient(l.load(dy + e), d * term.scale + term.beta);
        sum += gradient;
        product += gradient * d;
      }
      l.store(g + i, sum);
      l.store(gx + i, product);
    });
  });
}

void normReduce(const NormReduce &a) {
  float *g = a.work, *gx = a.work + a.c;
  for (int64_t i = 0; i < a.c; ++i)
    a.sum_g[i] = a.sum_gx[i] = 0;
  withActivation(a.act, [&](auto act) {
    forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
      clear(g, 2 * a.c);
      reduceBlock(a, first, count, g, gx, act);
      for (int64_t i = 0; i < a.c; ++i) {
        a.sum_g[i] += double(g[i]);
        a.sum_gx[i] += double(gx[i]);
      }
    });
  });
}

void normGradient(const NormGradient &a) {
  withActivation(a.act, [&](auto act) {
    forRowGroups(a.rows, [&](int64_t row, auto group) {
      const float *x = a.x.x + row * a.c, *dy = a.dy + row * a.c;
      float *dx = a.dx + row * a.c;
      forLanes(a.c, [&](int64_t i, auto l) {
        TermVectors term(a.x, i, l);
        F offset = l.load(a.offset + i), slope = l.load(a.slope + i);
        for (int r = 0; r < group.value; ++r) {
          int64_t e = r * a.c + i;
          F d = l.load(x + e) - term.mean;
          F gradient = act.gradient(l.load(dy + e), d * term.scale + term.beta);
          l.store(dx + e, term.scale * (gradient - offset - d * slope));
        }
      });
    });
  });
}

void broadcast(const float *value, float *y, int64_t rows, int64_t c) {
  for (int64_t r = 0; r < rows; ++r)
    forLanes(c, [&](int64_t i, auto l) { l.store(y + r * c + i, l.load(value + i)); });
}

} // namespace

void fillNormLoops(Loops &loops) {
  loops.stats = stats;
  loops.column_sums = columnSums;
  loops.norm_apply = normApply;
  loops.norm_reduce = normReduce;
  loops.norm_gradient = normGradient;
  loops.broadcast = broadcast;
}

} // namespace trk::cpu::TRK_ISA
