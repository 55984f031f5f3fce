// SPDX-License-Identifier: Apache-2.0
//
// Loops over elements: activations, addition, masks.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

void act(Activation kind, const float *x, float *y, int64_t count) {
  withActivation(kind, [&](auto f) {
    forLanes(count, [&](int64_t i, auto l) { l.store(y + i, f.value(l.load(x + i))); });
  });
}

void add(Activation kind, const float *a, const float *b, float *y, int64_t count) {
  withActivation(kind, [&](auto f) {
    forLanes(count,
             [&](int64_t i, auto l) { l.store(y + i, f.value(l.load(a + i) + l.load(b + i))); });
  });
}

void actBwd(Activation kind, const float *dy, const float *x, float *dx, int64_t count) {
  withActivation(kind, [&](auto f) {
    forLanes(count, [&](int64_t i, auto l) {
      l.store(dx + i, f.gradient(l.load(dy + i), l.load(x + i)));
    });
  });
}

void mask(const float *x, const uint8_t *keep, float factor, float *y, int64_t count) {
  forLanes(count, [&](int64_t i, auto l) {
    I kept = widen(l.template load<B>(keep + i)) != 0;
    F value = l.load(x + i) * factor;
    l.store(y + i, kept ? value : F{});
  });
}

} // namespace

void fillElementLoops(Loops &loops) {
  loops.act = act;
  loops.add = add;
  loops.act_bwd = actBwd;
  loops.mask = mask;
}

} // namespace trk::cpu::TRK_ISA
