// SPDX-License-Identifier: Apache-2.0
//
// The two ceilings of this machine, by the vector loops of the cpu library.
#include "trk/ceilings.h"

#include "cpu/cpu.h"

#include <chrono>
#include <vector>

namespace trk {
namespace {

using Clock = std::chrono::steady_clock;

// The best rate of a few rounds, each of about `seconds` on every thread.
template <typename Body> double bestRate(Parallel &parallel, double work, Body body) {
  constexpr int kRounds = 5;
  constexpr double kSeconds = 0.05;
  const int threads = parallel.threads();
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    int repeats = 0;
    const Clock::time_point begin = Clock::now();
    double took = 0;
    for (; took < kSeconds; took = std::chrono::duration<double>(Clock::now() - begin).count()) {
      parallel.each(threads, [&](int thread) { body(thread); });
      ++repeats;
    }
    best = std::max(best, work * repeats * threads / took);
  }
  return best;
}

// A register tile whose operands stay in the first-level cache, many times.
double measureFlops(Parallel &parallel) {
  const cpu::Loops &loops = cpu::loops();
  const int64_t k = 128, rows = loops.tileRows, panel = loops.panel, repeats = 256;
  const int64_t floats = rows * k + k * panel + rows * panel;
  std::vector<std::vector<float>> memory(size_t(parallel.threads()),
                                         std::vector<float>(size_t(floats), 1.0f));
  return bestRate(parallel, 2.0 * double(rows * panel * k * repeats), [&](int thread) {
    float *data = memory[size_t(thread)].data();
    cpu::PanelProduct product;
    product.a = data;
    product.aRow = k;
    product.aCol = 1;
    product.b = data + rows * k;
    product.bPanel = k * panel;
    product.c = data + rows * k + k * panel;
    product.cRow = product.cPanel = panel;
    product.m = rows;
    product.n = panel;
    product.k = k;
    for (int64_t i = 0; i < repeats; ++i)
      loops.multiplyPanels(product);
  });
}

double measureBytes(Parallel &parallel) {
  constexpr int64_t kBytes = 256 << 20;
  std::vector<std::vector<float>> memory(size_t(parallel.threads()),
                                         std::vector<float>(kBytes / sizeof(float)));
  std::vector<int> finite(memory.size()); // keeps the reads
  return bestRate(parallel, double(kBytes), [&](int thread) {
    const std::vector<float> &mine = memory[size_t(thread)];
    finite[size_t(thread)] += cpu::loops().allFinite(mine.data(), int64_t(mine.size()));
  });
}

} // namespace

Ceilings measureCeilings(Parallel &parallel) {
  return {measureFlops(parallel), measureBytes(parallel)};
}

} // namespace trk
