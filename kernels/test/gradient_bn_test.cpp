// SPDX-License-Identifier: Apache-2.0
//
// Gradients of batch normalisation in every fused form, through the statistics.
#include "gradient.h"
#include "reference/bn.h"
#include "reference/pool.h"

using namespace trk;
using namespace trk::test;

namespace {

constexpr double kEps = 1e-3;

// One normalised input: the float operands and their doubles.
struct Normalised {
  BnHosts hosts;
  Wide x, gamma, beta, mean, invStd;

  Normalised(const Dims &dims, Data &data) {
    hosts.x = data.values(dims, -2, 3);
    hosts.gamma = data.vec(dims[3], 0.5, 2);
    hosts.beta = data.vec(dims[3], -0.5, 0.5);
    namespace op = ops::bn_stats;
    const Host vec = Host::vec(dims[3]);
    const Invocation stats = ran({op::kOpcode,
                                  {{op::x, hosts.x}, {op::prev_mean, vec}, {op::prev_var, vec}},
                                  op::Attrs{kEps, 0.1}});
    hosts.mean = stats[op::mean];
    hosts.invStd = stats[op::inv_std];
    x = Wide(hosts.x);
    gamma = Wide(hosts.gamma);
    beta = Wide(hosts.beta);
    mean = Wide(vec.dims);
    invStd = Wide(vec.dims);
  }

  // The same input in double, with the statistics of the (perturbed) x.
  reference::BnInput<double> wide() {
    std::vector<double> m2(mean.values.size());
    reference::batchStatistics(x.view(), mean.data(), m2.data());
    for (size_t c = 0; c < m2.size(); ++c)
      invStd.values[c] = 1.0 / std::sqrt(m2[c] / double(x.view().pixels()) + kEps);
    return {x.view(), mean.data(), invStd.data(), gamma.data(), beta.data()};
  }

  // bn_bwd_reduce and bn_bwd_apply from the gradient `dy`, then the comparison.
  void check(const Host &dy, Act act, const std::function<double()> &loss) {
    namespace op = ops::bn_bwd_reduce;
    Invocation reduce(op::kOpcode, hosts.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                      op::Attrs{act});
    reduce[op::dy] = dy;
    reduce = ran(reduce);
    namespace next = ops::bn_bwd_apply;
    Invocation apply(next::kOpcode,
                     hosts.at(next::x, next::mean, next::inv_std, next::gamma, next::beta),
                     next::Attrs{act});
    apply.set(
        {{next::dy, dy}, {next::dgamma, reduce[op::dgamma]}, {next::dbeta, reduce[op::dbeta]}});
    expectGradient("dgamma", gamma, reduce[op::dgamma], loss);
    expectGradient("dbeta", beta, reduce[op::dbeta], loss);
    expectGradient("dx", x, ran(apply)[next::dx], loss);
  }
};

// The output of bn_apply_add_bn with relu.
Host reluOfSum(const BnHosts &in, const BnHosts &shortcut) {
  namespace op = ops::bn_apply_add_bn;
  Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{Activation::ReLU});
  call.set(shortcut.at(op::shortcut_x, op::shortcut_mean, op::shortcut_inv_std, op::shortcut_gamma,
                       op::shortcut_beta));
  return ran(call)[op::y];
}

const std::vector<Dims> kShapes = {{2, 3, 5, 3}, {7, 1, 1, 2}, {1, 4, 3, 1}};

} // namespace

TEST(GradientTest, BnWithEachActivation) {
  for (Act act : allActivations())
    for (const Dims &dims : kShapes) {
      SCOPED_TRACE(describe(dims) + " act " + trf::name(act));
      Data data(31);
      Normalised in(dims, data);
      Host dy = data.values(dims);
      Wide y(dims);
      in.check(dy, act, [&] {
        auto wide = in.wide();
        reference::forEach(wide.x, [&](int64_t p, int64_t c) {
          y.view().at(p, c) = activate(act, wide.value(p, c));
        });
        return weightedSum(dy, y);
      });
    }
}

// The gradient passes the activation by the stored output and then splits.
TEST(GradientTest, BnAddActivation) {
  for (Activation act : {Activation::ReLU, Activation::ReLU6})
    for (const Dims &dims : kShapes) {
      SCOPED_TRACE(describe(dims) + " act " + std::string(trf::name(act)));
      Data data(32);
      Normalised in(dims, data);
      Host shortcut = data.values(dims), dy = data.values(dims);
      namespace op = ops::bn_apply_add;
      Invocation forward(op::kOpcode,
                         in.hosts.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                         op::Attrs{act});
      forward[op::shortcut] = shortcut;
      Host dsum = gradientFromOutput(dy, ran(forward)[op::y], act);

      Wide wideShortcut(shortcut), y(dims);
      auto loss = [&] {
        auto wide = in.wide();
        reference::forEach(wide.x, [&](int64_t p, int64_t c) {
          y.view().at(p, c) = activate(act, wide.value(p, c) + wideShortcut.view().at(p, c));
        });
        return weightedSum(dy, y);
      };
      expectGradient("dshortcut", wideShortcut, dsum, loss);
      in.check(dsum, Activation::None, loss);
    }
}

namespace {

Invocation joinReduce(const BnHosts &in, const BnHosts &shortcut, const Host &dy, const Host &dy2) {
  namespace op = ops::join_bwd_reduce;
  const Host vec = Host::vec(in.x.dims[3]);
  return ran({op::kOpcode,
              {{op::dy, dy},
               {op::dy2, dy2},
               {op::y, reluOfSum(in, shortcut)},
               {op::x, in.x},
               {op::mean, in.mean},
               {op::inv_std, in.invStd},
               {op::shortcut_x, shortcut.x},
               {op::shortcut_mean, shortcut.mean},
               {op::shortcut_inv_std, shortcut.invStd},
               {op::shortcut_dgamma, vec},
               {op::shortcut_dbeta, vec}},
              op::Attrs{Activation::ReLU}});
}

Invocation joinApply(const BnHosts &in, const BnHosts &shortcut, const Invocation &reduced) {
  namespace from = ops::join_bwd_reduce;
  namespace op = ops::join_bwd_apply;
  return ran({op::kOpcode,
              {{op::g, reduced[from::g]},
               {op::x, in.x},
               {op::mean, in.mean},
               {op::inv_std, in.invStd},
               {op::gamma, in.gamma},
               {op::dgamma, reduced[from::dgamma]},
               {op::dbeta, reduced[from::dbeta]},
               {op::shortcut_x, shortcut.x},
               {op::shortcut_mean, shortcut.mean},
               {op::shortcut_inv_std, shortcut.invStd},
               {op::shortcut_gamma, shortcut.gamma},
               {op::shortcut_dgamma, reduced[from::shortcut_dgamma]},
               {op::shortcut_dbeta, reduced[from::shortcut_dbeta]}}});
}

} // namespace

// The same in two fused ops, with the gradient in two parts.
TEST(GradientTest, Join) {
  for (const Dims &dims : kShapes) {
    SCOPED_TRACE(describe(dims));
    Data data(34);
    Normalised in(dims, data), other(dims, data);
    Host dy = data.values(dims), dy2 = data.values(dims);
    namespace sums = ops::join_bwd_reduce;
    namespace results = ops::join_bwd_apply;
    const Invocation reduce = joinReduce(in.hosts, other.hosts, dy, dy2);
    const Invocation apply = joinApply(in.hosts, other.hosts, reduce);

    Wide y(dims);
    auto loss = [&] {
      auto a = in.wide(), b = other.wide();
      reference::forEach(a.x, [&](int64_t p, int64_t c) {
        y.view().at(p, c) = activate(Activation::ReLU, a.value(p, c) + b.value(p, c));
      });
      return weightedSum(dy, y) + weightedSum(dy2, y);
    };
    expectGradient("dgamma", in.gamma, reduce[sums::dgamma], loss);
    expectGradient("dbeta", in.beta, reduce[sums::dbeta], loss);
    expectGradient("shortcut dgamma", other.gamma, reduce[sums::shortcut_dgamma], loss);
    expectGradient("shortcut dbeta", other.beta, reduce[sums::shortcut_dbeta], loss);
    expectGradient("dx", in.x, apply[results::dx], loss);
    expectGradient("shortcut dx", other.x, apply[results::shortcut_dx], loss);
  }
}

TEST(GradientTest, BnAddBnActivation) {
  for (const Dims &dims : kShapes) {
    SCOPED_TRACE(describe(dims));
    Data data(33);
    Normalised in(dims, data), other(dims, data);
    Host dy = data.values(dims);
    Host dsum = gradientFromOutput(dy, reluOfSum(in.hosts, other.hosts), Activation::ReLU);

    Wide y(dims);
    auto loss = [&] {
      auto a = in.wide(), b = other.wide();
      reference::forEach(a.x, [&](int64_t p, int64_t c) {
        y.view().at(p, c) = activate(Activation::ReLU, a.value(p, c) + b.value(p, c));
      });
      return weightedSum(dy, y);
    };
    in.check(dsum, Activation::None, loss);
    other.check(dsum, Activation::None, loss);
  }
}

TEST(GradientTest, BnActivationMaxPool) {
  const Window w = {3, 3, 2, 2, 1, 1};
  const Dims dims = {2, 5, 7, 3}, pooled = windowDims(dims, w, dims[3]);
  for (Activation act : {Activation::ReLU, Activation::SiLU}) {
    SCOPED_TRACE(trf::name(act));
    Data data(34);
    Normalised in(dims, data);
    Host dy = data.values(pooled);
    namespace op = ops::bn_apply_pool;
    op::Attrs attrs = poolAttrs<op::Attrs>(w);
    attrs.act = act;
    Invocation forward(op::kOpcode, in.hosts.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                       attrs);
    forward.set({{op::y, Host::f32(pooled)}, {op::index, Host(DType::U8, pooled)}});
    namespace back = ops::maxpool_bwd;
    Host dact =
        ran({back::kOpcode,
             {{back::dy, dy}, {back::index, ran(forward)[op::index]}, {back::dx, Host::f32(dims)}},
             poolAttrs<back::Attrs>(w)})[back::dx];

    Wide y(pooled);
    in.check(dact, act, [&] {
      auto wide = in.wide();
      reference::maxPool(
          w, wide.x, y.view(),
          [&](int64_t p, int64_t c) { return activate(act, wide.value(p, c)); },
          [](int64_t, int64_t, int64_t) {});
      return weightedSum(dy, y);
    });
  }
}
