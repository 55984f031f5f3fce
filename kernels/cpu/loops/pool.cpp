// SPDX-License-Identifier: Apache-2.0
//
// Pooling loops. Forward walks output pixels; backward gathers: each input pixel
// asks the windows that cover it, so nothing is cleared or written twice.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

// Half-open range of the cells of a window, or of the windows over a cell.
struct Span {
  int64_t begin, end;
};

// Cells k with 0 <= o * stride - pad + k * dilation < extent.
Span insideCells(int64_t o, int64_t stride, int64_t pad, int64_t kernel, int64_t extent,
                 int64_t dilation = 1) {
  int64_t start = o * stride - pad;
  int64_t begin = start < 0 ? -start : 0, inside = extent - start;
  if (dilation > 1) {
    begin = (begin + dilation - 1) / dilation;
    inside = (inside + dilation - 1) / dilation;
  }
  return {begin, inside < kernel ? inside : kernel};
}

// The outputs o with 0 <= i - (o * stride - pad) < kernel, for growing i: no division.
class Covering {
public:
  Covering(int64_t strideOf, int64_t padOf, int64_t kernelOf, int64_t outputsOf)
      : stride(strideOf), pad(padOf), kernel(kernelOf), outputs(outputsOf) {}
  Span at(int64_t i) {
    while (span.end < outputs && span.end * stride - pad <= i)
      ++span.end;
    while (span.begin < span.end && span.begin * stride - pad + kernel <= i)
      ++span.begin;
    return span;
  }

private:
  int64_t stride, pad, kernel, outputs;
  Span span{0, 0};
};

template <typename L> TRK_INLINE void storeIndex(const Pool &p, int64_t e, I index, L l) {
  if (p.indexBytes == 1)
    l.store(static_cast<uint8_t *>(p.index) + e, __builtin_convertvector(index, B));
  else if (p.indexBytes == 4)
    l.store(static_cast<int32_t *>(p.index) + e, index);
}

// The rows of one image: in place, or activated into a ring of as many as a window spans.
class Rows {
public:
  Rows(const Pool &pool, int64_t n)
      : pitch(pool.normalise ? pool.c : pool.in.pitch), p(pool), kept(pool.spanH()),
        image(at(pool.in, n * pool.h * pool.w)) {}
  const float *row(int64_t h) const {
    return p.normalise ? p.ring + h % kept * p.w * p.c : image + h * p.w * pitch;
  }
  // Makes rows before `end` available; the ring keeps the last ones.
  void advance(int64_t end) {
    if (!p.normalise)
      return;
    if (done < end - kept)
      done = end - kept;
    for (; done < end; ++done) {
      NormApply apply;
      apply.x = p.norm;
      apply.x.x = {image + done * p.w * p.in.pitch, p.in.pitch};
      apply.y = {p.ring + done % kept * p.w * p.c, p.c};
      apply.rows = p.w;
      apply.c = p.c;
      apply.act = p.act;
      normApply(apply);
    }
  }

  const int64_t pitch; // of the pixels of a row

private:
  const Pool &p;
  const int64_t kept;
  const float *image;
  int64_t done = 0;
};

void maxPixel(const Pool &p, const Rows &rows, int64_t oh, Span kh, int64_t ow, int64_t out) {
  Span kw = insideCells(ow, p.strideW, p.padW, p.kernelW, p.w, p.dilationW);
  int64_t top = oh * p.strideH - p.padH, left = ow * p.strideW - p.padW, pitch = rows.pitch;
  int64_t step = p.dilationW * pitch;
  forLanes(p.c, [&](int64_t i, auto l) {
    int32_t cell = int32_t(kh.begin * p.kernelW + kw.begin);
    F best = l.load(rows.row(top + kh.begin * p.dilationH) + left * pitch + kw.begin * step + i);
    I index = I{} + cell;
    for (int64_t k = kh.begin; k < kh.end; ++k) {
      const float *row = rows.row(top + k * p.dilationH) + left * pitch + i;
      for (int64_t x = kw.begin; x < kw.end; ++x) {
        F v = l.load(row + x * step);
        I wins = ~(v <= best) & (best == best); // NaN beats numbers, nothing beats NaN
        best = wins ? v : best;
        index = wins ? I{} + int32_t(k * p.kernelW + x) : index;
      }
    }
    l.store(at(p.out, out, i), best);
    storeIndex(p, out * p.c + i, index, l);
  });
}

void maxPool(const Pool &p) {
  for (int64_t n = p.first; n < p.last; ++n) {
    Rows rows(p, n);
    for (int64_t oh = 0; oh < p.oh; ++oh) {
      Span kh = insideCells(oh, p.strideH, p.padH, p.kernelH, p.h, p.dilationH);
      rows.advance(oh * p.strideH - p.padH + (kh.end - 1) * p.dilationH + 1);
      for (int64_t ow = 0; ow < p.ow; ++ow)
        maxPixel(p, rows, oh, kh, ow, (n * p.oh + oh) * p.ow + ow);
    }
  }
}

// Sets each input pixel to the sum of term(output pixel, channel, oh, ow, cell, lanes) over
// the windows that cover it. Without a dilation each window between the first and the last one
// has a cell there.
template <bool Dilated, typename Term> TRK_INLINE void gather(const Pool &p, Term term) {
  const int64_t c = p.c, outW = p.ow;
  const int64_t spanW = p.dilationW * (p.kernelW - 1) + 1;
  for (int64_t n = p.first; n < p.last; ++n) {
    Covering rows(p.strideH, p.padH, p.spanH(), p.oh);
    float *dx = at(p.out, n * p.h * p.w);
    for (int64_t h = 0; h < p.h; ++h) {
      Span oh = rows.at(h);
      Covering columns(p.strideW, p.padW, spanW, outW);
      for (int64_t w = 0; w < p.w; ++w, dx += p.out.pitch) {
        Span ow = columns.at(w);
        int64_t down = h + p.padH, right = w + p.padW;
        forLanes(c, [&](int64_t i, auto l) {
          F sum = {};
          for (int64_t y = oh.begin; y < oh.end; ++y) {
            int64_t row = down - y * p.strideH, line = (n * p.oh + y) * outW;
            if constexpr (Dilated) {
              if (row % p.dilationH != 0)
                continue;
              row /= p.dilationH;
            }
            int64_t first = row * p.kernelW + right;
            for (int64_t x = ow.begin; x < ow.end; ++x) {
              int64_t cell = first - x * p.strideW;
              if constexpr (Dilated) {
                int64_t column = right - x * p.strideW;
                if (column % p.dilationW != 0)
                  continue;
                cell = row * p.kernelW + column / p.dilationW;
              }
              sum += term(line + x, i, y, x, int32_t(cell), l);
            }
          }
          l.store(dx + i, sum);
        });
      }
    }
  }
}

template <bool Dilated, typename Index, typename V> void gatherMax(const Pool &p) {
  const ConstPixels dy = p.in;
  const Index *index = static_cast<const Index *>(p.index);
  gather<Dilated>(p,
                  [=, c = p.c](int64_t pixel, int64_t i, int64_t, int64_t, int32_t cell, auto l) {
                    I won = widen(l.template load<V>(index + pixel * c + i));
                    F gradient = l.load(at(dy, pixel, i));
                    return won == cell ? gradient : F{};
                  });
}

// A copy of the arguments lets the compiler keep them in registers across stores.
void maxPoolBwd(const Pool &args) {
  const Pool p = args;
  const bool dilated = p.dilationH > 1 || p.dilationW > 1;
  if (p.indexBytes == 1)
    dilated ? gatherMax<true, uint8_t, B>(p) : gatherMax<false, uint8_t, B>(p);
  else
    dilated ? gatherMax<true, int32_t, I>(p) : gatherMax<false, int32_t, I>(p);
}

// What the sum over a window is divided by.
float cellCount(const Pool &p, int64_t oh, int64_t ow) {
  if (p.countPad) { // no window begins before the pad
    Span kh = insideCells(oh, p.strideH, 0, p.kernelH, p.h + p.padH + p.endH);
    Span kw = insideCells(ow, p.strideW, 0, p.kernelW, p.w + p.padW + p.endW);
    return float(kh.end * kw.end);
  }
  Span kh = insideCells(oh, p.strideH, p.padH, p.kernelH, p.h);
  Span kw = insideCells(ow, p.strideW, p.padW, p.kernelW, p.w);
  return float((kh.end - kh.begin) * (kw.end - kw.begin));
}

void avgPoolBwd(const Pool &args) {
  const Pool p = args;
  const ConstPixels dy = p.in;
  gather<false>(p, [&](int64_t pixel, int64_t i, int64_t oh, int64_t ow, int32_t, auto l) {
    return l.load(at(dy, pixel, i)) / cellCount(p, oh, ow);
  });
}

void avgPixel(const Pool &p, int64_t n, int64_t oh, int64_t ow) {
  Span kh = insideCells(oh, p.strideH, p.padH, p.kernelH, p.h);
  Span kw = insideCells(ow, p.strideW, p.padW, p.kernelW, p.w);
  int64_t top = oh * p.strideH - p.padH, left = ow * p.strideW - p.padW;
  float *y = at(p.out, (n * p.oh + oh) * p.ow + ow);
  float cells = cellCount(p, oh, ow);
  forLanes(p.c, [&](int64_t i, auto l) {
    F sum = {};
    for (int64_t k = kh.begin; k < kh.end; ++k)
      for (int64_t x = kw.begin; x < kw.end; ++x)
        sum += l.load(at(p.in, (n * p.h + top + k) * p.w + left + x, i));
    l.store(y + i, sum / cells);
  });
}

void avgPool(const Pool &p) {
  for (int64_t n = p.first; n < p.last; ++n)
    for (int64_t oh = 0; oh < p.oh; ++oh)
      for (int64_t ow = 0; ow < p.ow; ++ow)
        avgPixel(p, n, oh, ow);
}

// Along h and w: sums of inputs with weights.
void resample(const Resample &args) {
  const Resample a = args;
  for (int64_t r = a.first; r < a.last; ++r) {
    const int64_t n = r / a.oh;
    const Tap rows = a.rows[r % a.oh];
    for (int64_t ow = 0; ow < a.ow; ++ow) {
      const Tap columns = a.columns[ow];
      float *y = at(a.out, r * a.ow + ow);
      const int64_t corner = (n * a.h + rows.first) * a.w + columns.first;
      forLanes(a.c, [&](int64_t i, auto l) {
        F sum = {};
        for (int64_t k = 0; k < rows.count; ++k) {
          const float *x = at(a.in, corner + k * a.w, i);
          F row = {};
          for (int64_t j = 0; j < columns.count; ++j)
            row += l.load(x + j * a.in.pitch) * columns.weights[j];
          sum += row * rows.weights[k];
        }
        l.store(y + i, sum);
      });
    }
  }
}

void columnMaxima(ConstPixels x, int64_t rows, int64_t c, float *maxima, int32_t *index) {
  forLanes(c, [&](int64_t i, auto l) {
    F best = l.load(at(x, 0, i));
    I place = {};
    for (int64_t r = 1; r < rows; ++r) {
      F v = l.load(at(x, r, i));
      I wins = ~(v <= best) & (best == best); // NaN beats numbers, nothing beats NaN
      best = wins ? v : best;
      place = wins ? I{} + int32_t(r) : place;
    }
    l.store(maxima + i, best);
    if (index)
      l.store(index + i, place);
  });
}

void scatterRows(const float *value, const int32_t *index, Pixels y, int64_t rows, int64_t c) {
  for (int64_t r = 0; r < rows; ++r) {
    float *to = at(y, r);
    forLanes(c, [&](int64_t i, auto l) {
      I chosen = l.template load<I>(index + i);
      l.store(to + i, chosen == int32_t(r) ? l.load(value + i) : F{});
    });
  }
}

} // namespace

void fillPoolLoops(Loops &loops) {
  loops.maxPool = maxPool;
  loops.maxPoolBwd = maxPoolBwd;
  loops.avgPool = avgPool;
  loops.avgPoolBwd = avgPoolBwd;
  loops.resample = resample;
  loops.columnMaxima = columnMaxima;
  loops.scatterRows = scatterRows;
}

} // namespace trk::cpu::TRK_ISA
