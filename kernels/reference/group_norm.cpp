// SPDX-License-Identifier: Apache-2.0
//
// layer_norm and group_norm, both directions.
#include "reference/group_norm.h"

#include "reference/reference.h"

namespace trk::reference {
namespace {

// Two numbers for each group and each channel.
int64_t scratchFor(const Tensor &x, const NormGroups &groups) {
  return 2 * (groups.count(view(x)) + x.c()) * static_cast<int64_t>(sizeof(double));
}

struct Forward {
  const Tensor &x, &gamma, &beta, &y, &mean, &invStd;
  NormGroups groups;
  double eps;

  void run(const Call &call) const {
    const GroupNormInput<float> in{view(x), groups, gamma.f32(), beta.f32(), eps};
    const int64_t count = groups.count(in.x);
    double *means = static_cast<double *>(call.scratch), *deviations = means + count;
    groupStatistics(in, means, deviations);
    if (mean)
      std::copy(means, means + count, mean.f32());
    if (invStd)
      std::copy(deviations, deviations + count, invStd.f32());
    normaliseGroups(in, means, deviations, view(y));
  }
};

struct Backward {
  const Tensor &dy, &x, &mean, &invStd, &gamma, &dgamma, &dbeta, &dx;
  NormGroups groups;

  void run(const Call &call) const;
};

void Backward::run(const Call &call) const {
  const View<float> g = view(dy), in = view(x), to = view(dx);
  const int64_t count = groups.count(in);
  double *sums = static_cast<double *>(call.scratch), *products = sums + count;
  double *ofBeta = products + count, *ofGamma = ofBeta + in.c;
  std::fill(sums, ofGamma + in.c, 0.0);
  const auto normalised = [&](int64_t p, int64_t c) {
    const int64_t k = groups.at(p, c);
    return (double(in.at(p, c)) - double(mean.f32()[k])) * double(invStd.f32()[k]);
  };
  const auto factor = [&](int64_t c) { return gamma ? double(gamma.f32()[c]) : 1.0; };
  forEach(in, [&](int64_t p, int64_t c) {
    const int64_t k = groups.at(p, c);
    const double gradient = g.at(p, c), normal = normalised(p, c);
    sums[k] += gradient * factor(c);
    products[k] += gradient * factor(c) * normal;
    ofBeta[c] += gradient;
    ofGamma[c] += gradient * normal;
  });
  if (dgamma)
    std::copy(ofGamma, ofGamma + in.c, dgamma.f32());
  if (dbeta)
    std::copy(ofBeta, ofBeta + in.c, dbeta.f32());
  if (!dx)
    return;
  forEach(in, [&](int64_t p, int64_t c) {
    const int64_t k = groups.at(p, c);
    const double centred = double(g.at(p, c)) * factor(c) - sums[k] / groups.size() -
                           normalised(p, c) * products[k] / groups.size();
    to.at(p, c) = float(double(invStd.f32()[k]) * centred);
  });
}

void layerNormFwd(const Call &call) {
  namespace op = ops::layer_norm_fwd;
  const Forward norm{call[op::x],
                     call[op::gamma],
                     call[op::beta],
                     call[op::y],
                     call[op::mean],
                     call[op::inv_std],
                     NormGroups::ofPixels(view(call[op::x])),
                     call.attrs<op::Attrs>().eps};
  norm.run(call);
}
int64_t layerNormFwdScratch(const Call &call) {
  const Tensor &x = call[ops::layer_norm_fwd::x];
  return scratchFor(x, NormGroups::ofPixels(view(x)));
}

void layerNormBwd(const Call &call) {
  namespace op = ops::layer_norm_bwd;
  const Backward norm{call[op::dy],      call[op::x],     call[op::mean],
                      call[op::inv_std], call[op::gamma], call[op::dgamma],
                      call[op::dbeta],   call[op::dx],    NormGroups::ofPixels(view(call[op::x]))};
  norm.run(call);
}
int64_t layerNormBwdScratch(const Call &call) {
  const Tensor &x = call[ops::layer_norm_bwd::x];
  return scratchFor(x, NormGroups::ofPixels(view(x)));
}

void groupNormFwd(const Call &call) {
  namespace op = ops::group_norm_fwd;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  const Forward norm{call[op::x],
                     call[op::gamma],
                     call[op::beta],
                     call[op::y],
                     call[op::mean],
                     call[op::inv_std],
                     NormGroups::ofSamples(view(call[op::x]), attrs.groups),
                     attrs.eps};
  norm.run(call);
}
int64_t groupNormFwdScratch(const Call &call) {
  namespace op = ops::group_norm_fwd;
  const Tensor &x = call[op::x];
  return scratchFor(x, NormGroups::ofSamples(view(x), call.attrs<op::Attrs>().groups));
}

void groupNormBwd(const Call &call) {
  namespace op = ops::group_norm_bwd;
  const Backward norm{call[op::dy],
                      call[op::x],
                      call[op::mean],
                      call[op::inv_std],
                      call[op::gamma],
                      call[op::dgamma],
                      call[op::dbeta],
                      call[op::dx],
                      NormGroups::ofSamples(view(call[op::x]), call.attrs<op::Attrs>().groups)};
  norm.run(call);
}
int64_t groupNormBwdScratch(const Call &call) {
  namespace op = ops::group_norm_bwd;
  const Tensor &x = call[op::x];
  return scratchFor(x, NormGroups::ofSamples(view(x), call.attrs<op::Attrs>().groups));
}

} // namespace

void addGroupNormKernels(const Registrar &kernels) {
  kernels.add(Opcode::layer_norm_fwd, {layerNormFwdScratch, nullptr, layerNormFwd});
  kernels.add(Opcode::layer_norm_bwd, {layerNormBwdScratch, nullptr, layerNormBwd});
  kernels.add(Opcode::group_norm_fwd, {groupNormFwdScratch, nullptr, groupNormFwd});
  kernels.add(Opcode::group_norm_bwd, {groupNormBwdScratch, nullptr, groupNormBwd});
}

} // namespace trk::reference
