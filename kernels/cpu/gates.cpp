// SPDX-License-Identifier: Apache-2.0
//
// Maps that are multiplied by a gate made of their own mean: forward takes the mean while the map
// is in the cache, backward adds the gradient of the mean to that of the product.
#include "cpu/bn.h"

namespace trk::cpu {
namespace {

// Pixels whose values stay in the first-level cache between two passes.
int64_t chunkPixels(int64_t c) { return std::max<int64_t>(4, 4096 / c / 4 * 4); }

struct GapScratch {
  double *sums, *chunk;
  float *work;
  GapScratch(Carver &carver, int64_t c)
      : sums(carver.take<double>(c)), chunk(carver.take<double>(c)), work(carver.take<float>(c)) {}
};

int64_t gapScratch(int64_t c) {
  Carver carver(nullptr);
  GapScratch(carver, c);
  return carver.bytes();
}

int64_t bnApplyGapScratch(const Call &call) {
  const Tensor &x = call[ops::bn_apply_gap::x];
  return termScratch(x.c(), 1) + imageParts(call, x) * gapScratch(x.c());
}

void applySample(const NormApply &whole, int64_t pixels, const GapScratch &s, float *average) {
  const int64_t c = whole.c, step = chunkPixels(c);
  std::fill_n(s.sums, c, 0.0);
  for (int64_t first = 0; first < pixels; first += step) {
    NormApply args = whole;
    args.x.x = skip(whole.x.x, first);
    args.y = skip(whole.y, first);
    args.rows = std::min(step, pixels - first);
    loops().normApply(args);
    loops().columnSums(constPixelsOf(args.y), args.rows, c, s.chunk, s.work);
    for (int64_t k = 0; k < c; ++k)
      s.sums[k] += s.chunk[k];
  }
  for (int64_t k = 0; k < c; ++k)
    average[k] = float(s.sums[k] / double(pixels));
}

void bnApplyGap(const Call &call) {
  namespace op = ops::bn_apply_gap;
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t c = x.c(), pixels = x.h() * x.w();
  Carver carver(call.scratch);
  NormApply all;
  all.act = call.attrs<op::Attrs>().act;
  all.x =
      batchTerm({x, call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  all.c = c;
  char *base = static_cast<char *>(call.scratch) + termScratch(c, 1);
  const int count = imageParts(call, x);
  forParts(call, count, [&](int i) {
    Carver own(base + i * gapScratch(c));
    const GapScratch s(own, c);
    const Range images = part(x.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      NormApply args = all;
      args.x.x = constPixelsOf(x, n * pixels);
      args.y = pixelsOf(y, n * pixels);
      applySample(args, pixels, s, call[op::average].f32() + n * c);
    }
  });
}

int64_t gateBwdScratch(const Call &call) {
  const Tensor &dy = call[ops::gate_bwd::dy];
  return imageParts(call, dy) * termScratch(dy.c(), 1);
}

// dy * gate + share of the mean's gradient, as the normalisation of a mean of 0.
void gateBwd(const Call &call) {
  namespace op = ops::gate_bwd;
  const Tensor &dy = call[op::dy], &gate = call[op::gate], &dx = call[op::dx];
  const int64_t c = dy.c(), pixels = dy.h() * dy.w();
  const int count = imageParts(call, dy);
  forParts(call, count, [&](int i) {
    Carver own(static_cast<char *>(call.scratch) + i * termScratch(c, 1));
    float *zeros = own.take<float>(c), *shares = own.take<float>(c);
    std::fill_n(zeros, c, 0.0f);
    const Range images = part(dy.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      for (int64_t k = 0; k < c; ++k)
        shares[k] = call[op::daverage].f32()[n * c + k] / float(pixels);
      NormApply args;
      args.x = {constPixelsOf(dy, n * pixels), zeros, constPixelsOf(gate, n).data, shares};
      args.y = pixelsOf(dx, n * pixels);
      args.rows = pixels;
      args.c = c;
      loops().normApply(args);
    }
  });
}

} // namespace

void addGateKernels(const Registrar &kernels) {
  kernels.add(Opcode::bn_apply_gap, {bnApplyGapScratch, nullptr, bnApplyGap});
  kernels.add(Opcode::gate_bwd, {gateBwdScratch, nullptr, gateBwd});
}

} // namespace trk::cpu
