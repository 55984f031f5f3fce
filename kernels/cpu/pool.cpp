// SPDX-License-Identifier: Apache-2.0
//
// Max, average and global pooling, both directions, and max pooling of a normalised input.
// Work is split by images.
#include "common/requirements.h"
#include "cpu/bn.h"

namespace trk::cpu {
namespace {

// `wide` is the pooled input or its gradient, `narrow` the output.
Pool poolArgs(const Window &w, const Tensor &wide, const Tensor &narrow) {
  Pool p;
  p.h = wide.h();
  p.w = wide.w();
  p.c = wide.c();
  p.oh = narrow.h();
  p.ow = narrow.w();
  p.kernelH = w.kernelH;
  p.kernelW = w.kernelW;
  p.strideH = w.strideH;
  p.strideW = w.strideW;
  p.padH = w.padH;
  p.padW = w.padW;
  p.dilationH = w.dilationH;
  p.dilationW = w.dilationW;
  p.endH = w.padH + w.moreH;
  p.endW = w.padW + w.moreW;
  p.countPad = w.countPad;
  return p;
}

void setIndex(Pool &p, const Tensor &index) {
  p.index = index.data;
  p.indexBytes = index ? int(trf::bytesOf(index.dtype)) : 0;
}

void runPool(const Call &call, void (*loop)(const Pool &), const Pool &args, const Tensor &wide,
             float *rings = nullptr) {
  int count = imageParts(call, wide);
  forParts(call, count, [&](int i) {
    Pool mine = args;
    Range images = part(wide.n(), count, i);
    mine.first = images.begin;
    mine.last = images.end;
    mine.ring = rings ? rings + i * args.spanH() * args.w * args.c : nullptr;
    loop(mine);
  });
}

void maxPoolFwd(const Call &call) {
  namespace op = ops::maxpool_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  Pool p = poolArgs(poolWindow(call.attrs<op::Attrs>()), x, y);
  p.in = constPixelsOf(x);
  p.out = pixelsOf(y);
  setIndex(p, call[op::index]);
  runPool(call, loops().maxPool, p, x);
}

void maxPoolBwd(const Call &call) {
  namespace op = ops::maxpool_bwd;
  const Tensor &dy = call[op::dy], &dx = call[op::dx];
  Pool p = poolArgs(poolWindow(call.attrs<op::Attrs>()), dx, dy);
  p.in = constPixelsOf(dy);
  p.out = pixelsOf(dx);
  setIndex(p, call[op::index]);
  runPool(call, loops().maxPoolBwd, p, dx);
}

void avgPoolFwd(const Call &call) {
  namespace op = ops::avgpool_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  Pool p = poolArgs(poolWindow(call.attrs<op::Attrs>()), x, y);
  p.in = constPixelsOf(x);
  p.out = pixelsOf(y);
  runPool(call, loops().avgPool, p, x);
}

void avgPoolBwd(const Call &call) {
  namespace op = ops::avgpool_bwd;
  const Tensor &dy = call[op::dy], &dx = call[op::dx];
  Pool p = poolArgs(poolWindow(call.attrs<op::Attrs>()), dx, dy);
  p.in = constPixelsOf(dy);
  p.out = pixelsOf(dx);
  runPool(call, loops().avgPoolBwd, p, dx);
}

// A max pooling whose input is normalised and activated on the way.
struct NormPool {
  const Tensor &x, &y;
  Window window;
  Act act;

  float *takeRings(const Call &call, Carver &carver) const {
    return carver.take<float>(imageParts(call, x) * window.spanH() * x.w() * x.c());
  }
  int64_t scratchBytes(const Call &call) const {
    Carver carver(nullptr);
    takeRings(call, carver);
    return carver.bytes() + termScratch(x.c(), 1);
  }
  void run(const Call &call, const NormTerm &term, float *rings, const Tensor &index) const {
    Pool p = poolArgs(window, x, y);
    p.in = constPixelsOf(x);
    p.out = pixelsOf(y);
    setIndex(p, index);
    p.normalise = true;
    p.norm = term;
    p.act = act;
    runPool(call, loops().maxPool, p, x, rings);
  }
};

NormPool bnApplyPoolOf(const Call &call) {
  namespace op = ops::bn_apply_pool;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  return {call[op::x], call[op::y], poolWindow(attrs), attrs.act};
}

int64_t bnApplyPoolScratch(const Call &call) { return bnApplyPoolOf(call).scratchBytes(call); }

void bnApplyPool(const Call &call) {
  namespace op = ops::bn_apply_pool;
  const NormPool pool = bnApplyPoolOf(call);
  Carver carver(call.scratch);
  float *rings = pool.takeRings(call, carver);
  const NormTerm term = batchTerm(
      {pool.x, call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  pool.run(call, term, rings, call[op::index]);
}

NormPool bnInfPoolOf(const Call &call) {
  namespace op = ops::bn_inf_pool;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  return {call[op::x], call[op::y], poolWindow(attrs), attrs.act};
}

int64_t bnInfPoolScratch(const Call &call) { return bnInfPoolOf(call).scratchBytes(call); }

void bnInfPool(const Call &call) {
  namespace op = ops::bn_inf_pool;
  const NormPool pool = bnInfPoolOf(call);
  Carver carver(call.scratch);
  float *rings = pool.takeRings(call, carver);
  const NormTerm term = foldedTerm(pool.x, call[op::scale], call[op::bias], carver);
  pool.run(call, term, rings, Tensor());
}

int64_t gapScratch(const Call &call) {
  const Tensor &x = call[ops::gap_fwd::x];
  Carver carver(nullptr);
  SumScratch(carver, imageParts(call, x), x.c());
  return carver.bytes();
}

void gapFwd(const Call &call) {
  namespace op = ops::gap_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  int64_t c = x.c(), pixels = x.h() * x.w();
  int count = imageParts(call, x);
  Carver carver(call.scratch);
  SumScratch s(carver, count, c);
  forParts(call, count, [&](int i) {
    double *sums = s.sums + i * c;
    Range images = part(x.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      loops().columnSums(constPixelsOf(x, n * pixels), pixels, c, sums, s.work + i * c);
      for (int64_t k = 0; k < c; ++k)
        y.f32()[n * c + k] = float(sums[k] / double(pixels));
    }
  });
}

int64_t gapBwdScratch(const Call &call) {
  const Tensor &dx = call[ops::gap_bwd::dx];
  return imageParts(call, dx) * termScratch(dx.c(), 1);
}

void gapBwd(const Call &call) {
  namespace op = ops::gap_bwd;
  const Tensor &dy = call[op::dy], &dx = call[op::dx];
  int64_t c = dx.c(), pixels = dx.h() * dx.w();
  int count = imageParts(call, dx);
  forParts(call, count, [&](int i) {
    float *value = static_cast<float *>(call.scratch) + i * (termScratch(c, 1) / 4);
    Range images = part(dx.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      for (int64_t k = 0; k < c; ++k)
        value[k] = dy.f32()[n * c + k] / float(pixels);
      loops().broadcast(value, pixelsOf(dx, n * pixels), pixels, c);
    }
  });
}

// Of all pixels of an image, for which one window stands.
void globalMaxFwd(const Call &call) {
  namespace op = ops::global_maxpool_fwd;
  const Tensor &x = call[op::x], &y = call[op::y], &index = call[op::index];
  const int64_t pixels = x.h() * x.w(), c = x.c();
  const int count = imageParts(call, x);
  forParts(call, count, [&](int i) {
    const Range images = part(x.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n)
      loops().columnMaxima(constPixelsOf(x, n * pixels), pixels, c, y.f32() + n * c,
                           index ? index.i32() + n * c : nullptr);
  });
}

void globalMaxBwd(const Call &call) {
  namespace op = ops::global_maxpool_bwd;
  const Tensor &dy = call[op::dy], &index = call[op::index], &dx = call[op::dx];
  const int64_t pixels = dx.h() * dx.w(), c = dx.c();
  const int count = imageParts(call, dx);
  forParts(call, count, [&](int i) {
    const Range images = part(dx.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n)
      loops().scatterRows(dy.f32() + n * c, index.i32() + n * c, pixelsOf(dx, n * pixels), pixels,
                          c);
  });
}

} // namespace

void addPoolKernels(const Registrar &kernels) {
  kernels.add(Opcode::maxpool_fwd,
              pooling<ops::maxpool_fwd::Attrs, ops::maxpool_fwd::x>(maxPoolFwd));
  kernels.add(Opcode::maxpool_bwd,
              pooling<ops::maxpool_bwd::Attrs, ops::maxpool_bwd::dx>(maxPoolBwd));
  kernels.add(Opcode::avgpool_fwd,
              pooling<ops::avgpool_fwd::Attrs, ops::avgpool_fwd::x>(avgPoolFwd));
  kernels.add(Opcode::avgpool_bwd,
              pooling<ops::avgpool_bwd::Attrs, ops::avgpool_bwd::dx>(avgPoolBwd));
  kernels.add(Opcode::bn_apply_pool, pooling<ops::bn_apply_pool::Attrs, ops::bn_apply_pool::x>(
                                         bnApplyPool, bnApplyPoolScratch));
  kernels.add(Opcode::bn_inf_pool,
              pooling<ops::bn_inf_pool::Attrs, ops::bn_inf_pool::x>(bnInfPool, bnInfPoolScratch));
  kernels.add(Opcode::global_maxpool_fwd, globalMaxFwd);
  kernels.add(Opcode::global_maxpool_bwd, globalMaxBwd);
  kernels.add(Opcode::gap_fwd, {gapScratch, nullptr, gapFwd});
  kernels.add(Opcode::gap_bwd, {gapBwdScratch, nullptr, gapBwd});
}

} // namespace trk::cpu
