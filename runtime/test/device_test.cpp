// SPDX-License-Identifier: Apache-2.0
//
// Devices: their names, what they refuse, what they are told, and that nobody but them
// reaches their memory.
#include "bare_plan.h"
#include "device/cpu_device.h"
#include "device/devices.h"
#include "guarded_device.h"
#include "regression_plan.h"
#include "session/call_spec.h"
#include "session/session.h"
#include "temp_dir.h"
#include "test_libraries.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using namespace trrt::test;
using trrt_test::errorOf;

TEST(Devices, NamesAreThoseOfLibrariesAndAuto) {
  std::vector<std::string> expected = libraryNames();
  expected.insert(expected.begin(), "auto");
  EXPECT_EQ(deviceNames(), expected);
  for (const std::string &name : libraryNames()) {
    EXPECT_EQ(createDevice(name, 1)->name(), name);
    EXPECT_EQ(createDevice(name, 1)->target(), libraryOf(name).target());
  }
  EXPECT_EQ(createDevice("auto", 1)->name(), libraryNames().front());
  EXPECT_EQ(createDevice("auto", 3)->threads(), 3);
}

TEST(Devices, UnknownNames) {
  EXPECT_NE(errorOf([] { createDevice("cuda", 1); }).find("unknown device 'cuda'; expected auto"),
            std::string::npos);
  EXPECT_NE(errorOf([] { createDevice("refrence", 1); }).find("did you mean 'reference'?"),
            std::string::npos);
}

// ---- what a device must have

namespace {

// The reference library as that of a CPU with less or more.
template <Target target> trk::Library libraryFor() {
  trk::Library library = libraryOf("reference");
  library.target = [] { return target; };
  return library;
}

std::string errorOn(const trk::Library &library, const std::shared_ptr<const Plan> &plan) {
  return errorOf([&] { Session(plan, std::make_unique<CpuDevice>(library, 1)); });
}

} // namespace

TEST(Devices, PlansOfAMoreCapableCpuAreRefused) {
  Draft draft = regressionDraft();
  draft.records.target[0].target = static_cast<uint32_t>(Target::CpuV4);
  const std::shared_ptr<const Plan> plan = readDraft(draft);
  EXPECT_EQ(errorOn(libraryFor<Target::CpuV3>(), plan),
            "the plan was compiled for x86-64-v4, but this CPU has x86-64-v3; compile with "
            "--target x86-64-v3");
  EXPECT_EQ(errorOn(libraryFor<Target::CpuAny>(), plan),
            "the plan was compiled for x86-64-v4, but this CPU has less than x86-64-v3; run it on "
            "device 'reference'");
  EXPECT_EQ(errorOn(libraryFor<Target::CpuV4>(), plan), "");
  EXPECT_EQ(errorOn(libraryOf("reference"), plan), "");
}

static void fillWithoutFc(trk::KernelTable &table) {
  libraryOf("reference").fill(table);
  table.at(Opcode::fc_fwd, Instance::F32) = {};
  table.at(Opcode::range_sgd, Instance::F32) = {};
}

TEST(Devices, MissingKernelsFailTheLoadByName) {
  trk::Library library = libraryOf("reference");
  library.name = "partial";
  library.fill = fillWithoutFc;
  EXPECT_EQ(errorOn(library, regressionPlan()),
            "device 'partial' has no kernel for 'fc_fwd' (layer 0), 'range_sgd'; run the plan on "
            "another device");
}

// ---- what kernels get and say

static int releases = 0;

static void fillWithState(trk::KernelTable &table) {
  libraryOf("reference").fill(table);
  trk::Kernel &fc = table.at(Opcode::fc_fwd, Instance::F32);
  fc.prepare = [](const trk::Call &call, void **state) -> std::string {
    if (call[ops::fc_fwd::x].n() == 5)
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
    EXPECT_TRUE(call[ops::fc_fwd::x].isDense());
    EXPECT_EQ(call.instance, Instance::F32);
  };
  fc.describe = [](const trk::Call &) -> std::string { return "by hand"; };
  fc.slowness = [](const trk::Call &) -> std::string { return "runs by hand"; };
}

static trk::Library statefulLibrary() {
  trk::Library library = libraryOf("reference");
  library.name = "stateful";
  library.fill = fillWithState;
  return library;
}

TEST(Devices, KernelsGetTheirStateAndScratch) {
  releases = 0;
  SessionOptions silent;
  silent.warn = [](const std::string &) {};
  {
    Session session(regressionPlan(), std::make_unique<CpuDevice>(statefulLibrary(), 1), silent);
    EXPECT_GE(session.device().scratchBytes(), 1000u);
    session.trainStep(0, Half::A);
  }
  EXPECT_GT(releases, 0);
  RegressionShape shape;
  shape.batch = 5;
  EXPECT_EQ(errorOn(statefulLibrary(), regressionPlan(shape)),
            "device 'stateful' cannot run 'fc_fwd' (layer 0): a batch of 5");
}

TEST(Devices, SlowLayersAreNamedOnce) {
  std::vector<std::string> warnings;
  SessionOptions options;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  const Session session(regressionPlan(), std::make_unique<CpuDevice>(statefulLibrary(), 1),
                        options);
  EXPECT_EQ(warnings, std::vector<std::string>{"layer 0: fc_fwd runs by hand"});
  const std::vector<std::string> names = session.implementations(0, Schedule::InferA);
  EXPECT_EQ(names, (std::vector<std::string>{"", "", "", "by hand", ""}));
  testing::internal::CaptureStderr();
  const Session plain(regressionPlan(), std::make_unique<CpuDevice>(statefulLibrary(), 1));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: layer 0: fc_fwd runs by hand\n");
}

// ---- graphs

namespace {

class RecordingDevice final : public CpuDevice {
public:
  using CpuDevice::CpuDevice;
  CaptureId capture(const Graph &graph) override {
    graphs->push_back(graph);
    return CpuDevice::capture(graph);
  }
  std::shared_ptr<std::vector<Graph>> graphs = std::make_shared<std::vector<Graph>>();
};

} // namespace

TEST(Devices, GraphsHaveTheEdgesAndStreamsOfTheSchedule) {
  auto device = std::make_unique<RecordingDevice>(libraryOf("reference"), 1);
  const auto graphs = device->graphs;
  const std::shared_ptr<const Plan> plan = regressionPlan();
  const Session session(plan, std::move(device));
  const StepSchedule &schedule = plan->schedules.front();
  ASSERT_FALSE(graphs->empty());
  const Graph &graph = graphs->front();
  EXPECT_EQ(graph.edges, schedule.edges);
  ASSERT_EQ(graph.nodes.size(), schedule.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    EXPECT_EQ(graph.nodes[i].stream, plan->ops[schedule.nodes[i].op].info().stream) << i;
  EXPECT_EQ(graph.nodes.front().stream, Stream::Transfer);
}

// ---- memory

TEST(Devices, RunsOfChannelsAreOffsetsAndPitches) {
  BarePlan bare;
  const uint32_t parent = bare.pooled(1024, 256, 8), run = bare.runOf(parent, 3, 5);
  const OperandSpec whole = placeOf(bare.plan, parent, 0), part = placeOf(bare.plan, run, 0);
  EXPECT_EQ(whole.offset, 1024u);
  EXPECT_EQ(whole.pitch, 8);
  EXPECT_EQ(part.offset, 1024u + 3 * sizeof(float));
  EXPECT_EQ(part.pitch, 8);
  EXPECT_EQ(part.dims, (Dims{1, 1, 1, 5}));
}

TEST(Devices, FillRepeatsAWord) {
  CpuDevice device(libraryOf("reference"), 1);
  device.allocateArena(64);
  device.fill(8, 16, 0x7fc00000);
  uint32_t words[16];
  device.download(words, 0, sizeof(words));
  for (uint32_t i = 0; i < 16; ++i)
    EXPECT_EQ(words[i], i >= 2 && i < 6 ? 0x7fc00000u : 0u) << i;
}

// A transfer that is cut into parts moves every byte.
TEST(Devices, LargeTransfersAreWhole) {
  constexpr int64_t kBytes = (1 << 20) + 256;
  for (const int slices : {1, 3, 7}) {
    CpuDevice device(libraryOf("reference"), 2);
    device.allocateArena(kBytes);
    uint8_t *staging = device.allocateStaging(kBytes);
    for (int64_t i = 0; i < kBytes; ++i)
      staging[i] = static_cast<uint8_t>(i * 37 >> 3);
    CallSpec spec;
    spec.op = Opcode::range_h2d;
    spec.slices = slices;
    spec.staging = staging;
    spec.operands = {{uint64_t{0}, {1, 1, 1, kBytes}, kBytes, DType::U8}};
    std::string error;
    const CallId call = device.bind(spec, error);
    device.finishBinding();
    device.replay(device.capture({{{call, Stream::Transfer}}, {}}));
    std::vector<uint8_t> moved(kBytes);
    device.download(moved.data(), 0, kBytes);
    EXPECT_TRUE(std::equal(moved.begin(), moved.end(), staging)) << slices;
  }
}

namespace {

std::vector<std::vector<float>> runAll(Session &session) {
  std::vector<std::vector<float>> results;
  session.parameters().init(3);
  session.tensors().setSeed(1);
  session.tensors().setScalar(SharedTensor::Lr, 0.1);
  for (const Half half : kHalves)
    for (uint32_t v = 0; v < session.plan().variants.size(); ++v) {
      const Variant &variant = session.plan().variants[v];
      const InputHalf &input = session.input(half);
      for (int64_t i = 0; i < variant.batch * variant.height * variant.width * variant.channels;
           ++i)
        input.images[i] = static_cast<float>(i % 7) - 3.0f;
      std::fill_n(input.labels, variant.batch, 1);
      input.pad(variant, variant.batch);
      session.clearMetrics();
      session.trainStep(v, half);
      session.foldBn();
      session.evalStep(v, half);
      session.inferStep(v, half);
      results.push_back(session.tensors().readF32(SharedTensor::Logits, v));
      results.push_back({static_cast<float>(session.tensors().scalar(SharedTensor::AccumLoss))});
    }
  for (uint32_t i = 0; i < session.plan().params.size(); ++i) {
    results.push_back(session.parameters().read(i));
    results.push_back(session.parameters().readGrad(i));
  }
  return results;
}

} // namespace

// Whoever dereferences arena memory outside the device ends the test with a fault.
TEST(Devices, NobodyElseReachesTheirMemory) {
  for (const std::string &name : libraryNames())
    for (const Debug debug : {Debug::None, Debug::Poison}) {
      Session plain(regressionPlan(), createDevice(name, 2), {debug});
      Session remote(regressionPlan(), remoteDevice(name), {debug});
      EXPECT_EQ(runAll(plain), runAll(remote)) << name;
    }
}

TEST(DevicesDeathTest, ARemoteArenaIsOutOfReach) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::unique_ptr<Device> device = remoteDevice("reference");
  device->allocateArena(4096);
  device->fill(0, 4096, 17);
  uint32_t word = 0;
  device->download(&word, 0, sizeof(word));
  EXPECT_EQ(word, 17u);
  EXPECT_DEATH(readRemoteArena(*device), "");
}
