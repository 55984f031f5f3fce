// SPDX-License-Identifier: Apache-2.0
//
// How often the fused kernels pass over whole tensors: the cpu library on loops whose accessors
// count, and no instruction set of their own.
#include "run_kernel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

using namespace trk;
using namespace trk::test;

namespace {

struct Counter {
  const char *begin = nullptr, *end = nullptr;
  double bytes = 0; // of a pass: those between runs of channels are not among them
  std::atomic<int64_t> read{0}, written{0};
};
constexpr int kMostOperands = 16;
Counter counters[kMostOperands]; // of the operands of the call that runs

void count(const void *p, size_t bytes, std::atomic<int64_t> Counter::*what) {
  const char *at = static_cast<const char *>(p);
  for (Counter &counter : counters)
    if (at >= counter.begin && at < counter.end)
      (counter.*what).fetch_add(int64_t(bytes), std::memory_order_relaxed);
}

// Whole passes of a call over the operands that are as large as `like`, rounded to tenths: the
// statistics read their first rows twice.
struct Passes {
  double reads = 0, writes = 0;
};

void watch(Counter &counter, const Tensor &t) {
  counter.read = counter.written = 0;
  counter.begin = static_cast<const char *>(t.data);
  counter.end = counter.begin + t.pixels() * t.pitch * trf::bytesOf(t.dtype);
  counter.bytes = double(t.bytes());
}

Passes countPasses(Invocation call, const Dims &like, ConvAlgorithm algorithm,
                   const std::vector<int> &skip, RunOptions options) {
  const LibrarySetup setup{findLibrary("cpu"), 2, 2, algorithm};
  options.observe = [&](const std::vector<Tensor> &tensors) {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i] && call.operands[i].dims == like &&
          std::find(skip.begin(), skip.end(), int(i)) == skip.end())
        watch(counters[i], tensors[i]);
  };
  EXPECT_EQ(runKernel(setup, call, options), "");
  Passes passes;
  for (Counter &counter : counters) {
    if (!counter.begin)
      continue;
    passes.reads += double(counter.read) / counter.bytes;
    passes.writes += double(counter.written) / counter.bytes;
    counter.begin = counter.end = nullptr;
  }
  passes.reads = std::round(passes.reads * 10) / 10;
  passes.writes = std::round(passes.writes * 10) / 10;
  return passes;
}

// Of dense operands; runs of channels of wider tensors must not take more.
Passes passesOf(Invocation call, const Dims &like, ConvAlgorithm algorithm = ConvAlgorithm::Auto,
                const std::vector<int> &skip = {}) {
  call.makeOutputs();
  const Passes dense = countPasses(call, like, algorithm, skip, {});
  RunOptions runs;
  runs.margins.resize(call.operands.size());
  for (size_t i = 0; i < call.operands.size(); ++i)
    if (call.row(i).takesPitch() && call.operands[i].present())
      runs.margins[i] = {16, 48};
  const Passes pitched = countPasses(call, like, algorithm, skip, runs);
  EXPECT_EQ(pitched.reads, dense.reads);
  EXPECT_EQ(pitched.writes, dense.writes);
  return dense;
}

constexpr int64_t kC = 32;
const Dims kShape = {4, 32, 32, kC};
const BnHosts kInput = {Host::f32(kShape), Host::vec(kC), Host::vec(kC), Host::vec(kC),
                        Host::vec(kC)};

// A convolution that keeps the extents, with its statistics.
Passes statsPasses(int64_t kernel, ConvAlgorithm algorithm) {
  namespace op = ops::conv_stats_fwd;
  const int64_t pad = kernel / 2;
  op::Attrs attrs = convAttrs<op::Attrs>({kernel, kernel, 1, 1, pad, pad});
  attrs.eps = 1e-5;
  attrs.momentum = 0.1;
  const Host t = Host::f32(kShape), vec = Host::vec(kC);
  return passesOf({op::kOpcode,
                   {{op::x, t},
                    {op::w, Host::f32({kC, kernel, kernel, kC})},
                    {op::prev_mean, vec},
                    {op::prev_var, vec},
                    {op::y, t}},
                   attrs},
                  kShape, algorithm, /*skip=*/{op::x});
}

} // namespace

namespace trk::cpu {
void countRead(const void *p, size_t bytes) { count(p, bytes, &Counter::read); }
void countWrite(const void *p, size_t bytes) { count(p, bytes, &Counter::written); }
} // namespace trk::cpu

// Write y, read y for the statistics; read y, write z.
TEST(Passes, ForwardOfConvBnActIsFour) {
  for (auto [kernel, algorithm] : {std::pair<int64_t, ConvAlgorithm>{3, ConvAlgorithm::Winograd},
                                   {1, ConvAlgorithm::Pointwise}}) {
    Passes conv = statsPasses(kernel, algorithm);
    EXPECT_EQ(conv.writes, 1) << kernel;
    EXPECT_EQ(conv.reads, 1) << kernel;
  }
  namespace op = ops::bn_apply;
  Passes apply =
      passesOf({op::kOpcode, kInput.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                op::Attrs{Activation::ReLU}},
               kShape);
  EXPECT_EQ(apply.reads, 1);
  EXPECT_EQ(apply.writes, 1);
}

// The reduction reads dy and y; the gradient reads dy and y and writes dx.
TEST(Passes, BackwardOfBnActIsFive) {
  {
    namespace op = ops::bn_bwd_reduce;
    Invocation call(op::kOpcode, kInput.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                    op::Attrs{Activation::ReLU});
    call[op::dy] = kInput.x;
    Passes reduce = passesOf(call, kShape);
    EXPECT_EQ(reduce.reads, 2);
    EXPECT_EQ(reduce.writes, 0);
  }
  namespace op = ops::bn_bwd_apply;
  Invocation call(op::kOpcode, kInput.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{Activation::ReLU});
  call.set({{op::dy, kInput.x}, {op::dgamma, kInput.gamma}, {op::dbeta, kInput.beta}});
  Passes apply = passesOf(call, kShape);
  EXPECT_EQ(apply.reads, 2);
  EXPECT_EQ(apply.writes, 1);
}

// The gradient of the map and the sums of the other one come from one read of both.
TEST(Passes, BackwardOfASpreadFactorIsThree) {
  namespace op = ops::mul_bwd;
  const Host map = Host::f32(kShape), pixel = Host::f32({kShape[0], 1, 1, kC});
  Passes backward = passesOf(
      {op::kOpcode, {{op::dy, map}, {op::a, map}, {op::b, pixel}, {op::da, map}, {op::db, pixel}}},
      kShape);
  EXPECT_EQ(backward.reads, 2);
  EXPECT_EQ(backward.writes, 1);
}

// Two gradients, the output and the outputs of both convolutions are read once, the sum is
// written; the gradients of both read it together.
TEST(Passes, BackwardOfAProjectionBlockIsElevenInTwoSweeps) {
  const Host t = Host::f32(kShape), vec = Host::vec(kC);
  {
    namespace op = ops::join_bwd_reduce;
    Passes reduce = passesOf({op::kOpcode,
                              {{op::dy, t},
                               {op::dy2, t},
                               {op::y, t},
                               {op::x, t},
                               {op::mean, vec},
                               {op::inv_std, vec},
                               {op::shortcut_x, t},
                               {op::shortcut_mean, vec},
                               {op::shortcut_inv_std, vec},
                               {op::shortcut_dgamma, vec},
                               {op::shortcut_dbeta, vec}},
                              op::Attrs{Activation::ReLU}},
                             kShape);
    EXPECT_EQ(reduce.reads, 5);
    EXPECT_EQ(reduce.writes, 1);
  }
  namespace op = ops::join_bwd_apply;
  Passes apply = passesOf({op::kOpcode,
                           {{op::g, t},
                            {op::x, t},
                            {op::mean, vec},
                            {op::inv_std, vec},
                            {op::gamma, vec},
                            {op::dgamma, vec},
                            {op::dbeta, vec},
                            {op::shortcut_x, t},
                            {op::shortcut_mean, vec},
                            {op::shortcut_inv_std, vec},
                            {op::shortcut_gamma, vec},
                            {op::shortcut_dgamma, vec},
                            {op::shortcut_dbeta, vec}}},
                          kShape);
  EXPECT_EQ(apply.reads, 3);
  EXPECT_EQ(apply.writes, 2);
}
