// SPDX-License-Identifier: Apache-2.0
//
// Max, average and global pooling, both directions, and max pooling fused behind a
// normalisation. Work is split by images.
#include "cpu/bn.h"

namespace trk::cpu {
namespace {

// With pad < kernel every window holds a cell of the input.
std::string checkPads(const PoolAttrs &a) {
  if (a.pad_h < a.kernel_h && a.pad_w < a.kernel_w)
    return std::string();
  return "expected a pad smaller than the kernel, but got pad " + std::to_string(a.pad_h) + "x" +
         std::to_string(a.pad_w) + " for kernel " + std::to_string(a.kernel_h) + "x" +
         std::to_string(a.kernel_w);
}
std::string preparePool(const Call &call, void **) { return checkPads(poolAttrs(call)); }
std::string prepareActPool(const Call &call, void **) { return checkPads(poolAttrs(call, 1)); }

// `wide` is the pooled input or its gradient, `narrow` the output.
Pool poolArgs(const PoolAttrs &a, const Tensor &wide, const Tensor &narrow) {
  Pool p;
  p.h = wide.h();
  p.w = wide.w();
  p.c = wide.c();
  p.oh = narrow.h();
  p.ow = narrow.w();
  p.kernel_h = a.kernel_h;
  p.kernel_w = a.kernel_w;
  p.stride_h = a.stride_h;
  p.stride_w = a.stride_w;
  p.pad_h = a.pad_h;
  p.pad_w = a.pad_w;
  return p;
}

void setIndex(Pool &p, const Tensor &index) {
  p.index = index.data;
  p.index_bytes = index ? int(dtypeBytes(index.dtype)) : 0;
}

int imageParts(const Call &call, const Tensor &wide) {
  return partCount(call, wide.n(), wide.h() * wide.w() * wide.c());
}

void runPool(const Call &call, void (*loop)(const Pool &), const Pool &args, const Tensor &wide,
             float *rings = nullptr) {
  int count = imageParts(call, wide);
  forParts(call, count, [&](int i) {
    Pool mine = args;
    Range images = part(wide.n(), count, i);
    mine.first = images.begin;
    mine.last = images.end;
    mine.ring = rings ? rings + i * args.kernel_h * args.w * args.c : nullptr;
    loop(mine);
  });
}

void maxPoolFwd(const Call &call) {
  const Tensor &x = call.operand(0), &y = call.operand(1);
  Pool p = poolArgs(poolAttrs(call), x, y);
  p.in = x.f32();
  p.out = y.f32();
  setIndex(p, call.operand(2));
  runPool(call, loops().max_pool, p, x);
}

void maxPoolBwd(const Call &call) {
  const Tensor &dy = call.operand(0), &dx = call.operand(2);
  Pool p = poolArgs(poolAttrs(call), dx, dy);
  p.in = dy.f32();
  p.out = dx.f32();
  setIndex(p, call.operand(1));
  runPool(call, loops().max_pool_bwd, p, dx);
}

void avgPoolFwd(const Call &call) {
  const Tensor &x = call.operand(0), &y = call.operand(1);
  Pool p = poolArgs(poolAttrs(call), x, y);
  p.in = x.f32();
  p.out = y.f32();
  runPool(call, loops().avg_pool, p, x);
}

void avgPoolBwd(const Call &call) {
  const Tensor &dy = call.operand(0), &dx = call.operand(1);
  Pool p = poolArgs(poolAttrs(call), dx, dy);
  p.in = dy.f32();
  p.out = dx.f32();
  runPool(call, loops().avg_pool_bwd, p, dx);
}

float *takeRings(const Call &call, Carver &carver) {
  const Tensor &x = call.operand(0);
  return carver.take<float>(imageParts(call, x) * poolAttrs(call, 1).kernel_h * x.w() * x.c());
}

int64_t actPoolScratch(const Call &call) {
  Carver carver(nullptr);
  takeRings(call, carver);
  return carver.bytes() + termScratch(call.operand(0).c(), 1);
}

void runActPool(const Call &call, const NormTerm &term, float *rings, const Tensor &y,
                const Tensor &index) {
  const Tensor &x = call.operand(0);
  Pool p = poolArgs(poolAttrs(call, 1), x, y);
  p.in = x.f32();
  p.out = y.f32();
  setIndex(p, index);
  p.normalise = true;
  p.norm = term;
  p.act = activationAttr(call);
  runPool(call, loops().max_pool, p, x, rings);
}

void bnApplyPool(const Call &call) {
  Carver carver(call.scratch);
  float *rings = takeRings(call, carver);
  runActPool(call, batchTerm(call, 0, carver), rings, call.operand(5), call.operand(6));
}

void bnInfPool(const Call &call) {
  Carver carver(call.scratch);
  float *rings = takeRings(call, carver);
  runActPool(call, foldedTerm(call, 0, carver), rings, call.operand(3), Tensor());
}

struct GapScratch {
  double *sums;
  float *work;
  GapScratch(Carver &carver, int parts, int64_t c)
      : sums(carver.take<double>(parts * c)), work(carver.take<float>(parts * c)) {}
};

int64_t gapScratch(const Call &call) {
  Carver carver(nullptr);
  GapScratch(carver, imageParts(call, call.operand(0)), call.operand(0).c());
  return carver.bytes();
}

void gapFwd(const Call &call) {
  const Tensor &x = call.operand(0), &y = call.operand(1);
  int64_t c = x.c(), pixels = x.h() * x.w();
  int count = imageParts(call, x);
  Carver carver(call.scratch);
  GapScratch s(carver, count, c);
  forParts(call, count, [&](int i) {
    double *sums = s.sums + i * c;
    Range images = part(x.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      loops().column_sums(x.f32() + n * pixels * c, pixels, c, c, sums, s.work + i * c);
      for (int64_t k = 0; k < c; ++k)
        y.f32()[n * c + k] = float(sums[k] / double(pixels));
    }
  });
}

int64_t gapBwdScratch(const Call &call) {
  const Tensor &dx = call.operand(1);
  return imageParts(call, dx) * termScratch(dx.c(), 1);
}

void gapBwd(const Call &call) {
  const Tensor &dy = call.operand(0), &dx = call.operand(1);
  int64_t c = dx.c(), pixels = dx.h() * dx.w();
  int count = imageParts(call, dx);
  forParts(call, count, [&](int i) {
    float *value = static_cast<float *>(call.scratch) + i * (termScratch(c, 1) / 4);
    Range images = part(dx.n(), count, i);
    for (int64_t n = images.begin; n < images.end; ++n) {
      for (int64_t k = 0; k < c; ++k)
        value[k] = dy.f32()[n * c + k] / float(pixels);
      loops().broadcast(value, dx.f32() + n * pixels * c, pixels, c);
    }
  });
}

} // namespace

void addPoolKernels(KernelTable &table) {
  slot(table, Opcode::maxpool_fwd) = {nullptr, preparePool, maxPoolFwd, nullptr};
  slot(table, Opcode::maxpool_bwd) = {nullptr, preparePool, maxPoolBwd, nullptr};
  slot(table, Opcode::avgpool_fwd) = {nullptr, preparePool, avgPoolFwd, nullptr};
  slot(table, Opcode::avgpool_bwd) = {nullptr, preparePool, avgPoolBwd, nullptr};
  slot(table, Opcode::bn_apply_pool) = {actPoolScratch, prepareActPool, bnApplyPool, nullptr};
  slot(table, Opcode::bn_inf_pool) = {actPoolScratch, prepareActPool, bnInfPool, nullptr};
  slot(table, Opcode::gap_fwd) = {gapScratch, nullptr, gapFwd, nullptr};
  slot(table, Opcode::gap_bwd) = {gapBwdScratch, nullptr, gapBwd, nullptr};
}

} // namespace trk::cpu
