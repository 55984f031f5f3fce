// SPDX-License-Identifier: Apache-2.0
//
// Sessions on a hand-made plan, against softmax regression computed here.
#include "allocation_count.h"
#include "device/devices.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "regression_plan.h"
#include "sample_plan.h"
#include "session/session.h"
#include "session/weights.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <cmath>
#include <limits>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using namespace trrt::test;
using trrt_test::errorOf;
using trrt_test::TempDir;

static Session makeSession(const RegressionShape &shape = {}, int threads = 2,
                           const char *device = "reference") {
  return Session(regressionPlan(shape), createDevice(device, threads));
}

// Softmax regression in double, in the file's layout of the weight.
struct Model {
  RegressionShape s;
  std::vector<double> w, b, mw, mb, dw, db;
  double loss = 0;
  std::vector<double> logits;

  Model(const RegressionShape &shape, const Session &session) : s(shape) {
    const std::vector<float> fw = session.parameters().read(0), fb = session.parameters().read(1);
    w.assign(fw.begin(), fw.end());
    b.assign(fb.begin(), fb.end());
    mw.resize(w.size());
    mb.resize(b.size());
  }
  size_t pixels() const { return size_t{s.height} * s.width * s.channels; }
  // Column of pixel (h, w, c) in the file: c, h, w order.
  size_t column(size_t pixel) const {
    const size_t c = pixel % s.channels, hw = pixel / s.channels;
    return c * s.height * s.width + hw;
  }
  void forwardBackward(const std::vector<float> &x, const std::vector<int32_t> &labels) {
    const size_t n = labels.size(), k = s.classes, p = pixels();
    logits.assign(n * k, 0);
    dw.assign(w.size(), 0);
    db.assign(k, 0);
    loss = 0;
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t o = 0; o < k; ++o) {
        double &z = logits[i * k + o];
        z = b[o];
        for (size_t j = 0; j < p; ++j)
          z += w[o * p + column(j)] * x[i * p + j];
        sum += std::exp(z);
      }
      const size_t label = static_cast<size_t>(labels[i]);
      loss += (std::log(sum) - logits[i * k + label]) / static_cast<double>(n);
      for (size_t o = 0; o < k; ++o) {
        const double g =
            (std::exp(logits[i * k + o]) / sum - (o == label)) / static_cast<double>(n);
        db[o] += g;
        for (size_t j = 0; j < p; ++j)
          dw[o * p + column(j)] += g * x[i * p + j];
      }
    }
  }
  void update(double lr, double momentum, double decay) {
    for (size_t i = 0; i < w.size(); ++i) {
      mw[i] = momentum * mw[i] + dw[i] + decay * w[i];
      w[i] -= lr * mw[i];
    }
    for (size_t i = 0; i < b.size(); ++i) {
      mb[i] = momentum * mb[i] + db[i];
      b[i] -= lr * mb[i];
    }
  }
};

static std::vector<float> pixelsOf(size_t count, uint32_t seed) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

static void fill(const Session &session, Half half, const std::vector<float> &x,
                 const std::vector<int32_t> &labels) {
  const InputHalf &input = session.input(half);
  std::copy(x.begin(), x.end(), input.images);
  std::copy(labels.begin(), labels.end(), input.labels);
  *input.valid = static_cast<int32_t>(labels.size());
}

static void expectNear(const std::vector<float> &got, const std::vector<double> &wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-5) << "element " << i;
}

class SessionOn : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, SessionOn, testing::ValuesIn(deviceNames()),
                         [](const auto &info) { return info.param; });

TEST_P(SessionOn, TrainsAsComputedByHand) {
  const RegressionShape shape;
  Session session = makeSession(shape, 2, GetParam().c_str());
  session.parameters().init(3);
  session.tensors().setScalar("lr", 0.5);
  session.tensors().setScalar("momentum", 0.9);
  session.tensors().setScalar("weight_decay", 0.01);
  Model model(shape, session);
  const uint32_t v = session.variant("train_base");
  double lossSum = 0;
  for (int step = 0; step < 5; ++step) {
    const std::vector<float> x = pixelsOf(3 * model.pixels(), static_cast<uint32_t>(step));
    const std::vector<int32_t> labels = {step % 4, 3, 0};
    fill(session, halfOf(step), x, labels);
    session.trainStep(v, halfOf(step));
    model.forwardBackward(x, labels);
    EXPECT_NEAR(session.tensors().scalar("loss"), model.loss, 1e-5);
    expectNear(session.tensors().readF32("logits", v), model.logits);
    expectNear(session.parameters().readGrad(0), model.dw);
    expectNear(session.parameters().readGrad(1), model.db);
    model.update(0.5, 0.9, 0.01);
    expectNear(session.parameters().read(0), model.w);
    expectNear(session.parameters().read(1), model.b);
    lossSum += 3 * model.loss;
  }
  EXPECT_NEAR(session.tensors().scalar("accum_loss"), lossSum, 1e-4);
  session.clearMetrics();
  EXPECT_EQ(session.tensors().scalar("accum_loss"), 0.0);
}

TEST_P(SessionOn, PaddingIsMasked) {
  const RegressionShape shape;
  Session session = makeSession(shape, 2, GetParam().c_str());
  session.parameters().init(3);
  Model model(shape, session);
  const uint32_t v = session.variant("val_base");
  std::vector<float> x = pixelsOf(model.pixels(), 9);
  model.forwardBackward(x, {2});
  x.resize(2 * model.pixels(), 1e30f); // the padding row must not matter
  fill(session, Half::B, x, {2});
  session.input(Half::B).labels[1] = 3;
  session.evalStep(v, Half::B);
  EXPECT_NEAR(session.tensors().scalar("loss"), model.loss, 1e-5);
  EXPECT_NEAR(session.tensors().scalar("accum_loss"), model.loss, 1e-5);
  session.inferStep(v, Half::B);
  EXPECT_NEAR(session.tensors().scalar("accum_loss"), model.loss, 1e-5);
  EXPECT_NEAR(session.tensors().readF32("logits", v)[0], model.logits[0], 1e-5);
}

TEST_P(SessionOn, NonFiniteGradientChangesNothing) {
  Session session = makeSession({}, 2, GetParam().c_str());
  session.parameters().init(3);
  session.tensors().setScalar("lr", 0.5);
  const std::vector<float> w = session.parameters().read(0), b = session.parameters().read(1);
  std::vector<float> x = pixelsOf(36, 1);
  x[7] = std::numeric_limits<float>::infinity();
  fill(session, Half::A, x, {0, 1, 2});
  session.trainStep(0, Half::A);
  EXPECT_EQ(session.tensors().scalar("nonfinite"), 1.0);
  EXPECT_EQ(session.parameters().read(0), w);
  EXPECT_EQ(session.parameters().read(1), b);
}

TEST_P(SessionOn, ThreadsDoNotChangeBits) {
  std::vector<float> first;
  for (const int threads : {1, 2, 5}) {
    Session session = makeSession({}, threads, GetParam().c_str());
    session.parameters().init(3);
    session.tensors().setScalar("lr", 0.5);
    for (int step = 0; step < 4; ++step) {
      fill(session, halfOf(step), pixelsOf(36, static_cast<uint32_t>(step)), {0, 1, 2});
      session.trainStep(0, halfOf(step));
    }
    if (first.empty())
      first = session.parameters().read(0);
    EXPECT_EQ(session.parameters().read(0), first) << threads;
  }
}

TEST_P(SessionOn, StepsAllocateNothing) {
  Session session = makeSession({}, 2, GetParam().c_str());
  session.parameters().init(3);
  const uint32_t lr = session.tensors().scalarId("lr");
  fill(session, Half::A, pixelsOf(36, 1), {0, 1, 2});
  fill(session, Half::B, pixelsOf(36, 2), {0, 1, 2});
  const auto steps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      session.tensors().setF32(lr, 0.1f * static_cast<float>(step));
      session.trainStep(0, halfOf(step));
      session.evalStep(1, halfOf(step));
      session.inferStep(1, halfOf(step));
      session.foldBn();
      session.clearMetrics();
    }
  };
  steps(2); // oneDNN reads its environment when it multiplies for the first time
  startCounting();
  steps(10);
  EXPECT_EQ(stopCounting(), 0);
  startCounting();
  std::make_unique<std::string>(100, 'x');
  EXPECT_EQ(stopCounting(), 2) << "the counter must count";
  startCounting();
  void *volatile block = std::malloc(100);
  EXPECT_EQ(stopCounting(), countsMalloc() ? 1 : 0);
  std::free(block);
}

// Row 7.5 of the field reports: the transfer of one half never disturbs the other.
TEST(Session, FieldReport_7_5_HalvesDoNotRace) {
  Session session = makeSession({}, 2, "cpu");
  std::vector<float> mean(48, 0.0f);
  std::fill(mean.begin(), mean.begin() + 12, 1.0f / 12);
  session.parameters().write(0, mean);
  const uint32_t v = session.variant("val_base");
  for (int step = 0; step < 5000; ++step) {
    const Half half = halfOf(step);
    std::fill_n(session.input(half).images, 24, static_cast<float>(step % 251));
    session.inferStep(v, half);
    std::fill_n(session.input(otherHalf(half)).images, 24, -1.0f);
    ASSERT_NEAR(session.tensors().readF32("logits", v)[0], step % 251, 1e-3) << step;
  }
}

TEST(Session, StepsRestoreTheFloatMode) {
#if defined(__x86_64__)
  Session session = makeSession();
  session.trainStep(0, Half::A);
  volatile float denormal = 1e-40f;
  EXPECT_NE(denormal + denormal, 0.0f);
#endif
}

TEST(Session, WeightsRoundTrip) {
  const TempDir dir;
  Session a = makeSession(), b = makeSession();
  a.parameters().init(3);
  saveWeights(a, dir.file("w"));
  loadWeights(b, dir.file("w"));
  EXPECT_EQ(a.parameters().read(0), b.parameters().read(0));
  EXPECT_EQ(a.parameters().read(1), b.parameters().read(1));
  const SafetensorsFile file = SafetensorsFile::read(dir.file("w"));
  EXPECT_EQ(file.tensor("0.fc.weight").shape, (std::vector<int64_t>{4, 12}));
  EXPECT_EQ(file.metadata().at("model"), "regression");
}

TEST(Session, WeightsThatDoNotFitChangeNothing) {
  const TempDir dir;
  Session session = makeSession();
  session.parameters().init(3);
  const std::vector<float> before = session.parameters().read(0);
  SafetensorsWriter writer;
  writer.addF32("0.fc.weight", {4, 11}, std::vector<float>(44));
  writer.addF32("0.fc.bais", {4}, std::vector<float>(4));
  writer.write(dir.file("w"));
  const std::string error = errorOf([&] { loadWeights(session, dir.file("w")); });
  EXPECT_NE(error.find(": does not fit the plan: "), std::string::npos) << error;
  EXPECT_NE(error.find("'0.fc.weight': expected shape [4, 12], but got [4, 11]"), std::string::npos)
      << error;
  EXPECT_NE(error.find("missing '0.fc.bias' [4]"), std::string::npos) << error;
  EXPECT_NE(error.find("unexpected '0.fc.bais'; did you mean '0.fc.bias'"), std::string::npos)
      << error;
  EXPECT_EQ(session.parameters().read(0), before);

  SafetensorsWriter integers;
  integers.addI32("0.fc.weight", {4, 12}, std::vector<int32_t>(48));
  integers.addF32("0.fc.bias", {4}, std::vector<float>(4));
  integers.write(dir.file("i"));
  EXPECT_NE(errorOf([&] { loadWeights(session, dir.file("i")); }).find("expected F32, but got I32"),
            std::string::npos);
}

TEST(Session, StepsThatAVariantDoesNotHave) {
  Draft draft = regressionDraft();
  draft.records.scheduleNodes.resize(draft.records.schedules.back().first_node);
  draft.records.scheduleEdges.resize(draft.records.schedules.back().first_edge);
  draft.records.schedules.pop_back(); // infer_b
  Session session(readDraft(draft), createDevice("reference", 1));
  EXPECT_EQ(errorOf([&] { session.inferStep(session.variant("val_base"), Half::B); }),
            "variant 'val_base' of the plan has no schedule for this step");
}

TEST(Session, TensorsThatAVariantDoesNotUse) {
  Draft draft = regressionDraft();
  const size_t variants = draft.records.variants.size();
  draft.records.shapes[findTensor(draft, "dlogits") * variants + 1] = {};
  for (Subgraph s : {Subgraph::DeepFwdBwd, Subgraph::FirstLayerBwdA, Subgraph::FirstLayerBwdB})
    atlasEntry(draft, 1, s) = {kNone, kNone};
  const Session session(readDraft(draft), createDevice("reference", 1));
  EXPECT_EQ(session.tensors().readF32("dlogits", 0).size(), 12u);
  EXPECT_EQ(errorOf([&] { session.tensors().readF32("dlogits", 1); }),
            "variant 'val_base' does not use tensor 'dlogits'");
}

TEST(Session, TransfersStayInTheirInputHalf) {
  Draft draft = regressionDraft();
  const uint32_t range = operandOf(draft, Opcode::range_h2d, ops::range_h2d::dst);
  draft.records.ranges[range].last_region = findRegion(draft, {Role::LabelB});
  EXPECT_EQ(errorOf([&] { Session(readDraft(draft), createDevice("reference", 1)); }),
            "the plan cannot be run: a transfer leaves the regions of its input half");
}

TEST(Session, UnknownNames) {
  Session session = makeSession();
  EXPECT_NE(errorOf([&] {
              session.variant("val_bas");
            }).find("the plan has no variant 'val_bas'; it has train_base, val_base"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { session.tensors().setScalar("beta1", 0.9); }).find("'beta1'"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              session.tensors().setScalar("logits", 0);
            }).find("tensor 'logits' is not a scalar"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              session.tensors().setScalar("valid", 0.5);
            }).find("scalar 'valid' is a 32-bit integer"),
            std::string::npos);
  EXPECT_EQ(errorOf([&] { session.tensors().readF32("valid", 0); }),
            "tensor 'valid' is not of type f32");
}

TEST(Session, PlansWithoutWhatASessionNeedsAreRefused) {
  const auto errorFor = [](const Draft &draft) {
    return errorOf([&] { Session(readDraft(draft), createDevice("reference", 1)); });
  };
  EXPECT_EQ(errorFor(samplePlan()), "the plan cannot be run: it has no tensor 'data_b'");
  EXPECT_EQ(errorFor(samplePlan(/*runnable=*/true)), "");
  Draft draft = regressionDraft();
  draft.records.variants[1].height = 7;
  EXPECT_EQ(errorFor(draft),
            "the plan cannot be run: tensor 'data_a' does not have the shape of variant val_base");
  draft = regressionDraft();
  std::swap(draft.records.tensors[findTensor(draft, "label_a")].name,
            draft.records.tensors[findTensor(draft, "label")].name);
  EXPECT_EQ(errorFor(draft),
            "the plan cannot be run: tensor 'label_a' has another type or region than expected");
}

TEST(Session, RegionsOfAHalfFollowEachOther) {
  Plan plan;
  const auto add = [&](Role role) {
    const uint64_t offset = 256 * plan.regions.size();
    plan.regions.push_back({{role}, DType::F32, offset, 256});
  };
  for (const Role role : {Role::Result, Role::LabelA, Role::DataA, Role::LabelB})
    add(role);
  EXPECT_EQ(findHalf(plan, Half::A).offset, 256u);
  EXPECT_EQ(findHalf(plan, Half::A).bytes, 512u);
  EXPECT_EQ(findHalf(plan, Half::B).bytes, 256u);
  add(Role::DataA);
  EXPECT_EQ(errorOf([&] { findHalf(plan, Half::A); }),
            "the plan cannot be run: the regions of an input half do not follow each other");
}

TEST(Session, AHalfIsFilledAndPadded) {
  const Session session = makeSession();
  const Variant &v = session.plan().variants[0]; // 3 images of 12 values
  const InputHalf &input = session.input(Half::A);
  const std::vector<float> images(24, 2.0f);
  const std::vector<int32_t> labels = {3, 1};
  std::fill_n(input.images, 36, 7.0f);
  std::fill_n(input.labels, 3, 7);
  input.fill(v, images.data(), labels.data(), 2);
  EXPECT_EQ(*input.valid, 2);
  EXPECT_EQ(input.images[23], 2.0f);
  EXPECT_EQ(input.images[24], 0.0f);
  EXPECT_EQ(input.images[35], 0.0f);
  EXPECT_EQ(std::vector<int32_t>(input.labels, input.labels + 3), (std::vector<int32_t>{3, 1, 0}));
  input.fill(v, images.data(), nullptr, 1);
  EXPECT_EQ(*input.valid, 1);
  EXPECT_EQ(std::vector<int32_t>(input.labels, input.labels + 3), (std::vector<int32_t>{0, 0, 0}));
}

// Two values of each of the logits' rows.
TEST(Session, RunsOfChannelsAreReadDense) {
  const auto plan = std::make_shared<Plan>(*regressionPlan());
  TensorInfo run = plan->tensors[plan->findTensor(SharedTensor::Logits)];
  run.parent = plan->findTensor(SharedTensor::Logits);
  run.name = "middle";
  run.layer = 0;
  run.first_channel = 1;
  plan->tensors.push_back(run);
  for (const Variant &v : plan->variants)
    plan->shapes.push_back({v.batch, 1, 1, 2});
  Session session(plan, createDevice("reference", 1));
  session.parameters().init(3);
  fill(session, Half::A, pixelsOf(36, 1), {0, 1, 2});
  session.trainStep(0, Half::A);
  const std::vector<float> all = session.tensors().readF32("logits", 0);
  const std::vector<float> middle = session.tensors().readF32("middle", 0);
  ASSERT_EQ(all.size(), 12u);
  EXPECT_EQ(middle, (std::vector<float>{all[1], all[2], all[5], all[6], all[9], all[10]}));
}
