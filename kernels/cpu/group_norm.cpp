// SPDX-License-Identifier: Apache-2.0
//
// layer_norm and group_norm. A group norm is taken from the statistics of the channels of a sample.
#include "cpu/cpu.h"

#include <cmath>

namespace trk::cpu {
namespace {

// A value for each channel, also where there are none.
const float *valuesOr(const Tensor &given, float fallback, int64_t c, Carver &carver) {
  float *all = carver.take<float>(c);
  if (given)
    return given.f32();
  std::fill_n(all, c, fallback);
  return all;
}

// Sums over the rows of the parts, added in order.
struct ParameterSums {
  double *sumG, *sumGx;
  float *work;
  int parts;
  int64_t c;
  ParameterSums(Carver &carver, int count, int64_t channels)
      : sumG(carver.take<double>(count * channels)), sumGx(carver.take<double>(count * channels)),
        work(carver.take<float>(count * 2 * channels)), parts(count), c(channels) {}

  void write(const double *sums, const Tensor &to) const {
    for (int64_t k = 0; to && k < c; ++k) {
      double sum = 0;
      for (int p = 0; p < parts; ++p)
        sum += sums[p * c + k];
      to.f32()[k] = float(sum);
    }
  }
};

//===----------------------------------------------------------------------===//
// Over the channels of a pixel
//===----------------------------------------------------------------------===//

int64_t layerNormScratch(const Call &call) {
  Carver carver(nullptr);
  for (int i = 0; i < 2; ++i)
    carver.take<float>(call[ops::layer_norm_fwd::x].c());
  return carver.bytes();
}

void layerNormFwd(const Call &call) {
  namespace op = ops::layer_norm_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  const Tensor &mean = call[op::mean], &invStd = call[op::inv_std];
  Carver carver(call.scratch);
  LayerNorm all;
  all.c = x.c();
  all.eps = call.attrs<op::Attrs>().eps;
  all.gamma = valuesOr(call[op::gamma], 1, x.c(), carver);
  all.beta = valuesOr(call[op::beta], 0, x.c(), carver);
  const RowParts parts(call, x);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    LayerNorm args = all;
    args.x = constPixelsOf(x, r.begin);
    args.y = pixelsOf(y, r.begin);
    args.mean = mean ? mean.f32() + r.begin : nullptr;
    args.invStd = invStd ? invStd.f32() + r.begin : nullptr;
    args.rows = r.size();
    loops().layerNorm(args);
  });
}

int64_t layerNormBwdScratch(const Call &call) {
  const Tensor &x = call[ops::layer_norm_bwd::x];
  Carver carver(nullptr);
  ParameterSums(carver, RowParts(call, x).count, x.c());
  carver.take<float>(x.c());
  return carver.bytes();
}

void layerNormBwd(const Call &call) {
  namespace op = ops::layer_norm_bwd;
  const Tensor &dy = call[op::dy], &x = call[op::x], &dx = call[op::dx];
  const int64_t c = x.c();
  const RowParts parts(call, x);
  Carver carver(call.scratch);
  const ParameterSums s(carver, parts.count, c);
  const float *gamma = valuesOr(call[op::gamma], 1, c, carver);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    LayerNormGradient args;
    args.dy = constPixelsOf(dy, r.begin);
    args.x = constPixelsOf(x, r.begin);
    args.mean = call[op::mean].f32() + r.begin;
    args.invStd = call[op::inv_std].f32() + r.begin;
    args.gamma = gamma;
    args.dx = dx ? pixelsOf(dx, r.begin) : Pixels();
    args.sumG = s.sumG + i * c;
    args.sumGx = s.sumGx + i * c;
    args.work = s.work + i * 2 * c;
    args.rows = r.size();
    args.c = c;
    loops().layerNormBwd(args);
  });
  s.write(s.sumGx, call[op::dgamma]);
  s.write(s.sumG, call[op::dbeta]);
}

//===----------------------------------------------------------------------===//
// Over groups of the channels of a sample
//===----------------------------------------------------------------------===//

// Of one part, in which samples follow each other.
struct GroupScratch {
  double *mean, *m2;
  float *work, *means, *scale, *beta;
  GroupScratch(Carver &carver, int64_t c)
      : mean(carver.take<double>(c)), m2(carver.take<double>(c)), work(carver.take<float>(3 * c)),
        means(carver.take<float>(c)), scale(carver.take<float>(c)), beta(carver.take<float>(c)) {}
};

int64_t groupNormScratch(const Call &call) {
  const Tensor &x = call[ops::group_norm_fwd::x];
  Carver carver(nullptr);
  for (int i = imageParts(call, x); i > 0; --i)
    GroupScratch(carver, x.c());
  return carver.bytes();
}

// Mean and 1/sqrt(variance + eps) of channels [first, first + count), of `pixels` values each.
struct GroupStatistics {
  double mean = 0, invStd = 0;
  GroupStatistics(const GroupScratch &s, int64_t first, int64_t count, int64_t pixels, double eps) {
    for (int64_t k = first; k < first + count; ++k)
      mean += s.mean[k];
    mean /= double(count);
    double m2 = 0;
    for (int64_t k = first; k < first + count; ++k)
      m2 += s.m2[k] + double(pixels) * (s.mean[k] - mean) * (s.mean[k] - mean);
    invStd = 1 / std::sqrt(m2 / double(count * pixels) + eps);
  }
};

void normaliseSample(const Call &call, int64_t n, const GroupScratch &s) {
  namespace op = ops::group_norm_fwd;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  const Tensor &x = call[op::x], &y = call[op::y];
  const int64_t c = x.c(), pixels = x.h() * x.w(), count = c / attrs.groups;
  const float *gamma = call[op::gamma].f32(), *beta = call[op::beta].f32();
  loops().stats(constPixelsOf(x, n * pixels), 0, pixels, c, s.mean, s.m2, s.work);
  for (int64_t g = 0; g < attrs.groups; ++g) {
    const GroupStatistics group(s, g * count, count, pixels, attrs.eps);
    if (call[op::mean])
      call[op::mean].f32()[n * attrs.groups + g] = float(group.mean);
    if (call[op::inv_std])
      call[op::inv_std].f32()[n * attrs.groups + g] = float(group.invStd);
    for (int64_t k = g * count; k < (g + 1) * count; ++k) {
      s.means[k] = float(group.mean);
      const double scale = group.invStd * (gamma ? double(gamma[k]) : 1.0);
      s.scale[k] = float(scale);
      // What the mean lost as FP32.
      s.beta[k] = float((beta ? double(beta[k]) : 0.0) + (double(s.means[k]) - group.mean) * scale);
    }
  }
  NormApply apply;
  apply.x = {constPixelsOf(x, n * pixels), s.means, s.scale, s.beta};
  apply.y = pixelsOf(y, n * pixels);
  apply.rows = pixels;
  apply.c = c;
  loops().normApply(apply);
}

void groupNormFwd(const Call &call) {
  const Tensor &x = call[ops::group_norm_fwd::x];
  const int count = imageParts(call, x);
  char *base = static_cast<char *>(call.scratch);
  const int64_t bytes = groupNormScratch(call) / count;
  forParts(call, count, [&](int i) {
    Carver carver(base + i * bytes);
    const GroupScratch s(carver, x.c());
    const Range samples = part(x.n(), count, i);
    for (int64_t n = samples.begin; n < samples.end; ++n)
      normaliseSample(call, n, s);
  });
}

// Of one part: sums of a sample, and vectors of its gradient.
struct GroupGradientScratch {
  double *sumG, *sumGx;
  float *work, *mean, *scale, *offset, *slope;
  GroupGradientScratch(Carver &carver, int64_t c)
      : sumG(carver.take<double>(c)), sumGx(carver.take<double>(c)),
        work(carver.take<float>(2 * c)), mean(carver.take<float>(c)), scale(carver.take<float>(c)),
        offset(carver.take<float>(c)), slope(carver.take<float>(c)) {}
};

int64_t groupNormBwdScratch(const Call &call) {
  const Tensor &x = call[ops::group_norm_bwd::x];
  const int count = imageParts(call, x);
  Carver carver(nullptr);
  ParameterSums(carver, count, x.c());
  for (int i = 0; i < count; ++i)
    GroupGradientScratch(carver, x.c());
  return carver.bytes();
}

// Adds to the sums of the part, and makes dx where it is wanted.
void sampleGradient(const Call &call, int64_t n, const GroupGradientScratch &s, double *sumG,
                    double *sumGx) {
  namespace op = ops::group_norm_bwd;
  const int64_t groups = call.attrs<op::Attrs>().groups;
  const Tensor &x = call[op::x], &dx = call[op::dx];
  const int64_t c = x.c(), pixels = x.h() * x.w(), count = c / groups;
  const float *gamma = call[op::gamma].f32();
  const float *mean = call[op::mean].f32() + n * groups;
  const float *invStd = call[op::inv_std].f32() + n * groups;
  for (int64_t k = 0; k < c; ++k) {
    s.mean[k] = mean[k / count];
    s.scale[k] = (gamma ? gamma[k] : 1) * invStd[k / count];
  }
  NormReduce reduce;
  reduce.dy = constPixelsOf(call[op::dy], n * pixels);
  reduce.x = {constPixelsOf(x, n * pixels), s.mean, s.scale, s.scale};
  reduce.sumG = s.sumG;
  reduce.sumGx = s.sumGx;
  reduce.work = s.work;
  reduce.rows = pixels;
  reduce.c = c;
  loops().normReduce(reduce);
  for (int64_t g = 0; g < groups; ++g) {
    double sum = 0, product = 0;
    const double inverse = invStd[g], size = double(count * pixels);
    for (int64_t k = g * count; k < (g + 1) * count; ++k) {
      const double factor = gamma ? double(gamma[k]) : 1.0;
      sum += factor * s.sumG[k];
      product += factor * s.sumGx[k] * inverse;
      sumG[k] += s.sumG[k];
      sumGx[k] += s.sumGx[k] * inverse;
    }
    std::fill_n(s.offset + g * count, count, float(inverse * sum / size));
    std::fill_n(s.slope + g * count, count, float(inverse * inverse * product / size));
  }
  if (!dx)
    return;
  loops().groupGradient({constPixelsOf(call[op::dy], n * pixels), constPixelsOf(x, n * pixels),
                         s.mean, s.scale, s.offset, s.slope, pixelsOf(dx, n * pixels), pixels, c});
}

void groupNormBwd(const Call &call) {
  namespace op = ops::group_norm_bwd;
  const Tensor &x = call[op::x];
  const int64_t c = x.c();
  const int count = imageParts(call, x);
  Carver carver(call.scratch);
  const ParameterSums sums(carver, count, c);
  char *base = static_cast<char *>(call.scratch) + carver.bytes();
  const int64_t bytes = (groupNormBwdScratch(call) - carver.bytes()) / count;
  forParts(call, count, [&](int i) {
    Carver own(base + i * bytes);
    const GroupGradientScratch s(own, c);
    double *sumG = sums.sumG + i * c, *sumGx = sums.sumGx + i * c;
    std::fill_n(sumG, c, 0.0);
    std::fill_n(sumGx, c, 0.0);
    const Range samples = part(x.n(), count, i);
    for (int64_t n = samples.begin; n < samples.end; ++n)
      sampleGradient(call, n, s, sumG, sumGx);
  });
  sums.write(sums.sumGx, call[op::dgamma]);
  sums.write(sums.sumG, call[op::dbeta]);
}

} // namespace

void addGroupNormKernels(const Registrar &kernels) {
  kernels.add(Opcode::layer_norm_fwd, {layerNormScratch, nullptr, layerNormFwd});
  kernels.add(Opcode::layer_norm_bwd, {layerNormBwdScratch, nullptr, layerNormBwd});
  kernels.add(Opcode::group_norm_fwd, {groupNormScratch, nullptr, groupNormFwd});
  kernels.add(Opcode::group_norm_bwd, {groupNormBwdScratch, nullptr, groupNormBwd});
}

} // namespace trk::cpu
