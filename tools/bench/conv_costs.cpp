// SPDX-License-Identifier: Apache-2.0
//
// Writes the table that --tr-graph-choose-algorithms chooses by: the speed of each algorithm
// on the convolutions of the zoo that have a choice, on this machine.
//   conv_costs > include/renaissance/Target/ConvCosts.def
// One thread, processor time, the algorithms in turn, the best of several runs.
#include "base/thread_pool.h"
#include "nets.h"
#include "trk/kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace trk;

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
    "//   TR_CONV_COST(isa, kernel, stride, batch, height, width, in, out,\n"
    "//                forward direct, other, backward data direct, other,\n"
    "//                backward weight direct, other, inference direct, other)\n"
    "//\n"
    "// height and width are the input's; speeds are GFLOP/s on one thread, 2 operations for each\n"
    "// product of the direct algorithm whatever the algorithm. Written by `conv_costs`\n"
    "// (tools/bench) on a machine of the instruction set.\n";

double milliseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

using Dims = std::vector<int64_t>;

// One kernel call by one algorithm, on memory of its own.
class Run {
public:
  Run(const Kernel &k, Opcode op, ConvAlgorithm algorithm, const std::vector<Dims> &shapes,
      const std::vector<Attr> &attrs, Parallel &parallel)
      : kernel(k), values(attrs), memory(shapes.size()), tensors(shapes.size()) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      tensors[i].dtype = info(op).operands[i].dtype;
      if (shapes[i].empty())
        continue;
      std::copy(shapes[i].begin(), shapes[i].end(), tensors[i].dims);
      memory[i].resize(size_t(tensors[i].elements()));
      tensors[i].data = memory[i].data();
      for (size_t e = 0; e < memory[i].size() && tensors[i].dtype == DType::F32; ++e)
        memory[i][e] = float(int(e * 2654435761u >> 20 & 1023) - 400) * 1e-3f;
    }
    call.op = op;
    call.operands = tensors.data();
    call.attrs = values.data();
    call.parallel = &parallel;
    call.slices = 2;
    call.algorithm = algorithm;
    const std::string error = kernel.prepare(call, &call.state);
    if (!error.empty()) {
      std::fprintf(stderr, "error: %s: %s\n", info(op).name, error.c_str());
      std::exit(1);
    }
    call.scratch = std::aligned_alloc(64, size_t(kernel.scratch(call) + 64) / 64 * 64);
  }
  ~Run() {
    kernel.release(call.state);
    std::free(call.scratch);
  }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  void once() {
    const double start = milliseconds();
    kernel.run(call);
    const double took = milliseconds() - start;
    best = std::min(best, took);
    total += took;
  }

  double best = 1e30, total = 0;

private:
  const Kernel &kernel;
  std::vector<Attr> values;
  std::vector<std::vector<float>> memory;
  std::vector<Tensor> tensors;
  Call call;
};

class Table {
public:
  explicit Table(Parallel &threads) : parallel(threads) { fillCpuKernels(kernels); }

  void row(const bench::Layer &l, int64_t n) {
    const int64_t oh = (l.h + 2 * l.pad - l.kernel) / l.stride + 1;
    const int64_t ow = (l.w + 2 * l.pad - l.kernel) / l.stride + 1;
    const Dims x = {n, l.h, l.w, l.c}, y = {n, oh, ow, l.outputs}, v = {1, 1, 1, l.outputs};
    const Dims w = {l.outputs, l.kernel, l.kernel, l.c}, one = {1, 1, 1, 1};
    std::vector<Attr> attrs;
    for (int64_t value :
         {l.kernel, l.kernel, l.stride, l.stride, l.pad, l.pad, int64_t(1), int64_t(1), int64_t(1)})
      attrs.push_back(integer(value));
    std::vector<Attr> inference = attrs;
    inference.push_back(integer(int64_t(Activation::ReLU)));
    gflop = 2e-9 * double(n * oh * ow * l.outputs * l.kernel * l.kernel * l.c);
    other = l.kernel == 3 ? ConvAlgorithm::Winograd : ConvAlgorithm::Pointwise;
    std::string line = "TR_CONV_COST(";
    line += machineIsa() == Isa::V4 ? "V4" : "V3";
    for (int64_t value : {l.kernel, l.stride, n, l.h, l.w, l.c, l.outputs})
      line += ", " + std::to_string(value);
    line += speeds(Opcode::conv_fwd, {x, w, {}, y}, attrs);
    line += speeds(Opcode::conv_bwd_data, {y, w, x}, attrs);
    line += speeds(Opcode::conv_bwd_weight, {x, y, w, {}}, attrs);
    line += speeds(Opcode::conv_inf, {x, w, {}, v, v, {}, one, y}, inference);
    std::printf("%s)\n", line.c_str());
    std::fflush(stdout);
  }

private:
  static Attr integer(int64_t value) {
    Attr attr;
    attr.i = value;
    return attr;
  }
  std::string speeds(Opcode op, const std::vector<Dims> &shapes, const std::vector<Attr> &attrs) {
    const Kernel &kernel = kernels[static_cast<uint32_t>(op)];
    Run direct(kernel, op, ConvAlgorithm::Direct, shapes, attrs, parallel);
    Run second(kernel, op, other, shapes, attrs, parallel);
    for (int i = 0; i < 3 || (direct.total < 30 && i < 100); ++i) {
      direct.once();
      second.once();
    }
    std::string text;
    for (const Run *run : {&direct, &second})
      text += ", " + std::to_string(int(gflop / run->best * 1e3 + 0.5));
    return text;
  }

  Parallel &parallel;
  KernelTable kernels{};
  ConvAlgorithm other = ConvAlgorithm::Auto;
  double gflop = 0;
};

} // namespace

int main() {
  trrt::ThreadPool pool(1);
  Table table(pool);
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
