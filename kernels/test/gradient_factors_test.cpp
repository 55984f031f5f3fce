// SPDX-License-Identifier: Apache-2.0
//
// Gradients of learned slopes and factors, layer norm and group norm.
#include "gradient.h"
#include "reference/factors.h"
#include "reference/group_norm.h"

using namespace trk;
using namespace trk::test;

TEST(GradientTest, Prelu) {
  namespace op = ops::prelu_bwd;
  const Dims dims = {2, 3, 2, 5};
  for (int64_t count : {5, 1}) {
    SCOPED_TRACE(count);
    Data data(61);
    const Host x = data.values(dims, -2, 2), slope = data.vec(count, -0.5, 1);
    const Host dy = data.values(dims);
    const Invocation backward = ran(
        {op::kOpcode, {{op::dy, dy}, {op::x, x}, {op::slope, slope}, {op::dx, Host::f32(dims)}}});
    Wide wx(x), wslope(slope), y(dims);
    auto loss = [&] {
      reference::preluForward<double>(wx.view(), {wslope.data(), count}, y.view());
      return weightedSum(dy, y);
    };
    expectGradient("dx", wx, backward[op::dx], loss);
    expectGradient("dslope", wslope, backward[op::dslope], loss);
  }
}

TEST(GradientTest, Scale) {
  namespace op = ops::scale_bwd;
  const Dims dims = {2, 3, 2, 5};
  Data data(62);
  const Host x = data.values(dims), factor = data.vec(5, -1, 2), dy = data.values(dims);
  const Invocation backward = ran(
      {op::kOpcode, {{op::dy, dy}, {op::x, x}, {op::factor, factor}, {op::dx, Host::f32(dims)}}});
  Wide wx(x), wfactor(factor), y(dims);
  auto loss = [&] {
    reference::scaleForward<double>(wx.view(), wfactor.data(), y.view());
    return weightedSum(dy, y);
  };
  expectGradient("dx", wx, backward[op::dx], loss);
  expectGradient("dfactor", wfactor, backward[op::dfactor], loss);
}

namespace {

constexpr double kEps = 1e-2;

// A normalisation of x, in float and, for differences, in double.
struct NormOf {
  Host x, gamma, beta, dy;
  Wide wx, wgamma, wbeta, y;
  reference::NormGroups groups;

  NormOf(const Dims &dims, bool affine, Data &data)
      : x(data.values(dims, -1, 2)), gamma(affine ? data.vec(dims[3], -1, 2) : Host()),
        beta(affine ? data.vec(dims[3], -1, 1) : Host()), dy(data.values(dims)), wx(x),
        wgamma(gamma), wbeta(beta), y(dims) {}

  double loss() {
    const reference::GroupNormInput<double> in{wx.view(), groups, wgamma.data(), wbeta.data(),
                                               kEps};
    std::vector<double> mean(size_t(groups.count(in.x))), invStd(mean.size());
    reference::groupStatistics(in, mean.data(), invStd.data());
    reference::normaliseGroups(in, mean.data(), invStd.data(), y.view());
    return weightedSum(dy, y);
  }
  void check(const Host &dx, const Host &dgamma, const Host &dbeta) {
    auto difference = [&] { return loss(); };
    expectGradient("dx", wx, dx, difference);
    if (!gamma.present())
      return;
    expectGradient("dgamma", wgamma, dgamma, difference);
    expectGradient("dbeta", wbeta, dbeta, difference);
  }
};

} // namespace

TEST(GradientTest, LayerNorm) {
  namespace op = ops::layer_norm_fwd;
  namespace back = ops::layer_norm_bwd;
  for (bool affine : {true, false}) {
    Data data(63);
    const Dims dims = {2, 2, 3, 5}, lone = {2, 2, 3, 1};
    NormOf norm(dims, affine, data);
    norm.groups = reference::NormGroups::ofPixels(norm.wx.view());
    const Invocation forward = ran({op::kOpcode,
                                    {{op::x, norm.x},
                                     {op::gamma, norm.gamma},
                                     {op::beta, norm.beta},
                                     {op::mean, Host::f32(lone)},
                                     {op::inv_std, Host::f32(lone)}},
                                    op::Attrs{kEps}});
    const Host sums = affine ? Host::vec(5) : Host();
    const Invocation backward = ran({back::kOpcode,
                                     {{back::dy, norm.dy},
                                      {back::x, norm.x},
                                      {back::mean, forward[op::mean]},
                                      {back::inv_std, forward[op::inv_std]},
                                      {back::gamma, norm.gamma},
                                      {back::dgamma, sums},
                                      {back::dbeta, sums},
                                      {back::dx, Host::f32(dims)}}});
    norm.check(backward[back::dx], backward[back::dgamma], backward[back::dbeta]);
  }
}

TEST(GradientTest, GroupNorm) {
  namespace op = ops::group_norm_fwd;
  namespace back = ops::group_norm_bwd;
  for (bool affine : {true, false})
    for (int64_t groups : {1, 2, 6}) {
      SCOPED_TRACE(groups);
      Data data(64);
      const Dims dims = {2, 2, 3, 6}, perGroup = {2, 1, 1, groups};
      NormOf norm(dims, affine, data);
      norm.groups = reference::NormGroups::ofSamples(norm.wx.view(), groups);
      const Invocation forward = ran({op::kOpcode,
                                      {{op::x, norm.x},
                                       {op::gamma, norm.gamma},
                                       {op::beta, norm.beta},
                                       {op::mean, Host::f32(perGroup)},
                                       {op::inv_std, Host::f32(perGroup)}},
                                      op::Attrs{kEps, groups}});
      const Host sums = affine ? Host::vec(6) : Host();
      const Invocation backward = ran({back::kOpcode,
                                       {{back::dy, norm.dy},
                                        {back::x, norm.x},
                                        {back::mean, forward[op::mean]},
                                        {back::inv_std, forward[op::inv_std]},
                                        {back::gamma, norm.gamma},
                                        {back::dgamma, sums},
                                        {back::dbeta, sums},
                                        {back::dx, Host::f32(dims)}},
                                       back::Attrs{groups}});
      norm.check(backward[back::dx], backward[back::dgamma], backward[back::dbeta]);
    }
}
