// SPDX-License-Identifier: Apache-2.0
//
// Activations by polynomials of a few units in the last place. Each is one function that all
// loops call, so that its bits are the same wherever it is used.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

#define TRK_ONCE __attribute__((noinline))

F fromBits(I bits) {
  F value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
I toBits(F value) {
  I bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
TRK_INLINE F magnitude(F x) { return fromBits(toBits(x) & 0x7fffffff); }
TRK_INLINE F withSignOf(F x, F sign) { return fromBits(toBits(x) | (toBits(sign) & ~0x7fffffff)); }
// The polynomial of these coefficients, the highest first.
template <typename... C> TRK_INLINE F polynomial(F x, float first, C... more) {
  F sum = splat(first);
  ((sum = sum * x + more), ...);
  return sum;
}

// exp(x) = power * (1 + rest), for x in [-87, 88]; outside the power is that of the end.
struct Exponential {
  F power, rest;
  TRK_INLINE explicit Exponential(F x) {
    constexpr float kShift = 12582912.0f; // its last place is 1
    x = x > 88.0f ? splat(88.0f) : x;
    x = x < -87.0f ? splat(-87.0f) : x;
    const F shifted = x * 1.44269504f + kShift;
    const F whole = shifted - kShift;
    const F r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
    rest = polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                      1.6666665459e-1f, 5.0000001201e-1f) *
               (r * r) +
           r;
    power = fromBits((toBits(shifted) - 0x4b400000 + 127) << 23);
  }
  F value() const { return power * rest + power; }
  F minusOne() const { return power * rest + (power - 1.0f); }
};

TRK_INLINE F sigmoidOf(F x) { return 1.0f / (1.0f + Exponential(-x).value()); }

TRK_INLINE F tanhOf(F x) {
  const F below = Exponential(magnitude(x) * -2.0f).minusOne();
  return withSignOf(-below / (below + 2.0f), x);
}

// max(x, 0) + log(1 + u) with u = exp(-|x|), by the series of 2 artanh(u / (2 + u)).
TRK_INLINE F softplusOf(F x) {
  const F u = Exponential(-magnitude(x)).value();
  const F s = u / (u + 2.0f), q = s * s;
  const F series = polynomial(q, 1 / 17.0f, 1 / 15.0f, 1 / 13.0f, 1 / 11.0f, 1 / 9.0f, 1 / 7.0f,
                              1 / 5.0f, 1 / 3.0f, 1.0f);
  return (x > 0.0f ? x : F{}) + 2.0f * s * series;
}

// The normal distribution's function: half of erfc by a rational form of its logarithm, whose
// error is 1.2e-7 of the value.
TRK_INLINE F normalBelowOf(F x) {
  const F z = magnitude(x) * 0.70710678f;
  const F t = 1.0f / (1.0f + 0.5f * z);
  const F logarithm =
      polynomial(t, 0.17087277f, -0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f, -0.18628806f,
                 0.09678418f, 0.37409196f, 1.00002368f, -1.26551223f) -
      z * z;
  const F tail = 0.5f * t * Exponential(logarithm).value();
  return x < 0.0f ? tail : 1.0f - tail;
}
TRK_INLINE F normalDensityOf(F x) { return 0.39894228f * Exponential(-0.5f * x * x).value(); }

// Half of 1 + tanh and half of 1 - tanh, neither of which loses digits where it is small.
struct TanhGate {
  F open, shut;
  TRK_INLINE explicit TanhGate(F x) {
    const F u = Exponential(magnitude(x) * -2.0f).value(), most = 1.0f / (1.0f + u);
    const F least = u * most;
    open = x < 0.0f ? least : most;
    shut = x < 0.0f ? most : least;
  }
};
constexpr float kGeluScale = 0.79788456f, kGeluCube = 0.044715f;
TRK_INLINE TanhGate geluGate(F x) { return TanhGate(kGeluScale * (x + kGeluCube * x * x * x)); }

TRK_ONCE F tanhValue(F x, F) { return tanhOf(x); }
TRK_ONCE F tanhSlope(F x, F) {
  const F y = tanhOf(x);
  return 1.0f - y * y;
}
TRK_ONCE F siluValue(F x, F) { return x * sigmoidOf(x); }
TRK_ONCE F siluSlope(F x, F) {
  const F s = sigmoidOf(x);
  return s * (1.0f + x * (1.0f - s));
}
TRK_ONCE F leakyValue(F x, F slope) { return x < 0.0f ? x * slope : x; }
TRK_ONCE F leakySlope(F x, F slope) { return x <= 0.0f ? slope : splat(1.0f); }
TRK_ONCE F hardswishValue(F x, F) {
  const F inside = x * (x + 3.0f) / 6.0f;
  return x <= -3.0f ? F{} : (x >= 3.0f ? x : inside);
}
TRK_ONCE F hardswishSlope(F x, F) {
  const F inside = x / 3.0f + 0.5f;
  return x < -3.0f ? F{} : (x > 3.0f ? splat(1.0f) : inside);
}
TRK_ONCE F eluValue(F x, F alpha) { return x < 0.0f ? alpha * Exponential(x).minusOne() : x; }
TRK_ONCE F eluSlope(F x, F alpha) {
  return x <= 0.0f ? alpha * Exponential(x).value() : splat(1.0f);
}
TRK_ONCE F sigmoidValue(F x, F) { return sigmoidOf(x); }
TRK_ONCE F sigmoidSlope(F x, F) {
  const F s = sigmoidOf(x);
  return s * (1.0f - s);
}
TRK_ONCE F geluValue(F x, F) { return x * normalBelowOf(x); }
TRK_ONCE F geluSlope(F x, F) { return normalBelowOf(x) + x * normalDensityOf(x); }
TRK_ONCE F geluTanhValue(F x, F) { return x * geluGate(x).open; }
TRK_ONCE F geluTanhSlope(F x, F) {
  const TanhGate gate = geluGate(x);
  const F inner = kGeluScale * (1.0f + 3 * kGeluCube * x * x);
  return gate.open * (1.0f + 2.0f * x * gate.shut * inner);
}
TRK_ONCE F hardsigmoidValue(F x, F) {
  const F inside = (x + 3.0f) / 6.0f;
  return x <= -3.0f ? F{} : (x >= 3.0f ? splat(1.0f) : inside);
}
TRK_ONCE F hardsigmoidSlope(F x, F) {
  const I outside = (x <= -3.0f) | (x >= 3.0f);
  return outside ? F{} : splat(1 / 6.0f);
}
TRK_ONCE F mishValue(F x, F) { return x * tanhOf(softplusOf(x)); }
TRK_ONCE F mishSlope(F x, F) {
  const F y = tanhOf(softplusOf(x));
  return y + x * (1.0f - y * y) * sigmoidOf(x);
}
TRK_ONCE F softplusValue(F x, F) { return softplusOf(x); }

} // namespace

ActFunctions actFunctions(Activation kind) {
  switch (kind) {
  case Activation::None:
  case Activation::ReLU:
  case Activation::ReLU6: // selections, in simd.h
    break;
  case Activation::Tanh:
    return {tanhValue, tanhSlope};
  case Activation::SiLU:
    return {siluValue, siluSlope};
  case Activation::LeakyReLU:
    return {leakyValue, leakySlope};
  case Activation::Hardswish:
    return {hardswishValue, hardswishSlope};
  case Activation::ELU:
    return {eluValue, eluSlope};
  case Activation::Sigmoid:
    return {sigmoidValue, sigmoidSlope};
  case Activation::GELU:
    return {geluValue, geluSlope};
  case Activation::GELUTanh:
    return {geluTanhValue, geluTanhSlope};
  case Activation::Hardsigmoid:
    return {hardsigmoidValue, hardsigmoidSlope};
  case Activation::Mish:
    return {mishValue, mishSlope};
  case Activation::Softplus:
    return {softplusValue, sigmoidValue};
  }
  return {};
}

} // namespace trk::cpu::TRK_ISA
