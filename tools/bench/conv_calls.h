// SPDX-License-Identifier: Apache-2.0
//
// The kernel calls of a convolution without a bias and of its batch normalisation.
#ifndef RENAISSANCE_TOOLS_BENCH_CONV_CALLS_H
#define RENAISSANCE_TOOLS_BENCH_CONV_CALLS_H

#include "kernel_run.h"
#include "nets.h"

namespace bench {

class ConvCalls {
public:
  ConvCalls(const Layer &layer, int64_t batch);

  int64_t outputs() const { return y[0] * y[1] * y[2] * y[3]; }
  // Of the direct algorithm, in 1e9 operations.
  double gflop() const { return 2e-9 * double(outputs() * w[1] * w[2] * w[3]); }

  KernelCall forward() const;
  KernelCall forwardWithStats() const;
  KernelCall inference() const;
  KernelCall backwardData() const;
  KernelCall backwardWeight() const;
  // Of the output, with relu.
  KernelCall bnApply() const;
  KernelCall bnReduce() const;
  KernelCall bnGradient() const;

private:
  trk::Window window;
  Dims x, y, w, v; // input, output, weights, a vector of the output's channels
};

} // namespace bench

#endif // RENAISSANCE_TOOLS_BENCH_CONV_CALLS_H
