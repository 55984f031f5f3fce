// SPDX-License-Identifier: Apache-2.0
//
// Loops over elements: activations, addition, masks. Dense tensors are a single row.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

void act(Activation kind, ConstPixels x, Pixels y, int64_t rows, int64_t count) {
  withActivation(kind, [&](auto f) {
    for (int64_t r = 0; r < rows; ++r) {
      const float *from = at(x, r);
      float *to = at(y, r);
      forLanes(count, [&](int64_t i, auto l) { l.store(to + i, f.value(l.load(from + i))); });
    }
  });
}

void add(Activation kind, ConstPixels a, ConstPixels b, Pixels y, int64_t rows, int64_t count) {
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

void actBwd(Activation kind, ConstPixels dy, ConstPixels x, Pixels dx, int64_t rows,
            int64_t count) {
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

} // namespace

void fillElementLoops(Loops &loops) {
  loops.act = act;
  loops.add = add;
  loops.actBwd = actBwd;
  loops.mask = mask;
}

} // namespace trk::cpu::TRK_ISA
