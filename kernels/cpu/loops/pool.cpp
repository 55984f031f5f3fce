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

// Cells k with 0 <= o * stride - pad + k < extent.
Span insideCells(int64_t o, int64_t stride, int64_t pad, int64_t kernel, int64_t extent) {
  int64_t start = o * stride - pad;
  int64_t begin = start < 0 ? -start : 0;
  int64_t end = extent - start < kernel ? extent - start : kernel;
  return {begin, end};
}

// Outputs o with 0 <= i - (o * stride - pad) < kernel.
Span coveringOutputs(int64_t i, int64_t stride, int64_t pad, int64_t kernel, int64_t outputs) {
  int64_t reach = i + pad;
  int64_t begin = reach < kernel ? 0 : (reach - kernel) / stride + 1;
  int64_t end = reach / stride + 1;
  return {begin, end < outputs ? end : outputs};
}

template <typename L> TRK_INLINE void storeIndex(const Pool &p, int64_t e, I index, L l) {
  if (p.index_bytes == 1)
    l.store(static_cast<uint8_t *>(p.index) + e, __builtin_convertvector(index, B));
  else if (p.index_bytes == 4)
    l.store(static_cast<int32_t *>(p.index) + e, index);
}

template <typename L> TRK_INLINE I loadIndex(const Pool &p, int64_t e, L l) {
  if (p.index_bytes == 1)
    return __builtin_convertvector(l.template load<B>(static_cast<uint8_t *>(p.index) + e), I);
  return l.template load<I>(static_cast<int32_t *>(p.index) + e);
}

// The rows of one image: in place, or activated into a ring of kernel_h rows.
class Rows {
public:
  Rows(const Pool &pool, int64_t n) : p(pool), image(pool.in + n * pool.h * pool.w * pool.c) {}
  const float *row(int64_t h) const {
    return p.normalise ? p.ring + h % p.kernel_h * p.w * p.c : image + h * p.w * p.c;
  }
  // Makes rows before `end` available; the ring keeps the last kernel_h of them.
  void advance(int64_t end) {
    if (!p.normalise)
      return;
    if (done < end - p.kernel_h)
      done = end - p.kernel_h;
    for (; done < end; ++done) {
      NormApply apply;
      apply.x = p.norm;
      apply.x.x = image + done * p.w * p.c;
      apply.y = p.ring + done % p.kernel_h * p.w * p.c;
      apply.rows = p.w;
      apply.c = p.c;
      apply.act = p.act;
      normApply(apply);
    }
  }

private:
  const Pool &p;
  const float *image;
  int64_t done = 0;
};

void maxPixel(const Pool &p, const Rows &rows, int64_t oh, Span kh, int64_t ow, int64_t out) {
  Span kw = insideCells(ow, p.stride_w, p.pad_w, p.kernel_w, p.w);
  int64_t top = oh * p.stride_h - p.pad_h, left = ow * p.stride_w - p.pad_w;
  forLanes(p.c, [&](int64_t i, auto l) {
    int32_t cell = int32_t(kh.begin * p.kernel_w + kw.begin);
    F best = l.load(rows.row(top + kh.begin) + (left + kw.begin) * p.c + i);
    I index = I{} + cell;
    for (int64_t k = kh.begin; k < kh.end; ++k) {
      const float *row = rows.row(top + k) + left * p.c + i;
      for (int64_t x = kw.begin; x < kw.end; ++x) {
        F v = l.load(row + x * p.c);
        I wins = ~(v <= best) & (best == best); // NaN beats numbers, nothing beats NaN
        best = wins ? v : best;
        index = wins ? I{} + int32_t(k * p.kernel_w + x) : index;
      }
    }
    l.store(p.out + out * p.c + i, best);
    storeIndex(p, out * p.c + i, index, l);
  });
}

void maxPool(const Pool &p) {
  for (int64_t n = p.first; n < p.last; ++n) {
    Rows rows(p, n);
    for (int64_t oh = 0; oh < p.oh; ++oh) {
      Span kh = insideCells(oh, p.stride_h, p.pad_h, p.kernel_h, p.h);
      rows.advance(oh * p.stride_h - p.pad_h + kh.end);
      for (int64_t ow = 0; ow < p.ow; ++ow)
        maxPixel(p, rows, oh, kh, ow, (n * p.oh + oh) * p.ow + ow);
    }
  }
}

// Calls body(output pixel, cell) for each window over input cell (h, w) of image n.
template <typename Body>
TRK_INLINE void forWindowsOver(const Pool &p, int64_t n, Span oh, int64_t h, int64_t w, Body body) {
  Span ow = coveringOutputs(w, p.stride_w, p.pad_w, p.kernel_w, p.ow);
  for (int64_t y = oh.begin; y < oh.end; ++y)
    for (int64_t x = ow.begin; x < ow.end; ++x) {
      int64_t kh = h + p.pad_h - y * p.stride_h, kw = w + p.pad_w - x * p.stride_w;
      body((n * p.oh + y) * p.ow + x, y, x, int32_t(kh * p.kernel_w + kw));
    }
}

// Sets each input pixel to the sum of term(output position, oh, ow, cell, lanes).
template <typename Term> TRK_INLINE void gather(const Pool &p, Term term) {
  for (int64_t n = p.first; n < p.last; ++n)
    for (int64_t h = 0; h < p.h; ++h) {
      Span oh = coveringOutputs(h, p.stride_h, p.pad_h, p.kernel_h, p.oh);
      for (int64_t w = 0; w < p.w; ++w) {
        float *dx = p.out + ((n * p.h + h) * p.w + w) * p.c;
        forLanes(p.c, [&](int64_t i, auto l) {
          F sum = {};
          forWindowsOver(p, n, oh, h, w, [&](int64_t out, int64_t y, int64_t x, int32_t cell) {
            sum += term(out * p.c + i, y, x, cell, l);
          });
          l.store(dx + i, sum);
        });
      }
    }
}

void maxPoolBwd(const Pool &p) {
  gather(p, [&](int64_t e, int64_t, int64_t, int32_t cell, auto l) {
    F dy = l.load(p.in + e);
    return loadIndex(p, e, l) == cell ? dy : F{};
  });
}

float cellCount(const Pool &p, int64_t oh, int64_t ow) {
  Span kh = insideCells(oh, p.stride_h, p.pad_h, p.kernel_h, p.h);
  Span kw = insideCells(ow, p.stride_w, p.pad_w, p.kernel_w, p.w);
  return float((kh.end - kh.begin) * (kw.end - kw.begin));
}

void avgPoolBwd(const Pool &p) {
  gather(p, [&](int64_t e, int64_t oh, int64_t ow, int32_t, auto l) {
    return l.load(p.in + e) / cellCount(p, oh, ow);
  });
}

void avgPixel(const Pool &p, int64_t n, int64_t oh, int64_t ow) {
  Span kh = insideCells(oh, p.stride_h, p.pad_h, p.kernel_h, p.h);
  Span kw = insideCells(ow, p.stride_w, p.pad_w, p.kernel_w, p.w);
  int64_t top = oh * p.stride_h - p.pad_h, left = ow * p.stride_w - p.pad_w;
  float *y = p.out + ((n * p.oh + oh) * p.ow + ow) * p.c;
  float cells = cellCount(p, oh, ow);
  forLanes(p.c, [&](int64_t i, auto l) {
    F sum = {};
    for (int64_t k = kh.begin; k < kh.end; ++k)
      for (int64_t x = kw.begin; x < kw.end; ++x)
        sum += l.load(p.in + ((n * p.h + top + k) * p.w + left + x) * p.c + i);
    l.store(y + i, sum / cells);
  });
}

void avgPool(const Pool &p) {
  for (int64_t n = p.first; n < p.last; ++n)
    for (int64_t oh = 0; oh < p.oh; ++oh)
      for (int64_t ow = 0; ow < p.ow; ++ow)
        avgPixel(p, n, oh, ow);
}

} // namespace

void fillPoolLoops(Loops &loops) {
  loops.max_pool = maxPool;
  loops.max_pool_bwd = maxPoolBwd;
  loops.avg_pool = avgPool;
  loops.avg_pool_bwd = avgPoolBwd;
}

} // namespace trk::cpu::TRK_ISA
