// SPDX-License-Identifier: Apache-2.0
//
// What the cpu library says of convolutions for which oneDNN has no fast implementation.
#include "run_kernel.h"

#include <gtest/gtest.h>

using namespace trk;
using namespace trk::test;

static std::string slownessOfKernel(int64_t kernel) {
  namespace op = ops::conv_bwd_weight;
  const Window window = {kernel, kernel};
  const Dims x = {2, 70, 70, 3};
  return slownessOf({findLibrary("cpu"), 1, 2}, {op::kOpcode,
                                                 {{op::x, Host::f32(x)},
                                                  {op::dy, Host::f32(windowDims(x, window, 4))},
                                                  {op::dw, Host::f32({4, kernel, kernel, 3})}},
                                                 convAttrs<op::Attrs>(window)});
}

TEST(CpuSlownessTest, AWindowOfCommonSizeIsNotSlow) { EXPECT_EQ(slownessOfKernel(3), ""); }

TEST(CpuSlownessTest, AHugeWindowNamesTheFallback) {
  const std::string text = slownessOfKernel(31);
  EXPECT_EQ(text.rfind("runs on oneDNN's slow reference implementation (ref", 0), 0u) << text;
}

TEST(CpuSlownessTest, EveryConvolutionTells) {
  KernelTable table;
  findLibrary("cpu")->fill(table);
  for (const trf::OpInfo &op : trf::kOps)
    EXPECT_EQ(table.at(op.opcode, Instance::F32).slowness != nullptr, op.isConv()) << op.name;
}
