// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of copies, activations, addition, fully connected layers,
// channel padding and dropout.
#include "conformance.h"

#include <limits>

namespace trk::test {
namespace {

void addPointwise(Cases &cases, const Dims &dims, Activation act, Data &data) {
  std::string name = describe(dims) + " act " + std::to_string(int(act));
  auto add = [&](Opcode op, std::vector<Host> operands) {
    cases.push_back(
        {op, std::string(info(op).name) + " " + name, std::move(operands), {attr(act)}, {}});
  };
  Host x = data.values(dims, -8, 8), dy = data.values(dims), y = Host::f32(dims);
  add(Opcode::act_fwd, {x, y});
  add(Opcode::act_bwd, {dy, x, y});
  add(Opcode::add_fwd, {data.values(dims, -3, 4), data.values(dims, -3, 4), y});
  if (hasGradientFromOutput(act)) {
    // Outputs as the forward makes them: many exact zeros and sixes.
    Host out = data.grid(dims, -16, 64);
    for (int64_t i = 0; i < out.elements(); ++i)
      out.f()[i] = activate(act, out.f()[i]);
    add(Opcode::act_bwd_out, {dy, out, y});
  }
}

// The kinks themselves, both zeros and values where exp overflows.
void addEdges(Cases &cases, Activation act, Data &data) {
  std::vector<float> edges = {-0.0f, 0.0f,   1e-30f, -1e-30f, 3.0f,  -3.0f, 6.0f,
                              1e-5f, -1e-5f, 88.0f,  -88.0f,  90.0f, -90.0f};
  if (act != Activation::None && act != Activation::SiLU && act != Activation::Hardswish)
    edges.insert(edges.end(), {-1e30f, 1e30f});
  Dims dims = {1, 1, 1, int64_t(edges.size())};
  Host x = Host::f32(dims, edges), dy = data.values(dims, 0.5, 2);
  std::string name = "edges act " + std::to_string(int(act));
  cases.push_back({Opcode::act_fwd, "act_fwd " + name, {x, Host::f32(dims)}, {attr(act)}, {}});
  cases.push_back({Opcode::act_bwd, "act_bwd " + name, {dy, x, Host::f32(dims)}, {attr(act)}, {}});
}

void addInfinities(Cases &cases, Activation act) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {infinity, 1, infinity};
  if (act != Activation::SiLU && act != Activation::Hardswish) // 0 * infinity
    values.push_back(-infinity);
  Dims dims = {1, 1, 1, int64_t(values.size())};
  cases.push_back({Opcode::act_fwd,
                   "act_fwd infinities act " + std::to_string(int(act)),
                   {Host::f32(dims, values), Host::f32(dims)},
                   {attr(act)},
                   {}});
}

void addCopies(Cases &cases, const Dims &dims, Data &data) {
  Host x = data.values(dims), labels = data.ints(dims, -100, 100);
  Dims flat = {dims[0], 1, 1, dims[1] * dims[2] * dims[3]};
  std::string name = "copy " + describe(dims);
  cases.push_back({Opcode::copy, name, {x, Host::f32(dims)}, {}, {}});
  cases.push_back({Opcode::copy, name + " flat", {x, Host::f32(flat)}, {}, {}});
  cases.push_back({Opcode::copy, name + " i32", {labels, Host(DType::I32, dims)}, {}, {}});
}

void addChannelPads(Cases &cases, const Dims &dims, int64_t extra, Data &data) {
  Dims wide = {dims[0], dims[1], dims[2], dims[3] + extra};
  std::string name = describe(dims) + " + " + std::to_string(extra);
  cases.push_back({Opcode::channel_pad_fwd,
                   "channel_pad_fwd " + name,
                   {data.values(dims), Host::f32(wide)},
                   {},
                   {}});
  cases.push_back({Opcode::channel_pad_bwd,
                   "channel_pad_bwd " + name,
                   {data.values(wide), Host::f32(dims)},
                   {},
                   {}});
}

void addDropout(Cases &cases, const Dims &dims, double p, Data &data) {
  std::string name = describe(dims) + " p " + std::to_string(p);
  cases.push_back({Opcode::dropout_fwd,
                   "dropout_fwd " + name,
                   {data.values(dims), data.ints({1, 1, 1, 2}, -1000000, 1000000),
                    data.ints({1, 1, 1, 1}, 0, 1000), Host::f32(dims), Host(DType::U8, dims)},
                   {attr(p), attr(int(data.next() % 100))},
                   {}});
  Host mask(DType::U8, dims);
  for (uint8_t &b : mask.bytes)
    b = uint8_t(data.next() & 1);
  cases.push_back({Opcode::dropout_bwd,
                   "dropout_bwd " + name,
                   {data.values(dims), mask, Host::f32(dims)},
                   {attr(p)},
                   {}});
}

void addFc(Cases &cases, const Dims &x, int64_t outputs, bool bias, Data &data) {
  Dims w = {outputs, x[1], x[2], x[3]}, y = {x[0], 1, 1, outputs};
  std::string name = describe(x) + " -> " + std::to_string(outputs) + (bias ? " bias" : "");
  Host none, in = data.values(x), weights = data.values(w, -0.5, 0.75), dy = data.values(y);
  cases.push_back({Opcode::fc_fwd,
                   "fc_fwd " + name,
                   {in, weights, bias ? data.vec(outputs, -1, 1) : none, Host::f32(y)},
                   {},
                   {}});
  cases.push_back(
      {Opcode::fc_bwd_data, "fc_bwd_data " + name, {dy, weights, Host::f32(x)}, {}, {}});
  cases.push_back({Opcode::fc_bwd_weight,
                   "fc_bwd_weight " + name,
                   {in, dy, Host::f32(w), bias ? Host::vec(outputs) : none},
                   {},
                   {}});
}

} // namespace

void addLayerCases(Cases &cases) {
  Data data(13);
  const std::vector<Activation> &acts = allActivations();
  size_t turn = 0;
  for (const Dims &dims : pointwiseShapes()) {
    addPointwise(cases, dims, Activation::None, data);
    addPointwise(cases, dims, Activation::ReLU, data);
    addPointwise(cases, dims, acts[2 + turn % (acts.size() - 2)], data);
    addCopies(cases, dims, data);
    addChannelPads(cases, dims, int64_t(turn % 4), data);
    addDropout(cases, dims, turn % 2 ? 0.5 : 0.3, data);
    ++turn;
  }
  addDropout(cases, {2, 3, 5, 7}, 0.0, data);
  for (Activation act : acts) {
    addEdges(cases, act, data);
    addInfinities(cases, act);
  }
  const std::vector<std::pair<Dims, int64_t>> layers = {
      {{1, 1, 1, 1}, 1},    {{3, 1, 1, 5}, 7},  {{1, 1, 1, 33}, 17},
      {{17, 1, 1, 64}, 10}, {{2, 3, 5, 7}, 11}, {{4, 2, 2, 16}, 32},
      {{5, 1, 1, 1}, 3},    {{6, 4, 1, 3}, 1},  {{32, 1, 1, 129}, 65}};
  for (const auto &[x, outputs] : layers)
    for (bool bias : {false, true})
      addFc(cases, x, outputs, bias, data);
}

} // namespace trk::test
