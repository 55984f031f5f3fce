// SPDX-License-Identifier: Apache-2.0
//
// The networks of tools/models in the C++ interface.
#ifndef RENAISSANCE_TEST_UNIT_ZOOINCPP_H
#define RENAISSANCE_TEST_UNIT_ZOOINCPP_H

#include "renaissance/BluePrint/BluePrint.h"

namespace tr::test {

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
  return {
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
      small("resnet56", 9),
      model("vgg16_bn", {224, 224, 3}, 1000,
            seq(c(64), c(64), half, c(128), c(128), half, c(256), c(256), c(256), half, c(512),
                c(512), c(512), half, c(512), c(512), c(512), half, flatten(), fc(4096, true),
                relu(), dropout(0.5), fc(4096, true), relu(), dropout(0.5), fc(1000, true))),
  };
}

} // namespace tr::test

#endif // RENAISSANCE_TEST_UNIT_ZOOINCPP_H
