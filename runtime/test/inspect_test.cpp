// SPDX-License-Identifier: Apache-2.0
//
// Reports of `tr-run inspect` on the sample plan, and its command line.
#include "../../tools/tr-run/cli.h"
#include "../../tools/tr-run/inspect.h"
#include "sample_plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace trf;
using namespace trf::test;
using Json = nlohmann::json;

namespace {

Plan loaded(const Draft &draft) { return *readDraft(draft); }

// A temporary file that holds `bytes`.
class File {
public:
  explicit File(const std::vector<uint8_t> &bytes)
      : name(testing::TempDir() + "inspect_test_" + std::to_string(getpid()) + ".plan") {
    std::FILE *out = std::fopen(name.c_str(), "wb");
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
    EXPECT_EQ(std::fclose(out), 0);
  }
  ~File() { std::remove(name.c_str()); }
  const std::string name;
};

struct Result {
  int code;
  std::string out, err;
};

Result run(std::vector<std::string> words) {
  words.insert(words.begin(), "inspect");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = trrun::runTool(words);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(Inspect, Json) {
  const Plan plan = loaded(samplePlan());
  const Json json = Json::parse(trrun::inspectJson(plan, {}));
  const Json &params = json["parameters"];
  ASSERT_EQ(params.size(), 4u);
  // Device (4,3,3,2) is [o, i, kh, kw] in files; FC (3,5,7,4) is [o, c*h*w].
  EXPECT_EQ(params[0],
            Json({{"name", "0.conv.weight"}, {"shape", {4, 2, 3, 3}}, {"elements", 72}}));
  EXPECT_EQ(params[1], Json({{"name", "0.conv.bias"}, {"shape", {4}}, {"elements", 4}}));
  EXPECT_EQ(params[2], Json({{"name", "1.fc.weight"}, {"shape", {3, 140}}, {"elements", 420}}));
  ASSERT_EQ(json["buffers"].size(), 1u);
  EXPECT_EQ(json["buffers"][0],
            Json({{"name", "0.bn.running_mean"}, {"shape", {4}}, {"elements", 4}}));
  ASSERT_EQ(json["variants"].size(), 2u);
  EXPECT_EQ(json["variants"][0]["name"], "train_base");
  EXPECT_EQ(json["variants"][1]["batch"], 2);
  EXPECT_EQ(json["variants"][1]["resolution"], Json({5, 7}));
  for (const char *key : {"train_samples", "val_samples", "lowres_epoch"})
    EXPECT_TRUE(json.at(key).is_null()) << key;
  EXPECT_EQ(json["drop_last"], false);
  EXPECT_EQ(json["fusions"], Json({{"cbr", 0}}));
  ASSERT_EQ(json["subgraphs"].size(), 33u);
  EXPECT_EQ(json["subgraphs"]["4"],
            Json({{"name", "deep_fwd_bwd"}, {"nodes", 5}, {"reason", nullptr}}));
  EXPECT_EQ(json["subgraphs"]["16"],
            Json({{"name", "ema_update"}, {"nodes", 0}, {"reason", "no EMA was asked for"}}));
  EXPECT_EQ(json["subgraphs"]["28"]["nodes"], 0);
  EXPECT_TRUE(json["subgraphs"]["28"]["reason"].is_string());
  EXPECT_EQ(json["content_id"].get<std::string>().size(), 32u);
  EXPECT_FALSE(json.contains("schedules"));
}

TEST(Inspect, WhatTheVariantsAreFor) {
  Draft draft = samplePlan();
  draft.records.target[0].train_samples = 60001;
  draft.records.target[0].val_samples = 11;
  draft.records.target[0].lowres_epoch = 0;
  draft.records.target[0].flags = TRF_DROP_LAST;
  const Plan plan = loaded(draft);
  const Json json = Json::parse(trrun::inspectJson(plan, {}));
  EXPECT_EQ(json["train_samples"], 60001);
  EXPECT_EQ(json["val_samples"], 11);
  EXPECT_EQ(json["lowres_epoch"], 0);
  EXPECT_EQ(json["drop_last"], true);
  const std::string text = trrun::inspectText(plan, {});
  EXPECT_TRUE(contains(text, "samples     60,001 in training, 11 in validation\n")) << text;
  EXPECT_TRUE(contains(text, "last batch  left out of training where it is not full\n"));
  EXPECT_TRUE(contains(text, "resolution  of train_lowres from epoch 0 (0-based) on\n"));
  const std::string plain = trrun::inspectText(loaded(samplePlan()), {});
  EXPECT_TRUE(contains(plain, "samples     any in training, any in validation\n"));
  EXPECT_FALSE(contains(plain, "train_lowres"));
}

TEST(Inspect, JsonKeepsTheOrderOfParametersAndSections) {
  const std::string text = trrun::inspectJson(loaded(samplePlan()), {});
  EXPECT_LT(text.find("\"parameters\""), text.find("\"buffers\""));
  EXPECT_LT(text.find("\"buffers\""), text.find("\"variants\""));
  EXPECT_LT(text.find("0.conv.weight"), text.find("1.fc.weight"));
  EXPECT_LT(text.find("\"9\": {"), text.find("\"10\": {"));
}

TEST(Inspect, JsonSchedule) {
  trrun::InspectOptions options;
  options.schedule = true;
  const Json json = Json::parse(trrun::inspectJson(loaded(samplePlan()), options));
  ASSERT_EQ(json["schedules"].size(), 2u);
  const Json &infer = json["schedules"][1];
  EXPECT_EQ(infer["name"], "infer_a");
  ASSERT_EQ(infer["nodes"].size(), 4u);
  EXPECT_EQ(infer["nodes"][0]["op"], "range_h2d");
  EXPECT_EQ(infer["nodes"][0]["layer"], nullptr);
  EXPECT_EQ(infer["nodes"][0]["after"], Json::array());
  EXPECT_EQ(infer["nodes"][0]["algorithm"], nullptr); // no convolution
  EXPECT_EQ(infer["nodes"][1], Json({{"op", "conv_fwd"},
                                     {"algorithm", "auto"},
                                     {"subgraph", "inf_main_a"},
                                     {"layer", "0"},
                                     {"location", "sample.bp:2:5"},
                                     {"after", {0}}}));
}

TEST(Inspect, TargetAndAlgorithms) {
  Draft draft = samplePlan();
  draft.records.target[0].target = static_cast<uint32_t>(Target::CpuV4);
  for (trf_op &op : draft.records.ops)
    if (op.opcode == static_cast<uint32_t>(Opcode::conv_fwd))
      op.algorithm = static_cast<uint32_t>(ConvAlgorithm::Winograd);
  trrun::InspectOptions options;
  options.schedule = true;
  const Json json = Json::parse(trrun::inspectJson(loaded(draft), options));
  EXPECT_EQ(json["target"]["device"], "cpu");
  EXPECT_EQ(json["target"]["feature"], "x86-64-v4");
  EXPECT_EQ(json["schedules"][1]["nodes"][1]["algorithm"], "winograd");
  const std::string text = trrun::inspectText(loaded(draft), options);
  EXPECT_TRUE(contains(text, "target      cpu, fp32, sgd, x86-64-v4, 2 slices, 3 classes\n"));
  EXPECT_TRUE(contains(text, "winograd   inf_main_a"));
}

TEST(Inspect, NodesOfAllGraphsAreAddedUp) {
  Draft draft = samplePlan();
  draft.records.target[0].graph_count = 2;
  trf_subgraph clone = draft.records.subgraphs[2];
  clone.graph = 1;
  draft.records.subgraphs.push_back(clone);
  const Json json = Json::parse(trrun::inspectJson(loaded(draft), {}));
  EXPECT_EQ(json["subgraphs"]["4"]["nodes"], 10);
}

TEST(Inspect, Text) {
  const Plan plan = loaded(samplePlan());
  const std::string plain = trrun::inspectText(plan, {});
  EXPECT_TRUE(contains(plain, "model       sample\n"));
  EXPECT_TRUE(contains(plain, "target      cpu, fp32, sgd, any, 2 slices, 3 classes\n"));
  EXPECT_TRUE(contains(plain, "parameters  499\n")); // 72 + 4 + 420 + 3
  EXPECT_TRUE(contains(plain, "  train_base      3  5x7x2  training\n"));
  EXPECT_TRUE(contains(plain, "no EMA was asked for\n"));
  EXPECT_TRUE(contains(plain, "w_first_conv"));
  EXPECT_TRUE(contains(plain, "parameters: convolution weights of the first layer\n"));
  EXPECT_FALSE(contains(plain, "v_first_conv")); // the plan has no such region
  EXPECT_FALSE(contains(plain, "0.conv.weight"));
  trrun::InspectOptions all;
  all.params = all.schedule = true;
  const std::string full = trrun::inspectText(plan, all);
  EXPECT_EQ(full.compare(0, plain.size(), plain), 0);
  EXPECT_TRUE(contains(full, "  0.conv.weight  4x2x3x3        72\n"));
  EXPECT_TRUE(contains(full, "running statistics\n"));
  EXPECT_TRUE(contains(full, "schedule infer_a of graph 0: 4 nodes, 3 edges\n"));
  EXPECT_TRUE(contains(full, "sample.bp:2:5"));
  for (const char *bad : {" \n", "\t"}) // no trailing blanks
    EXPECT_FALSE(contains(full, bad));
}

TEST(Inspect, CommandLine) {
  const File good(bytesOf(samplePlan()));
  Result r = run({good.name});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "subgraphs\n"));
  r = run({"--json", good.name});
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(Json::parse(r.out)["model"], "sample");
  r = run({"--help"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.out, "usage: tr-run inspect PLAN"));
  EXPECT_EQ(run({"--version"}).out, "tr-run 0.1.0\n");
  r = run({});
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.err, "error: expected a plan file; see tr-run inspect --help\n");
  EXPECT_EQ(run({good.name, good.name}).code, 2);
  EXPECT_EQ(run({"--json", "--", good.name}).code, 0);
  EXPECT_EQ(run({"--", "-no.plan"}).code, 1); // a file that is not there, and no option
  const std::pair<std::vector<std::string>, const char *> wrong[] = {
      {{"--memory-csv=val"}, "option '--memory-csv' expects train or infer, but got 'val'"},
      {{"--memory-csv=infr"}, "did you mean 'infer'?"},
      {{"--memory-csv=train", "--json"}, "option '--memory-csv' prints nothing else"},
      {{"--memory-csv=train", "--params"}, "option '--memory-csv' prints nothing else"},
      {{"--memory-csv=train", "--schedule"}, "option '--memory-csv' prints nothing else"}};
  for (auto [words, expected] : wrong) {
    words.push_back(good.name);
    r = run(words);
    EXPECT_EQ(r.code, 2) << expected;
    EXPECT_TRUE(contains(r.err, expected)) << r.err;
    EXPECT_EQ(r.out, "");
  }
  EXPECT_TRUE(contains(run({good.name, "--memory-csv"}).err,
                       "option '--memory-csv' expects a value train|infer"));
  r = run({"--parms", good.name});
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "error: unknown option '--parms'; did you mean '--params'?"));
  EXPECT_EQ(r.out, "");
}

TEST(Inspect, BadFiles) {
  std::vector<uint8_t> bytes = bytesOf(samplePlan());
  bytes[bytes.size() / 2] ^= 1;
  const File damaged(bytes);
  Result r = run({"--json", damaged.name});
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err.rfind("error: " + damaged.name + ": section ", 0), 0u) << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1);
  r = run({"/no/such.plan"});
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "/no/such.plan"));
  EXPECT_EQ(run({testing::TempDir()}).code, 1);
}

TEST(Inspect, Memory) {
  const Plan plan = loaded(pooledPlan());
  const Json memory = Json::parse(trrun::inspectJson(plan, {}))["memory"];
  EXPECT_EQ(memory["arena_bytes"], plan.arena_bytes);
  EXPECT_EQ(memory["persistent_bytes"], plan.arena_bytes - 5632);
  EXPECT_EQ(memory["schedules"]["train"], (Json{{"activation_peak_bytes", 5632},
                                                {"activation_lower_bound_bytes", 3584},
                                                {"activation_no_reuse_bytes", 5632}}));
  EXPECT_EQ(memory["schedules"]["infer"]["activation_peak_bytes"], 3072);
  EXPECT_TRUE(contains(trrun::inspectText(plan, {}), "  train           5,632        3,584"));
  // Schedules that the plan does not have are left out.
  Draft draft = pooledPlan();
  draft.records.schedules.pop_back();
  draft.records.scheduleNodes.resize(draft.records.schedules[0].node_count);
  draft.records.scheduleEdges.resize(draft.records.schedules[0].edge_count);
  const Json one = Json::parse(trrun::inspectJson(loaded(draft), {}))["memory"]["schedules"];
  EXPECT_TRUE(one.contains("train"));
  EXPECT_FALSE(one.contains("infer"));
  const File single(bytesOf(draft));
  const Result r = run({"--memory-csv=infer", single.name});
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.err, "error: the plan has no schedule 'infer'\n");
}

TEST(Inspect, MemoryAsCsv) {
  const File good(bytesOf(pooledPlan()));
  const std::string head = "id,lower,upper,size,offset\n";
  const Plan plan = loaded(pooledPlan());
  const auto row = [&](const char *name, const char *rest) {
    return std::to_string(findTensor(pooledPlan(), name)) + rest;
  };
  const std::string infer = head + row("y", ",1,3,2048,0\n") + row("logits", ",0,4,512,2048\n") +
                            row("probs", ",0,4,512,2560\n");
  EXPECT_EQ(run({"--memory-csv=infer", good.name}).out, infer);
  EXPECT_EQ(run({good.name, "--memory-csv", "infer"}).out, infer);
  const std::string train = run({"--memory-csv", "train", good.name}).out;
  EXPECT_TRUE(contains(train, row("dy", ",7,9,2048,0\n")));
}

TEST(Inspect, Sharing) {
  Draft draft = samplePlan();
  const auto sharing = [&] {
    return Json::parse(trrun::inspectJson(loaded(draft), {}))["sharing"];
  };
  Json one = sharing()[0];
  EXPECT_EQ(one["variant"], "val_base");
  EXPECT_EQ(one["with"], Json());
  EXPECT_EQ(one["captures"], Json::array());
  atlasEntry(draft, 1, Subgraph::Optimizer).capture =
      atlasEntry(draft, 0, Subgraph::Optimizer).capture;
  one = sharing()[0];
  EXPECT_EQ(one["with"], "train_base");
  EXPECT_EQ(one["captures"], Json{"optimizer"});
  EXPECT_EQ(one["reason"], "same graph, equal shapes in them");
  EXPECT_TRUE(contains(trrun::inspectText(loaded(draft), {}),
                       "  val_base  train_base     1 of 9  same graph, equal shapes in them"));
  // A variant of equal shapes.
  draft.records.variants.push_back(draft.records.variants[0]);
  draft.records.variants[2].name = draft.intern("train_last");
  std::vector<trf_shape> shapes;
  for (size_t t = 0; t < draft.records.tensors.size(); ++t)
    shapes.insert(shapes.end(), {draft.records.shapes[2 * t], draft.records.shapes[2 * t + 1],
                                 draft.records.shapes[2 * t]});
  draft.records.shapes = shapes;
  draft.records.atlas.insert(draft.records.atlas.end(), draft.records.atlas.begin(),
                             draft.records.atlas.begin() + kCount<Subgraph>);
  const Json last = sharing()[1];
  EXPECT_EQ(last["with"], "train_base");
  EXPECT_EQ(last["reason"], "equal batch and resolution");
  EXPECT_EQ(last["captures"].size(), 9u);
}
