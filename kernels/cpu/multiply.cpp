// SPDX-License-Identifier: Apache-2.0
//
// Products of two operands, each a map or one pixel a sample that is spread over the map, and
// their gradients.
#include "cpu/cpu.h"

namespace trk::cpu {
namespace {

bool isSpread(const Tensor &t, const Tensor &map) { return t.pixels() != map.pixels(); }

// What an operand has for the pixels of the map from `pixel` on, which are of this sample: where
// it is spread, the same row for all.
ConstPixels pixelsFor(const Tensor &t, const Tensor &map, int64_t sample, int64_t pixel) {
  if (isSpread(t, map))
    return {constPixelsOf(t, sample).data, 0};
  return constPixelsOf(t, pixel);
}

// body(sample, pixels) for a range of pixels, of which each sample has so many.
template <typename Body> void forSamples(Range pixels, int64_t ofSample, Body body) {
  for (int64_t first = pixels.begin, end; first < pixels.end; first = end) {
    const int64_t sample = first / ofSample;
    end = std::min(pixels.end, (sample + 1) * ofSample);
    body(sample, Range{first, end});
  }
}

void multiplySpread(const Call &call, const Tensor &a, const Tensor &b, const Tensor &y) {
  const RowParts parts(call, y);
  forParts(call, parts.count, [&](int i) {
    forSamples(parts.range(i), y.h() * y.w(), [&](int64_t sample, Range pixels) {
      loops().mul(pixelsFor(a, y, sample, pixels.begin), pixelsFor(b, y, sample, pixels.begin),
                  pixelsOf(y, pixels.begin), pixels.size(), y.c());
    });
  });
}

void multiply(const Call &call, const Tensor &a, const Tensor &b, const Tensor &y) {
  if (isSpread(a, y) || isSpread(b, y))
    return multiplySpread(call, a, b, y);
  forElements(call, {&y, &a, &b}, [&](const Block &block) {
    loops().mul(constPixelsOf(a, block), constPixelsOf(b, block), pixelsOf(y, block), block.rows,
                block.count);
  });
}

void mulFwd(const Call &call) {
  namespace op = ops::mul_fwd;
  multiply(call, call[op::a], call[op::b], call[op::y]);
}

struct Factor {
  const Tensor &value, &gradient; // the latter may be absent
};

void mapGradients(const Call &call, const Tensor &dy, const Factor &a, const Factor &b) {
  const Tensor &da = a.gradient, &db = b.gradient;
  if (!da || !db) {
    if (da)
      multiply(call, dy, b.value, da);
    if (db)
      multiply(call, dy, a.value, db);
    return;
  }
  forElements(call, {&dy, &a.value, &b.value, &da, &db}, [&](const Block &block) {
    loops().mulBwd(constPixelsOf(dy, block), constPixelsOf(a.value, block),
                   constPixelsOf(b.value, block), pixelsOf(da, block), pixelsOf(db, block),
                   block.rows, block.count);
  });
}

// The gradient of a factor that is spread and, in the same pass, that of the map where wanted. A
// sample is summed by one thread.
void spreadGradient(const Call &call, const Tensor &dy, const Factor &spread, const Tensor &map,
                    const Tensor &dmap) {
  const int64_t pixels = dy.h() * dy.w(), c = dy.c();
  const int count = imageParts(call, dy);
  Carver carver(call.scratch);
  const SumScratch s(carver, count, c);
  forParts(call, count, [&](int i) {
    double *sums = s.sums + i * c;
    const Range samples = part(dy.n(), count, i);
    for (int64_t n = samples.begin; n < samples.end; ++n) {
      SpreadGradient args;
      args.dy = constPixelsOf(dy, n * pixels);
      args.map = pixelsFor(map, dy, n, n * pixels);
      args.values = constPixelsOf(spread.value, n).data;
      args.dmap = dmap ? pixelsOf(dmap, n * pixels) : Pixels();
      args.sums = sums;
      args.work = s.work + i * c;
      args.rows = pixels;
      args.c = c;
      loops().spreadGradient(args);
      std::copy_n(sums, c, pixelsOf(spread.gradient, n).data);
    }
  });
}

void mulBwd(const Call &call) {
  namespace op = ops::mul_bwd;
  const Tensor &dy = call[op::dy];
  const Factor a{call[op::a], call[op::da]}, b{call[op::b], call[op::db]};
  const bool aSpread = isSpread(a.value, dy), bSpread = isSpread(b.value, dy);
  if (!aSpread && !bSpread)
    return mapGradients(call, dy, a, b);
  if (aSpread && bSpread) {
    if (a.gradient)
      spreadGradient(call, dy, a, b.value, Tensor());
    if (b.gradient)
      spreadGradient(call, dy, b, a.value, Tensor());
    return;
  }
  const Factor &spread = aSpread ? a : b, &map = aSpread ? b : a;
  if (spread.gradient)
    spreadGradient(call, dy, spread, map.value, map.gradient);
  else if (map.gradient)
    multiply(call, dy, spread.value, map.gradient);
}

int64_t mulBwdScratch(const Call &call) {
  const Tensor &dy = call[ops::mul_bwd::dy];
  Carver carver(nullptr);
  SumScratch(carver, imageParts(call, dy), dy.c());
  return carver.bytes();
}

} // namespace

void addMultiplyKernels(const Registrar &kernels) {
  kernels.add(Opcode::mul_fwd, mulFwd);
  kernels.add(Opcode::mul_bwd, {mulBwdScratch, nullptr, mulBwd});
}

} // namespace trk::cpu
