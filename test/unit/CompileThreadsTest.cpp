// SPDX-License-Identifier: Apache-2.0
//
// Compilations with different options in two threads at once give the plans that they give alone.
// Runs under ThreadSanitizer too.
#include "renaissance/BluePrint/Compile.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tr::dsl;

TEST(CompileThreads, TwoAtOnceDoNotTouchEachOther) {
  auto one = [](int which) {
    Options options;
    options.batch = which ? 4 : 7;
    options.optimizer = which ? trf::Optimizer::AdamW : trf::Optimizer::SGD;
    options.fuse = which != 0;
    BluePrint net = model(which ? "a" : "b", {8, 8, 3}, 5,
                          seq(cbr(8, 3, 1, 1), block(16, RESNET_3_3_DS), gap_fc(5, true)));
    tr::Result<Plan> plan = compile(net, options);
    return plan ? std::vector<uint8_t>(plan->data(), plan->data() + plan->size())
                : std::vector<uint8_t>();
  };
  const std::vector<uint8_t> alone[2] = {one(0), one(1)};
  ASSERT_FALSE(alone[0].empty() || alone[1].empty());
  EXPECT_NE(alone[0], alone[1]);
  std::vector<uint8_t> together[2];
  std::thread threads[2];
  for (int i : {0, 1})
    threads[i] = std::thread([&, i] {
      for (int round = 0; round < 3; ++round)
        together[i] = one(i);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(together[0], alone[0]);
  EXPECT_EQ(together[1], alone[1]);
}
