// SPDX-License-Identifier: Apache-2.0
//
// The transforms of Winograd convolution F(4x4, 3x3) [Lavin, Gray: Fast Algorithms for
// Convolutional Neural Networks, 2015] in Cook-Toom form on the points 0, a, -a, b, -b
// and infinity: y = A'[(G g G') * (B' x B)]A, with element-wise products that the
// caller sums over channels as 36 matrix products. Gradients use the transposed maps:
// weights g: G'[(A dy A') * (B' x B)]G.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

constexpr int kIn = 6, kOut = 4, kTaps = 3;
constexpr int kPanel = 2 * kLanes;
// These points lose least of float's accuracy among simple fractions.
constexpr float kA = 0.625f, kB = 1.5f;
constexpr float kA2 = kA * kA, kB2 = kB * kB, kA3 = kA2 * kA, kB3 = kB2 * kB;
// Weights of the points: 1 / product of the distances to the others.
constexpr float kG0 = 1 / (kA2 * kB2), kGa = 1 / (2 * kA2 * (kA2 - kB2)),
                kGb = 1 / (2 * kB2 * (kB2 - kA2));

// One dimension of each map, on vectors a[0], a[step], ...
TRK_INLINE void inputMap(const F *d, int step, F *out) {
  F d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step], d5 = d[5 * step];
  F evenA = d4 - kB2 * d2, oddA = kA * (d3 - kB2 * d1);
  F evenB = d4 - kA2 * d2, oddB = kB * (d3 - kA2 * d1);
  out[0] = (kA2 * kB2) * d0 - (kA2 + kB2) * d2 + d4;
  out[step] = evenA + oddA;
  out[2 * step] = evenA - oddA;
  out[3 * step] = evenB + oddB;
  out[4 * step] = evenB - oddB;
  out[5 * step] = (kA2 * kB2) * d1 - (kA2 + kB2) * d3 + d5;
}

TRK_INLINE void outputMap(const F *m, int step, F *out) {
  F m1 = m[step], m2 = m[2 * step], m3 = m[3 * step], m4 = m[4 * step];
  F evenA = m1 + m2, oddA = m1 - m2, evenB = m3 + m4, oddB = m3 - m4;
  out[0] = m[0] + evenA + evenB;
  out[step] = kA * oddA + kB * oddB;
  out[2 * step] = kA2 * evenA + kB2 * evenB;
  out[3 * step] = kA3 * oddA + kB3 * oddB + m[5 * step];
}

TRK_INLINE void outputGradientMap(const F *y, int step, F *out) {
  F y0 = y[0], y1 = y[step], y2 = y[2 * step], y3 = y[3 * step];
  F evenA = y0 + kA2 * y2, oddA = kA * y1 + kA3 * y3;
  F evenB = y0 + kB2 * y2, oddB = kB * y1 + kB3 * y3;
  out[0] = y0;
  out[step] = evenA + oddA;
  out[2 * step] = evenA - oddA;
  out[3 * step] = evenB + oddB;
  out[4 * step] = evenB - oddB;
  out[5 * step] = y3;
}

TRK_INLINE void weightMap(const F *g, int step, F *out) {
  F g0 = g[0], g1 = g[step], g2 = g[2 * step];
  F evenA = kGa * g0 + (kGa * kA2) * g2, oddA = (kGa * kA) * g1;
  F evenB = kGb * g0 + (kGb * kB2) * g2, oddB = (kGb * kB) * g1;
  out[0] = kG0 * g0;
  out[step] = evenA + oddA;
  out[2 * step] = evenA - oddA;
  out[3 * step] = evenB + oddB;
  out[4 * step] = evenB - oddB;
  out[5 * step] = g2;
}

TRK_INLINE void weightGradientMap(const F *z, int step, F *out) {
  F evenA = kGa * (z[step] + z[2 * step]), oddA = (kGa * kA) * (z[step] - z[2 * step]);
  F evenB = kGb * (z[3 * step] + z[4 * step]), oddB = (kGb * kB) * (z[3 * step] - z[4 * step]);
  out[0] = kG0 * z[0] + evenA + evenB;
  out[step] = oddA + oddB;
  out[2 * step] = kA2 * evenA + kB2 * evenB + z[5 * step];
}

// Both dimensions of a map from `From` x `From` vectors to `To` x `To`.
template <int From, int To, typename Map> TRK_INLINE void mapBoth(const F *in, F *out, Map map) {
  F half[To * From];
  for (int j = 0; j < From; ++j) { // columns: in and half have rows of From vectors
    F column[To > From ? To : From];
    for (int i = 0; i < From; ++i)
      column[i] = in[i * From + j];
    F mapped[To];
    map(column, 1, mapped);
    for (int i = 0; i < To; ++i)
      half[i * From + j] = mapped[i];
  }
  for (int i = 0; i < To; ++i)
    map(half + i * From, 1, out + i * To);
}

// The tile that a running number means: image, and the position of its first output.
struct Place {
  int64_t image, row, col;
  Place(const WinogradShape &s, int64_t tile) {
    int64_t perImage = s.tilesH * s.tilesW;
    image = tile / perImage;
    row = tile % perImage / s.tilesW * kOut;
    col = tile % s.tilesW * kOut;
  }
};

// body(channel, lanes): whole vectors, then a rest.
template <typename Store>
TRK_INLINE void storeMapped(const F *v, const WinogradMatrix &to, int64_t row, int64_t c,
                            Store store) {
  float *at = to.data + c / kPanel * to.panel + row * to.row + c % kPanel;
  for (int i = 0; i < kIn * kIn; ++i)
    store(at + i * to.point, v[i]);
}

void transformInput(const WinogradShape &s, ConstPixels x, int64_t first, int64_t count,
                    const WinogradMatrix &to) {
  for (int64_t t = 0; t < count; ++t) {
    Place p(s, first + t);
    int64_t top = p.row - s.padH, left = p.col - s.padW;
    const float *base = at(x, (p.image * s.h + top) * s.w + left);
    bool inside = top >= 0 && left >= 0 && top + kIn <= s.h && left + kIn <= s.w;
    forLanes(s.c, [&](int64_t c, auto l) {
      F d[kIn * kIn], v[kIn * kIn];
      for (int i = 0; i < kIn; ++i)
        for (int j = 0; j < kIn; ++j) {
          bool here = inside || (top + i >= 0 && top + i < s.h && left + j >= 0 && left + j < s.w);
          d[i * kIn + j] = here ? l.load(base + (i * s.w + j) * x.pitch + c) : F{};
        }
      mapBoth<kIn, kIn>(d, v, inputMap);
      storeMapped(v, to, t, c, [&](float *at, F value) { l.store(at, value); });
    });
  }
}

void transformOutput(const WinogradShape &s, const WinogradMatrix &from, const float *bias,
                     int64_t first, int64_t count, Pixels y) {
  for (int64_t t = 0; t < count; ++t) {
    Place p(s, first + t);
    int64_t rows = s.oh - p.row < kOut ? s.oh - p.row : kOut;
    int64_t cols = s.ow - p.col < kOut ? s.ow - p.col : kOut;
    float *base = at(y, (p.image * s.oh + p.row) * s.ow + p.col);
    forLanes(s.k, [&](int64_t k, auto l) {
      const float *at = from.data + k / kPanel * from.panel + t * from.row + k % kPanel;
      F m[kIn * kIn], out[kOut * kOut];
      for (int i = 0; i < kIn * kIn; ++i)
        m[i] = Whole().load(at + i * from.point); // panels are whole
      mapBoth<kIn, kOut>(m, out, outputMap);
      F shift = bias ? l.load(bias + k) : F{};
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j)
          l.store(base + (i * s.ow + j) * y.pitch + k,
                  bias ? out[i * kOut + j] + shift : out[i * kOut + j]);
    });
  }
}

void transformOutputGradient(const WinogradShape &s, ConstPixels dy, int64_t first, int64_t count,
                             const WinogradMatrix &to) {
  for (int64_t t = 0; t < count; ++t) {
    Place p(s, first + t);
    const float *base = at(dy, (p.image * s.oh + p.row) * s.ow + p.col);
    bool inside = p.row + kOut <= s.oh && p.col + kOut <= s.ow;
    forLanes(s.k, [&](int64_t k, auto l) {
      F d[kOut * kOut], v[kIn * kIn];
      for (int i = 0; i < kOut; ++i)
        for (int j = 0; j < kOut; ++j) {
          bool here = inside || (p.row + i < s.oh && p.col + j < s.ow);
          d[i * kOut + j] = here ? l.load(base + (i * s.ow + j) * dy.pitch + k) : F{};
        }
      mapBoth<kOut, kIn>(d, v, outputGradientMap);
      storeMapped(v, to, t, k, [&](float *at, F value) { l.store(at, value); });
    });
  }
}

// Weights (k, 3, 3, c), rows [first, last) of the matrix. Forward: rows c, columns k, so
// that blocks of both are exchanged first.
void transformWeights(const WinogradShape &s, const float *w, int64_t first, int64_t last,
                      const WinogradMatrix &to) {
  constexpr int kArea = kTaps * kTaps;
  for (int64_t c = first; c < last; c += kLanes)
    for (int64_t k = 0; k < s.k; k += kLanes) {
      int count = int(last - c < kLanes ? last - c : kLanes);
      F taps[kArea][kLanes]; // by tap and channel, lanes over k
      auto fill = [&](auto l) {
        for (int tap = 0; tap < kArea; ++tap) {
          for (int i = 0; i < kLanes; ++i)
            taps[tap][i] = k + i < s.k ? l.load(w + ((k + i) * kArea + tap) * s.c + c) : F{};
          transpose(taps[tap]);
        }
      };
      if (count == kLanes)
        fill(Whole{});
      else
        fill(Rest{count});
      for (int i = 0; i < count; ++i) {
        F g[kArea], v[kIn * kIn];
        for (int tap = 0; tap < kArea; ++tap)
          g[tap] = taps[tap][i];
        mapBoth<kTaps, kIn>(g, v, weightMap);
        storeMapped(v, to, c + i, k, [&](float *at, F value) { Whole().store(at, value); });
      }
    }
}

// For the gradient of the input: rows k, columns c, taps mirrored.
void transformWeightsMirrored(const WinogradShape &s, const float *w, int64_t first, int64_t last,
                              const WinogradMatrix &to) {
  for (int64_t k = first; k < last; ++k)
    forLanes(s.c, [&](int64_t c, auto l) {
      F g[kTaps * kTaps], v[kIn * kIn];
      for (int tap = 0; tap < kTaps * kTaps; ++tap)
        g[tap] = l.load(w + (k * kTaps * kTaps + kTaps * kTaps - 1 - tap) * s.c + c);
      mapBoth<kTaps, kIn>(g, v, weightMap);
      storeMapped(v, to, k, c, [&](float *at, F value) { l.store(at, value); });
    });
}

// Rows k in [first, last) of the sum of `terms` matrices, columns c, to dw (k, 3, 3, c).
void transformWeightGradient(const WinogradShape &s, const WinogradMatrix &from,
                             const float *const *terms, int count, int64_t first, int64_t last,
                             float *dw) {
  for (int64_t k = first; k < last; ++k)
    forLanes(s.c, [&](int64_t c, auto l) {
      int64_t at = c / kPanel * from.panel + k * from.row + c % kPanel;
      F z[kIn * kIn], g[kTaps * kTaps];
      for (int i = 0; i < kIn * kIn; ++i) {
        z[i] = l.load(terms[0] + at + i * from.point);
        for (int term = 1; term < count; ++term)
          z[i] += l.load(terms[term] + at + i * from.point);
      }
      mapBoth<kIn, kTaps>(z, g, weightGradientMap);
      for (int tap = 0; tap < kTaps * kTaps; ++tap)
        l.store(dw + (k * kTaps * kTaps + tap) * s.c + c, g[tap]);
    });
}

} // namespace

void fillWinogradLoops(Loops &loops) {
  loops.winogradInput = transformInput;
  loops.winogradOutput = transformOutput;
  loops.winogradOutputGradient = transformOutputGradient;
  loops.winogradWeights = transformWeights;
  loops.winogradWeightsMirrored = transformWeightsMirrored;
  loops.winogradWeightGradient = transformWeightGradient;
}

} // namespace trk::cpu::TRK_ISA
