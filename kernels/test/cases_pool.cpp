// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the pooling ops. Values lie on a coarse grid, so ties occur
// and every backend must find the same first maximum.
#include "conformance.h"

namespace trk::test {
namespace {

struct PoolCase {
  Dims x;
  Window window;
};

const std::vector<PoolCase> &poolCases() {
  static const std::vector<PoolCase> cases = {
      {{1, 1, 1, 1}, {1, 1, 1, 1, 0, 0}},     {{2, 4, 6, 3}, {2, 2, 2, 2, 0, 0}},
      {{3, 7, 5, 17}, {3, 3, 2, 2, 1, 1}},    {{2, 14, 12, 16}, {3, 3, 2, 2, 1, 1}},
      {{1, 9, 8, 5}, {3, 3, 1, 1, 1, 1}},     {{2, 5, 9, 32}, {2, 3, 1, 2, 1, 0}},
      {{2, 8, 8, 1}, {3, 2, 3, 4, 0, 1}},     {{1, 7, 7, 19}, {7, 7, 1, 1, 0, 0}},
      {{1, 9, 6, 4}, {2, 2, 3, 3, 0, 0}}, // cells that no window reads
      {{4, 6, 7, 33}, {1, 4, 1, 3, 0, 2}},    {{5, 3, 2, 64}, {3, 2, 1, 1, 2, 1}},
      {{1, 18, 17, 2}, {17, 16, 1, 1, 0, 0}}, // more than 256 cells: int32 indices
      {{1, 20, 18, 3}, {16, 16, 2, 1, 5, 3}}, // exactly 256 cells: bytes
  };
  return cases;
}

Dims outputDims(const PoolCase &c) {
  const Window &w = c.window;
  return {c.x[0], outputExtent(c.x[1], w.kernel_h, w.stride_h, w.pad_h),
          outputExtent(c.x[2], w.kernel_w, w.stride_w, w.pad_w), c.x[3]};
}

DType indexType(const Window &w) { return w.kernel_h * w.kernel_w <= 256 ? DType::U8 : DType::I32; }

// Powers of two and grid values keep the normalised values exact.
Host powersOfTwo(int64_t c, bool negative, Data &data) {
  Host h = Host::vec(c);
  for (int64_t i = 0; i < c; ++i) {
    float v = float(1 << data.next() % 3) / 2;
    h.f()[i] = negative && data.next() % 4 == 0 ? -v : v;
  }
  return h;
}

void addBnPools(Cases &cases, const PoolCase &c, Activation act, Data &data) {
  int64_t channels = c.x[3];
  Dims y = outputDims(c);
  Dims vec = {1, 1, 1, channels};
  std::vector<Attr> attrs = {attr(act)};
  for (Attr a : poolAttrList(c.window))
    attrs.push_back(a);
  std::string name = describe(c.x) + " " + describe(c.window) + " act " + std::to_string(int(act));
  cases.push_back({Opcode::bn_apply_pool,
                   "bn_apply_pool " + name,
                   {data.grid(c.x), data.grid(vec), powersOfTwo(channels, false, data),
                    powersOfTwo(channels, true, data), data.grid(vec), Host::f32(y),
                    Host(indexType(c.window), y)},
                   attrs,
                   {}});
  cases.push_back(
      {Opcode::bn_inf_pool,
       "bn_inf_pool " + name,
       {data.grid(c.x), powersOfTwo(channels, true, data), data.grid(vec), Host::f32(y)},
       attrs,
       {}});
}

// An index that a forward pass could have written: inside the input.
Host validIndices(const PoolCase &c, Data &data) {
  Dims y = outputDims(c);
  const Window &w = c.window;
  std::vector<Host> forward = {data.grid(c.x, -3, 3), Host::f32(y), Host(indexType(w), y)};
  std::string error = runKernel(referenceBackend(), Opcode::maxpool_fwd, forward, poolAttrList(w));
  return error.empty() ? forward[2] : Host();
}

void addPools(Cases &cases, const PoolCase &c, Data &data) {
  Dims y = outputDims(c);
  std::vector<Attr> attrs = poolAttrList(c.window);
  std::string name = describe(c.x) + " " + describe(c.window);
  Host x = data.grid(c.x), none, index(indexType(c.window), y);
  auto add = [&](Opcode op, std::vector<Host> operands) {
    cases.push_back({op, std::string(info(op).name) + " " + name, std::move(operands), attrs, {}});
  };
  add(Opcode::maxpool_fwd, {x, Host::f32(y), index});
  add(Opcode::maxpool_fwd, {x, Host::f32(y), none});
  add(Opcode::maxpool_bwd, {data.values(y), validIndices(c, data), Host::f32(c.x)});
  add(Opcode::avgpool_fwd, {data.values(c.x), Host::f32(y)});
  add(Opcode::avgpool_bwd, {data.values(y), Host::f32(c.x)});
}

} // namespace

void addPoolCases(Cases &cases) {
  Data data(14);
  for (const PoolCase &c : poolCases()) {
    addPools(cases, c, data);
    addBnPools(cases, c, Activation::ReLU, data);
    addBnPools(cases, c, Activation::None, data);
    addBnPools(cases, c, Activation::ReLU6, data);
  }
  // Activations that round: values apart enough for one winner.
  addBnPools(cases, poolCases()[2], Activation::LeakyReLU, data);
  for (const Dims &dims : pointwiseShapes()) {
    Dims pooled = {dims[0], 1, 1, dims[3]};
    cases.push_back({Opcode::gap_fwd,
                     "gap_fwd " + describe(dims),
                     {data.values(dims), Host::f32(pooled)},
                     {},
                     {}});
    cases.push_back({Opcode::gap_bwd,
                     "gap_bwd " + describe(dims),
                     {data.values(pooled), Host::f32(dims)},
                     {},
                     {}});
  }
}

} // namespace trk::test
