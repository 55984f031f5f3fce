// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of softmax cross-entropy: classes from 1 to 1000, partly
// filled batches, smoothing, ties, bad labels.
#include "conformance.h"

#include <limits>

namespace trk::test {
namespace {

struct LossShape {
  int64_t batch, classes;
  int32_t valid;
};

void addCase(Cases &cases, const LossShape &s, const Host &logits, const Host &labels,
             float smoothing, bool metrics, const std::string &name) {
  namespace op = ops::softmax_ce_fwd;
  Host valid = Host::scalarInt(s.valid), factor = Host::scalar(smoothing);
  Invocation forward(op::kOpcode, {{op::logits, logits},
                                   {op::labels, labels},
                                   {op::valid, valid},
                                   {op::label_smoothing, factor}});
  if (metrics)
    forward.set({{op::top1, Host::scalar(0)},
                 {op::top5, Host::scalar(0)},
                 {op::predicted, Host(DType::I32, {s.batch, 1, 1, 1})}});
  add(cases, name, forward);
  if (!runKernel(referenceSetup(), forward).empty())
    return;
  namespace back = ops::softmax_ce_bwd;
  add(cases, name,
      {back::kOpcode,
       {{back::probs, forward[op::probs]},
        {back::labels, labels},
        {back::valid, valid},
        {back::label_smoothing, factor}}});
}

std::string name(const LossShape &s, float smoothing) {
  return std::to_string(s.batch) + "x" + std::to_string(s.classes) + " valid " +
         std::to_string(s.valid) + " smoothing " + std::to_string(smoothing);
}

} // namespace

void addLossCases(Cases &cases) {
  Data data(15);
  const std::vector<LossShape> shapes = {{1, 1, 1},    {1, 2, 1},  {3, 3, 2},    {5, 10, 5},
                                         {8, 10, 3},   {4, 17, 0}, {7, 1000, 6}, {33, 5, 32},
                                         {16, 64, 16}, {2, 31, 9}};
  for (const LossShape &s : shapes)
    for (float smoothing : {0.0f, 0.1f}) {
      Dims dims = {s.batch, 1, 1, s.classes};
      Host labels = data.ints({s.batch, 1, 1, 1}, 0, int32_t(s.classes - 1));
      addCase(cases, s, data.values(dims, -4, 6), labels, smoothing, true, name(s, smoothing));
      addCase(cases, s, data.grid(dims, -2, 2), labels, smoothing, true,
              name(s, smoothing) + " ties");
      addCase(cases, s, data.values(dims, -300, 300), labels, smoothing, smoothing > 0,
              name(s, smoothing) + " wide");
    }

  LossShape s = {4, 6, 4};
  Dims dims = {4, 1, 1, 6};
  Host bad = Host::i32({4, 1, 1, 1}, {0, 5, 6, 1}),
       negative = Host::i32({4, 1, 1, 1}, {0, -1, 2, 1});
  addCase(cases, s, data.values(dims), bad, 0.1f, true, "label too large");
  addCase(cases, s, data.values(dims), negative, 0.0f, true, "label negative");
  // Bad labels of padding samples do not count.
  addCase(cases, {4, 6, 2}, data.values(dims), bad, 0.1f, true, "bad label in padding");
  Host special = data.values(dims);
  special.f()[3] = -std::numeric_limits<float>::infinity();
  special.f()[8] = 3e38f;
  special.f()[9] = -3e38f;
  addCase(cases, s, special, data.ints({4, 1, 1, 1}, 0, 0), 0.0f, true, "masked class");
}

} // namespace trk::test
