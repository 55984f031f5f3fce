// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the ops that change extents or the order of channels: global maxima, means
// over a grid, larger maps, channels in other places, biases.
#include "conformance.h"

namespace trk::test {
namespace {

void addGlobalMaxima(Cases &cases, const Dims &dims, Data &data) {
  const Dims pixel = {dims[0], 1, 1, dims[3]};
  {
    namespace op = ops::global_maxpool_fwd;
    const Host x = data.grid(dims);
    add(cases, describe(dims), {op::kOpcode, {{op::x, x}}});
    add(cases, describe(dims) + " index",
        {op::kOpcode, {{op::x, x}, {op::index, Host(DType::I32, pixel)}}});
  }
  namespace op = ops::global_maxpool_bwd;
  const auto last = int32_t(dims[1] * dims[2] - 1);
  add(cases, describe(dims),
      {op::kOpcode,
       {{op::dy, data.values(pixel)},
        {op::index, data.ints(pixel, 0, last)},
        {op::dx, Host::f32(dims)}}});
}

// Both directions of an op and its gradient, whose attributes are alike.
template <typename Attrs, typename BwdAttrs>
void addMap(Cases &cases, Opcode forward, Opcode backward, const Dims &x, const Dims &y,
            const Attrs &attrs, const BwdAttrs &bwdAttrs, Data &data) {
  const std::string name = describe(x) + " to " + describe(y);
  add(cases, name, {forward, {{0, data.values(x)}, {1, Host::f32(y)}}, attrs});
  add(cases, name, {backward, {{0, data.values(y)}, {1, Host::f32(x)}}, bwdAttrs});
}

void addGrid(Cases &cases, const Dims &x, int64_t h, int64_t w, Data &data) {
  namespace op = ops::adaptive_avgpool_fwd;
  namespace bwd = ops::adaptive_avgpool_bwd;
  addMap(cases, op::kOpcode, bwd::kOpcode, x, {x[0], h, w, x[3]}, op::Attrs{h, w}, bwd::Attrs{h, w},
         data);
}

void addUpsamplings(Cases &cases, const Dims &x, int64_t h, int64_t w, Data &data) {
  const Dims y = {x[0], x[1] * h, x[2] * w, x[3]};
  {
    namespace op = ops::upsample_nearest_fwd;
    namespace bwd = ops::upsample_nearest_bwd;
    addMap(cases, op::kOpcode, bwd::kOpcode, x, y, op::Attrs{h, w}, bwd::Attrs{h, w}, data);
  }
  namespace op = ops::upsample_bilinear_fwd;
  namespace bwd = ops::upsample_bilinear_bwd;
  addMap(cases, op::kOpcode, bwd::kOpcode, x, y, op::Attrs{h, w}, bwd::Attrs{h, w}, data);
}

void addRuns(Cases &cases, const Dims &narrow, int64_t before, int64_t after, Data &data) {
  const Dims wide = {narrow[0], narrow[1], narrow[2], before + narrow[3] + after};
  const std::string name = describe(narrow) + " at " + std::to_string(before);
  {
    namespace op = ops::channel_place;
    add(cases, name,
        {op::kOpcode, {{op::x, data.values(narrow)}, {op::y, Host::f32(wide)}}, op::Attrs{before}});
  }
  namespace op = ops::channel_take;
  add(cases, name,
      {op::kOpcode, {{op::x, data.values(wide)}, {op::y, Host::f32(narrow)}}, op::Attrs{before}});
}

void addShuffles(Cases &cases, const Dims &dims, Data &data) {
  namespace op = ops::channel_shuffle;
  for (int64_t groups = 1; groups <= dims[3]; ++groups)
    if (dims[3] % groups == 0)
      add(cases, describe(dims) + " groups " + std::to_string(groups),
          {op::kOpcode, {{op::x, data.values(dims)}}, op::Attrs{groups}});
}

void addBiases(Cases &cases, const Dims &dims, Data &data) {
  {
    namespace op = ops::bias_add;
    add(cases, describe(dims),
        {op::kOpcode, {{op::x, data.values(dims)}, {op::bias, data.vec(dims[3], -1, 1)}}});
  }
  namespace op = ops::bias_sum;
  add(cases, describe(dims), {op::kOpcode, {{op::dy, data.values(dims)}}});
}

} // namespace

void addShapeCases(Cases &cases) {
  Data data(15);
  int64_t turn = 0;
  for (const Dims &dims : pointwiseShapes()) {
    addGlobalMaxima(cases, dims, data);
    addBiases(cases, dims, data);
    addShuffles(cases, dims, data);
    addRuns(cases, dims, turn % 5, turn % 3, data);
    addUpsamplings(cases, dims, 1 + turn % 3, 1 + turn % 4, data);
    ++turn;
  }
  addShuffles(cases, {2, 5, 3, 72}, data);
  addShuffles(cases, {3, 31, 20, 116}, data);
  addUpsamplings(cases, {2, 33, 17, 24}, 2, 2, data);
  // Grids that divide the map, that do not, that are as large and larger.
  addGrid(cases, {2, 8, 6, 17}, 4, 2, data);
  addGrid(cases, {3, 7, 11, 5}, 3, 4, data);
  addGrid(cases, {1, 5, 4, 32}, 5, 4, data);
  addGrid(cases, {2, 3, 4, 3}, 7, 9, data);
  addGrid(cases, {4, 13, 13, 40}, 6, 6, data);
  addGrid(cases, {1, 1, 1, 1}, 2, 1, data);
}

} // namespace trk::test
