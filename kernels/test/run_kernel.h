// SPDX-License-Identifier: Apache-2.0
//
// Calls one kernel of one library on tensors owned by the test.
#ifndef TRK_TEST_RUN_KERNEL_H
#define TRK_TEST_RUN_KERNEL_H

#include "invocation.h"
#include "trk/library.h"

#include <functional>
#include <iosfwd>

namespace trk::test {

// A kernel library as a test calls it.
struct LibrarySetup {
  const Library *library = nullptr;
  int threads = 1;
  int slices = 2;
  ConvAlgorithm algorithm = ConvAlgorithm::Auto; // of every convolution

  // "cpu", "cpu_winograd"
  std::string name() const;
};
LibrarySetup referenceSetup();
void PrintTo(const LibrarySetup &setup, std::ostream *os);

// Channels of a wider tensor on both sides of an operand.
struct Margin {
  int64_t before = 0, after = 0;
};

struct RunOptions {
  uint8_t poison = 0xAB;       // outputs and scratch hold this byte before the call; 0xFF is NaN
  int aliasOut = -1;           // this output operand shares the buffer of ...
  int aliasIn = -1;            // ... this input operand
  std::vector<Margin> margins; // of the operands, which are runs of channels there; empty: dense
  bool usedState = false;      // run before, on the same state, in other memory with other values
  std::function<void(const std::vector<Tensor> &)> observe; // what the call is about to run on
};

// Runs the kernel on copies of the operands with guard zones around every buffer and NaNs in all
// margins, and writes the results back. Returns an empty string or what went wrong.
std::string runKernel(const LibrarySetup &setup, Invocation &invocation,
                      const RunOptions &options = {});

// What the kernel says of its speed on these shapes, without running.
std::string slownessOf(const LibrarySetup &setup, Invocation invocation);

} // namespace trk::test

#endif // TRK_TEST_RUN_KERNEL_H
