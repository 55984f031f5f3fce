// SPDX-License-Identifier: Apache-2.0
//
// The distinct convolutions and pools of some networks of tools/models, for benchmarks.
#ifndef RENAISSANCE_TOOLS_BENCH_NETS_H
#define RENAISSANCE_TOOLS_BENCH_NETS_H

#include "common/window.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Layer {
  int64_t h, w, c, outputs, kernel, stride, pad, groups;
  int count; // how often the network has it

  trk::Window window() const { return {kernel, kernel, stride, stride, pad, pad, 1, 1, groups}; }
};

struct PoolLayer {
  int64_t extent, c, kernel, stride, pad;

  trk::Window window() const { return {kernel, kernel, stride, stride, pad, pad}; }
};

std::vector<std::string> netNames();
// Empty for an unknown name. The first layer needs no gradient of its input.
std::vector<Layer> layersOf(const std::string &net);
std::vector<PoolLayer> poolsOf(const std::string &net);

} // namespace bench

#endif // RENAISSANCE_TOOLS_BENCH_NETS_H
