// SPDX-License-Identifier: Apache-2.0
//
// Sessions on a hand-made plan, against softmax regression computed here.
#include "allocation_count.h"
#include "backend/host_backend.h"
#include "io/safetensors.h"
#include "regression_plan.h"
#include "session/session.h"
#include "session/weights.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <cmath>
#include <limits>

using namespace trrt;
using namespace trrt::test;
using trrt_test::errorOf;
using trrt_test::TempDir;

static Session makeSession(const RegressionShape &shape = {}, int threads = 2,
                           const char *backend = "reference") {
  return Session(regressionPlan(shape), createBackend(backend, threads));
}

// Softmax regression in double, in the file's layout of the weight.
struct Model {
  RegressionShape s;
  std::vector<double> w, b, mw, mb, dw, db;
  double loss = 0;
  std::vector<double> logits;

  Model(const RegressionShape &shape, const Session &session) : s(shape) {
    const std::vector<float> fw = session.readParam(0), fb = session.readParam(1);
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

static void fill(const Session &session, int half, const std::vector<float> &x,
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
INSTANTIATE_TEST_SUITE_P(Backends, SessionOn, testing::ValuesIn(backendNames()),
                         [](const auto &info) { return info.param; });

TEST_P(SessionOn, TrainsAsComputedByHand) {
  const RegressionShape shape;
  Session session = makeSession(shape, 2, GetParam().c_str());
  session.initParameters(3);
  session.setScalar("lr", 0.5);
  session.setScalar("momentum", 0.9);
  session.setScalar("weight_decay", 0.01);
  Model model(shape, session);
  const uint32_t v = session.variant("train_base");
  double lossSum = 0;
  for (int step = 0; step < 5; ++step) {
    const std::vector<float> x = pixelsOf(3 * model.pixels(), static_cast<uint32_t>(step));
    const std::vector<int32_t> labels = {step % 4, 3, 0};
    fill(session, step % 2, x, labels);
    session.trainStep(v, step % 2);
    model.forwardBackward(x, labels);
    EXPECT_NEAR(session.scalar("loss"), model.loss, 1e-5);
    expectNear(session.readF32("logits", v), model.logits);
    expectNear(session.readGrad(0), model.dw);
    expectNear(session.readGrad(1), model.db);
    model.update(0.5, 0.9, 0.01);
    expectNear(session.readParam(0), model.w);
    expectNear(session.readParam(1), model.b);
    lossSum += 3 * model.loss;
  }
  EXPECT_NEAR(session.scalar("accum_loss"), lossSum, 1e-4);
  session.clearMetrics();
  EXPECT_EQ(session.scalar("accum_loss"), 0.0);
}

TEST_P(SessionOn, PaddingIsMasked) {
  const RegressionShape shape;
  Session session = makeSession(shape, 2, GetParam().c_str());
  session.initParameters(3);
  Model model(shape, session);
  const uint32_t v = session.variant("val_base");
  std::vector<float> x = pixelsOf(model.pixels(), 9);
  model.forwardBackward(x, {2});
  x.resize(2 * model.pixels(), 1e30f); // the padding row must not matter
  fill(session, 1, x, {2});
  session.input(1).labels[1] = 3;
  session.evalStep(v, 1);
  EXPECT_NEAR(session.scalar("loss"), model.loss, 1e-5);
  EXPECT_NEAR(session.scalar("accum_loss"), model.loss, 1e-5);
  session.inferStep(v, 1);
  EXPECT_NEAR(session.scalar("accum_loss"), model.loss, 1e-5);
  EXPECT_NEAR(session.readF32("logits", v)[0], model.logits[0], 1e-5);
}

TEST_P(SessionOn, NonFiniteGradientChangesNothing) {
  Session session = makeSession({}, 2, GetParam().c_str());
  session.initParameters(3);
  session.setScalar("lr", 0.5);
  const std::vector<float> w = session.readParam(0), b = session.readParam(1);
  std::vector<float> x = pixelsOf(36, 1);
  x[7] = std::numeric_limits<float>::infinity();
  fill(session, 0, x, {0, 1, 2});
  session.trainStep(0, 0);
  EXPECT_EQ(session.scalar("nonfinite"), 1.0);
  EXPECT_EQ(session.readParam(0), w);
  EXPECT_EQ(session.readParam(1), b);
}

TEST_P(SessionOn, ThreadsDoNotChangeBits) {
  std::vector<float> first;
  for (const int threads : {1, 2, 5}) {
    Session session = makeSession({}, threads, GetParam().c_str());
    session.initParameters(3);
    session.setScalar("lr", 0.5);
    for (int step = 0; step < 4; ++step) {
      fill(session, step % 2, pixelsOf(36, static_cast<uint32_t>(step)), {0, 1, 2});
      session.trainStep(0, step % 2);
    }
    if (first.empty())
      first = session.readParam(0);
    EXPECT_EQ(session.readParam(0), first) << threads;
  }
}

TEST_P(SessionOn, StepsAllocateNothing) {
  Session session = makeSession({}, 2, GetParam().c_str());
  session.initParameters(3);
  const uint32_t lr = session.scalarId("lr");
  fill(session, 0, pixelsOf(36, 1), {0, 1, 2});
  fill(session, 1, pixelsOf(36, 2), {0, 1, 2});
  const auto steps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      session.setScalar(lr, 0.1 * step);
      session.trainStep(0, step % 2);
      session.evalStep(1, step % 2);
      session.inferStep(1, step % 2);
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
  session.writeParam(0, mean);
  const uint32_t v = session.variant("val_base");
  for (int step = 0; step < 5000; ++step) {
    const int half = step % 2;
    std::fill_n(session.input(half).images, 24, static_cast<float>(step % 251));
    session.inferStep(v, half);
    std::fill_n(session.input(half ^ 1).images, 24, -1.0f);
    ASSERT_NEAR(session.readF32("logits", v)[0], step % 251, 1e-3) << step;
  }
}

TEST(Session, StepsRestoreTheFloatMode) {
#if defined(__x86_64__)
  Session session = makeSession();
  session.trainStep(0, 0);
  volatile float denormal = 1e-40f;
  EXPECT_NE(denormal + denormal, 0.0f);
#endif
}

TEST(Session, WeightsRoundTrip) {
  const TempDir dir;
  Session a = makeSession(), b = makeSession();
  a.initParameters(3);
  saveWeights(a, dir.file("w"));
  loadWeights(b, dir.file("w"));
  EXPECT_EQ(a.readParam(0), b.readParam(0));
  EXPECT_EQ(a.readParam(1), b.readParam(1));
  const SafetensorsFile file = SafetensorsFile::read(dir.file("w"));
  EXPECT_EQ(file.tensor("0.fc.weight").shape, (std::vector<int64_t>{4, 12}));
  EXPECT_EQ(file.metadata().at("model"), "regression");
}

TEST(Session, WeightsThatDoNotFitChangeNothing) {
  const TempDir dir;
  Session session = makeSession();
  session.initParameters(3);
  const std::vector<float> before = session.readParam(0);
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
  EXPECT_EQ(session.readParam(0), before);

  SafetensorsWriter integers;
  integers.addI32("0.fc.weight", {4, 12}, std::vector<int32_t>(48));
  integers.addF32("0.fc.bias", {4}, std::vector<float>(4));
  integers.write(dir.file("i"));
  EXPECT_NE(errorOf([&] { loadWeights(session, dir.file("i")); }).find("expected F32, but got I32"),
            std::string::npos);
}

TEST(Session, StepsThatAVariantDoesNotHave) {
  tr::PlanImage image = regressionImage();
  image.scheduleNodes.resize(image.schedules.back().first_node);
  image.scheduleEdges.resize(image.schedules.back().first_edge);
  image.schedules.pop_back(); // infer_b
  Session session(regressionPlan(image), createBackend("reference", 1));
  EXPECT_EQ(errorOf([&] { session.inferStep(session.variant("val_base"), 1); }),
            "variant 'val_base' of the plan has no schedule for this step");
}

static uint32_t positionOf(const tr::PlanImage &image, const std::string &name) {
  for (uint32_t i = 0; i < image.tensors.size(); ++i)
    if (image.strings()[image.tensors[i].name] == name)
      return i;
  throw std::logic_error("the plan lacks this tensor");
}

TEST(Session, TensorsThatAVariantDoesNotUse) {
  tr::PlanImage image = regressionImage();
  const size_t variants = image.variants.size();
  image.shapes[positionOf(image, "dlogits") * variants + 1] = {};
  for (Subgraph s : {Subgraph::DeepFwdBwd, Subgraph::FirstLayerBwdA, Subgraph::FirstLayerBwdB})
    image.atlas[TRRT_SUBGRAPH_COUNT + static_cast<uint32_t>(s)] = {kNone, kNone};
  const Session session(regressionPlan(image), createBackend("reference", 1));
  EXPECT_EQ(session.readF32("dlogits", 0).size(), 12u);
  EXPECT_EQ(errorOf([&] { session.readF32("dlogits", 1); }),
            "variant 'val_base' does not use tensor 'dlogits'");
}

TEST(Session, TransfersStayInTheirInputHalf) {
  tr::PlanImage image = regressionImage();
  bool changed = false;
  for (trrt_plan_range &range : image.ranges)
    if (range.first_region == static_cast<uint32_t>(Region::IALabel)) {
      range.last_region = static_cast<uint32_t>(Region::IBLabel);
      changed = true;
    }
  ASSERT_TRUE(changed);
  EXPECT_EQ(errorOf([&] { Session(regressionPlan(image), createBackend("reference", 1)); }),
            "the plan cannot be run: a transfer leaves the regions of its input half");
}

TEST(Session, UnknownNames) {
  Session session = makeSession();
  EXPECT_NE(errorOf([&] {
              session.variant("val_bas");
            }).find("the plan has no variant 'val_bas'; it has train_base, val_base"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { session.setScalar("beta1", 0.9); }).find("'beta1'"), std::string::npos);
  EXPECT_NE(
      errorOf([&] { session.setScalar("logits", 0); }).find("tensor 'logits' is not a scalar"),
      std::string::npos);
  EXPECT_NE(
      errorOf([&] { session.setScalar("valid", 0.5); }).find("scalar 'valid' is a 32-bit integer"),
      std::string::npos);
  EXPECT_EQ(errorOf([&] { session.readF32("valid", 0); }), "tensor 'valid' is not of type f32");
  EXPECT_NE(errorOf([&] { createBackend("cuda", 1); }).find("unknown backend 'cuda'"),
            std::string::npos);
}

TEST(Session, PlansOfAMoreCapableCpuAreRefused) {
  tr::PlanImage image = regressionImage();
  image.target.isa = static_cast<uint32_t>(trk::Isa::V4);
  const std::shared_ptr<const Plan> plan = regressionPlan(image);
  const auto errorOn = [&](const char *backend, trk::Isa machine) {
    return errorOf([&] { Session(plan, createBackend(backend, 1, 0, machine)); });
  };
  EXPECT_EQ(errorOn("cpu", trk::Isa::V3),
            "the plan was compiled for x86-64-v4, but this CPU has x86-64-v3; compile with "
            "--target x86-64-v3");
  EXPECT_EQ(errorOn("cpu", trk::Isa::Any),
            "the plan was compiled for x86-64-v4, but this CPU has less than x86-64-v3; run it on "
            "backend 'reference'");
  EXPECT_EQ(errorOn("cpu", trk::Isa::V4), "");
  EXPECT_EQ(errorOn("reference", trk::Isa::Any), "");
  // What this machine has is what its loops need.
  EXPECT_EQ(createBackend("cpu", 1)->isa(), trk::machineIsa());
}

static void fillWithoutFc(trk::KernelTable &table) {
  trk::fillReferenceKernels(table);
  table[static_cast<uint32_t>(trk::Opcode::fc_fwd)] = {};
  table[static_cast<uint32_t>(trk::Opcode::range_sgd)] = {};
}

TEST(Session, MissingKernelsFailTheLoadByName) {
  const std::string error = errorOf([] {
    Session session(regressionPlan(), std::make_unique<HostBackend>("partial", fillWithoutFc, 1));
  });
  EXPECT_EQ(error, "backend 'partial' has no kernel for 'fc_fwd' (layer 0), 'range_sgd'; run the "
                   "plan on another backend");
}

static int releases = 0;

static void fillWithState(trk::KernelTable &table) {
  trk::fillReferenceKernels(table);
  trk::Kernel &fc = table[static_cast<uint32_t>(trk::Opcode::fc_fwd)];
  fc.prepare = [](const trk::Call &call, void **state) -> std::string {
    if (call.operand(0).n() == 5)
      return "a batch of 5";
    *state = new int(17);
    return "";
  };
  fc.scratch = [](const trk::Call &) -> int64_t { return 1000; };
  fc.release = [](void *state) {
    delete static_cast<int *>(state);
    ++releases;
  };
  fc.run = [](const trk::Call &call) {
    EXPECT_EQ(*static_cast<int *>(call.state), 17);
    EXPECT_NE(call.scratch, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(call.scratch) % 64, 0u);
  };
}

TEST(Session, KernelsGetTheirStateAndScratch) {
  releases = 0;
  {
    Session session(regressionPlan(), std::make_unique<HostBackend>("stateful", fillWithState, 1));
    EXPECT_GE(session.backend().scratchBytes(), 1000u);
    session.trainStep(0, 0);
  }
  EXPECT_GT(releases, 0);
  RegressionShape shape;
  shape.batch = 5;
  const std::string error = errorOf([&] {
    Session session(regressionPlan(shape),
                    std::make_unique<HostBackend>("stateful", fillWithState, 1));
  });
  EXPECT_EQ(error, "backend 'stateful' cannot run 'fc_fwd' (layer 0): a batch of 5");
}

TEST(Session, PlanWithoutInputsIsRefused) {
  tr::PlanImage image = samplePlan(); // has no half B
  const std::vector<uint8_t> bytes = image.serialize();
  auto plan = std::make_shared<Plan>();
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), *plan, error)) << error;
  EXPECT_NE(errorOf([&] {
              Session session(plan, createBackend("reference", 1));
            }).find("it has no tensor 'data_b'"),
            std::string::npos);
}
