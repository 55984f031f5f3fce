// SPDX-License-Identifier: Apache-2.0
//
// Writes the table that --tr-graph-choose-algorithms chooses by: the speed of each algorithm
// on the convolutions of the zoo that have a choice, on this machine.
//   conv_costs > include/renaissance/Target/ConvCosts.def
// One thread, processor time, the algorithms in turn, the best of several runs.
#include "base/thread_pool.h"
#include "conv_calls.h"
#include "trk/cpu_targets.h"
#include "trk/library.h"

#include <cstdio>
#include <set>
#include <tuple>

using namespace trk;
using bench::KernelCall;

namespace {

constexpr const char *kHead =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "//\n"
    "// Measured speeds of convolutions that have more than one algorithm: 3x3 of stride 1 "
    "(direct\n"
    "// or Winograd), and 1x1 (direct or pointwise). --tr-graph-choose-algorithms chooses by "
    "them.\n"
    "// Include it with the macro defined:\n"
    "//\n"
    "//   TR_CONV_COST(target, kernel, stride, batch, height, width, in, out,\n"
    "//                forward direct, other, backward data direct, other,\n"
    "//                backward weight direct, other, inference direct, other)\n"
    "//\n"
    "// height and width are the input's; speeds are GFLOP/s on one thread, 2 operations for each\n"
    "// product of the direct algorithm whatever the algorithm. Written by `conv_costs`\n"
    "// (tools/bench) on a machine of the instruction set.\n";

// As the rows of the table spell it.
const char *enumeratorOf(trf::Target target) {
  switch (target) {
#define X(id, value, device, name, rank)                                                           \
  case trf::Target::value:                                                                         \
    return #value;
    TRF_TARGETS(X)
#undef X
  }
  return "";
}

class Table {
public:
  Table(const Library &cpu, Parallel &threads) : parallel(threads) { cpu.fill(kernels); }

  void row(const bench::Layer &l, int64_t n) {
    const bench::ConvCalls calls(l, n);
    const ConvAlgorithm other = l.kernel == 3 ? ConvAlgorithm::Winograd : ConvAlgorithm::Pointwise;
    std::string line = "TR_CONV_COST(";
    line += enumeratorOf(cpuTarget());
    for (int64_t value : {l.kernel, l.stride, n, l.h, l.w, l.c, l.outputs})
      line += ", " + std::to_string(value);
    for (const KernelCall &call :
         {calls.forward(), calls.backwardData(), calls.backwardWeight(), calls.inference()})
      line += speeds(call, other, calls.gflop());
    std::printf("%s)\n", line.c_str());
    std::fflush(stdout);
  }

private:
  // Of the direct algorithm and the other one, in turn.
  std::string speeds(KernelCall call, ConvAlgorithm other, double gflop) {
    constexpr int kSlices = 2;
    call.algorithm = ConvAlgorithm::Direct;
    bench::KernelRun direct(kernels, call, parallel, kSlices);
    call.algorithm = other;
    bench::KernelRun second(kernels, call, parallel, kSlices);
    for (int i = 0; i < 3 || (direct.totalMs() < 30 && i < 100); ++i) {
      direct.once();
      second.once();
    }
    std::string text;
    for (const bench::KernelRun *run : {&direct, &second})
      text += ", " + std::to_string(int(gflop / run->bestMs() * 1e3 + 0.5));
    return text;
  }

  Parallel &parallel;
  KernelTable kernels;
};

} // namespace

int main() {
  const Library *cpu = findLibrary("cpu");
  if (!cpu) {
    std::fputs("error: this build has no kernel library cpu\n", stderr);
    return 1;
  }
  trrt::ThreadPool pool(1);
  Table table(*cpu, pool);
  std::set<std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>> seen;
  std::fputs(kHead, stdout);
  for (const std::string &net : bench::netNames())
    for (const bench::Layer &l : bench::layersOf(net)) {
      const bool choice = (l.kernel == 3 && l.stride == 1) || l.kernel == 1;
      if (!choice || l.groups != 1 ||
          !seen.insert({l.kernel, l.stride, l.h, l.c, l.outputs}).second)
        continue;
      table.row(l, 1);
      table.row(l, l.h >= 112 ? 4 : 16);
    }
  std::puts("#undef TR_CONV_COST");
  return 0;
}
