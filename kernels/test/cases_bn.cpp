// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of batch normalisation: statistics, apply, backward, inference.
#include "conformance.h"

namespace trk::test {
namespace {

// x, mean, inv_std, gamma, beta.
std::vector<Host> bnOperands(const Dims &dims, Data &data) {
  int64_t c = dims[3];
  return {data.values(dims, -2, 3), data.vec(c, -0.5, 1), data.vec(c, 0.5, 2), data.vec(c, -1, 2),
          data.vec(c, -1, 1)};
}

std::vector<Host> foldedOperands(const Dims &dims, Data &data) {
  return {data.values(dims, -2, 3), data.vec(dims[3], -1, 2), data.vec(dims[3], -1, 1)};
}

void append(std::vector<Host> &to, std::vector<Host> more) {
  for (Host &h : more)
    to.push_back(std::move(h));
}

void addStats(Cases &cases, const Dims &dims, double centre, double spread, Data &data) {
  int64_t c = dims[3];
  cases.push_back({Opcode::bn_stats,
                   "bn_stats " + describe(dims) + " around " + std::to_string(centre),
                   {data.values(dims, centre - spread, centre + spread), data.vec(c, -1, 1),
                    data.vec(c, 0.5, 2), Host::vec(c), Host::vec(c), Host::vec(c), Host::vec(c)},
                   {attr(1e-3), attr(0.1)},
                   {}});
}

void addApply(Cases &cases, const Dims &dims, Activation act, Data &data) {
  std::string name = describe(dims) + " act " + std::to_string(int(act));
  Host shortcut = data.values(dims), dy = data.values(dims), y = Host::f32(dims);
  std::vector<Host> bn = bnOperands(dims, data), other = bnOperands(dims, data);
  int64_t c = dims[3];
  auto add = [&](Opcode op, std::vector<Host> operands) {
    cases.push_back(
        {op, std::string(info(op).name) + " " + name, std::move(operands), {attr(act)}, {}});
  };
  std::vector<Host> ops = bn;
  ops.push_back(y);
  add(Opcode::bn_apply, ops);
  ops = bn;
  append(ops, {shortcut, y});
  add(Opcode::bn_apply_add, ops);
  ops = bn;
  append(ops, other);
  ops.push_back(y);
  add(Opcode::bn_apply_add_bn, ops);
  ops = {dy};
  append(ops, bn);
  std::vector<Host> apply = ops;
  append(ops, {Host::vec(c), Host::vec(c)});
  add(Opcode::bn_bwd_reduce, ops);
  append(apply, {data.vec(c, -1, 2), data.vec(c, -1, 2), y});
  add(Opcode::bn_bwd_apply, apply);

  std::vector<Host> folded = foldedOperands(dims, data), inf = folded;
  inf.push_back(y);
  add(Opcode::bn_inf, inf);
  inf = folded;
  append(inf, {shortcut, y});
  add(Opcode::bn_inf_add, inf);
  inf = folded;
  append(inf, foldedOperands(dims, data));
  inf.push_back(y);
  add(Opcode::bn_inf_add_bn, inf);
}

// The backward pass behind a residual sum: with and without a second gradient, with the shortcut
// as it is or normalised.
void addJoin(Cases &cases, const Dims &dims, Activation act, Data &data) {
  int64_t c = dims[3];
  Host dy = data.values(dims), dy2 = data.values(dims), y = Host::f32(dims), vec = Host::vec(c);
  Host out = act == Activation::None ? Host() : data.values(dims, -1, 7);
  auto group = [&] {
    return std::vector<Host>{data.values(dims, -2, 3), data.vec(c, -0.5, 1), data.vec(c, 0.5, 2)};
  };
  for (bool pair : {false, true})
    for (bool both : {false, true}) {
      std::vector<Host> ops = {dy, pair ? dy2 : Host(), out};
      append(ops, group());
      append(ops, both ? group() : std::vector<Host>(3));
      append(ops, {y, vec, vec, both ? vec : Host(), both ? vec : Host()});
      cases.push_back({Opcode::join_bwd_reduce,
                       "join_bwd_reduce " + describe(dims) + " act " + std::to_string(int(act)) +
                           (pair ? " pair" : "") + (both ? " both" : ""),
                       std::move(ops),
                       {attr(act)},
                       {}});
    }
  std::vector<Host> ops = {dy};
  for (int i = 0; i < 2; ++i) {
    append(ops, group());
    append(ops, {data.vec(c, -1, 2), data.vec(c, -1, 2), data.vec(c, -1, 2)});
  }
  append(ops, {y, y});
  cases.push_back({Opcode::join_bwd_apply, "join_bwd_apply " + describe(dims), ops, {}, {}});
}

void addFold(Cases &cases, int64_t c, Data &data) {
  cases.push_back({Opcode::bn_fold,
                   "bn_fold " + std::to_string(c),
                   {data.vec(c, -1, 2), data.vec(c, -1, 1), data.vec(c, -1, 1), data.vec(c, 0, 2),
                    Host::vec(c), Host::vec(c)},
                   {attr(1e-3)},
                   {}});
}

} // namespace

void addBnCases(Cases &cases) {
  Data data(12);
  const std::vector<Activation> &acts = allActivations();
  size_t turn = 0;
  for (const Dims &dims : pointwiseShapes()) {
    addStats(cases, dims, 0.25, 1, data);
    addStats(cases, dims, 1000, 0.5, data); // large mean, small spread
    // Every activation on some shape, relu and none on all.
    addApply(cases, dims, Activation::None, data);
    addApply(cases, dims, Activation::ReLU, data);
    addApply(cases, dims, acts[2 + turn++ % (acts.size() - 2)], data);
    for (Activation act : {Activation::None, Activation::ReLU, Activation::ReLU6})
      addJoin(cases, dims, act, data);
    addFold(cases, dims[3], data);
  }
}

} // namespace trk::test
