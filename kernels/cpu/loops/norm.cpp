// SPDX-License-Identifier: Apache-2.0
//
// Loops over rows of channels: batch statistics, normalisation and its gradients.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

void addColumns(ConstPixels x, int64_t rows, int64_t c, float *sums) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const ConstPixels xs = skip<0>(x, row, c);
    forLanes(c, [&](int64_t i, auto l) {
      F sum = l.load(at(xs, 0, i));
      for (int r = 1; r < group.value; ++r)
        sum += l.load(at(xs, r, i));
      l.store(sums + i, l.load(sums + i) + sum);
    });
  });
}

void columnSums(ConstPixels x, int64_t rows, int64_t c, double *sums, float *work) {
  for (int64_t i = 0; i < c; ++i)
    sums[i] = 0;
  forBlocks(rows, c, [&](int64_t first, int64_t count) {
    clear(work, c);
    addColumns({at(x, first), x.pitch}, count, c, work);
    for (int64_t i = 0; i < c; ++i)
      sums[i] += double(work[i]);
  });
}

constexpr int64_t kPivotRows = 8; // that are read twice

// Adds x - pivot and its square.
void addDeviations(ConstPixels x, int64_t rows, int64_t c, const float *pivot, float *sums,
                   float *squares) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const ConstPixels xs = skip<0>(x, row, c);
    forLanes(c, [&](int64_t i, auto l) {
      F p = l.load(pivot + i), sum = l.load(sums + i), square = l.load(squares + i);
      for (int r = 0; r < group.value; ++r) {
        F d = l.load(at(xs, r, i)) - p;
        sum += d;
        square += d * d;
      }
      l.store(sums + i, sum);
      l.store(squares + i, square);
    });
  });
}

// Mean and sum of squared deviations of one channel whose sums FP32 does not hold.
struct WideSums {
  double mean = 0, m2 = 0;
  WideSums(ConstPixels x, int64_t first, int64_t count, int64_t i) {
    for (int64_t r = 0; r < count; ++r)
      mean += double(*at(x, first + r, i));
    mean /= double(count);
    for (int64_t r = 0; r < count; ++r) {
      double d = double(*at(x, first + r, i)) - mean;
      m2 += d * d;
    }
  }
};

// One pass. Each block is shifted by the mean of all blocks before it (the first by that of its
// first rows): what the shift can cancel is then no more than what the difference of
// the means adds to the variance. Blocks are combined by Chan's formula in double.
void stats(ConstPixels x, int64_t rowsBefore, int64_t rows, int64_t c, double *mean, double *m2,
           float *work) {
  float *pivot = work, *sums = work + c, *squares = work + 2 * c;
  for (int64_t i = 0; i < c && rowsBefore == 0; ++i)
    mean[i] = m2[i] = 0;
  forBlocks(rows, c, [&](int64_t first, int64_t count) {
    clear(sums, 2 * c);
    if (rowsBefore + first == 0) {
      int64_t some = count < kPivotRows ? count : kPivotRows;
      addColumns(x, some, c, sums);
      for (int64_t i = 0; i < c; ++i)
        pivot[i] = sums[i] / float(some);
      clear(sums, c);
    } else {
      for (int64_t i = 0; i < c; ++i)
        pivot[i] = float(mean[i]);
    }
    addDeviations({at(x, first), x.pitch}, count, c, pivot, sums, squares);
    double n = double(count), before = double(rowsBefore + first), inverse = 1 / n;
    double weight = n / (before + n), cross = before * weight;
    for (int64_t i = 0; i < c; ++i) {
      double shift = double(sums[i]) * inverse;
      double blockMean = double(pivot[i]) + shift;
      double blockM2 = double(squares[i]) - double(sums[i]) * shift;
      if (!__builtin_isfinite(squares[i])) {
        const WideSums wide(x, first, count, i);
        blockMean = wide.mean;
        blockM2 = wide.m2;
      }
      double delta = blockMean - mean[i];
      mean[i] += delta * weight;
      m2[i] += blockM2 + delta * delta * cross;
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

template <int Dense, Shortcut S, typename Act> void applyRows(const NormApply &args, Act act) {
  const NormApply a = args; // a copy stays in registers across stores
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    const ConstPixels xs = skip<Dense>(a.x.x, row, a.c);
    const ConstPixels shortcuts = S == Shortcut::None ? xs : skip<Dense>(a.shortcut.x, row, a.c);
    const Pixels ys = skip<Dense>(a.y, row, a.c);
    forLanes(a.c, [&](int64_t i, auto l) {
      TermVectors term(a.x, i, l);
      TermVectors other(S == Shortcut::Normalised ? a.shortcut : a.x, i, l);
      for (int r = 0; r < group.value; ++r) {
        F v = term.value(l.load(at(xs, r, i)));
        if (S == Shortcut::Plain)
          v += l.load(at(shortcuts, r, i));
        if (S == Shortcut::Normalised)
          v += other.value(l.load(at(shortcuts, r, i)));
        l.store(at(ys, r, i), act.value(v));
      }
    });
  });
}

} // namespace

void normApply(const NormApply &a) {
  withActivation(a.act, [&](auto act) {
    auto apply = [&](auto dense) {
      constexpr int kDense = decltype(dense)::value;
      if (!a.shortcut.x.data)
        applyRows<kDense, Shortcut::None>(a, act);
      else if (!a.shortcut.mean)
        applyRows<kDense, Shortcut::Plain>(a, act);
      else
        applyRows<kDense, Shortcut::Normalised>(a, act);
    };
    withDensity<decltype(act)::kIsSelect>(a.c, apply, a.x.x, a.shortcut.x, a.y);
  });
}

namespace {

template <int Dense, typename Act>
void reduceBlock(const NormReduce &a, int64_t first, int64_t rows, float *g, float *gx, Act act) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    const ConstPixels xs = skip<Dense>(a.x.x, first + row, a.c);
    const ConstPixels dys = skip<Dense>(a.dy, first + row, a.c);
    forLanes(a.c, [&](int64_t i, auto l) {
      TermVectors term(a.x, i, l);
      F sum = l.load(g + i), product = l.load(gx + i);
      for (int r = 0; r < group.value; ++r) {
        F d = l.load(at(xs, r, i)) - term.mean;
        F gradient = act.gradient(l.load(at(dys, r, i)), d * term.scale + term.beta);
        sum += gradient;
        product += gradient * d;
      }
      l.store(g + i, sum);
      l.store(gx + i, product);
    });
  });
}

template <int Dense, typename Act> void reduceRows(const NormReduce &a, Act act) {
  float *g = a.work, *gx = a.work + a.c;
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(g, 2 * a.c);
    reduceBlock<Dense>(a, first, count, g, gx, act);
    for (int64_t i = 0; i < a.c; ++i) {
      a.sumG[i] += double(g[i]);
      a.sumGx[i] += double(gx[i]);
    }
  });
}

void normReduce(const NormReduce &a) {
  for (int64_t i = 0; i < a.c; ++i)
    a.sumG[i] = a.sumGx[i] = 0;
  withActivation(a.act, [&](auto act) {
    auto reduce = [&](auto dense) { reduceRows<decltype(dense)::value>(a, act); };
    withDensity<decltype(act)::kIsSelect>(a.c, reduce, a.dy, a.x.x);
  });
}

template <int Dense, typename Act> void gradientRows(const NormGradient &args, Act act) {
  const NormGradient a = args;
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    const ConstPixels xs = skip<Dense>(a.x.x, row, a.c), dys = skip<Dense>(a.dy, row, a.c);
    const Pixels dxs = skip<Dense>(a.dx, row, a.c);
    forLanes(a.c, [&](int64_t i, auto l) {
      TermVectors term(a.x, i, l);
      F offset = l.load(a.offset + i), slope = l.load(a.slope + i);
      for (int r = 0; r < group.value; ++r) {
        F d = l.load(at(xs, r, i)) - term.mean;
        F gradient = act.gradient(l.load(at(dys, r, i)), d * term.scale + term.beta);
        l.store(at(dxs, r, i), term.scale * (gradient - offset - d * slope));
      }
    });
  });
}

void normGradient(const NormGradient &a) {
  withActivation(a.act, [&](auto act) {
    auto gradient = [&](auto dense) { gradientRows<decltype(dense)::value>(a, act); };
    withDensity<decltype(act)::kIsSelect>(a.c, gradient, a.dy, a.x.x, a.dx);
  });
}

void broadcast(const float *value, Pixels y, int64_t rows, int64_t c) {
  for (int64_t r = 0; r < rows; ++r)
    forLanes(c, [&](int64_t i, auto l) { l.store(at(y, r, i), l.load(value + i)); });
}

} // namespace

void fillNormLoops(Loops &loops) {
  loops.stats = stats;
  loops.columnSums = columnSums;
  loops.normApply = normApply;
  loops.normReduce = normReduce;
  loops.normGradient = normGradient;
  loops.broadcast = broadcast;
}

} // namespace trk::cpu::TRK_ISA
