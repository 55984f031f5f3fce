// SPDX-License-Identifier: Apache-2.0
//
// Loops of the backward pass of a residual sum: one read of the gradient serves the
// activation, the shortcut and the normalisations of both branches.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

template <int Dense, bool Pair, bool Two, typename Act>
void reduceBlock(const JoinReduce &a, int64_t first, int64_t rows, Act act) {
  float *sumG = a.work, *sumGx = a.work + a.c, *sumShortcut = a.work + 2 * a.c;
  forRowGroups(rows, [&](int64_t row, auto group) {
    auto from = [&](const auto &p) { return skip<Dense>(p, first + row, a.c); };
    const ConstPixels dys = from(a.dy), others = Pair ? from(a.dy2) : dys;
    const ConstPixels ys = Act::kUsesValue ? from(a.y) : dys;
    const ConstPixels xs = from(a.input.x), shortcuts = Two ? from(a.shortcut.x) : xs;
    const Pixels gs = from(a.g);
    forLanes(a.c, [&](int64_t i, auto l) {
      F mean = l.load(a.input.mean + i), other = Two ? l.load(a.shortcut.mean + i) : F{};
      F sum = l.load(sumG + i), product = l.load(sumGx + i);
      F second = Two ? l.load(sumShortcut + i) : F{};
      for (int r = 0; r < group.value; ++r) {
        F dy = l.load(at(dys, r, i));
        if constexpr (Pair)
          dy += l.load(at(others, r, i));
        F gradient = Act::kUsesValue ? act.gradient(dy, l.load(at(ys, r, i))) : dy;
        l.store(at(gs, r, i), gradient);
        sum += gradient;
        product += gradient * (l.load(at(xs, r, i)) - mean);
        if constexpr (Two)
          second += gradient * (l.load(at(shortcuts, r, i)) - other);
      }
      l.store(sumG + i, sum);
      l.store(sumGx + i, product);
      if constexpr (Two)
        l.store(sumShortcut + i, second);
    });
  });
}

template <int Dense, bool Pair, bool Two, typename Act>
void reduceRows(const JoinReduce &a, Act act) {
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(a.work, (Two ? 3 : 2) * a.c);
    reduceBlock<Dense, Pair, Two>(a, first, count, act);
    for (int64_t i = 0; i < a.c; ++i) {
      a.sumG[i] += double(a.work[i]);
      a.input.sumGx[i] += double(a.work[a.c + i]);
      if (Two)
        a.shortcut.sumGx[i] += double(a.work[2 * a.c + i]);
    }
  });
}

void joinReduce(const JoinReduce &a) {
  for (int64_t i = 0; i < a.c; ++i) {
    a.sumG[i] = a.input.sumGx[i] = 0;
    if (a.shortcut.x.data)
      a.shortcut.sumGx[i] = 0;
  }
  withActivation(a.act, [&](auto act) {
    auto reduce = [&](auto dense) {
      constexpr int kDense = decltype(dense)::value;
      if (a.dy2.data)
        a.shortcut.x.data ? reduceRows<kDense, true, true>(a, act)
                          : reduceRows<kDense, true, false>(a, act);
      else
        a.shortcut.x.data ? reduceRows<kDense, false, true>(a, act)
                          : reduceRows<kDense, false, false>(a, act);
    };
    withDensity<decltype(act)::kIsSelect>(a.c, reduce, a.dy, a.dy2, a.y, a.input.x, a.shortcut.x,
                                          a.g);
  });
}

struct GradientVectors {
  F mean, scale, offset, slope;
  template <typename L>
  GradientVectors(const JoinGradient::Input &in, int64_t i, L l)
      : mean(l.load(in.mean + i)), scale(l.load(in.scale + i)), offset(l.load(in.offset + i)),
        slope(l.load(in.slope + i)) {}
  F value(F g, F x) const { return scale * (g - offset - (x - mean) * slope); }
};

template <int Dense> void gradientRows(const JoinGradient &a) {
  const JoinGradient::Input &first = a.inputs[0], &second = a.inputs[1];
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    auto from = [&](const auto &p) { return skip<Dense>(p, row, a.c); };
    const ConstPixels gs = from(a.g), xs = from(first.x), others = from(second.x);
    const Pixels dxs = from(first.dx), dothers = from(second.dx);
    forLanes(a.c, [&](int64_t i, auto l) {
      GradientVectors one(first, i, l), two(second, i, l);
      for (int r = 0; r < group.value; ++r) {
        F g = l.load(at(gs, r, i)); // an output may lie on it
        F dx = one.value(g, l.load(at(xs, r, i)));
        F other = two.value(g, l.load(at(others, r, i)));
        l.store(at(dxs, r, i), dx);
        l.store(at(dothers, r, i), other);
      }
    });
  });
}

void joinGradient(const JoinGradient &a) {
  auto gradient = [&](auto dense) { gradientRows<decltype(dense)::value>(a); };
  const JoinGradient::Input &first = a.inputs[0], &second = a.inputs[1];
  withDensity(a.c, gradient, a.g, first.x, first.dx, second.x, second.dx);
}

} // namespace

void fillJoinLoops(Loops &loops) {
  loops.joinReduce = joinReduce;
  loops.joinGradient = joinGradient;
}

} // namespace trk::cpu::TRK_ISA
