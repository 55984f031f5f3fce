// SPDX-License-Identifier: Apache-2.0
//
// Networks of tools/models that are tables of blocks, in the C++ interface.
#ifndef RENAISSANCE_TEST_UNIT_SEARCHEDZOOINCPP_H
#define RENAISSANCE_TEST_UNIT_SEARCHEDZOOINCPP_H

#include "renaissance/BluePrint/BluePrint.h"

#include <cmath>
#include <functional>

namespace tr::test {

inline dsl::Layer gated(int squeeze, int channels, const dsl::Layer &act, const dsl::Layer &gate) {
  using namespace dsl;
  return mul2(seq(), seq(gap(), conv(squeeze, 1).bias(), act, conv(channels, 1).bias(), gate));
}

// An inverted residual: widened where `wide` is not 0, depthwise, gated where `squeeze` is not 0,
// narrowed; a sum where it keeps its shape.
struct Inverted {
  int in, wide, out, kernel, stride, squeeze;
  bool hardActs = false; // of MobileNetV3
};

// What the blocks of a network have in common.
struct Family {
  std::function<dsl::Layer(dsl::Layer)> norm; // options of a cbr
  dsl::Layer narrowNorm, squeezeAct, gate;
  std::function<dsl::Layer(bool)> act;
};

inline dsl::Layer inverted(const Family &f, const Inverted &b, double drop = 0) {
  using namespace dsl;
  std::vector<Layer> layers;
  const int width = b.wide == 0 ? b.in : b.wide;
  const Layer act = f.act(b.hardActs);
  if (b.wide != 0)
    layers.push_back(f.norm(cbr(b.wide, 1, 1, 0).act(act)));
  layers.push_back(f.norm(cbr(width, b.kernel, b.stride, b.kernel / 2).groups(width).act(act)));
  if (b.squeeze != 0)
    layers.push_back(gated(b.squeeze, width, f.squeezeAct, f.gate));
  layers.insert(layers.end(), {conv(b.out, 1), f.narrowNorm});
  const bool isSum = b.stride == 1 && b.in == b.out;
  if (isSum && drop != 0)
    layers.push_back(stochastic_depth(drop));
  const Layer stem("seq", layers);
  return isSum ? add2(seq(), stem) : stem;
}

inline std::vector<dsl::Layer> mobilenetV3Blocks(const std::vector<Inverted> &blocks) {
  using namespace dsl;
  const auto norm = [](const Layer &layer) { return layer.momentum(0.01).eps(0.001); };
  const Family family = {norm, bn(0.01, 0.001), relu(), hardsigmoid(),
                         [](bool hard) { return hard ? hardswish() : relu(); }};
  std::vector<Layer> layers = {norm(cbr(16, 3, 2, 1).act(hardswish()))};
  for (const Inverted &block : blocks)
    layers.push_back(inverted(family, block));
  const int last = blocks.back().wide;
  layers.push_back(norm(cbr(last, 1, 1, 0).act(hardswish())));
  return layers;
}

inline dsl::BluePrint mobilenetV3(const std::string &name, int features,
                                  const std::vector<Inverted> &blocks) {
  using namespace dsl;
  std::vector<Layer> layers = mobilenetV3Blocks(blocks);
  layers.insert(layers.end(),
                {gap(), fc(features, true), hardswish(), dropout(0.2), fc(1000, true)});
  return model(name, {224, 224, 3}, 1000, Layer("seq", layers));
}

inline dsl::BluePrint efficientnetB0() {
  using namespace dsl;
  const auto same = [](const Layer &layer) { return layer; };
  const Family family = {same, bn(), silu(), sigmoid(), [](bool) { return silu(); }};
  const Inverted stages[] = {{32, 0, 16, 3, 1, 8},      {16, 96, 24, 3, 2, 4},
                             {24, 144, 40, 5, 2, 6},    {40, 240, 80, 3, 2, 10},
                             {80, 480, 112, 5, 1, 20},  {112, 672, 192, 5, 2, 28},
                             {192, 1152, 320, 3, 1, 48}};
  const int times[] = {1, 2, 2, 3, 3, 4, 1};
  std::vector<Layer> layers = {cbr(32, 3, 2, 1).act(silu())};
  int number = 0;
  for (size_t stage = 0; stage < 7; ++stage)
    for (int i = 0; i < times[stage]; ++i, ++number) {
      Inverted block = stages[stage];
      if (i > 0)
        block = {block.out, 6 * block.out, block.out, block.kernel, 1, block.out / 4};
      layers.push_back(inverted(family, block, number / 80.0));
    }
  layers.insert(layers.end(),
                {cbr(1280, 1, 1, 0).act(silu()), gap(), dropout(0.2), fc(1000, true)});
  return model("efficientnet_b0", {224, 224, 3}, 1000, Layer("seq", layers));
}

inline dsl::BluePrint efficientnetV2S() {
  using namespace dsl;
  const auto norm = [](const Layer &layer) { return layer.eps(0.001); };
  const Layer narrow = bn(0.1, 0.001);
  const Family family = {norm, narrow, silu(), sigmoid(), [](bool) { return silu(); }};
  const auto plain = [&](int in, int wide, int out, int stride, double drop) {
    std::vector<Layer> stem = {norm(cbr(wide, 3, stride, 1).act(silu()))};
    if (wide != out)
      stem.insert(stem.end(), {conv(out, 1), narrow});
    const bool isSum = stride == 1 && in == out;
    if (isSum && drop != 0)
      stem.push_back(stochastic_depth(drop));
    return isSum ? add2(seq(), Layer("seq", stem)) : Layer("seq", stem);
  };
  struct Stage {
    int in, out, stride, times, widen, squeeze; // squeeze 0: plain convolutions
  };
  const Stage stages[] = {{24, 24, 1, 2, 1, 0},    {24, 48, 2, 4, 4, 0},
                          {48, 64, 2, 4, 4, 0},    {64, 128, 2, 6, 4, 16},
                          {128, 160, 1, 9, 6, 32}, {160, 256, 2, 15, 6, 40}};
  std::vector<Layer> layers = {norm(cbr(24, 3, 2, 1).act(silu()))};
  int number = 0;
  for (const Stage &s : stages)
    for (int i = 0; i < s.times; ++i, ++number) {
      const int in = i == 0 ? s.in : s.out, stride = i == 0 ? s.stride : 1;
      const double drop = number / 200.0;
      layers.push_back(s.squeeze == 0
                           ? plain(in, in * s.widen, s.out, stride, drop)
                           : inverted(family, {in, in * s.widen, s.out, 3, stride, in / 4}, drop));
    }
  layers.insert(layers.end(),
                {norm(cbr(1280, 1, 1, 0).act(silu())), gap(), dropout(0.2), fc(1000, true)});
  return model("efficientnet_v2_s", {224, 224, 3}, 1000, Layer("seq", layers));
}

inline dsl::BluePrint mnasnet() {
  using namespace dsl;
  const auto norm = [](const Layer &layer) { return layer.momentum(0.0003); };
  const Family family = {norm, bn(0.0003), relu(), sigmoid(), [](bool) { return relu(); }};
  const auto first = [&](int in, int wide, int out, int kernel, int stride) {
    return inverted(family, {in, wide, out, kernel, stride, 0});
  };
  const auto more = [&](int out, int widen, int kernel, int times) {
    const Layer block = inverted(family, {out, widen * out, out, kernel, 1, 0});
    return times == 1 ? block : repeat(block, times);
  };
  return model("mnasnet1_0", {224, 224, 3}, 1000,
               seq(norm(cbr(32, 3, 2, 1).act(relu())),
                   norm(cbr(32, 3, 1, 1).groups(32).act(relu())), conv(16, 1), bn(0.0003),
                   first(16, 48, 24, 3, 2), more(24, 3, 3, 2), first(24, 72, 40, 5, 2),
                   more(40, 3, 5, 2), first(40, 240, 80, 5, 2), more(80, 6, 5, 2),
                   first(80, 480, 96, 3, 1), more(96, 6, 3, 1), first(96, 576, 192, 5, 2),
                   more(192, 6, 5, 3), first(192, 1152, 320, 3, 1),
                   norm(cbr(1280, 1, 1, 0).act(relu())), gap(), dropout(0.2), fc(1000, true)));
}

inline dsl::BluePrint regnet() {
  using namespace dsl;
  const int widths[] = {48, 104, 208, 440}, times[] = {1, 3, 6, 6};
  std::vector<Layer> layers = {cbr(32, 3, 2, 1)};
  int in = 32;
  for (int stage = 0; stage < 4; ++stage)
    for (int i = 0; i < times[stage]; ++i) {
      const int out = widths[stage], stride = i == 0 ? 2 : 1;
      const Layer stem = seq(cbr(out, 1, 1, 0), cbr(out, 3, stride, 1).groups(out / 8),
                             gated(in / 4, out, relu(), sigmoid()), conv(out, 1), bn());
      layers.push_back(i == 0 ? add2(seq(conv(out, 1, 2), bn()), stem) : add2(seq(), stem));
      layers.push_back(relu());
      in = out;
    }
  layers.push_back(gap_fc(1000, true));
  return model("regnet_y_400mf", {224, 224, 3}, 1000, Layer("seq", layers));
}

inline dsl::BluePrint convnext() {
  using namespace dsl;
  const int widths[] = {96, 192, 384, 768}, times[] = {3, 3, 9, 3};
  std::vector<Layer> layers = {conv(96, 4, 4).bias(), layer_norm(1e-6)};
  int number = 0;
  for (int stage = 0; stage < 4; ++stage) {
    const int width = widths[stage];
    if (stage > 0)
      layers.insert(layers.end(), {layer_norm(1e-6), conv(width, 2, 2).bias()});
    for (int i = 0; i < times[stage]; ++i, ++number) {
      std::vector<Layer> stem = {conv_dw(7, 1, 3).bias(),   layer_norm(1e-6),
                                 conv(4 * width, 1).bias(), gelu(),
                                 conv(width, 1).bias(),     scale(1e-6)};
      if (number > 0) // six digits, as the text has them
        stem.push_back(stochastic_depth(std::round(number * 1e5 / 17) / 1e6));
      layers.push_back(add2(seq(), Layer("seq", stem)));
    }
  }
  layers.insert(layers.end(), {gap(), layer_norm(1e-6), fc(1000, true)});
  return model("convnext_tiny", {224, 224, 3}, 1000, Layer("seq", layers));
}

inline std::vector<dsl::BluePrint> searchedZooInCpp() {
  using namespace dsl;
  const auto wide = [](const std::string &name, Style style, Style first) {
    return model(name, {224, 224, 3}, 1000,
                 seq(cbr(64, 7, 2, 3), maxpool(3, 2, 1), repeat(block(128, 256, style), 3),
                     block(256, 512, first), repeat(block(256, 512, style), 3),
                     block(512, 1024, first), repeat(block(512, 1024, style), 5),
                     block(1024, 2048, first), repeat(block(1024, 2048, style), 2),
                     gap_fc(1000, true)));
  };
  return {mobilenetV3("mobilenet_v3_small", 1024,
                      {{16, 0, 16, 3, 2, 8},
                       {16, 72, 24, 3, 2, 0},
                       {24, 88, 24, 3, 1, 0},
                       {24, 96, 40, 5, 2, 24, true},
                       {40, 240, 40, 5, 1, 64, true},
                       {40, 240, 40, 5, 1, 64, true},
                       {40, 120, 48, 5, 1, 32, true},
                       {48, 144, 48, 5, 1, 40, true},
                       {48, 288, 96, 5, 2, 72, true},
                       {96, 576, 96, 5, 1, 144, true},
                       {96, 576, 96, 5, 1, 144, true}}),
          mobilenetV3("mobilenet_v3_large", 1280,
                      {{16, 0, 16, 3, 1, 0},
                       {16, 64, 24, 3, 2, 0},
                       {24, 72, 24, 3, 1, 0},
                       {24, 72, 40, 5, 2, 24},
                       {40, 120, 40, 5, 1, 32},
                       {40, 120, 40, 5, 1, 32},
                       {40, 240, 80, 3, 2, 0, true},
                       {80, 200, 80, 3, 1, 0, true},
                       {80, 184, 80, 3, 1, 0, true},
                       {80, 184, 80, 3, 1, 0, true},
                       {80, 480, 112, 3, 1, 120, true},
                       {112, 672, 112, 3, 1, 168, true},
                       {112, 672, 160, 5, 2, 168, true},
                       {160, 960, 160, 5, 1, 240, true},
                       {160, 960, 160, 5, 1, 240, true}}),
          efficientnetB0(),
          efficientnetV2S(),
          mnasnet(),
          regnet(),
          convnext(),
          wide("resnext50_32x4d", RESNEXT_1_3_1, RESNEXT_1_3_1_DS),
          wide("wide_resnet50_2", RESNET_1_3_1, RESNET_1_3_1_DS)};
}

} // namespace tr::test

#endif // RENAISSANCE_TEST_UNIT_SEARCHEDZOOINCPP_H
