// SPDX-License-Identifier: Apache-2.0
//
// Loops of the backward pass behind a residual sum: one read of the gradient serves the
// activation, the shortcut and the normalisations of both branches.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

template <bool Pair, bool Two, typename Act>
void reduceBlock(const JoinReduce &a, int64_t first, int64_t rows, Act act) {
  float *g = a.work, *gx = a.work + a.c, *gs = a.work + 2 * a.c;
  forRowGroups(rows, [&](int64_t row, auto group) {
    int64_t base = (first + row) * a.c;
    forLanes(a.c, [&](int64_t i, auto l) {
      F mean = l.load(a.input.mean + i), other = Two ? l.load(a.shortcut.mean + i) : F{};
      F sum = l.load(g + i), product = l.load(gx + i), second = Two ? l.load(gs + i) : F{};
      for (int r = 0; r < group.value; ++r) {
        int64_t e = base + r * a.c + i;
        F dy = l.load(a.dy + e);
        if constexpr (Pair)
          dy += l.load(a.dy2 + e);
        F gradient = Act::kUsesValue ? act.gradient(dy, l.load(a.y + e)) : dy;
        l.store(a.g + e, gradient);
        sum += gradient;
        product += gradient * (l.load(a.input.x + e) - mean);
        if constexpr (Two)
          second += gradient * (l.load(a.shortcut.x + e) - other);
      }
      l.store(g + i, sum);
      l.store(gx + i, product);
      if constexpr (Two)
        l.store(gs + i, second);
    });
  });
}

template <bool Pair, bool Two, typename Act> void reduceRows(const JoinReduce &a, Act act) {
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(a.work, (Two ? 3 : 2) * a.c);
    reduceBlock<Pair, Two>(a, first, count, act);
    for (int64_t i = 0; i < a.c; ++i) {
      a.sum_g[i] += double(a.work[i]);
      a.input.sum_gx[i] += double(a.work[a.c + i]);
      if (Two)
        a.shortcut.sum_gx[i] += double(a.work[2 * a.c + i]);
    }
  });
}

void joinReduce(const JoinReduce &a) {
  for (int64_t i = 0; i < a.c; ++i) {
    a.sum_g[i] = a.input.sum_gx[i] = 0;
    if (a.shortcut.x)
      a.shortcut.sum_gx[i] = 0;
  }
  withActivation(a.act, [&](auto act) {
    if (a.dy2)
      a.shortcut.x ? reduceRows<true, true>(a, act) : reduceRows<true, false>(a, act);
    else
      a.shortcut.x ? reduceRows<false, true>(a, act) : reduceRows<false, false>(a, act);
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

void joinGradient(const JoinGradient &a) {
  const JoinGradient::Input &first = a.inputs[0], &second = a.inputs[1];
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    forLanes(a.c, [&](int64_t i, auto l) {
      GradientVectors one(first, i, l), two(second, i, l);
      for (int r = 0; r < group.value; ++r) {
        int64_t e = (row + r) * a.c + i;
        F g = l.load(a.g + e); // an output may lie on it
        F dx = one.value(g, l.load(first.x + e)), other = two.value(g, l.load(second.x + e));
        l.store(first.dx + e, dx);
        l.store(second.dx + e, other);
      }
    });
  });
}

} // namespace

void fillJoinLoops(Loops &loops) {
  loops.join_reduce = joinReduce;
  loops.join_gradient = joinGradient;
}

} // namespace trk::cpu::TRK_ISA
