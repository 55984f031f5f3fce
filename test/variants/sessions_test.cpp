// SPDX-License-Identifier: Apache-2.0
//
// Compiled plans with six variants in one session: what one variant leaves behind
// must not reach another one, and going from one to another prepares nothing.
#include "../../runtime/test/allocation_count.h"
#include "../../runtime/test/counting_device.h"
#include "../../runtime/test/temp_dir.h"
#include "../../runtime/test/test_libraries.h"
#include "device/devices.h"
#include "plan/plan_file.h"
#include "train/passes.h"
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

using namespace trf;
using namespace trrt;
using namespace trrt::test;
using trrt_test::TempDir;

namespace {

std::shared_ptr<const Plan> compiled(const std::string &model, const std::string &flags) {
  const TempDir dir;
  const std::string path = dir.file("x.plan");
  const std::string command =
      "'" TR_COMPILE_PATH "' '" TR_MODELS_PATH "/" + model + ".bp' -o '" + path + "' " + flags;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return std::make_shared<const Plan>(readPlanFile(path));
}

float pixel(uint32_t seed) {
  seed = seed * 2654435761u ^ seed >> 15;
  return static_cast<float>(seed % 20011u) / 5000.0f - 2.0f;
}

class RandomSet final : public DataSet {
public:
  RandomSet(int64_t count, const Variant &v) : count(count) {
    shape = {v.height, v.width};
    channels = v.channels;
    normal = {{0.5}, {0.25}};
  }
  int64_t size() const override { return count; }
  int32_t label(int64_t index) const override { return static_cast<int32_t>(index * 7 % 10); }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    buffer.resize(static_cast<size_t>(shape.pixels() * channels));
    for (size_t i = 0; i < buffer.size(); ++i)
      buffer[i] = static_cast<uint8_t>(
          pixel(static_cast<uint32_t>(static_cast<size_t>(index) * 100003 + i)) * 63 + 127);
    return tri::Picture::ofPixels(buffer.data(), shape, channels);
  }

private:
  int64_t count;
};

// Fills a half with the batch of a step; labels count through the classes.
void stage(const Session &session, uint32_t variant, Half half, uint32_t seed) {
  const Variant &v = session.plan().variants[variant];
  const InputHalf &input = session.input(half);
  for (int64_t i = 0; i < v.batch * v.height * v.width * v.channels; ++i)
    input.images[i] = pixel(seed * 1000003u + static_cast<uint32_t>(i));
  for (int64_t i = 0; i < v.batch; ++i)
    input.labels[i] = static_cast<int32_t>((static_cast<int64_t>(seed) + i) % 10);
  input.pad(v, v.batch);
}

// Everything that a step computes, in the order of the plan's parameters.
using Result = std::vector<std::vector<float>>;

Result runStep(Session &session, uint32_t variant, Half half, uint32_t seed) {
  const bool training = session.plan().variants[variant].training;
  stage(session, variant, half, seed);
  if (training) {
    session.trainStep(variant, half);
  } else {
    session.foldBn();
    session.evalStep(variant, half);
  }
  Result result = {{static_cast<float>(session.tensors().scalar("loss"))},
                   session.tensors().readF32("logits", variant)};
  for (uint32_t i = 0; i < session.plan().params.size(); ++i) {
    result.push_back(session.parameters().read(i));
    if (training)
      result.push_back(session.parameters().readGrad(i));
  }
  return result;
}

// Without momentum a session's state is its parameters and running statistics.
Session makeSession(const std::shared_ptr<const Plan> &plan, const std::string &device) {
  Session session(plan, createDevice(device, 2));
  session.parameters().init(5);
  session.tensors().setScalar("lr", 0.01);
  session.tensors().setScalar("momentum", 0);
  session.tensors().setScalar("weight_decay", 0.001);
  return session;
}

class SessionsOn : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, SessionsOn, testing::ValuesIn(libraryNames()),
                         [](const auto &info) { return info.param; });

} // namespace

// Row 7.3 of the field reports: batch 8, last batch 3, batch 8, another resolution,
// batch 8, and validation between them, each as in a session that ran nothing before.
TEST_P(SessionsOn, FieldReport_7_3_NoVariantLeaksIntoAnother) {
  for (const char *model : {"resnet20", "fashion_resnet", "mobilenet_v2"}) {
    const std::string channels = model == std::string("fashion_resnet") ? "1" : "3";
    const auto plan = compiled(model, "--input 24x20x" + channels +
                                          " --classes 10 --batch 8 --train-samples 43 "
                                          "--val-batch 5 --val-samples 11 --train-res "
                                          "24x20,40x36@1 --val-res 33x17");
    Session session = makeSession(plan, GetParam());
    Half half = Half::A;
    uint32_t seed = 0;
    for (const char *name : {"train_base", "train_last", "train_base", "val_base", "train_lowres",
                             "train_lowres_last", "val_last", "train_base", "val_base"}) {
      const uint32_t variant = session.variant(name);
      Session fresh = makeSession(plan, GetParam());
      for (uint32_t i = 0; i < plan->params.size(); ++i)
        fresh.parameters().write(i, session.parameters().read(i));
      const Result expected = runStep(fresh, variant, half, ++seed);
      const Result got = runStep(session, variant, half, seed);
      EXPECT_TRUE(std::isfinite(got[0][0]));
      EXPECT_EQ(got, expected) << model << ", step " << seed << " on " << name;
      half = otherHalf(half);
    }
  }
}

// Row 15.5 with a compiled network: epochs that cross the change of resolution, with
// last batches in training and validation. What oneDNN allocates when it runs a primitive
// is not counted.
TEST_P(SessionsOn, EpochsOverAllVariantsPrepareNothing) {
  const auto plan = compiled("resnet20", "--input 12x16x3 --batch 4 --train-samples 10 "
                                         "--val-batch 3 --val-samples 8 --train-res 12x16,20x9@2 "
                                         "--val-res 24");
  auto device = std::make_unique<CountingDevice>(libraryOf(GetParam()), 2);
  const CountingDevice &counts = *device;
  Session session(plan, std::move(device));
  session.parameters().init(5);
  const RandomSet training(10, plan->variants[0]), validation(8, plan->variants[0]);
  TrainOptions options;
  options.epochs = 5;
  options.lr = 0.01;
  const int64_t before = counts.prepared();
  std::array<int64_t, 6> allocations = {};
  options.onEpoch = [&](const EpochReport &report) {
    allocations[static_cast<size_t>(report.epoch)] = stopCounting();
    EXPECT_TRUE(std::isfinite(report.trainLoss) && std::isfinite(report.validation.loss));
    startCounting();
  };
  train(session, training, validation, options);
  stopCounting();
  EXPECT_EQ(counts.prepared(), before);
  // The first epoch of the second resolution too.
  for (int epoch = 2; epoch <= 5; ++epoch)
    EXPECT_EQ(allocations[static_cast<size_t>(epoch)], 0) << epoch;
}

// Six variants, but two shapes: training and validation.
TEST(Sessions, VariantsThatCoincideShareTheirLists) {
  const std::string input = "--input 12x16x3 --batch 4 ";
  int64_t prepared[2], captures[2];
  for (const int different : {0, 1}) {
    const auto plan = compiled("resnet20", input + (different ? "--train-samples 10" : ""));
    auto device = std::make_unique<CountingDevice>(libraryOf("reference"), 1);
    const CountingDevice &counts = *device;
    const Session session(plan, std::move(device));
    prepared[different] = counts.prepared();
    captures[different] = counts.captures();
    for (const char *name : {"train_last", "train_lowres", "train_lowres_last"})
      EXPECT_EQ(session.canRun(session.variant(name), Schedule::TrainB), true) << name;
  }
  // Two halves each of training, validation and inference, folding, clearing.
  EXPECT_EQ(captures[0], 8);
  EXPECT_EQ(captures[1], 10); // a last batch of 2 in training
  EXPECT_GT(prepared[1], prepared[0]);
}

// No convolution of the zoo runs on oneDNN's fallbacks; a session warns where one does.
TEST(Zoo, ConvolutionsHaveFastKernels) {
  for (const char *model : {"fashion_resnet", "lenet", "mobilenet_v2", "resnet18", "resnet20",
                            "resnet34", "resnet50", "resnet56", "vgg16_bn"})
    for (const char *target : {"x86-64-v3", "x86-64-v4"}) {
      const auto plan = compiled(model, "--batch 2 --val-batch 1 --target " + std::string(target));
      testing::internal::CaptureStderr();
      trk::Library any = libraryOf("cpu"); // its kernels choose by the CPU that is here
      any.target = [] { return Target::CpuV4; };
      const Session session(plan, std::make_unique<CpuDevice>(any, 1));
      EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << model;
    }
}

TEST(Zoo, SlowConvolutionsAreNamed) {
  const auto plan = compiled("../../test/variants/Inputs/huge_window", "--batch 2");
  testing::internal::CaptureStderr();
  const Session session(plan, createDevice("cpu", 1));
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("warning: layer 1.conv: conv_bwd_weight runs on oneDNN's slow reference"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("warning:"), text.rfind("warning:")); // once for a layer
}
