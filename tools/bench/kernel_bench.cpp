// SPDX-License-Identifier: Apache-2.0
//
// Times the kernels of one library on the layer shapes of a network, and names the
// implementation of each convolution.
//   kernel_bench NET [--batch N] [--threads T] [--slices K] [--library NAME]
// With one thread it measures processor time, which a busy machine disturbs less.
#include "base/thread_pool.h"
#include "conv_calls.h"
#include "trk/library.h"

#include <cstdio>
#include <cstdlib>

using namespace trk;
using bench::Dims;
using bench::KernelCall;

namespace {

struct Options {
  std::string net;
  const Library *library = libraries().begin();
  int64_t batch = 32;
  int threads = 1, slices = 2;
};

class Bench {
public:
  Bench(const Options &o, trrt::ThreadPool &threads) : options(o), pool(threads) {
    options.library->fill(kernels);
  }

  // The best of some runs.
  double milliseconds(const KernelCall &call, std::string *implementation = nullptr) {
    bench::KernelRun run(kernels, call, pool, options.slices);
    for (int i = 0; i < 3 || (run.totalMs() < 100 && i < 200); ++i)
      run.once();
    if (implementation)
      *implementation = run.implementation();
    return run.bestMs();
  }

private:
  Options options;
  trrt::ThreadPool &pool;
  KernelTable kernels;
};

struct Total {
  double ms[8] = {};
};

void benchConv(Bench &bench, const bench::Layer &l, int64_t n, bool first, Total &sum) {
  const bench::ConvCalls calls(l, n);
  std::string names[3];
  double ms[8] = {};
  ms[0] = bench.milliseconds(calls.forward(), &names[0]);
  ms[1] = bench.milliseconds(calls.forwardWithStats());
  if (!first)
    ms[2] = bench.milliseconds(calls.backwardData(), &names[1]);
  ms[3] = bench.milliseconds(calls.backwardWeight(), &names[2]);
  ms[4] = bench.milliseconds(calls.bnApply());
  ms[5] = bench.milliseconds(calls.bnReduce());
  ms[6] = bench.milliseconds(calls.bnGradient());
  double gflop = calls.gflop(), mb = 4e-6 * double(calls.outputs());
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
  int64_t out = trf::windowExtent(l.extent, l.kernel, l.stride, l.pad);
  Dims x = {n, l.extent, l.extent, l.c}, y = {n, out, out, l.c}, v = {1, 1, 1, l.c};
  namespace forward = ops::maxpool_fwd;
  namespace fused = ops::bn_apply_pool;
  namespace backward = ops::maxpool_bwd;
  fused::Attrs attrs = poolAttrs<fused::Attrs>(l.window());
  attrs.act = Activation::ReLU;
  double ms[3] = {bench.milliseconds({forward::kOpcode,
                                      {{forward::x, x}, {forward::y, y}, {forward::index, y}},
                                      poolAttrs<forward::Attrs>(l.window())}),
                  bench.milliseconds({fused::kOpcode,
                                      {{fused::x, x},
                                       {fused::mean, v},
                                       {fused::inv_std, v},
                                       {fused::gamma, v},
                                       {fused::beta, v},
                                       {fused::y, y},
                                       {fused::index, y}},
                                      attrs}),
                  bench.milliseconds({backward::kOpcode,
                                      {{backward::dy, y}, {backward::index, y}, {backward::dx, x}},
                                      poolAttrs<backward::Attrs>(l.window())})};
  std::printf("pool %ldx%ldx%ld k%ld s%ld: fwd %.3f ms, with bn and relu %.3f ms, bwd %.3f ms, "
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
  std::string names, kinds;
  for (const std::string &name : bench::netNames())
    names += " " + name;
  for (const Library &library : libraries())
    kinds.append(kinds.empty() ? "" : "|").append(library.name);
  std::fprintf(stderr,
               "usage: kernel_bench NET [--batch N] [--threads T] [--slices K] [--library %s]\n"
               "nets:%s\n",
               kinds.c_str(), names.c_str());
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
    else if (arg == "--library")
      options.library = findLibrary(argv[i]);
    else
      return usage();
  }
  if (bench::layersOf(options.net).empty() || options.batch < 1 || options.slices < 1 ||
      !options.library)
    return usage();
  benchNet(options);
  return 0;
}
