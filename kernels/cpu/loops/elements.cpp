// SPDX-License-Identifier: Apache-2.0
//
// Loops over elements: activations, addition, multiplication, masks. Dense tensors are a single
// row.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

void act(Act kind, ConstPixels x, Pixels y, int64_t rows, int64_t count) {
  withActivation(kind, [&](auto f) {
    for (int64_t r = 0; r < rows; ++r) {
      const float *from = at(x, r);
      float *to = at(y, r);
      forLanes(count, [&](int64_t i, auto l) { l.store(to + i, f.value(l.load(from + i))); });
    }
  });
}

void add(Act kind, ConstPixels a, ConstPixels b, Pixels y, int64_t rows, int64_t count) {
  withActivation(kind, [&](auto f) {
    for (int64_t r = 0; r < rows; ++r) {
      const float *one = at(a, r), *other = at(b, r);
      float *to = at(y, r);
      forLanes(count, [&](int64_t i, auto l) {
        l.store(to + i, f.value(l.load(one + i) + l.load(other + i)));
      });
    }
  });
}

void mul(ConstPixels a, ConstPixels b, Pixels y, int64_t rows, int64_t count) {
  for (int64_t r = 0; r < rows; ++r) {
    const float *one = at(a, r), *other = at(b, r);
    float *to = at(y, r);
    forLanes(count,
             [&](int64_t i, auto l) { l.store(to + i, l.load(one + i) * l.load(other + i)); });
  }
}

void mulBwd(ConstPixels dy, ConstPixels a, ConstPixels b, Pixels da, Pixels db, int64_t rows,
            int64_t count) {
  for (int64_t r = 0; r < rows; ++r) {
    const float *gradient = at(dy, r), *one = at(a, r), *other = at(b, r);
    float *toOne = at(da, r), *toOther = at(db, r);
    forLanes(count, [&](int64_t i, auto l) {
      F g = l.load(gradient + i); // an output may lie on it
      F ofOne = g * l.load(other + i), ofOther = g * l.load(one + i);
      l.store(toOne + i, ofOne);
      l.store(toOther + i, ofOther);
    });
  }
}

template <bool Map> void spreadBlock(const SpreadGradient &a, int64_t first, int64_t rows) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    auto from = [&](const auto &p) { return skip<0>(p, first + row, a.c); };
    const ConstPixels dys = from(a.dy), maps = from(a.map);
    const Pixels dmaps = Map ? from(a.dmap) : Pixels{};
    forLanes(a.c, [&](int64_t i, auto l) {
      F value = Map ? l.load(a.values + i) : F{}, sum = l.load(a.work + i);
      for (int r = 0; r < group.value; ++r) {
        F g = l.load(at(dys, r, i));
        sum += g * l.load(at(maps, r, i));
        if constexpr (Map)
          l.store(at(dmaps, r, i), g * value);
      }
      l.store(a.work + i, sum);
    });
  });
}

// Compiled once whatever the pitches: of two compilations only one might contract the sum.
void spreadGradient(const SpreadGradient &args) {
  const SpreadGradient a = args;
  for (int64_t i = 0; i < a.c; ++i)
    a.sums[i] = 0;
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(a.work, a.c);
    a.dmap.data ? spreadBlock<true>(a, first, count) : spreadBlock<false>(a, first, count);
    for (int64_t i = 0; i < a.c; ++i)
      a.sums[i] += double(a.work[i]);
  });
}

void actBwd(Act kind, ConstPixels dy, ConstPixels x, Pixels dx, int64_t rows, int64_t count) {
  withActivation(kind, [&](auto f) {
    for (int64_t r = 0; r < rows; ++r) {
      const float *gradient = at(dy, r), *from = at(x, r);
      float *to = at(dx, r);
      forLanes(count, [&](int64_t i, auto l) {
        l.store(to + i, f.gradient(l.load(gradient + i), l.load(from + i)));
      });
    }
  });
}

void mask(ConstPixels x, const uint8_t *keep, float factor, Pixels y, int64_t rows, int64_t count) {
  for (int64_t r = 0; r < rows; ++r, keep += count) {
    const float *from = at(x, r);
    float *to = at(y, r);
    forLanes(count, [&](int64_t i, auto l) {
      I kept = widen(l.loadBytes(keep + i)) != 0;
      F value = l.load(from + i) * factor;
      l.store(to + i, kept ? value : F{});
    });
  }
}

template <int... L> TRK_INLINE void interleavePair(F &a, F &b, std::integer_sequence<int, L...>) {
  F low = __builtin_shufflevector(a, b, (L / 2 + L % 2 * kLanes)...);
  b = __builtin_shufflevector(a, b, (kLanes / 2 + L / 2 + L % 2 * kLanes)...);
  a = low;
}

// Elements of two streams in turn; gives how many of each are done.
int64_t interleaveTwo(const float *x, float *y, int64_t each) {
  const Whole l{};
  int64_t i = 0;
  for (; i + kLanes <= each; i += kLanes) {
    F a = l.load(x + i), b = l.load(x + each + i);
    interleavePair(a, b, std::make_integer_sequence<int, kLanes>());
    l.store(y + 2 * i, a);
    l.store(y + 2 * i + kLanes, b);
  }
  return i;
}

void interleave(ConstPixels x, Pixels y, int64_t rows, int64_t c, int64_t streams) {
  const int64_t each = c / streams;
  for (int64_t r = 0; r < rows; ++r) {
    const float *from = at(x, r);
    float *to = at(y, r);
    const int64_t done = streams == 2 ? interleaveTwo(from, to, each) : 0;
    for (int64_t i = done; i < each; ++i)
      for (int64_t s = 0; s < streams; ++s)
        to[i * streams + s] = from[s * each + i];
  }
}

} // namespace

void fillElementLoops(Loops &loops) {
  loops.act = act;
  loops.add = add;
  loops.mul = mul;
  loops.mulBwd = mulBwd;
  loops.spreadGradient = spreadGradient;
  loops.actBwd = actBwd;
  loops.mask = mask;
  loops.interleave = interleave;
}

} // namespace trk::cpu::TRK_ISA
