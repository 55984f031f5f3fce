// SPDX-License-Identifier: Apache-2.0
//
// Loops over parameters: optimizers, the finite check, sums of partial gradients.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

TRK_INLINE F squareRoot(F x) {
#if defined(__AVX512F__)
  return F(_mm512_maskz_sqrt_ps(__mmask16(-1), __m512(x)));
#else
  for (int i = 0; i < kLanes; ++i)
    x[i] = __builtin_sqrtf(x[i]);
  return x;
#endif
}

// The exponent bits of infinities and NaN are all ones.
bool allFinite(const float *x, int64_t count) {
  I bad = {};
  forLanes(count, [&](int64_t i, auto l) {
    I bits = I(l.load(x + i)) & 0x7f800000;
    bad |= bits == 0x7f800000;
  });
  int32_t any = 0;
  for (int i = 0; i < kLanes; ++i)
    any |= bad[i];
  return any == 0;
}

void sgd(const Sgd &s, float *w, const float *g, float *m, int64_t count) {
  F lr = splat(s.lr), momentum = splat(s.momentum), decay = splat(s.decay);
  forLanes(count, [&](int64_t i, auto l) {
    F weight = l.load(w + i);
    F moment = momentum * l.load(m + i) + (l.load(g + i) + decay * weight);
    l.store(m + i, moment);
    l.store(w + i, weight - lr * moment);
  });
}

void adamw(const AdamW &s, float *w, const float *g, float *m, float *v, int64_t count) {
  F beta1 = splat(s.beta1), beta2 = splat(s.beta2), rest1 = splat(s.rest1), rest2 = splat(s.rest2);
  F eps = splat(s.eps), keep = splat(s.keep), rate = splat(s.rate);
  F inverse = splat(s.invCorrection2);
  forLanes(count, [&](int64_t i, auto l) {
    F gradient = l.load(g + i);
    F first = beta1 * l.load(m + i) + rest1 * gradient;
    F second = beta2 * l.load(v + i) + rest2 * gradient * gradient;
    l.store(m + i, first);
    l.store(v + i, second);
    F denominator = squareRoot(second * inverse) + eps;
    l.store(w + i, l.load(w + i) * keep - rate * first / denominator);
  });
}

void accumulate(float *sum, const float *const *terms, int termCount, int64_t count) {
  forLanes(count, [&](int64_t i, auto l) {
    F total = l.load(sum + i);
    for (int t = 0; t < termCount; ++t)
      total += l.load(terms[t] + i);
    l.store(sum + i, total);
  });
}

} // namespace

void fillUpdateLoops(Loops &loops) {
  loops.allFinite = allFinite;
  loops.sgd = sgd;
  loops.adamw = adamw;
  loops.accumulate = accumulate;
}

} // namespace trk::cpu::TRK_ISA
