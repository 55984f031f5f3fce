// SPDX-License-Identifier: Apache-2.0
//
// Loops of learned factors and slopes, and of normalisations over a pixel or over groups of
// channels.
#include "cpu/loops/rows.h"

namespace trk::cpu::TRK_ISA {
namespace {

// Halves are added to each other, for as long as there are some.
template <int Lanes> TRK_INLINE float totalOf(const float *lanes) {
  typedef float Half __attribute__((vector_size(Lanes * 2)));
  Half low, high;
  __builtin_memcpy(&low, lanes, sizeof low);
  __builtin_memcpy(&high, lanes + Lanes / 2, sizeof high);
  low += high;
  float sums[Lanes / 2];
  __builtin_memcpy(sums, &low, sizeof low);
  if constexpr (Lanes == 4)
    return sums[0] + sums[1];
  else
    return totalOf<Lanes / 2>(sums);
}

TRK_INLINE float total(F v) {
  float lanes[kLanes];
  __builtin_memcpy(lanes, &v, sizeof v);
  return totalOf<kLanes>(lanes);
}

// The lanes that hold elements; others become zero.
TRK_INLINE F only(F v, Whole) { return v; }
TRK_INLINE F only(F v, Rest l) {
  F kept = {};
  __builtin_memcpy(&kept, &v, size_t(l.lanes) * sizeof(float));
  return kept;
}

void prelu(ConstPixels x, const float *slopes, Pixels y, int64_t rows, int64_t c) {
  for (int64_t r = 0; r < rows; ++r) {
    const float *from = at(x, r);
    float *to = at(y, r);
    forLanes(c, [&](int64_t i, auto l) {
      const F value = l.load(from + i), below = value * l.load(slopes + i);
      l.store(to + i, value <= 0.0f ? below : value);
    });
  }
}

template <bool Input> void preluBlock(const PreluGradient &a, int64_t first, int64_t rows) {
  forRowGroups(rows, [&](int64_t row, auto group) {
    auto from = [&](const auto &p) { return skip<0>(p, first + row, a.c); };
    const ConstPixels dys = from(a.dy), xs = from(a.x);
    const Pixels dxs = Input ? from(a.dx) : Pixels{};
    forLanes(a.c, [&](int64_t i, auto l) {
      const F slope = l.load(a.slopes + i);
      F sum = l.load(a.work + i);
      for (int r = 0; r < group.value; ++r) {
        const F g = l.load(at(dys, r, i)), x = l.load(at(xs, r, i)), product = g * x;
        sum += x > 0.0f ? F{} : product;
        if constexpr (Input) {
          const F below = slope * g;
          l.store(at(dxs, r, i), x > 0.0f ? g : below);
        }
      }
      l.store(a.work + i, sum);
    });
  });
}

void preluBwd(const PreluGradient &args) {
  const PreluGradient a = args;
  for (int64_t i = 0; i < a.c; ++i)
    a.sums[i] = 0;
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(a.work, a.c);
    a.dx.data ? preluBlock<true>(a, first, count) : preluBlock<false>(a, first, count);
    for (int64_t i = 0; i < a.c; ++i)
      a.sums[i] += double(a.work[i]);
  });
}

// Deviations are taken from the first element before the mean is, so that a large mean cancels
// nothing.
void layerNormRow(const LayerNorm &a, int64_t r) {
  const float *x = at(a.x, r);
  float *y = at(a.y, r);
  const float pivot = x[0], share = 1.0f / float(a.c);
  F sum = {};
  forLanes(a.c, [&](int64_t i, auto l) { sum += only(l.load(x + i) - pivot, l); });
  const float shift = total(sum) * share;
  F squares = {};
  forLanes(a.c, [&](int64_t i, auto l) {
    const F d = only(l.load(x + i) - pivot - shift, l);
    squares += d * d;
  });
  const float invStd = float(1.0 / __builtin_sqrt(double(total(squares)) * double(share) + a.eps));
  if (a.mean)
    a.mean[r] = pivot + shift;
  if (a.invStd)
    a.invStd[r] = invStd;
  forLanes(a.c, [&](int64_t i, auto l) {
    const F normal = (l.load(x + i) - pivot - shift) * invStd;
    l.store(y + i, normal * l.load(a.gamma + i) + l.load(a.beta + i));
  });
}

void layerNorm(const LayerNorm &args) {
  const LayerNorm a = args;
  for (int64_t r = 0; r < a.rows; ++r)
    layerNormRow(a, r);
}

// Adds to the sums of the channels, and makes dx where it is wanted.
void layerNormGradientRow(const LayerNormGradient &a, int64_t r) {
  const float *dy = at(a.dy, r), *x = at(a.x, r);
  float *sumG = a.work, *sumGx = a.work + a.c;
  const float mean = a.mean[r], invStd = a.invStd[r], share = 1.0f / float(a.c);
  F sum = {}, product = {};
  forLanes(a.c, [&](int64_t i, auto l) {
    const F g = l.load(dy + i), normal = (l.load(x + i) - mean) * invStd;
    const F scaled = g * l.load(a.gamma + i), ofGamma = g * normal;
    sum += scaled;
    product += scaled * normal;
    l.store(sumG + i, l.load(sumG + i) + g);
    l.store(sumGx + i, l.load(sumGx + i) + ofGamma);
  });
  if (!a.dx.data)
    return;
  const float offset = total(sum) * share, slope = total(product) * share;
  float *dx = at(a.dx, r);
  forLanes(a.c, [&](int64_t i, auto l) {
    const F normal = (l.load(x + i) - mean) * invStd;
    l.store(dx + i, (l.load(dy + i) * l.load(a.gamma + i) - offset - normal * slope) * invStd);
  });
}

void layerNormBwd(const LayerNormGradient &args) {
  const LayerNormGradient a = args;
  for (int64_t i = 0; i < a.c; ++i)
    a.sumG[i] = a.sumGx[i] = 0;
  forBlocks(a.rows, a.c, [&](int64_t first, int64_t count) {
    clear(a.work, 2 * a.c);
    for (int64_t r = first; r < first + count; ++r)
      layerNormGradientRow(a, r);
    for (int64_t i = 0; i < a.c; ++i) {
      a.sumG[i] += double(a.work[i]);
      a.sumGx[i] += double(a.work[a.c + i]);
    }
  });
}

void groupGradient(const GroupGradient &args) {
  const GroupGradient a = args;
  forRowGroups(a.rows, [&](int64_t row, auto group) {
    const ConstPixels dys = skip<0>(a.dy, row, a.c), xs = skip<0>(a.x, row, a.c);
    const Pixels dxs = skip<0>(a.dx, row, a.c);
    forLanes(a.c, [&](int64_t i, auto l) {
      const F mean = l.load(a.mean + i), scale = l.load(a.scale + i);
      const F offset = l.load(a.offset + i), slope = l.load(a.slope + i);
      for (int r = 0; r < group.value; ++r) {
        const F d = l.load(at(xs, r, i)) - mean;
        l.store(at(dxs, r, i), l.load(at(dys, r, i)) * scale - offset - d * slope);
      }
    });
  });
}

} // namespace

void fillGroupLoops(Loops &loops) {
  loops.prelu = prelu;
  loops.preluBwd = preluBwd;
  loops.layerNorm = layerNorm;
  loops.layerNormBwd = layerNormBwd;
  loops.groupGradient = groupGradient;
}

} // namespace trk::cpu::TRK_ISA
