// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of learned slopes and factors, layer and group norm, and masks.
#include "conformance.h"

namespace trk::test {
namespace {

// With the gradient of the input and without.
void addBothBackward(Cases &cases, const std::string &name, const Invocation &call, int dx) {
  add(cases, name, call);
  Invocation without = call;
  without[dx] = Host();
  add(cases, name + " parameters alone", without);
}

void addPrelu(Cases &cases, const Dims &dims, int64_t slopes, Data &data) {
  const std::string name = describe(dims) + " slopes " + std::to_string(slopes);
  const Host x = data.values(dims, -2, 2), slope = data.vec(slopes, -0.5, 1);
  {
    namespace op = ops::prelu_fwd;
    add(cases, name, {op::kOpcode, {{op::x, x}, {op::slope, slope}}});
  }
  namespace op = ops::prelu_bwd;
  addBothBackward(
      cases, name,
      {op::kOpcode,
       {{op::dy, data.values(dims)}, {op::x, x}, {op::slope, slope}, {op::dx, Host::f32(dims)}}},
      op::dx);
}

void addScale(Cases &cases, const Dims &dims, Data &data) {
  const Host x = data.values(dims), factor = data.vec(dims[3], -1, 2);
  {
    namespace op = ops::scale_fwd;
    add(cases, describe(dims), {op::kOpcode, {{op::x, x}, {op::factor, factor}}});
  }
  namespace op = ops::scale_bwd;
  addBothBackward(
      cases, describe(dims),
      {op::kOpcode,
       {{op::dy, data.values(dims)}, {op::x, x}, {op::factor, factor}, {op::dx, Host::f32(dims)}}},
      op::dx);
}

// The statistics that the backward pass reads are any numbers here.
struct NormCase {
  Dims dims;
  double centre;
  bool affine;

  std::string name() const {
    return describe(dims) + " around " + std::to_string(centre) + (affine ? " affine" : "");
  }
  Host values(Data &data) const { return data.values(dims, centre - 1, centre + 1.5); }
  Host vec(Data &data) const { return affine ? data.vec(dims[3], -1, 2) : Host(); }
  Host sums() const { return affine ? Host::vec(dims[3]) : Host(); }
};

void addLayerNorm(Cases &cases, const NormCase &c, Data &data) {
  const Dims lone = {c.dims[0], c.dims[1], c.dims[2], 1};
  const Host x = c.values(data), gamma = c.vec(data);
  {
    namespace op = ops::layer_norm_fwd;
    Invocation call(op::kOpcode, {{op::x, x}, {op::gamma, gamma}, {op::beta, c.vec(data)}},
                    op::Attrs{1e-2});
    add(cases, c.name() + " inference", call);
    call.set({{op::mean, Host::f32(lone)}, {op::inv_std, Host::f32(lone)}});
    add(cases, c.name(), call);
  }
  namespace op = ops::layer_norm_bwd;
  addBothBackward(cases, c.name(),
                  {op::kOpcode,
                   {{op::dy, data.values(c.dims)},
                    {op::x, x},
                    {op::mean, data.values(lone, c.centre - 0.5, c.centre + 0.5)},
                    {op::inv_std, data.values(lone, 0.5, 2)},
                    {op::gamma, gamma},
                    {op::dgamma, c.sums()},
                    {op::dbeta, c.sums()},
                    {op::dx, Host::f32(c.dims)}}},
                  op::dx);
}

void addGroupNorm(Cases &cases, const NormCase &c, int64_t groups, Data &data) {
  const std::string name = c.name() + " groups " + std::to_string(groups);
  const Dims perGroup = {c.dims[0], 1, 1, groups};
  const Host x = c.values(data), gamma = c.vec(data);
  {
    namespace op = ops::group_norm_fwd;
    Invocation call(op::kOpcode, {{op::x, x}, {op::gamma, gamma}, {op::beta, c.vec(data)}},
                    op::Attrs{1e-2, groups});
    add(cases, name + " inference", call);
    call.set({{op::mean, Host::f32(perGroup)}, {op::inv_std, Host::f32(perGroup)}});
    add(cases, name, call);
  }
  namespace op = ops::group_norm_bwd;
  addBothBackward(cases, name,
                  {op::kOpcode,
                   {{op::dy, data.values(c.dims)},
                    {op::x, x},
                    {op::mean, data.values(perGroup, c.centre - 0.5, c.centre + 0.5)},
                    {op::inv_std, data.values(perGroup, 0.5, 2)},
                    {op::gamma, gamma},
                    {op::dgamma, c.sums()},
                    {op::dbeta, c.sums()},
                    {op::dx, Host::f32(c.dims)}},
                   op::Attrs{groups}},
                  op::dx);
}

void addGate(Cases &cases, const Dims &dims, Act act, Data &data) {
  const int64_t c = dims[3];
  const Dims pixel = {dims[0], 1, 1, c};
  {
    namespace op = ops::bn_apply_gap;
    add(cases, describe(dims) + " act " + trf::name(act),
        {op::kOpcode,
         {{op::x, data.values(dims, -2, 3)},
          {op::mean, data.vec(c, -0.5, 1)},
          {op::inv_std, data.vec(c, 0.5, 2)},
          {op::gamma, data.vec(c, -1, 2)},
          {op::beta, data.vec(c, -1, 1)}},
         op::Attrs{act}});
  }
  namespace op = ops::gate_bwd;
  add(cases, describe(dims),
      {op::kOpcode,
       {{op::dy, data.values(dims)},
        {op::gate, data.values(pixel)},
        {op::daverage, data.values(pixel)}}});
}

void addMask(Cases &cases, const Dims &dims, double p, Data &data) {
  namespace op = ops::drop_mask;
  for (int64_t perChannel : {0, 1})
    add(cases, describe(dims) + (perChannel ? " channels" : " samples"),
        {op::kOpcode,
         {{op::seed, data.ints({1, 1, 1, 2}, -1000000, 1000000)},
          {op::step, data.ints({1, 1, 1, 1}, 0, 1000)},
          {op::mask, Host::f32({dims[0], 1, 1, dims[3]})}},
         op::Attrs{p, data.next() % 100, perChannel}});
}

void addCumulate(Cases &cases, int64_t c, float batches, Data &data) {
  namespace op = ops::bn_cumulate;
  add(cases, std::to_string(c) + " after " + std::to_string(batches),
      {op::kOpcode,
       {{op::prev_count, Host::scalar(batches)},
        {op::prev_mean, data.vec(c, -1, 1)},
        {op::prev_var, data.vec(c, 0.5, 2)},
        {op::next_mean, data.vec(c, -1, 1)},
        {op::next_var, data.vec(c, 0.5, 2)}}});
}

} // namespace

void addFactorCases(Cases &cases) {
  Data data(16);
  bool affine = false;
  size_t turn = 0;
  const std::vector<Act> &acts = allActivations();
  for (const Dims &dims : pointwiseShapes()) {
    const int64_t c = dims[3];
    addPrelu(cases, dims, c, data);
    addPrelu(cases, dims, 1, data);
    addScale(cases, dims, data);
    addGate(cases, dims, acts[turn++ % acts.size()], data);
    addMask(cases, dims, affine ? 0.5 : 0.2, data);
    addCumulate(cases, c, affine ? 0 : 41, data);
    affine = !affine;
    for (double centre : {0.25, 50.0}) {
      addLayerNorm(cases, {dims, centre, affine}, data);
      addGroupNorm(cases, {dims, centre, affine}, 1, data);
      addGroupNorm(cases, {dims, centre, affine}, c % 4 == 0 ? c / 4 : c, data);
    }
  }
}

} // namespace trk::test
