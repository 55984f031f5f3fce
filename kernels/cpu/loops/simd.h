// SPDX-License-Identifier: Apache-2.0
//
// Vectors of the instruction set that this file is compiled for. Everything has
// internal linkage (see loops.h). TRK_ISA names the compilation.
#ifndef TRK_CPU_LOOPS_SIMD_H
#define TRK_CPU_LOOPS_SIMD_H

#include "cpu/loops.h"

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// A test counts how often a kernel passes over a tensor.
#if defined(TRK_COUNT_ACCESSES)
namespace trk::cpu {
void countRead(const void *p, size_t bytes);
void countWrite(const void *p, size_t bytes);
} // namespace trk::cpu
#define TRK_COUNT(access, p, bytes) count##access(p, bytes)
#else
#define TRK_COUNT(access, p, bytes) static_cast<void>(0)
#endif

namespace trk::cpu::TRK_ISA {

Loops makeLoops();
void normApply(const NormApply &args);
void fillDepthwiseLoops(Loops &loops);
void fillElementLoops(Loops &loops);
void fillGemmLoops(Loops &loops);
void fillGroupLoops(Loops &loops);
void fillJoinLoops(Loops &loops);
void fillNormLoops(Loops &loops);
void fillPoolLoops(Loops &loops);
void fillUpdateLoops(Loops &loops);
void fillWinogradLoops(Loops &loops);

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

typedef float F __attribute__((vector_size(kLanes * 4)));
typedef int32_t I __attribute__((vector_size(kLanes * 4)));
typedef uint8_t B __attribute__((vector_size(kLanes)));

} // namespace

// Value and derivative of an activation at x, with its parameter.
struct ActFunctions {
  F (*value)(F x, F parameter) = nullptr;
  F (*slope)(F x, F parameter) = nullptr;
};
// Of those that are no mere selection.
ActFunctions actFunctions(Activation kind);

namespace {

#define TRK_INLINE inline __attribute__((always_inline))

// As an intrinsic: GCC 12 turns a loop over the lanes into as many masked broadcasts.
TRK_INLINE F splat(float value) {
#if defined(__AVX512F__)
  return F(_mm512_set1_ps(value));
#elif defined(__AVX2__)
  return F(_mm256_set1_ps(value));
#else
  return F{value, value, value, value};
#endif
}

// Bytes as integers; the compiler's own conversion goes lane by lane.
TRK_INLINE I widen(B bytes) {
#if defined(__AVX512F__)
  return I(_mm512_maskz_cvtepu8_epi32(__mmask16(-1), __m128i(bytes)));
#elif defined(__AVX2__)
  __m128i low = {};
  __builtin_memcpy(&low, &bytes, sizeof bytes);
  return I(_mm256_cvtepu8_epi32(low));
#else
  return __builtin_convertvector(bytes, I);
#endif
}
TRK_INLINE I widen(I integers) { return integers; }

// A whole vector.
struct Whole {
  int count() const { return kLanes; }
  template <typename V = F, typename T> V load(const T *p) const {
    V v;
    TRK_COUNT(Read, p, sizeof v);
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  template <typename V, typename T> void store(T *p, V v) const {
    TRK_COUNT(Write, p, sizeof v);
    __builtin_memcpy(p, &v, sizeof v);
  }
  B loadBytes(const uint8_t *p) const { return load<B>(p); }
};

// The last, incomplete vector; lanes beyond it are loaded as zero and not stored.
struct Rest {
  int lanes;
  int count() const { return lanes; }
  template <typename V = F, typename T> V load(const T *p) const {
    V v = {};
    TRK_COUNT(Read, p, size_t(lanes) * sizeof(T));
    __builtin_memcpy(&v, p, size_t(lanes) * sizeof(T));
    return v;
  }
  template <typename V, typename T> void store(T *p, V v) const {
    TRK_COUNT(Write, p, size_t(lanes) * sizeof(T));
    __builtin_memcpy(p, &v, size_t(lanes) * sizeof(T));
  }
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  B loadBytes(const uint8_t *p) const { return B(_mm_maskz_loadu_epi8(bits(), p)); }
#else
  B loadBytes(const uint8_t *p) const { return load<B>(p); }
#endif
#if defined(__AVX512F__)
  __mmask16 bits() const { return __mmask16((1u << lanes) - 1); }
  F load(const float *p) const { return F(_mm512_maskz_loadu_ps(bits(), p)); }
  void store(float *p, F v) const { _mm512_mask_storeu_ps(p, bits(), __m512(v)); }
#endif
};

// Lane i of two vectors end to end, where D is the size of the blocks.
template <int D> constexpr int lowLane(int i) { return i & D ? kLanes + i - D : i; }
template <int D> constexpr int highLane(int i) { return i & D ? kLanes + i : i + D; }
template <int D, int... I> TRK_INLINE void swapPair(F &a, F &b, std::integer_sequence<int, I...>) {
  F low = __builtin_shufflevector(a, b, lowLane<D>(I)...);
  b = __builtin_shufflevector(a, b, highLane<D>(I)...);
  a = low;
}
template <int D> TRK_INLINE void swapBlocks(F *rows) {
  for (int i = 0; i < kLanes; ++i)
    if (!(i & D))
      swapPair<D>(rows[i], rows[i + D], std::make_integer_sequence<int, kLanes>());
}
// Exchanges rows and columns of kLanes x kLanes elements: blocks of d x d elements are
// swapped across the diagonal, d = 1, 2, 4, ...
TRK_INLINE void transpose(F *rows) {
  swapBlocks<1>(rows);
  swapBlocks<2>(rows);
  if constexpr (kLanes > 4)
    swapBlocks<4>(rows);
  if constexpr (kLanes > 8)
    swapBlocks<8>(rows);
}

// Element i of a row.
TRK_INLINE const float *at(const ConstPixels &p, int64_t row, int64_t i = 0) {
  return p.data + (row * p.pitch + i);
}
TRK_INLINE float *at(const Pixels &p, int64_t row, int64_t i = 0) {
  return p.data + (row * p.pitch + i);
}

template <int N> struct Count { static constexpr int value = N; };

// body(Count<1>) where all operands that are there have rows of c elements without gaps, else
// body(Count<0>). Loops over several operands are compiled for both: what is dense lies at one
// distance from the beginning of each operand, which is then computed once.
template <bool Twice = true, typename Body, typename... P>
TRK_INLINE void withDensity(int64_t c, Body body, const P &...p) {
  if constexpr (Twice)
    if (((!p.data || p.pitch == c) && ...))
      return body(Count<1>{});
  body(Count<0>{});
}
// The rows from `row` on.
template <int Dense, typename P> TRK_INLINE P skip(const P &p, int64_t row, int64_t c) {
  const int64_t pitch = Dense ? c : p.pitch;
  return {p.data + row * pitch, pitch};
}

// body(position, lanes) over `count` elements.
template <typename Body> TRK_INLINE void forLanes(int64_t count, Body body) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    body(i, Whole{});
  if (i < count)
    body(i, Rest{int(count - i)});
}

// body(first row, group) in groups of four rows, then single ones: the channel vectors
// are loaded once per group.
template <typename Body> TRK_INLINE void forRowGroups(int64_t rows, Body body) {
  int64_t r = 0;
  for (; r + 4 <= rows; r += 4)
    body(r, Count<4>{});
  for (; r < rows; ++r)
    body(r, Count<1>{});
}

// Activations: value and gradient dy * act'(u). Comparisons are written so that a
// NaN takes the branch that keeps it. Where a gradient is a product and not a selection, loops
// are compiled once: of two compilations only one might contract it with the sum after it.
struct ActNone {
  static constexpr bool kUsesValue = false, kIsSelect = true;
  F value(F x) const { return x; }
  F gradient(F dy, F) const { return dy; }
};
struct ActRelu {
  static constexpr bool kUsesValue = true, kIsSelect = true;
  F value(F x) const { return x < 0.0f ? F{} : x; }
  F gradient(F dy, F u) const { return u <= 0.0f ? F{} : dy; }
};
struct ActRelu6 {
  static constexpr bool kUsesValue = true, kIsSelect = true;
  F value(F x) const {
    F low = x < 0.0f ? F{} : x;
    return low > 6.0f ? splat(6.0f) : low;
  }
  F gradient(F dy, F u) const {
    I outside = (u <= 0.0f) | (u >= 6.0f);
    return outside ? F{} : dy;
  }
};
struct ActOther {
  static constexpr bool kUsesValue = true, kIsSelect = false;
  F parameter;
  ActFunctions functions;
  F value(F x) const { return functions.value(x, parameter); }
  F gradient(F dy, F u) const { return dy * functions.slope(u, parameter); }
};

template <typename Body> TRK_INLINE void withActivation(Act act, Body body) {
  switch (act.kind) {
  case Activation::None:
    return body(ActNone{});
  case Activation::ReLU:
    return body(ActRelu{});
  case Activation::ReLU6:
    return body(ActRelu6{});
  default:
    return body(ActOther{splat(act.parameter), actFunctions(act.kind)});
  }
}

} // namespace
} // namespace trk::cpu::TRK_ISA

#endif // TRK_CPU_LOOPS_SIMD_H
