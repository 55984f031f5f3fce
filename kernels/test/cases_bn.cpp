// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of batch normalisation: statistics, apply, backward, inference.
#include "conformance.h"

namespace trk::test {
namespace {

BnHosts bnHosts(const Dims &dims, Data &data) {
  int64_t c = dims[3];
  return {data.values(dims, -2, 3), data.vec(c, -0.5, 1), data.vec(c, 0.5, 2), data.vec(c, -1, 2),
          data.vec(c, -1, 1)};
}

std::string nameOf(const Dims &dims, Act act) { return describe(dims) + " act " + trf::name(act); }

void addStats(Cases &cases, const Dims &dims, double centre, double spread, Data &data) {
  namespace op = ops::bn_stats;
  int64_t c = dims[3];
  add(cases, describe(dims) + " around " + std::to_string(centre),
      {op::kOpcode,
       {{op::x, data.values(dims, centre - spread, centre + spread)},
        {op::prev_mean, data.vec(c, -1, 1)},
        {op::prev_var, data.vec(c, 0.5, 2)}},
       op::Attrs{1e-3, 0.1}});
}

void addBnApply(Cases &cases, const BnHosts &in, Act act) {
  namespace op = ops::bn_apply;
  add(cases, nameOf(in.x.dims, act),
      {op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta), op::Attrs{act}});
}

void addBnApplyAdd(Cases &cases, const BnHosts &in, const Host &shortcut, Act act) {
  namespace op = ops::bn_apply_add;
  Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{act});
  call[op::shortcut] = shortcut;
  add(cases, nameOf(in.x.dims, act), call);
}

void addBnApplyAddBn(Cases &cases, const BnHosts &in, const BnHosts &shortcut, Act act) {
  namespace op = ops::bn_apply_add_bn;
  Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{act});
  call.set(shortcut.at(op::shortcut_x, op::shortcut_mean, op::shortcut_inv_std, op::shortcut_gamma,
                       op::shortcut_beta));
  add(cases, nameOf(in.x.dims, act), call);
}

void addBackward(Cases &cases, const BnHosts &in, const Host &dy, Act act, Data &data) {
  const std::string name = nameOf(in.x.dims, act);
  {
    namespace op = ops::bn_bwd_reduce;
    Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                    op::Attrs{act});
    call[op::dy] = dy;
    add(cases, name, call);
  }
  namespace op = ops::bn_bwd_apply;
  Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{act});
  call[op::dy] = dy;
  call[op::dgamma] = data.vec(in.x.dims[3], -1, 2);
  call[op::dbeta] = data.vec(in.x.dims[3], -1, 2);
  add(cases, name, call);
}

void addInference(Cases &cases, const Dims &dims, Act act, Data &data) {
  namespace op = ops::bn_inf;
  add(cases, nameOf(dims, act),
      {op::kOpcode,
       {{op::x, data.values(dims, -2, 3)},
        {op::scale, data.vec(dims[3], -1, 2)},
        {op::bias, data.vec(dims[3], -1, 1)}},
       op::Attrs{act}});
}

void addApply(Cases &cases, const Dims &dims, Act act, Data &data) {
  Host shortcut = data.values(dims), dy = data.values(dims);
  BnHosts in = bnHosts(dims, data), other = bnHosts(dims, data);
  addBnApply(cases, in, act);
  addBnApplyAdd(cases, in, shortcut, act);
  addBnApplyAddBn(cases, in, other, act);
  addBackward(cases, in, dy, act, data);
  addInference(cases, dims, act, data);
}

// Without factors and shifts.
void addPlain(Cases &cases, const Dims &dims, Act act, Data &data) {
  BnHosts in = bnHosts(dims, data);
  in.gamma = in.beta = Host();
  addBnApply(cases, in, act);
  addBackward(cases, in, data.values(dims), act, data);
  namespace op = ops::bn_fold;
  add(cases, std::to_string(dims[3]) + " plain",
      {op::kOpcode,
       {{op::mean, data.vec(dims[3], -1, 1)}, {op::var, data.vec(dims[3], 0, 2)}},
       op::Attrs{1e-3}});
}

// With and without a second gradient, with the shortcut as it is or normalised.
void addJoinReduce(Cases &cases, const Dims &dims, Act act, Data &data) {
  namespace op = ops::join_bwd_reduce;
  int64_t c = dims[3];
  Host dy = data.values(dims), dy2 = data.values(dims);
  Host out = act == Activation::None ? Host() : data.values(dims, -1, 7);
  for (bool pair : {false, true})
    for (bool both : {false, true}) {
      Invocation call(op::kOpcode, {{op::dy, dy}, {op::y, out}}, op::Attrs{act});
      if (pair)
        call[op::dy2] = dy2;
      call.set({{op::x, data.values(dims, -2, 3)},
                {op::mean, data.vec(c, -0.5, 1)},
                {op::inv_std, data.vec(c, 0.5, 2)}});
      if (both)
        call.set({{op::shortcut_x, data.values(dims, -2, 3)},
                  {op::shortcut_mean, data.vec(c, -0.5, 1)},
                  {op::shortcut_inv_std, data.vec(c, 0.5, 2)},
                  {op::shortcut_dgamma, Host::vec(c)},
                  {op::shortcut_dbeta, Host::vec(c)}});
      add(cases, nameOf(dims, act) + (pair ? " pair" : "") + (both ? " both" : ""), call);
    }
}

void addJoinApply(Cases &cases, const Dims &dims, Data &data) {
  namespace op = ops::join_bwd_apply;
  int64_t c = dims[3];
  add(cases, describe(dims),
      {op::kOpcode,
       {{op::g, data.values(dims)},
        {op::x, data.values(dims, -2, 3)},
        {op::mean, data.vec(c, -0.5, 1)},
        {op::inv_std, data.vec(c, 0.5, 2)},
        {op::gamma, data.vec(c, -1, 2)},
        {op::dgamma, data.vec(c, -1, 2)},
        {op::dbeta, data.vec(c, -1, 2)},
        {op::shortcut_x, data.values(dims, -2, 3)},
        {op::shortcut_mean, data.vec(c, -0.5, 1)},
        {op::shortcut_inv_std, data.vec(c, 0.5, 2)},
        {op::shortcut_gamma, data.vec(c, -1, 2)},
        {op::shortcut_dgamma, data.vec(c, -1, 2)},
        {op::shortcut_dbeta, data.vec(c, -1, 2)}}});
}

void addFold(Cases &cases, int64_t c, Data &data) {
  namespace op = ops::bn_fold;
  add(cases, std::to_string(c),
      {op::kOpcode,
       {{op::gamma, data.vec(c, -1, 2)},
        {op::beta, data.vec(c, -1, 1)},
        {op::mean, data.vec(c, -1, 1)},
        {op::var, data.vec(c, 0, 2)}},
       op::Attrs{1e-3}});
}

} // namespace

void addBnCases(Cases &cases) {
  Data data(12);
  const std::vector<Act> &acts = allActivations();
  size_t turn = 0;
  for (const Dims &dims : pointwiseShapes()) {
    addStats(cases, dims, 0.25, 1, data);
    addStats(cases, dims, 1000, 0.5, data); // large mean, small spread
    // Every activation on some shape, relu and none on all.
    addApply(cases, dims, Activation::None, data);
    addApply(cases, dims, Activation::ReLU, data);
    addApply(cases, dims, acts[2 + turn++ % (acts.size() - 2)], data);
    for (Activation act : {Activation::None, Activation::ReLU, Activation::ReLU6}) {
      addJoinReduce(cases, dims, act, data);
      addJoinApply(cases, dims, data);
    }
    addFold(cases, dims[3], data);
    addPlain(cases, dims, acts[turn % acts.size()], data);
  }
}

} // namespace trk::test
