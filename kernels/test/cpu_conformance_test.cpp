// SPDX-License-Identifier: Apache-2.0
//
// The cpu library in the conformance suite, on one and on two threads, with the default and
// with an odd number of slices. (The suite itself compares the bits of one thread with those
// of three.)
#include "conformance.h"
#include "known.h"

namespace trk::test {
namespace {

const Library *cpuLibrary() { return findLibrary("cpu"); }

std::vector<LibrarySetup> cpuSetups() { return {{cpuLibrary(), 1, 2}, {cpuLibrary(), 2, 3}}; }

// Shapes that an algorithm cannot take run on the direct convolution.
std::vector<LibrarySetup> ownConvolutions() {
  return {{cpuLibrary(), 1, 2, ConvAlgorithm::Winograd},
          {cpuLibrary(), 2, 3, ConvAlgorithm::Winograd},
          {cpuLibrary(), 1, 2, ConvAlgorithm::Pointwise},
          {cpuLibrary(), 2, 3, ConvAlgorithm::Pointwise}};
}

std::vector<KernelId> convolutions() {
  std::vector<KernelId> kernels;
  for (const KernelId &id : kernelsOf("cpu"))
    if (id.info().isConv())
      kernels.push_back(id);
  return kernels;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(CpuOwnConvolutions, ConformanceTest,
                         testing::Combine(testing::ValuesIn(ownConvolutions()),
                                          testing::ValuesIn(convolutions())),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Cpu, ConformanceTest,
                         testing::Combine(testing::ValuesIn(cpuSetups()),
                                          testing::ValuesIn(kernelsOf("cpu"))),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Cpu, KnownAnswers, testing::Values(LibrarySetup{cpuLibrary(), 2, 2}),
                         setupName);

// Slices of 3 and 2 images, of which copies go to oneDNN one and two at a time.
TEST(CpuPitchTest, PiecesOfASliceGiveItsBits) {
  const LibrarySetup setup{cpuLibrary(), 1, 2, ConvAlgorithm::Direct};
  const Dims dims = {5, 64, 60, 16};
  const Window window = {3, 3, 1, 1, 1, 1};
  Data data(17);
  const Host t = data.values(dims), w = data.values({16, 3, 3, 16}, -0.5, 0.75);
  namespace forward = ops::conv_fwd;
  namespace backward = ops::conv_bwd_data;
  for (const Invocation &call :
       {Invocation(forward::kOpcode,
                   {{forward::x, t}, {forward::w, w}, {forward::y, Host::f32(dims)}},
                   convAttrs<forward::Attrs>(window)),
        Invocation(backward::kOpcode,
                   {{backward::dy, t}, {backward::w, w}, {backward::dx, Host::f32(dims)}},
                   convAttrs<backward::Attrs>(window))}) {
    Case dense{"dense", call};
    ASSERT_EQ(runKernel(setup, dense.call), "");
    for (const RunOptions &options : channelRuns(call, data)) {
      Case run{"run", call};
      ASSERT_EQ(runKernel(setup, run.call, options), "");
      EXPECT_EQ(compareBits(dense, run), "");
    }
  }
}

} // namespace trk::test
