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
  Host x, gamma, beta, mean, inv_std;
  Wide wx, wgamma, wbeta, wmean, winv;

  Normalised(const Dims &dims, Data &data)
      : x(data.values(dims, -2, 3)), gamma(data.vec(dims[3], 0.5, 2)),
        beta(data.vec(dims[3], -0.5, 0.5)), wx(x), wgamma(gamma), wbeta(beta), wmean(gamma.dims),
        winv(gamma.dims) {
    Host vec = Host::vec(dims[3]);
    std::vector<Host> stats = {x, vec, vec, vec, vec, vec, vec};
    run(Opcode::bn_stats, stats, {attr(kEps), attr(0.1)});
    mean = stats[3];
    inv_std = stats[4];
  }
  std::vector<Host> operands() const { return {x, mean, inv_std, gamma, beta}; }

  // The same input in double, with the statistics of the (perturbed) x.
  reference::BnInput<double> wide() {
    std::vector<double> var(wmean.values.size());
    reference::batchStatistics(wx.view(), wmean.data(), var.data());
    for (size_t c = 0; c < var.size(); ++c)
      winv.values[c] = 1.0 / std::sqrt(var[c] + kEps);
    return {wx.view(), wmean.data(), winv.data(), wgamma.data(), wbeta.data()};
  }

  // bn_bwd_reduce and bn_bwd_apply from the gradient `dy`, then the comparison.
  void check(const Host &dy, Activation act, const std::function<double()> &loss) {
    Host vec = Host::vec(x.dims[3]);
    std::vector<Host> reduce = {dy, x, mean, inv_std, gamma, beta, vec, vec};
    run(Opcode::bn_bwd_reduce, reduce, {attr(act)});
    Host dx = runFor(Opcode::bn_bwd_apply,
                     {dy, x, mean, inv_std, gamma, beta, reduce[6], reduce[7], Host::f32(x.dims)},
                     {attr(act)}, 8);
    expectGradient("dgamma", wgamma, reduce[6], loss);
    expectGradient("dbeta", wbeta, reduce[7], loss);
    expectGradient("dx", wx, dx, loss);
  }
};

const std::vector<Dims> kShapes = {{2, 3, 5, 3}, {7, 1, 1, 2}, {1, 4, 3, 1}};

} // namespace

TEST(GradientTest, BnWithEachActivation) {
  for (Activation act : allActivations())
    for (const Dims &dims : kShapes) {
      SCOPED_TRACE(describe(dims) + " act " + std::to_string(int(act)));
      Data data(31);
      Normalised in(dims, data);
      Host dy = data.values(dims);
      Wide y(dims);
      in.check(dy, act, [&] {
        auto wide = in.wide();
        reference::forEach(wide.x, [&](int64_t e, int64_t c) {
          y.values[size_t(e)] = activate(act, wide.value(e, c));
        });
        return weightedSum(dy, y);
      });
    }
}

// The gradient passes the activation by the stored output and then splits.
TEST(GradientTest, BnAddActivation) {
  for (Activation act : {Activation::ReLU, Activation::ReLU6})
    for (const Dims &dims : kShapes) {
      SCOPED_TRACE(describe(dims) + " act " + std::to_string(int(act)));
      Data data(32);
      Normalised in(dims, data);
      Host shortcut = data.values(dims), dy = data.values(dims);
      std::vector<Host> forward = in.operands();
      forward.insert(forward.end(), {shortcut, Host::f32(dims)});
      Host out = runFor(Opcode::bn_apply_add, forward, {attr(act)}, 6);
      Host dsum = runFor(Opcode::act_bwd_out, {dy, out, Host::f32(dims)}, {attr(act)}, 2);

      Wide wideShortcut(shortcut), y(dims);
      auto loss = [&] {
        auto wide = in.wide();
        reference::forEach(wide.x, [&](int64_t e, int64_t c) {
          y.values[size_t(e)] = activate(act, wide.value(e, c) + wideShortcut.values[size_t(e)]);
        });
        return weightedSum(dy, y);
      };
      expectGradient("dshortcut", wideShortcut, dsum, loss);
      in.check(dsum, Activation::None, loss);
    }
}

// The same in the fused form, with the gradient in two parts.
TEST(GradientTest, Join) {
  for (const Dims &dims : kShapes) {
    SCOPED_TRACE(describe(dims));
    Data data(34);
    Normalised in(dims, data), other(dims, data);
    Host dy = data.values(dims), dy2 = data.values(dims), vec = Host::vec(dims[3]);
    std::vector<Host> forward = in.operands();
    for (const Host &h : other.operands())
      forward.push_back(h);
    forward.push_back(Host::f32(dims));
    const std::vector<Attr> relu = {attr(Activation::ReLU)};
    Host out = runFor(Opcode::bn_apply_add_bn, forward, relu, 10);
    std::vector<Host> reduce = {dy,         dy2,           out, in.x, in.mean, in.inv_std, other.x,
                                other.mean, other.inv_std, dy,  vec,  vec,     vec,        vec};
    run(Opcode::join_bwd_reduce, reduce, relu);
    std::vector<Host> apply = {reduce[9]};
    for (const Normalised *each : {&in, &other}) {
      int sums = each == &in ? 10 : 12;
      for (const Host &h : {each->x, each->mean, each->inv_std, each->gamma, reduce[size_t(sums)],
                            reduce[size_t(sums + 1)]})
        apply.push_back(h);
    }
    apply.insert(apply.end(), {dy, dy});
    run(Opcode::join_bwd_apply, apply, {});

    Wide y(dims);
    auto loss = [&] {
      auto a = in.wide(), b = other.wide();
      reference::forEach(a.x, [&](int64_t e, int64_t c) {
        y.values[size_t(e)] = activate(Activation::ReLU, a.value(e, c) + b.value(e, c));
      });
      return weightedSum(dy, y) + weightedSum(dy2, y);
    };
    expectGradient("dgamma", in.wgamma, reduce[10], loss);
    expectGradient("dbeta", in.wbeta, reduce[11], loss);
    expectGradient("shortcut dgamma", other.wgamma, reduce[12], loss);
    expectGradient("shortcut dbeta", other.wbeta, reduce[13], loss);
    expectGradient("dx", in.wx, apply[13], loss);
    expectGradient("shortcut dx", other.wx, apply[14], loss);
  }
}

TEST(GradientTest, BnAddBnActivation) {
  for (const Dims &dims : kShapes) {
    SCOPED_TRACE(describe(dims));
    Data data(33);
    Normalised in(dims, data), other(dims, data);
    Host dy = data.values(dims);
    std::vector<Host> forward = in.operands();
    for (const Host &h : other.operands())
      forward.push_back(h);
    forward.push_back(Host::f32(dims));
    Host out = runFor(Opcode::bn_apply_add_bn, forward, {attr(Activation::ReLU)}, 10);
    Host dsum =
        runFor(Opcode::act_bwd_out, {dy, out, Host::f32(dims)}, {attr(Activation::ReLU)}, 2);

    Wide y(dims);
    auto loss = [&] {
      auto a = in.wide(), b = other.wide();
      reference::forEach(a.x, [&](int64_t e, int64_t c) {
        y.values[size_t(e)] = activate(Activation::ReLU, a.value(e, c) + b.value(e, c));
      });
      return weightedSum(dy, y);
    };
    in.check(dsum, Activation::None, loss);
    other.check(dsum, Activation::None, loss);
  }
}

TEST(GradientTest, BnActivationMaxPool) {
  for (Activation act : {Activation::ReLU, Activation::SiLU}) {
    SCOPED_TRACE(int(act));
    Dims dims = {2, 5, 7, 3}, pooled = {2, 3, 4, 3};
    Window w = {3, 3, 2, 2, 1, 1, 1, 1, 1};
    std::vector<Attr> attrs = {attr(act)}, poolAttrs = poolAttrList(w);
    attrs.insert(attrs.end(), poolAttrs.begin(), poolAttrs.end());
    Data data(34);
    Normalised in(dims, data);
    Host dy = data.values(pooled);
    std::vector<Host> forward = in.operands();
    forward.insert(forward.end(), {Host::f32(pooled), Host(DType::U8, pooled)});
    run(Opcode::bn_apply_pool, forward, attrs);
    Host dact = runFor(Opcode::maxpool_bwd, {dy, forward[6], Host::f32(dims)}, poolAttrs, 2);

    Wide y(pooled);
    Call call;
    call.attrs = poolAttrs.data();
    in.check(dact, act, [&] {
      auto wide = in.wide();
      reference::maxPool(
          trk::poolAttrs(call), wide.x, y.view(),
          [&](int64_t e, int64_t c) { return activate(act, wide.value(e, c)); },
          [](int64_t, int64_t) {});
      return weightedSum(dy, y);
    });
  }
}
