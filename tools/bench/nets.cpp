// SPDX-License-Identifier: Apache-2.0
//
// Layer lists of the benchmarks.
#include "nets.h"

namespace bench {
namespace {

// Square maps, padding that keeps the extent at stride 1.
Layer conv(int64_t extent, int64_t c, int64_t outputs, int64_t kernel, int64_t stride, int count,
           int64_t groups = 1) {
  return {extent, extent, c, outputs, kernel, stride, kernel / 2, groups, count};
}

std::vector<Layer> fashionResnet() {
  return {conv(28, 1, 32, 3, 1, 1),  conv(14, 32, 32, 3, 1, 2), conv(14, 32, 64, 3, 2, 1),
          conv(14, 32, 64, 1, 2, 1), conv(7, 64, 64, 3, 1, 1),  conv(7, 64, 128, 3, 2, 1),
          conv(7, 64, 128, 1, 2, 1), conv(4, 128, 128, 3, 1, 1)};
}

std::vector<Layer> lenet() {
  return {{28, 28, 1, 20, 5, 1, 0, 1, 1}, {12, 12, 20, 50, 5, 1, 0, 1, 1}};
}

std::vector<Layer> resnet18() {
  return {conv(224, 3, 64, 7, 2, 1),   conv(56, 64, 64, 3, 1, 4),   conv(56, 64, 128, 3, 2, 1),
          conv(56, 64, 128, 1, 2, 1),  conv(28, 128, 128, 3, 1, 3), conv(28, 128, 256, 3, 2, 1),
          conv(28, 128, 256, 1, 2, 1), conv(14, 256, 256, 3, 1, 3), conv(14, 256, 512, 3, 2, 1),
          conv(14, 256, 512, 1, 2, 1), conv(7, 512, 512, 3, 1, 3)};
}

std::vector<Layer> resnet50() {
  std::vector<Layer> layers = {conv(224, 3, 64, 7, 2, 1)};
  int64_t in = 64, extent = 56;
  const int blocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    int64_t mid = 64 << stage, out = mid * 4, stride = stage ? 2 : 1, after = extent / stride;
    int rest = blocks[stage] - 1;
    layers.push_back(conv(extent, in, mid, 1, 1, 1));
    layers.push_back(conv(extent, mid, mid, 3, stride, 1));
    layers.push_back(conv(after, mid, out, 1, 1, 1 + rest));
    layers.push_back(conv(extent, in, out, 1, stride, 1));
    layers.push_back(conv(after, out, mid, 1, 1, rest));
    layers.push_back(conv(after, mid, mid, 3, 1, rest));
    in = out;
    extent = after;
  }
  return layers;
}

std::vector<Layer> vgg16() {
  return {conv(224, 3, 64, 3, 1, 1),    conv(224, 64, 64, 3, 1, 1),  conv(112, 64, 128, 3, 1, 1),
          conv(112, 128, 128, 3, 1, 1), conv(56, 128, 256, 3, 1, 1), conv(56, 256, 256, 3, 1, 2),
          conv(28, 256, 512, 3, 1, 1),  conv(28, 512, 512, 3, 1, 2), conv(14, 512, 512, 3, 1, 3)};
}

std::vector<Layer> mobilenetV2() {
  struct Stage {
    int64_t expand, out;
    int count;
    int64_t stride;
  };
  const Stage stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                          {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  std::vector<Layer> layers = {conv(224, 3, 32, 3, 2, 1)};
  int64_t in = 32, extent = 112;
  for (const Stage &s : stages)
    for (int i = 0; i < s.count; ++i) {
      int64_t mid = in * s.expand, stride = i ? 1 : s.stride;
      if (s.expand > 1)
        layers.push_back(conv(extent, in, mid, 1, 1, 1));
      layers.push_back(conv(extent, mid, mid, 3, stride, 1, mid));
      extent /= stride;
      layers.push_back(conv(extent, mid, s.out, 1, 1, 1));
      in = s.out;
    }
  layers.push_back(conv(extent, 320, 1280, 1, 1, 1));
  return layers;
}

struct Net {
  const char *name;
  std::vector<Layer> (*layers)();
  std::vector<PoolLayer> pools;
};
const std::vector<Net> &nets() {
  static const std::vector<Net> all = {
      {"fashion_resnet", fashionResnet, {{28, 32, 3, 2, 1}}},
      {"lenet", lenet, {{24, 20, 2, 2, 0}, {8, 50, 2, 2, 0}}},
      {"resnet18", resnet18, {{112, 64, 3, 2, 1}}},
      {"resnet50", resnet50, {{112, 64, 3, 2, 1}}},
      {"vgg16", vgg16, {{224, 64, 2, 2, 0}, {112, 128, 2, 2, 0}, {56, 256, 2, 2, 0}}},
      {"mobilenet_v2", mobilenetV2, {}}};
  return all;
}

} // namespace

std::vector<std::string> netNames() {
  std::vector<std::string> names;
  for (const Net &net : nets())
    names.push_back(net.name);
  return names;
}

std::vector<Layer> layersOf(const std::string &name) {
  for (const Net &net : nets())
    if (name == net.name)
      return net.layers();
  return {};
}

std::vector<PoolLayer> poolsOf(const std::string &name) {
  for (const Net &net : nets())
    if (name == net.name)
      return net.pools;
  return {};
}

} // namespace bench
