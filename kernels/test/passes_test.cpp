// SPDX-License-Identifier: Apache-2.0
//
// How often the fused kernels pass over whole tensors: the cpu backend on loops whose accessors
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

Passes passesOf(Opcode op, std::vector<Host> operands, const std::vector<Attr> &attrs,
                const Dims &like, ConvAlgorithm algorithm = ConvAlgorithm::Auto,
                const std::vector<int> &skip = {}) {
  Backend backend{"cpu", fillCpuKernels, 2, 2, algorithm};
  RunOptions options;
  options.observe = [&](const std::vector<Tensor> &tensors) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      counters[i].read = counters[i].written = 0;
      bool whole = tensors[i] && operands[i].dims == like &&
                   std::find(skip.begin(), skip.end(), int(i)) == skip.end();
      counters[i].begin = whole ? static_cast<const char *>(tensors[i].data) : nullptr;
      counters[i].end = counters[i].begin + (whole ? tensors[i].bytes() : 0);
    }
  };
  EXPECT_EQ(runKernel(backend, op, operands, attrs, options), "");
  Passes passes;
  for (Counter &counter : counters) {
    if (!counter.begin)
      continue;
    double bytes = double(counter.end - counter.begin);
    passes.reads += double(counter.read) / bytes;
    passes.writes += double(counter.written) / bytes;
    counter.begin = counter.end = nullptr;
  }
  passes.reads = std::round(passes.reads * 10) / 10;
  passes.writes = std::round(passes.writes * 10) / 10;
  return passes;
}

constexpr int64_t kC = 32;
const Dims kShape = {4, 32, 32, kC};

std::vector<Attr> convAttrs(int64_t kernel) {
  std::vector<Attr> attrs;
  for (int64_t value : {kernel, kernel, int64_t(1), int64_t(1), kernel / 2, kernel / 2, int64_t(1),
                        int64_t(1), int64_t(1)})
    attrs.push_back(attr(value));
  return attrs;
}

} // namespace

namespace trk::cpu {
void countRead(const void *p, size_t bytes) { count(p, bytes, &Counter::read); }
void countWrite(const void *p, size_t bytes) { count(p, bytes, &Counter::written); }
} // namespace trk::cpu

// Write y, read y for the statistics; read y, write z.
TEST(Passes, ForwardOfConvBnActIsFour) {
  Host t = Host::f32(kShape), vec = Host::vec(kC);
  for (auto [kernel, algorithm] : {std::pair<int64_t, ConvAlgorithm>{3, ConvAlgorithm::Winograd},
                                   {1, ConvAlgorithm::Pointwise}}) {
    std::vector<Attr> attrs = convAttrs(kernel);
    attrs.push_back(attr(1e-5));
    attrs.push_back(attr(0.1));
    Passes conv =
        passesOf(Opcode::conv_stats_fwd,
                 {t, Host::f32({kC, kernel, kernel, kC}), Host(), vec, vec, t, vec, vec, vec, vec},
                 attrs, kShape, algorithm, /*skip=*/{0});
    EXPECT_EQ(conv.writes, 1) << kernel;
    EXPECT_EQ(conv.reads, 1) << kernel;
  }
  Passes apply =
      passesOf(Opcode::bn_apply, {t, vec, vec, vec, vec, t}, {attr(Activation::ReLU)}, kShape);
  EXPECT_EQ(apply.reads, 1);
  EXPECT_EQ(apply.writes, 1);
}

// The reduction reads dy and y; the gradient reads dy and y and writes dx.
TEST(Passes, BackwardOfBnActIsFive) {
  Host t = Host::f32(kShape), vec = Host::vec(kC);
  std::vector<Attr> relu = {attr(Activation::ReLU)};
  Passes reduce =
      passesOf(Opcode::bn_bwd_reduce, {t, t, vec, vec, vec, vec, vec, vec}, relu, kShape);
  EXPECT_EQ(reduce.reads, 2);
  EXPECT_EQ(reduce.writes, 0);
  Passes apply =
      passesOf(Opcode::bn_bwd_apply, {t, t, vec, vec, vec, vec, vec, vec, t}, relu, kShape);
  EXPECT_EQ(apply.reads, 2);
  EXPECT_EQ(apply.writes, 1);
}

// Two gradients, the output and the outputs of both convolutions are read once, the sum is
// written; the gradients of both read it together.
TEST(Passes, BackwardOfAProjectionBlockIsElevenInTwoSweeps) {
  Host t = Host::f32(kShape), vec = Host::vec(kC);
  Passes reduce =
      passesOf(Opcode::join_bwd_reduce, {t, t, t, t, vec, vec, t, vec, vec, t, vec, vec, vec, vec},
               {attr(Activation::ReLU)}, kShape);
  EXPECT_EQ(reduce.reads, 5);
  EXPECT_EQ(reduce.writes, 1);
  Passes apply =
      passesOf(Opcode::join_bwd_apply,
               {t, t, vec, vec, vec, vec, vec, t, vec, vec, vec, vec, vec, t, t}, {}, kShape);
  EXPECT_EQ(apply.reads, 3);
  EXPECT_EQ(apply.writes, 2);
}
