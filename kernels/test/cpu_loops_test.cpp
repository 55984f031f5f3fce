// SPDX-License-Identifier: Apache-2.0
//
// The loops of every instruction set that this machine has, against the baseline
// compilation. The conformance suite sees only the best one.
#include "conformance.h"
#include "cpu/loops.h"
#include "trk/cpu_targets.h"

#include <cmath>
#include <functional>

namespace trk::test {
namespace {

using cpu::Loops;
using cpu::PanelProduct;
using trf::Target;

class CpuLoopsTest : public testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    if (!cpuServes(GetParam()))
      GTEST_SKIP() << "this machine lacks " << name(GetParam());
  }

  // Runs `body` with both tables; it returns all that it computed.
  void compare(const std::string &what,
               const std::function<std::vector<double>(const Loops &)> &body, double tolerance) {
    std::vector<double> want = body(cpu::loopsFor(Target::CpuAny));
    std::vector<double> got = body(cpu::loopsFor(GetParam()));
    ASSERT_EQ(want.size(), got.size());
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(got[i], want[i], tolerance * (1 + std::fabs(want[i]))) << what << ", value " << i;
  }

  std::vector<float> values(int64_t count) { return data.values({1, 1, 1, count}).floats(); }

  Data data{21};
};

std::vector<double> widen(const std::vector<float> &v) { return {v.begin(), v.end()}; }

void append(std::vector<double> &to, const std::vector<double> &more) {
  to.insert(to.end(), more.begin(), more.end());
}

const std::vector<std::pair<int64_t, int64_t>> &rowShapes() {
  static const std::vector<std::pair<int64_t, int64_t>> shapes = {{1, 1},    {3, 5},    {9, 16},
                                                                  {130, 17}, {257, 33}, {6, 1100}};
  return shapes;
}

TEST_P(CpuLoopsTest, Elements) {
  for (int64_t count : {1, 3, 4, 7, 8, 15, 16, 17, 31, 67}) {
    std::vector<float> a = values(count), b = values(count);
    std::vector<uint8_t> keep(static_cast<size_t>(count));
    for (uint8_t &k : keep)
      k = uint8_t(data.next() & 1);
    for (Act act : allActivations())
      compare(
          "elements",
          [&](const Loops &l) {
            std::vector<float> y[7];
            for (auto &one : y)
              one.resize(a.size());
            l.act(act, {a.data()}, {y[0].data()}, 1, count);
            l.add(act, {a.data()}, {b.data()}, {y[1].data()}, 1, count);
            l.actBwd(act, {a.data()}, {b.data()}, {y[2].data()}, 1, count);
            l.mask({a.data()}, keep.data(), 1.25f, {y[3].data()}, 1, count);
            l.mul({a.data()}, {b.data()}, {y[4].data()}, 1, count);
            l.mulBwd({a.data()}, {b.data()}, {y[4].data()}, {y[5].data()}, {y[6].data()}, 1, count);
            std::vector<double> all;
            for (const auto &one : y)
              append(all, widen(one));
            return all;
          },
          1e-6);
  }
}

// A random matrix in panels of `panel` columns.
std::vector<float> inPanels(const std::vector<float> &rows, int64_t m, int64_t n, int panel) {
  std::vector<float> to(size_t((n + panel - 1) / panel * panel * m));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      to[size_t(j / panel * panel * m + i * panel + j % panel)] = rows[size_t(i * n + j)];
  return to;
}

TEST_P(CpuLoopsTest, PanelProduct) {
  for (int64_t m : {1, 5, 6, 13, 14, 15, 30})
    for (auto [n, k] : {std::pair<int64_t, int64_t>{1, 1}, {33, 7}, {70, 40}})
      for (bool transposed : {false, true}) {
        std::vector<float> a = values(m * k), b = values(k * n), c = values(m * n);
        compare(
            "product",
            [&, n = n, k = k](const Loops &l) {
              std::vector<float> panels = inPanels(b, k, n, l.panel),
                                 result = inPanels(c, m, n, l.panel);
              PanelProduct p;
              p.a = a.data();
              p.aRow = transposed ? 1 : k;
              p.aCol = transposed ? m : 1;
              p.b = panels.data();
              p.bPanel = k * l.panel;
              p.c = result.data();
              p.cRow = l.panel;
              p.cPanel = m * l.panel;
              p.m = m;
              p.n = n;
              p.k = k;
              p.accumulate = transposed;
              p.wholePanels = true;
              l.multiplyPanels(p);
              std::vector<double> all;
              for (int64_t i = 0; i < m; ++i)
                for (int64_t j = 0; j < n; ++j)
                  all.push_back(result[size_t(j / l.panel * p.cPanel + i * l.panel + j % l.panel)]);
              return all;
            },
            1e-5);
      }
}

// Forward, gradient of the input and of the weights, of one block of tiles.
TEST_P(CpuLoopsTest, Winograd) {
  cpu::WinogradShape s{9, 6, 19, 7, 6, 35, 0, 1, 2, 2};
  int64_t images = 3, tiles = images * s.tilesH * s.tilesW;
  std::vector<float> x = values(images * s.h * s.w * s.c), w = values(s.k * 9 * s.c),
                     dy = values(images * s.oh * s.ow * s.k), bias = values(s.k);
  compare(
      "winograd",
      [&](const Loops &l) {
        auto matrix = [&](std::vector<float> &data, int64_t rows, int64_t columns) {
          int64_t panels = (columns + l.panel - 1) / l.panel, panel = rows * l.panel;
          data.assign(size_t(cpu::kWinogradPoints * panels * panel), 0.0f);
          return cpu::WinogradMatrix{data.data(), panels * panel, panel, l.panel};
        };
        std::vector<float> u, v, m, z, y(dy.size()), dw(w.size()), mirrored;
        cpu::WinogradMatrix weights = matrix(u, s.c, s.k), in = matrix(v, tiles, s.c);
        cpu::WinogradMatrix out = matrix(m, tiles, s.k), sum = matrix(z, s.k, s.c);
        l.winogradWeights(s, w.data(), 0, s.c, weights);
        l.winogradInput(s, {x.data(), s.c}, 0, tiles, in);
        for (int64_t p = 0; p < cpu::kWinogradPoints; ++p) // stands for a product
          for (int64_t i = 0; i < tiles; ++i)
            for (int64_t k = 0; k < s.k; ++k)
              out.data[p * out.point + k / l.panel * out.panel + i * out.row + k % l.panel] =
                  float(p * 7 % 5) - 0.25f * float(i % 3) + 0.125f * float(k);
        l.winogradOutput(s, out, bias.data(), 0, tiles, {y.data(), s.k});
        std::vector<double> all = widen(y);
        l.winogradOutputGradient(s, {dy.data(), s.k}, 0, tiles, out);
        for (int64_t p = 0; p < cpu::kWinogradPoints; ++p) {
          for (int64_t i = 0; i < tiles; ++i) {
            for (int64_t k = 0; k < s.k; ++k)
              all.push_back(
                  out.data[p * out.point + k / l.panel * out.panel + i * out.row + k % l.panel]);
            for (int64_t c = 0; c < s.c; ++c)
              all.push_back(
                  in.data[p * in.point + c / l.panel * in.panel + i * in.row + c % l.panel]);
          }
          for (int64_t c = 0; c < s.c; ++c)
            for (int64_t k = 0; k < s.k; ++k) {
              all.push_back(weights.data[p * weights.point + k / l.panel * weights.panel +
                                         c * weights.row + k % l.panel]);
              sum.data[p * sum.point + c / l.panel * sum.panel + k * sum.row + c % l.panel] =
                  float(all.back());
            }
        }
        const float *terms[] = {z.data(), z.data()};
        l.winogradWeightGradient(s, sum, terms, 2, 0, s.k, dw.data());
        append(all, widen(dw));
        l.winogradWeightsMirrored(s, w.data(), 0, s.k, matrix(mirrored, s.k, s.c));
        for (int64_t p = 0; p < cpu::kWinogradPoints; ++p)
          for (int64_t k = 0; k < s.k; ++k)
            for (int64_t c = 0; c < s.c; ++c)
              all.push_back(mirrored[size_t(p * sum.point + c / l.panel * sum.panel + k * sum.row +
                                            c % l.panel)]);
        return all;
      },
      1e-5);
}

TEST_P(CpuLoopsTest, Statistics) {
  for (auto [rows, c] : rowShapes()) {
    std::vector<float> x = values(rows * c);
    compare(
        "statistics",
        [&, rows = rows, c = c](const Loops &l) {
          size_t n = size_t(c);
          std::vector<double> mean(n), m2(n), sums(n);
          std::vector<float> work(3 * n);
          l.stats({x.data(), c}, 0, rows, c, mean.data(), m2.data(), work.data());
          l.columnSums({x.data(), c}, rows, c, sums.data(), work.data());
          append(mean, m2);
          append(mean, sums);
          return mean;
        },
        2e-6);
  }
}

TEST_P(CpuLoopsTest, Normalisation) {
  for (auto [rows, c] : rowShapes()) {
    std::vector<float> x = values(rows * c), dy = values(rows * c), v[4];
    for (auto &one : v)
      one = values(c);
    compare(
        "normalisation",
        [&, rows = rows, c = c](const Loops &l) {
          std::vector<float> y(x.size()), dx(x.size()), work(size_t(2 * c));
          std::vector<double> g(static_cast<size_t>(c)), gx(static_cast<size_t>(c));
          cpu::NormTerm term{{x.data(), c}, v[0].data(), v[1].data(), v[2].data()};
          l.normApply({term, {}, {y.data(), c}, rows, c, Activation::ReLU6});
          l.normReduce(
              {{dy.data(), c}, term, g.data(), gx.data(), work.data(), rows, c, Activation::None});
          l.normGradient({{dy.data(), c},
                          term,
                          v[2].data(),
                          v[3].data(),
                          {dx.data(), c},
                          rows,
                          c,
                          Activation::None});
          std::vector<double> all = widen(y);
          append(all, widen(dx));
          append(all, g);
          append(all, gx);
          return all;
        },
        4e-6);
  }
}

TEST_P(CpuLoopsTest, SpreadGradient) {
  for (auto [rows, c] : rowShapes()) {
    std::vector<float> dy = values(rows * c), map = values(rows * c), factor = values(c);
    compare(
        "spread",
        [&, rows = rows, c = c](const Loops &l) {
          std::vector<float> dmap(dy.size()), work(factor.size());
          std::vector<double> sums(factor.size());
          cpu::SpreadGradient args{{dy.data(), c}, {map.data(), c}, factor.data(), {},
                                   sums.data(),    work.data(),     rows,          c};
          l.spreadGradient(args);
          std::vector<double> all = sums;
          args.dmap = {dmap.data(), c};
          l.spreadGradient(args);
          append(all, sums);
          append(all, widen(dmap));
          return all;
        },
        4e-6);
  }
}

// Pad 4 on both sides of 9 columns: the windows see 5 to 9 of them, then fewer.
TEST_P(CpuLoopsTest, DepthwiseWeightGradient) {
  constexpr int64_t kSize = 9, kImages = 2;
  std::vector<int64_t> first(kSize), last(kSize);
  for (int64_t k = 0; k < kSize; ++k) {
    first[size_t(k)] = std::max<int64_t>(0, 4 - k);
    last[size_t(k)] = std::min<int64_t>(kSize, kSize + 4 - k);
  }
  for (int64_t c : {1, 5, 16, 37}) {
    const std::vector<float> x = values(kImages * kSize * kSize * c),
                             dy = values(kImages * kSize * kSize * c);
    compare(
        "depthwise weight gradient",
        [&](const Loops &l) {
          std::vector<float> dw(size_t(kSize * kSize * c), 0.5f);
          cpu::DepthwiseGradient args;
          args.x = {x.data(), c};
          args.dy = {dy.data(), c};
          args.images = kImages;
          args.h = args.w = args.oh = args.ow = args.kernelH = args.kernelW = kSize;
          args.c = c;
          args.strideH = args.strideW = args.dilationH = args.dilationW = 1;
          args.padH = args.padW = 4;
          args.first = first.data();
          args.last = last.data();
          args.dw = dw.data();
          l.depthwiseWeightGradient(args);
          return widen(dw);
        },
        1e-5);
  }
}

TEST_P(CpuLoopsTest, Pooling) {
  for (int64_t c : {1, 5, 16, 19}) {
    std::vector<float> x = data.grid({2, 7, 5, c}).floats();
    compare(
        "pooling",
        [&](const Loops &l) {
          cpu::Pool p;
          p.last = 2;
          p.h = 7;
          p.w = 5;
          p.c = c;
          p.oh = 4;
          p.ow = 3;
          p.kernelH = p.kernelW = 3;
          p.strideH = p.strideW = 2;
          p.padH = p.padW = 1;
          std::vector<float> y(size_t(2 * 4 * 3 * c)), mean(y.size()), dx(x.size());
          std::vector<uint8_t> index(y.size());
          p.index = index.data();
          p.indexBytes = 1;
          p.in = {x.data(), c};
          p.out = {y.data(), c};
          l.maxPool(p);
          p.out = {mean.data(), c};
          l.avgPool(p);
          p.in = {mean.data(), c};
          p.out = {dx.data(), c};
          l.maxPoolBwd(p);
          std::vector<double> all = widen(y);
          append(all, widen(mean));
          append(all, widen(dx));
          append(all, {index.begin(), index.end()});
          return all;
        },
        1e-6);
  }
}

TEST_P(CpuLoopsTest, Updates) {
  for (int64_t count : {1, 7, 16, 45}) {
    std::vector<float> w = values(count), g = values(count), m = values(count);
    std::vector<float> v = data.values({1, 1, 1, count}, 0, 2).floats();
    compare(
        "updates",
        [&](const Loops &l) {
          std::vector<float> w1 = w, m1 = m, w2 = w, m2 = m, v2 = v, sum = w;
          l.sgd({0.1f, 0.9f, 0.01f}, w1.data(), g.data(), m1.data(), count);
          l.adamw({0.9f, 0.99f, 0.1f, 0.01f, 1e-3f, 0.999f, 0.02f, 1.5f}, w2.data(), g.data(),
                  m2.data(), v2.data(), count);
          const float *terms[] = {g.data(), m.data()};
          l.accumulate(sum.data(), terms, 2, count);
          std::vector<double> all;
          for (const auto *one : {&w1, &m1, &w2, &m2, &v2, &sum})
            append(all, widen(*one));
          std::vector<float> bad = w;
          all.push_back(l.allFinite(bad.data(), count));
          bad.back() = std::nanf("");
          all.push_back(l.allFinite(bad.data(), count));
          return all;
        },
        2e-6);
  }
}

std::string targetName(const testing::TestParamInfo<Target> &info) {
  std::string text(name(info.param));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

INSTANTIATE_TEST_SUITE_P(Targets, CpuLoopsTest, testing::Values(Target::CpuV3, Target::CpuV4),
                         targetName);

} // namespace
} // namespace trk::test
