// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the pooling ops. Values lie on a coarse grid, so ties occur
// and every library must find the same first maximum.
#include "conformance.h"

namespace trk::test {
namespace {

struct PoolCase {
  Dims x;
  Window window;
};

const std::vector<PoolCase> &poolCases() {
  static const std::vector<PoolCase> cases = {
      {{1, 1, 1, 1}, {1, 1, 1, 1, 0, 0}},
      {{2, 4, 6, 3}, {2, 2, 2, 2, 0, 0}},
      {{3, 7, 5, 17}, {3, 3, 2, 2, 1, 1}},
      {{2, 14, 12, 16}, {3, 3, 2, 2, 1, 1}},
      {{1, 9, 8, 5}, {3, 3, 1, 1, 1, 1}},
      {{2, 5, 9, 32}, {2, 3, 1, 2, 1, 0}},
      {{2, 8, 8, 1}, {3, 2, 3, 4, 0, 1}},
      {{1, 7, 7, 19}, {7, 7, 1, 1, 0, 0}},
      {{1, 9, 6, 4}, {2, 2, 3, 3, 0, 0}}, // cells that no window reads
      {{4, 6, 7, 33}, {1, 4, 1, 3, 0, 2}},
      {{5, 3, 2, 64}, {3, 2, 1, 1, 2, 1}},
      {{1, 18, 17, 2}, {17, 16, 1, 1, 0, 0}}, // more than 256 cells: int32 indices
      {{1, 20, 18, 3}, {16, 16, 2, 1, 5, 3}}, // exactly 256 cells: bytes
      // Last windows that hang over both edges, over one of them, or in one cell.
      {{2, 5, 7, 17}, ceiled({2, 2, 2, 2, 0, 0})},
      {{3, 6, 8, 16}, ceiled({3, 3, 2, 2, 1, 1})},
      {{1, 9, 6, 5}, ceiled({4, 2, 3, 2, 1, 0})},
      {{2, 7, 8, 33}, ceiled({2, 3, 3, 4, 0, 0})}, // one that would begin outside
      {{1, 3, 2, 4}, ceiled({3, 2, 2, 3, 2, 1})},  // one that would begin in the pad
      {{4, 37, 22, 8}, ceiled({5, 4, 5, 4, 2, 1})},
      // Pads that differ at the two ends.
      {{2, 8, 7, 17}, paddedMore({3, 3, 2, 2, 0, 0}, 1, 2)},
      {{1, 6, 9, 16}, paddedMore({2, 4, 1, 2, 1, 2}, -1, 1)},
      {{2, 5, 6, 3}, ceiled(paddedMore({3, 2, 2, 2, 1, 0}, -1, 1))},
  };
  return cases;
}

// Maxima alone may have cells that are apart.
const std::vector<PoolCase> &dilatedCases() {
  static const std::vector<PoolCase> cases = {
      {{2, 9, 8, 17}, dilated({3, 3, 1, 1, 0, 0}, 2, 2)},
      {{1, 11, 7, 16}, dilated({3, 2, 2, 1, 2, 1}, 2, 3)},
      {{2, 7, 9, 5}, dilated({2, 3, 2, 3, 3, 4}, 4, 2)},
      {{3, 13, 12, 33}, dilated({3, 3, 2, 2, 2, 2}, 3, 1)},
      {{1, 40, 36, 2}, dilated({17, 16, 1, 1, 0, 1}, 2, 2)}, // int32 indices
      {{2, 10, 9, 4}, ceiled(paddedMore(dilated({3, 3, 2, 2, 1, 0}, 2, 2), 1, 2))},
  };
  return cases;
}

Dims outputDims(const PoolCase &c) { return windowDims(c.x, c.window, c.x[3]); }

// Powers of two and grid values keep the normalised values exact.
Host powersOfTwo(int64_t c, bool negative, Data &data) {
  Host h = Host::vec(c);
  for (int64_t i = 0; i < c; ++i) {
    float v = float(1 << data.next() % 3) / 2;
    h.f()[i] = negative && data.next() % 4 == 0 ? -v : v;
  }
  return h;
}

void addBnPools(Cases &cases, const PoolCase &c, Act act, Data &data) {
  const int64_t channels = c.x[3];
  const Dims y = outputDims(c), vec = {1, 1, 1, channels};
  std::string name = describe(c.x) + " " + describe(c.window) + " act " + trf::name(act);
  {
    namespace op = ops::bn_apply_pool;
    op::Attrs attrs = poolAttrs<op::Attrs>(c.window);
    attrs.act = act;
    add(cases, name,
        {op::kOpcode,
         {{op::x, data.grid(c.x)},
          {op::mean, data.grid(vec)},
          {op::inv_std, powersOfTwo(channels, false, data)},
          {op::gamma, powersOfTwo(channels, true, data)},
          {op::beta, data.grid(vec)},
          {op::y, Host::f32(y)},
          {op::index, Host(indexType(c.window), y)}},
         attrs});
  }
  namespace op = ops::bn_inf_pool;
  op::Attrs attrs = poolAttrs<op::Attrs>(c.window);
  attrs.act = act;
  add(cases, name,
      {op::kOpcode,
       {{op::x, data.grid(c.x)},
        {op::scale, powersOfTwo(channels, true, data)},
        {op::bias, data.grid(vec)},
        {op::y, Host::f32(y)}},
       attrs});
}

Invocation maxPoolOf(const PoolCase &c, const Host &x, bool withIndex) {
  namespace op = ops::maxpool_fwd;
  const Dims y = outputDims(c);
  return {op::kOpcode,
          {{op::x, x},
           {op::y, Host::f32(y)},
           {op::index, withIndex ? Host(indexType(c.window), y) : Host()}},
          poolAttrs<op::Attrs>(c.window)};
}

// An index that a forward pass could have written: inside the input.
Host validIndices(const PoolCase &c, Data &data) {
  Invocation forward = maxPoolOf(c, data.grid(c.x, -3, 3), true);
  const std::string error = runKernel(referenceSetup(), forward);
  return error.empty() ? forward[ops::maxpool_fwd::index] : Host();
}

void addMaxPools(Cases &cases, const PoolCase &c, const std::string &name, Data &data) {
  Host x = data.grid(c.x);
  add(cases, name, maxPoolOf(c, x, true));
  add(cases, name, maxPoolOf(c, x, false));
  namespace op = ops::maxpool_bwd;
  add(cases, name,
      {op::kOpcode,
       {{op::dy, data.values(outputDims(c))},
        {op::index, validIndices(c, data)},
        {op::dx, Host::f32(c.x)}},
       poolAttrs<op::Attrs>(c.window)});
}

void addAvgPools(Cases &cases, const PoolCase &c, const std::string &name, Data &data) {
  const Dims y = outputDims(c);
  {
    namespace op = ops::avgpool_fwd;
    add(cases, name,
        {op::kOpcode,
         {{op::x, data.values(c.x)}, {op::y, Host::f32(y)}},
         poolAttrs<op::Attrs>(c.window)});
  }
  namespace op = ops::avgpool_bwd;
  add(cases, name,
      {op::kOpcode,
       {{op::dy, data.values(y)}, {op::dx, Host::f32(c.x)}},
       poolAttrs<op::Attrs>(c.window)});
}

void addGlobalPools(Cases &cases, const Dims &dims, Data &data) {
  {
    namespace op = ops::gap_fwd;
    add(cases, describe(dims), {op::kOpcode, {{op::x, data.values(dims)}}});
  }
  namespace op = ops::gap_bwd;
  add(cases, describe(dims),
      {op::kOpcode, {{op::dy, data.values({dims[0], 1, 1, dims[3]})}, {op::dx, Host::f32(dims)}}});
}

} // namespace

void addPoolCases(Cases &cases) {
  Data data(14);
  for (const PoolCase &c : poolCases()) {
    const std::string name = describe(c.x) + " " + describe(c.window);
    addMaxPools(cases, c, name, data);
    addAvgPools(cases, c, name, data);
    addAvgPools(cases, {c.x, countingPad(c.window)}, name + " counting", data);
    addBnPools(cases, c, Activation::ReLU, data);
    addBnPools(cases, c, Activation::None, data);
    addBnPools(cases, c, Activation::ReLU6, data);
  }
  for (const PoolCase &c : dilatedCases()) {
    addMaxPools(cases, c, describe(c.x) + " " + describe(c.window), data);
    addBnPools(cases, c, Activation::ReLU, data);
  }
  // Activations that round: values apart enough for one winner.
  addBnPools(cases, poolCases()[2], Activation::LeakyReLU, data);
  for (const Dims &dims : pointwiseShapes())
    addGlobalPools(cases, dims, data);
}

} // namespace trk::test
