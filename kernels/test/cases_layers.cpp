// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of copies, activations, addition, multiplication, fully connected layers,
// channel padding and dropout.
#include "conformance.h"

#include <limits>

namespace trk::test {
namespace {

std::string nameOf(const std::string &what, Act act) { return what + " act " + trf::name(act); }

void addActFwd(Cases &cases, const std::string &what, const Host &x, Act act) {
  namespace op = ops::act_fwd;
  add(cases, nameOf(what, act), {op::kOpcode, {{op::x, x}}, op::Attrs{act}});
}

void addActBwd(Cases &cases, const std::string &what, const Host &dy, const Host &x, Act act) {
  namespace op = ops::act_bwd;
  add(cases, nameOf(what, act), {op::kOpcode, {{op::dy, dy}, {op::x, x}}, op::Attrs{act}});
}

void addSum(Cases &cases, const Dims &dims, Act act, Data &data) {
  namespace op = ops::add_fwd;
  add(cases, nameOf(describe(dims), act),
      {op::kOpcode,
       {{op::a, data.values(dims, -3, 4)}, {op::b, data.values(dims, -3, 4)}},
       op::Attrs{act}});
}

void addProduct(Cases &cases, const std::string &name, const Host &a, const Host &b,
                const Host &dy) {
  {
    namespace op = ops::mul_fwd;
    add(cases, name, {op::kOpcode, {{op::a, a}, {op::b, b}, {op::y, Host::f32(dy.dims)}}});
  }
  namespace op = ops::mul_bwd;
  const Host da = Host::f32(a.dims), db = Host::f32(b.dims);
  const Invocation both(op::kOpcode,
                        {{op::dy, dy}, {op::a, a}, {op::b, b}, {op::da, da}, {op::db, db}});
  add(cases, name, both);
  Invocation one = both, other = both;
  one[op::db] = other[op::da] = Host();
  add(cases, name + " da", one);
  add(cases, name + " db", other);
}

// Of two maps, and with one factor or both spread.
void addProducts(Cases &cases, const Dims &map, Data &data) {
  const Dims pixel = {map[0], 1, 1, map[3]};
  const Host dy = data.values(map);
  for (const Dims &a : {map, pixel})
    for (const Dims &b : {map, pixel})
      addProduct(cases, describe(map) + ": " + describe(a) + " * " + describe(b), data.values(a),
                 data.values(b), dy);
}

void addPointwise(Cases &cases, const Dims &dims, Act act, Data &data) {
  Host x = data.values(dims, -8, 8), dy = data.values(dims);
  addActFwd(cases, describe(dims), x, act);
  addActBwd(cases, describe(dims), dy, x, act);
  addSum(cases, dims, act, data);
  if (!hasGradientFromOutput(act))
    return;
  // Outputs as the forward makes them: many exact zeros and sixes.
  Host out = data.grid(dims, -16, 64);
  for (int64_t i = 0; i < out.elements(); ++i)
    out.f()[i] = activate(act, out.f()[i]);
  namespace op = ops::act_bwd_out;
  add(cases, nameOf(describe(dims), act),
      {op::kOpcode, {{op::dy, dy}, {op::y, out}}, op::Attrs{act}});
}

// x times what is 0 at -infinity.
bool isProduct(Act act) {
  for (Activation kind : {Activation::SiLU, Activation::Hardswish, Activation::GELU,
                          Activation::GELUTanh, Activation::Mish})
    if (act == kind)
      return true;
  return false;
}

// The kinks themselves, both zeros and values where exp overflows.
void addEdges(Cases &cases, Act act, Data &data) {
  std::vector<float> edges = {-0.0f, 0.0f,   1e-30f, -1e-30f, 3.0f,  -3.0f, 6.0f,
                              1e-5f, -1e-5f, 88.0f,  -88.0f,  90.0f, -90.0f};
  if (act != Activation::None && !isProduct(act))
    edges.insert(edges.end(), {-1e30f, 1e30f});
  Host x = Host::vec(edges), dy = data.values(x.dims, 0.5, 2);
  addActFwd(cases, "edges", x, act);
  addActBwd(cases, "edges", dy, x, act);
}

void addInfinities(Cases &cases, Act act) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {infinity, 1, infinity};
  if (!isProduct(act)) // 0 * infinity
    values.push_back(-infinity);
  addActFwd(cases, "infinities", Host::vec(values), act);
}

void addCopies(Cases &cases, const Dims &dims, Data &data) {
  namespace op = ops::copy;
  Host x = data.values(dims), labels = data.ints(dims, -100, 100);
  Host flat = Host::f32({dims[0], 1, 1, dims[1] * dims[2] * dims[3]});
  add(cases, describe(dims), {op::kOpcode, {{op::x, x}}});
  add(cases, describe(dims) + " flat", {op::kOpcode, {{op::x, x}, {op::y, flat}}});
  add(cases, describe(dims) + " i32", {op::kOpcode, {{op::x, labels}}});
  Host bytes(DType::U8, dims);
  for (size_t i = 0; i < bytes.bytes.size(); ++i)
    bytes.bytes[i] = uint8_t(i * 37);
  add(cases, describe(dims) + " u8", {op::kOpcode, {{op::x, bytes}}});
}

void addChannelPads(Cases &cases, const Dims &dims, int64_t extra, Data &data) {
  Dims wide = {dims[0], dims[1], dims[2], dims[3] + extra};
  std::string name = describe(dims) + " + " + std::to_string(extra);
  {
    namespace op = ops::channel_pad_fwd;
    add(cases, name, {op::kOpcode, {{op::x, data.values(dims)}, {op::y, Host::f32(wide)}}});
  }
  namespace op = ops::channel_pad_bwd;
  add(cases, name, {op::kOpcode, {{op::dy, data.values(wide)}, {op::dx, Host::f32(dims)}}});
}

void addDropout(Cases &cases, const Dims &dims, double p, Data &data) {
  std::string name = describe(dims) + " p " + std::to_string(p);
  {
    namespace op = ops::dropout_fwd;
    add(cases, name,
        {op::kOpcode,
         {{op::x, data.values(dims)},
          {op::seed, data.ints({1, 1, 1, 2}, -1000000, 1000000)},
          {op::step, data.ints({1, 1, 1, 1}, 0, 1000)}},
         op::Attrs{p, data.next() % 100}});
  }
  namespace op = ops::dropout_bwd;
  Host mask(DType::U8, dims);
  for (uint8_t &b : mask.bytes)
    b = uint8_t(data.next() & 1);
  add(cases, name, {op::kOpcode, {{op::dy, data.values(dims)}, {op::mask, mask}}, op::Attrs{p}});
}

void addFc(Cases &cases, const Dims &x, int64_t outputs, bool biased, Data &data) {
  Dims w = {outputs, x[1], x[2], x[3]}, y = {x[0], 1, 1, outputs};
  std::string name = describe(x) + " -> " + std::to_string(outputs) + (biased ? " bias" : "");
  Host in = data.values(x), weights = data.values(w, -0.5, 0.75), dy = data.values(y);
  {
    namespace op = ops::fc_fwd;
    Host bias = biased ? data.vec(outputs, -1, 1) : Host();
    add(cases, name,
        {op::kOpcode, {{op::x, in}, {op::w, weights}, {op::bias, bias}, {op::y, Host::f32(y)}}});
  }
  {
    namespace op = ops::fc_bwd_data;
    add(cases, name, {op::kOpcode, {{op::dy, dy}, {op::w, weights}, {op::dx, Host::f32(x)}}});
  }
  namespace op = ops::fc_bwd_weight;
  Host dbias = biased ? Host::vec(outputs) : Host();
  add(cases, name,
      {op::kOpcode, {{op::x, in}, {op::dy, dy}, {op::dw, Host::f32(w)}, {op::dbias, dbias}}});
}

} // namespace

void addLayerCases(Cases &cases) {
  Data data(13);
  const std::vector<Act> &acts = allActivations();
  size_t turn = 0;
  for (const Dims &dims : pointwiseShapes()) {
    addPointwise(cases, dims, Activation::None, data);
    addPointwise(cases, dims, Activation::ReLU, data);
    addPointwise(cases, dims, acts[2 + turn % (acts.size() - 2)], data);
    addProducts(cases, dims, data);
    addCopies(cases, dims, data);
    addChannelPads(cases, dims, int64_t(turn % 4), data);
    addDropout(cases, dims, turn % 2 ? 0.5 : 0.3, data);
    ++turn;
  }
  addProducts(cases, {1, 40, 33, 24}, data); // parts of one sample
  addDropout(cases, {2, 3, 5, 7}, 0.0, data);
  for (Act act : acts) {
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
