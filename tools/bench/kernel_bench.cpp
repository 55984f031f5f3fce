// SPDX-License-Identifier: Apache-2.0
//
// Times the kernels of one backend on the layer shapes of a network, and names the
// library implementation behind each convolution.
//   kernel_bench NET [--batch N] [--threads T] [--slices K] [--backend cpu|reference]
// With one thread it measures processor time, which a busy machine disturbs less.
#include "base/thread_pool.h"
#include "cpu/onednn.h"
#include "nets.h"
#include "trk/kernel.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

using namespace trk;

namespace {

struct Options {
  std::string net, backend = "cpu";
  int64_t batch = 32;
  int threads = 1, slices = 2;
};

using Dims = std::vector<int64_t>;

// Owns the operands of one call; times it.
class Bench {
public:
  Bench(const Options &o, trrt::ThreadPool &threads) : options(o), pool(threads) {
    if (o.backend == "reference")
      fillReferenceKernels(kernels);
    else
      fillCpuKernels(kernels);
  }

  // Fills float operands with small values and the rest with zeros.
  double milliseconds(Opcode op, const std::vector<Dims> &shapes, std::vector<Attr> attrs,
                      std::string *implementation = nullptr) {
    const OpInfo &table = info(op);
    std::vector<std::vector<float>> memory(shapes.size());
    std::vector<Tensor> tensors(shapes.size());
    for (size_t i = 0; i < shapes.size(); ++i) {
      tensors[i].dtype = table.operands[i].dtype == DType::Any && i > 0 && isPool(op)
                             ? DType::U8
                             : table.operands[i].dtype;
      if (tensors[i].dtype == DType::Any)
        tensors[i].dtype = DType::F32;
      if (shapes[i].empty())
        continue;
      std::copy(shapes[i].begin(), shapes[i].end(), tensors[i].dims);
      memory[i].resize(size_t(tensors[i].elements()));
      tensors[i].data = memory[i].data();
      for (size_t k = 0; k < memory[i].size() && tensors[i].dtype == DType::F32; ++k)
        memory[i][k] = float(int(k * 2654435761u >> 20 & 1023) - 400) * 1e-3f;
    }
    return run(op, tensors, attrs, implementation);
  }

private:
  static bool isPool(Opcode op) {
    return op == Opcode::maxpool_fwd || op == Opcode::maxpool_bwd || op == Opcode::bn_apply_pool;
  }

  double run(Opcode op, const std::vector<Tensor> &tensors, const std::vector<Attr> &attrs,
             std::string *implementation) {
    const Kernel &kernel = kernels[static_cast<uint32_t>(op)];
    Call call;
    call.op = op;
    call.operands = tensors.data();
    call.attrs = attrs.data();
    call.parallel = &pool;
    call.slices = options.slices;
    std::string error = kernel.prepare ? kernel.prepare(call, &call.state) : std::string();
    if (!error.empty()) {
      std::fprintf(stderr, "error: %s: %s\n", info(op).name, error.c_str());
      std::exit(1);
    }
    int64_t bytes = kernel.scratch ? kernel.scratch(call) : 0;
    void *scratch = std::aligned_alloc(64, size_t(bytes + 64) / 64 * 64);
    call.scratch = scratch;
    double best = 1e30, total = 0;
    for (int i = 0; i < 3 || (total < 0.1 && i < 200); ++i) {
      double start = now();
      kernel.run(call);
      double took = now() - start;
      best = std::min(best, took);
      total += took / 1e3;
    }
    if (implementation && call.state && options.backend == "cpu")
      *implementation = static_cast<cpu::Convolution *>(call.state)->implementation();
    if (kernel.release && call.state)
      kernel.release(call.state);
    std::free(scratch);
    return best;
  }

  // Milliseconds.
  double now() const {
    timespec t;
    clock_gettime(options.threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
  }

  Options options;
  trrt::ThreadPool &pool;
  KernelTable kernels{};
};

Attr integer(int64_t value) {
  Attr a;
  a.i = value;
  return a;
}
Attr real(double value) {
  Attr a;
  a.f = value;
  return a;
}

struct Total {
  double ms[8] = {};
};

void benchConv(Bench &bench, const bench::Layer &l, int64_t n, bool first, Total &sum) {
  int64_t oh = (l.h + 2 * l.pad - l.kernel) / l.stride + 1;
  int64_t ow = (l.w + 2 * l.pad - l.kernel) / l.stride + 1;
  Dims x = {n, l.h, l.w, l.c}, y = {n, oh, ow, l.outputs};
  Dims w = {l.outputs, l.kernel, l.kernel, l.c / l.groups}, v = {1, 1, 1, l.outputs};
  std::vector<Attr> conv;
  for (int64_t a :
       {l.kernel, l.kernel, l.stride, l.stride, l.pad, l.pad, int64_t(1), int64_t(1), l.groups})
    conv.push_back(integer(a));
  std::vector<Attr> stats = conv, relu = {integer(int64_t(Activation::ReLU))};
  stats.push_back(real(1e-5));
  stats.push_back(real(0.1));
  std::string names[3];
  double ms[8] = {};
  ms[0] = bench.milliseconds(Opcode::conv_fwd, {x, w, {}, y}, conv, &names[0]);
  ms[1] = bench.milliseconds(Opcode::conv_stats_fwd, {x, w, {}, v, v, y, v, v, v, v}, stats);
  if (!first)
    ms[2] = bench.milliseconds(Opcode::conv_bwd_data, {y, w, x}, conv, &names[1]);
  ms[3] = bench.milliseconds(Opcode::conv_bwd_weight, {x, y, w, {}}, conv, &names[2]);
  ms[4] = bench.milliseconds(Opcode::bn_apply, {y, v, v, v, v, y}, relu);
  ms[5] = bench.milliseconds(Opcode::bn_bwd_reduce, {y, y, v, v, v, v, v, v}, relu);
  ms[6] = bench.milliseconds(Opcode::bn_bwd_apply, {y, y, v, v, v, v, v, v, y}, relu);
  double gflop = 2e-9 * double(n * oh * ow * l.outputs * l.kernel * l.kernel * (l.c / l.groups));
  double mb = 4e-6 * double(n * oh * ow * l.outputs);
  auto rate = [&](int i) { return ms[i] > 0 ? gflop / ms[i] * 1e3 : 0.0; };
  std::printf("%4ldx%-4ld %4ld->%-4ld k%ld s%ld g%-3ld x%-2d | %7.3f +%6.3f %7.3f %7.3f | %4.0f "
              "%4.0f %4.0f | %6.3f %6.3f %6.3f | %5.1f MB | %s / %s / %s\n",
              long(l.h), long(l.w), long(l.c), long(l.outputs), long(l.kernel), long(l.stride),
              long(l.groups), l.count, ms[0], ms[1] - ms[0], ms[2], ms[3], rate(0), rate(2),
              rate(3), ms[4], ms[5], ms[6], mb, names[0].c_str(), names[1].c_str(),
              names[2].c_str());
  for (int i = 0; i < 8; ++i)
    sum.ms[i] += ms[i] * l.count;
}

void benchPool(Bench &bench, const bench::PoolLayer &l, int64_t n) {
  int64_t out = (l.extent + 2 * l.pad - l.kernel) / l.stride + 1;
  Dims x = {n, l.extent, l.extent, l.c}, y = {n, out, out, l.c}, v = {1, 1, 1, l.c};
  std::vector<Attr> pool;
  for (int64_t a : {l.kernel, l.kernel, l.stride, l.stride, l.pad, l.pad})
    pool.push_back(integer(a));
  std::vector<Attr> fused = pool;
  fused.insert(fused.begin(), integer(int64_t(Activation::ReLU)));
  double ms[3] = {bench.milliseconds(Opcode::maxpool_fwd, {x, y, y}, pool),
                  bench.milliseconds(Opcode::bn_apply_pool, {x, v, v, v, v, y, y}, fused),
                  bench.milliseconds(Opcode::maxpool_bwd, {y, y, x}, pool)};
  std::printf("pool %ldx%ldx%ld k%ld s%ld: fwd %.3f ms, behind bn and relu %.3f ms, bwd %.3f ms, "
              "input %.1f MB\n",
              long(l.extent), long(l.extent), long(l.c), long(l.kernel), long(l.stride), ms[0],
              ms[1], ms[2], 4e-6 * double(n * l.extent * l.extent * l.c));
}

void benchNet(const Options &options) {
  trrt::ThreadPool pool(options.threads);
  Bench bench(options, pool);
  std::printf("   map      channels  window count | fwd, +stats, bwd data, bwd weight ms | GF/s of "
              "the three | bn apply, reduce, gradient ms | output | implementations\n");
  Total sum;
  bool first = true;
  for (const bench::Layer &l : bench::layersOf(options.net)) {
    benchConv(bench, l, options.batch, first, sum);
    first = false;
  }
  for (const bench::PoolLayer &l : bench::poolsOf(options.net))
    benchPool(bench, l, options.batch);
  std::printf("total ms: fwd %.2f, +stats %.2f, bwd data %.2f, bwd weight %.2f, bn apply %.2f, "
              "reduce %.2f, gradient %.2f\n",
              sum.ms[0], sum.ms[1] - sum.ms[0], sum.ms[2], sum.ms[3], sum.ms[4], sum.ms[5],
              sum.ms[6]);
}

int usage() {
  std::string names;
  for (const std::string &name : bench::netNames())
    names += " " + name;
  std::fprintf(stderr,
               "usage: kernel_bench NET [--batch N] [--threads T] [--slices K] "
               "[--backend cpu|reference]\nnets:%s\n",
               names.c_str());
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.rfind("--", 0) != 0) {
      options.net = arg;
      continue;
    }
    if (++i == argc)
      return usage();
    if (arg == "--batch")
      options.batch = std::atoi(argv[i]);
    else if (arg == "--threads")
      options.threads = std::atoi(argv[i]);
    else if (arg == "--slices")
      options.slices = std::atoi(argv[i]);
    else if (arg == "--backend")
      options.backend = argv[i];
    else
      return usage();
  }
  if (bench::layersOf(options.net).empty() || options.batch < 1 || options.slices < 1)
    return usage();
  benchNet(options);
  return 0;
}
