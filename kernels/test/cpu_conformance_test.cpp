// SPDX-License-Identifier: Apache-2.0
//
// The cpu backend in the conformance suite, on one and on two threads, with the
// default and with an odd number of slices. (The suite itself compares the bits of
// one thread with those of three.)
#include "conformance.h"
#include "known.h"

namespace trk::test {
namespace {

std::vector<Backend> cpuBackends() {
  return {{"cpu", fillCpuKernels, 1, 2}, {"cpu", fillCpuKernels, 2, 3}};
}

// Shapes that an algorithm cannot take run on the direct convolution.
std::vector<Backend> ownConvolutions() {
  return {{"cpu_winograd", fillCpuKernels, 1, 2, ConvAlgorithm::Winograd},
          {"cpu_winograd", fillCpuKernels, 2, 3, ConvAlgorithm::Winograd},
          {"cpu_pointwise", fillCpuKernels, 1, 2, ConvAlgorithm::Pointwise},
          {"cpu_pointwise", fillCpuKernels, 2, 3, ConvAlgorithm::Pointwise}};
}

std::vector<Opcode> convolutions() {
  return {Opcode::conv_fwd, Opcode::conv_inf, Opcode::conv_stats_fwd, Opcode::conv_bwd_data,
          Opcode::conv_bwd_weight};
}

} // namespace

INSTANTIATE_TEST_SUITE_P(CpuOwnConvolutions, ConformanceTest,
                         testing::Combine(testing::ValuesIn(ownConvolutions()),
                                          testing::ValuesIn(convolutions())),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Cpu, ConformanceTest,
                         testing::Combine(testing::ValuesIn(cpuBackends()),
                                          testing::ValuesIn(everyOp())),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Cpu, KnownAnswers, testing::Values(Backend{"cpu", fillCpuKernels, 2, 2}),
                         backendName);

} // namespace trk::test
