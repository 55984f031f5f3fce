// SPDX-License-Identifier: Apache-2.0
//
// The networks of tools/models in the C++ interface.
#ifndef RENAISSANCE_TEST_UNIT_ZOOINCPP_H
#define RENAISSANCE_TEST_UNIT_ZOOINCPP_H

#include "SearchedZooInCpp.h"

#include "renaissance/BluePrint/BluePrint.h"

namespace tr::test {

inline dsl::BluePrint squeezenet() {
  using namespace dsl;
  auto biased = [](int out, int kernel, int pad) {
    return seq(conv(out, kernel, 1, pad).bias(), relu());
  };
  auto fire = [&](int squeeze, int expand) {
    return seq(conv(squeeze, 1).bias(), relu(), concat(biased(expand, 1, 0), biased(expand, 3, 1)));
  };
  Layer halve = maxpool(3, 2, 0).ceil();
  return model("squeezenet1_1", {224, 224, 3}, 1000,
               seq(conv(64, 3, 2).bias(), relu(), halve, fire(16, 64), fire(16, 64), halve,
                   fire(32, 128), fire(32, 128), halve, fire(48, 192), fire(48, 192), fire(64, 256),
                   fire(64, 256), dropout(0.5), conv(1000, 1).bias(), relu(), gap()));
}

inline dsl::BluePrint densenet() {
  using namespace dsl;
  Layer unit = concat(seq(), seq(bn(), relu(), conv(128, 1), bn(), relu(), conv(32, 3, 1, 1)));
  return model("densenet121", {224, 224, 3}, 1000,
               seq(cbr(64, 7, 2, 3), maxpool(3, 2, 1), repeat(unit, 6), bn(), relu(), conv(128, 1),
                   avgpool(2, 2, 0), repeat(unit, 12), bn(), relu(), conv(256, 1), avgpool(2, 2, 0),
                   repeat(unit, 24), bn(), relu(), conv(512, 1), avgpool(2, 2, 0), repeat(unit, 16),
                   bn(), relu(), gap_fc(1000, true)));
}

inline dsl::BluePrint mobilenet() {
  using namespace dsl;
  Layer keep = seq(conv_dw(3, 1, 1), bn(), relu()), halve = seq(conv_dw(3, 2, 1), bn(), relu());
  auto point = [](int out) { return cbr(out, 1, 1, 0); };
  return model("mobilenet_v1", {224, 224, 3}, 1000,
               seq(cbr(32, 3, 2, 1), keep, point(64), halve, point(128), keep, point(128), halve,
                   point(256), keep, point(256), halve, point(512),
                   repeat(seq(keep, point(512)), 5), halve, point(1024), keep, point(1024),
                   gap_fc(1000, true)));
}

inline dsl::BluePrint shufflenet() {
  using namespace dsl;
  Layer keep = seq(conv_dw(3, 1, 1), bn()), halve = seq(conv_dw(3, 2, 1), bn());
  auto point = [](int out) { return cbr(out, 1, 1, 0); };
  auto first = [&](int out) {
    return concat(seq(halve, point(out)), seq(point(out), halve, point(out)));
  };
  auto unit = [&](int half) {
    return seq(concat(slice(0, half), seq(slice(half, half), point(half), keep, point(half))),
               channel_shuffle(2));
  };
  return model("shufflenet_v2_x1_0", {224, 224, 3}, 1000,
               seq(cbr(24, 3, 2, 1), maxpool(3, 2, 1), first(58), channel_shuffle(2),
                   repeat(unit(58), 3), first(116), channel_shuffle(2), repeat(unit(116), 7),
                   first(232), channel_shuffle(2), repeat(unit(232), 3), point(1024),
                   gap_fc(1000, true)));
}

inline dsl::BluePrint alexnet() {
  using namespace dsl;
  Layer halve = maxpool(3, 2, 0);
  return model("alexnet", {224, 224, 3}, 1000,
               seq(conv(64, 11, 4, 2).bias(), relu(), halve, conv(192, 5, 1, 2).bias(), relu(),
                   halve, conv(384, 3, 1, 1).bias(), relu(), conv(256, 3, 1, 1).bias(), relu(),
                   conv(256, 3, 1, 1).bias(), relu(), halve, adaptive_avgpool(6), flatten(),
                   dropout(0.5), fc(4096, true), relu(), dropout(0.5), fc(4096, true), relu(),
                   fc(1000, true)));
}

inline dsl::BluePrint resnet50d() {
  using namespace dsl;
  return model("resnet50d", {224, 224, 3}, 1000,
               seq(cbr(32, 3, 2, 1), cbr(32, 3, 1, 1), cbr(64, 3, 1, 1), maxpool(3, 2, 1),
                   repeat(block(64, 256, RESNET_1_3_1), 3), block(128, 512, RESNETD_1_3_1_DS),
                   repeat(block(128, 512, RESNET_1_3_1), 3), block(256, 1024, RESNETD_1_3_1_DS),
                   repeat(block(256, 1024, RESNET_1_3_1), 5), block(512, 2048, RESNETD_1_3_1_DS),
                   repeat(block(512, 2048, RESNET_1_3_1), 2), gap_fc(1000, true)));
}

inline dsl::BluePrint xception() {
  using namespace dsl;
  Layer wide = conv_dw(3, 1, 1), halve = maxpool(3, 2, 1);
  Layer sep728 = seq(relu(), wide, conv(728, 1), bn());
  auto project = [](int out) { return seq(conv(out, 1, 2), bn()); };
  return model(
      "xception", {299, 299, 3}, 1000,
      seq(cbr(32, 3, 2, 0), conv(64, 3), bn(), relu(),
          add2(project(128),
               seq(wide, conv(128, 1), bn(), relu(), wide, conv(128, 1), bn(), halve)),
          add2(project(256),
               seq(relu(), wide, conv(256, 1), bn(), relu(), wide, conv(256, 1), bn(), halve)),
          add2(project(728), seq(sep728, sep728, halve)), repeat(add2(seq(), repeat(sep728, 3)), 8),
          add2(project(1024), seq(sep728, relu(), wide, conv(1024, 1), bn(), halve)), wide,
          conv(1536, 1), bn(), relu(), wide, conv(2048, 1), bn(), relu(), gap_fc(1000, true)));
}

inline dsl::BluePrint nin() {
  using namespace dsl;
  auto point = [](int out) { return conv(out, 1).bias(); };
  return model("nin", {32, 32, 3}, 10,
               seq(conv(192, 5, 1, 2).bias(), relu(), point(160), relu(), point(96), relu(),
                   maxpool(3, 2, 0).ceil(), dropout(0.5), conv(192, 5, 1, 2).bias(), relu(),
                   point(192), relu(), point(192), relu(), avgpool(3, 2, 0).ceil(), dropout(0.5),
                   conv(192, 3, 1, 1).bias(), relu(), point(192), relu(), point(10), relu(),
                   gap()));
}

inline std::vector<dsl::BluePrint> zooInCpp() {
  using namespace dsl;
  auto basic = [](std::string name, int first, int second, int third, int fourth) {
    return model(std::move(name), {224, 224, 3}, 1000,
                 seq(cbr(64, 7, 2, 3), maxpool(3, 2, 1), repeat(block(64, RESNET_3_3), first),
                     block(128, RESNET_3_3_DS), repeat(block(128, RESNET_3_3), second),
                     block(256, RESNET_3_3_DS), repeat(block(256, RESNET_3_3), third),
                     block(512, RESNET_3_3_DS), repeat(block(512, RESNET_3_3), fourth),
                     gap_fc(1000, true)));
  };
  auto bottleneck = [](std::string name, int first, int second, int third, int fourth) {
    return model(
        std::move(name), {224, 224, 3}, 1000,
        seq(cbr(64, 7, 2, 3), maxpool(3, 2, 1), repeat(block(64, 256, RESNET_1_3_1), first),
            block(128, 512, RESNET_1_3_1_DS), repeat(block(128, 512, RESNET_1_3_1), second),
            block(256, 1024, RESNET_1_3_1_DS), repeat(block(256, 1024, RESNET_1_3_1), third),
            block(512, 2048, RESNET_1_3_1_DS), repeat(block(512, 2048, RESNET_1_3_1), fourth),
            gap_fc(1000, true)));
  };
  auto small = [](std::string name, int times) {
    return model(std::move(name), {32, 32, 3}, 10,
                 seq(cbr(16, 3, 1, 1), repeat(block(16, RESNET_3_3), times),
                     block(32, RESNET_3_3_DS), repeat(block(32, RESNET_3_3), times - 1),
                     block(64, RESNET_3_3_DS), repeat(block(64, RESNET_3_3), times - 1),
                     gap_fc(10, true)));
  };
  auto c = [](int out) { return cbr(out, 3, 1, 1).bias(); };
  Layer half = maxpool(2, 2, 0);
  std::vector<dsl::BluePrint> zoo = {
      model("fashion_resnet", {28, 28, 1}, 10,
            seq(cbr(32, 3, 1, 1), maxpool(3, 2, 1), block(32, RESNET_3_3), block(64, RESNET_3_3_DS),
                block(128, RESNET_3_3_DS), gap_fc(10, true))),
      model("lenet", {28, 28, 1}, 10,
            seq(conv(20, 5).bias(), relu(), half, conv(50, 5).bias(), relu(), half, flatten(),
                fc(500, true), relu(), fc(10, true))),
      model(
          "mlp", {28, 28, 1}, 10,
          seq(fc(1024, true), relu(), fc(512, true), relu(), fc(256, true), relu(), fc(10, true))),
      model("mlp_small", {28, 28, 1}, 10,
            seq(fc(512, true), relu(), fc(256, true), relu(), fc(10, true))),
      model("mobilenet_v2", {224, 224, 3}, 1000,
            seq(cbr(32, 3, 2, 1).act(RELU6), mbconv(1, 16, 1), mbconv(6, 24, 2), mbconv(6, 24, 1),
                mbconv(6, 32, 2), repeat(mbconv(6, 32, 1), 2), mbconv(6, 64, 2),
                repeat(mbconv(6, 64, 1), 3), mbconv(6, 96, 1), repeat(mbconv(6, 96, 1), 2),
                mbconv(6, 160, 2), repeat(mbconv(6, 160, 1), 2), mbconv(6, 320, 1),
                cbr(1280, 1, 1, 0).act(RELU6), gap_fc(1000, true))),
      basic("resnet18", 2, 1, 1, 1),
      basic("resnet34", 3, 3, 5, 2),
      bottleneck("resnet50", 3, 3, 5, 2),
      bottleneck("resnet101", 3, 3, 22, 2),
      bottleneck("resnet152", 3, 7, 35, 2),
      small("resnet20", 3),
      small("resnet32", 5),
      small("resnet44", 7),
      small("resnet56", 9),
      small("resnet110", 18),
      squeezenet(),
      densenet(),
      mobilenet(),
      shufflenet(),
      alexnet(),
      resnet50d(),
      xception(),
      nin(),
      model("vgg16_bn", {224, 224, 3}, 1000,
            seq(c(64), c(64), half, c(128), c(128), half, c(256), c(256), c(256), half, c(512),
                c(512), c(512), half, c(512), c(512), c(512), half, flatten(), fc(4096, true),
                relu(), dropout(0.5), fc(4096, true), relu(), dropout(0.5), fc(1000, true))),
  };
  for (dsl::BluePrint &net : searchedZooInCpp())
    zoo.push_back(std::move(net));
  return zoo;
}

} // namespace tr::test

#endif // RENAISSANCE_TEST_UNIT_ZOOINCPP_H
