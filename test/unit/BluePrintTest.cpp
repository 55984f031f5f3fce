// SPDX-License-Identifier: Apache-2.0
//
// Networks in C++: the same IR as their text, faults at the caller's line, compilations side by
// side.
#include "ZooInCpp.h"
#include "renaissance/BluePrint/Compile.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "trf/plan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tr::dsl;

namespace {

std::string irOf(const std::string &text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tr::TRDialect>();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "text"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = tr::importBlueprint(sources, &context);
  std::string ir;
  llvm::raw_string_ostream os(ir);
  if (module)
    module->print(os);
  return ir;
}

std::string place(int line) { return std::string(__FILE__) + ":" + std::to_string(line) + ": "; }

TEST(BluePrint, EveryZooModelIsTheSameAsItsText) {
  std::vector<BluePrint> zoo = tr::test::zooInCpp();
  size_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TR_MODELS_PATH)) {
    if (entry.path().extension() != ".bp")
      continue;
    ++files;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto found =
        llvm::find_if(zoo, [&](const BluePrint &net) { return net.name() == entry.path().stem(); });
    ASSERT_NE(found, zoo.end()) << entry.path();
    EXPECT_EQ(found->error(), "");
    std::string expected = irOf(text.str());
    EXPECT_NE(expected, "");
    EXPECT_EQ(irOf(found->toText()), expected) << entry.path();
  }
  EXPECT_EQ(files, zoo.size());
}

TEST(BluePrint, EveryCallAndOptionReachesTheText) {
  BluePrint net = model("all", {9, 7, 8}, 3,
                        seq(conv(8, {3, 1}, {1, 2}, {1, 0}).dilation({1, 1}).groups(2).named("c"),
                            bn(0.25, 1e-3), tanh_act(), group_conv(8, 2, 3, 1, 1), conv_dw(3, 1, 1),
                            silu(), add2(seq(), conv(8, 1).bias()), leaky_relu(), hardswish(),
                            elu(), sigmoid(), relu6(), identity(), channel_padding(),
                            cbrp(8, 3, 1, 1, 2, 1, 0).eps(1e-4).momentum(1.0), avgpool(2, 1, 0),
                            gap(), dropout(0.5), fc(3, false), softmax_ce()));
  EXPECT_EQ(net.error(), "");
  for (const char *part :
       {"conv(8, 3x1, 1x2, 1x0, dilation = 1, groups = 2, name = \"c\"),\n", "bn(0.25, 0.001),\n",
        "add2(\n", "seq(),\n", "cbrp(8, 3, 1, 1, 2, 1, 0, eps = 1e-04, momentum = 1.0),\n",
        "dropout(0.5),\n", "fc(3, false),\n", "softmax_ce()\n"})
    EXPECT_NE(net.toText().find(part), std::string::npos) << part << net.toText();
}

TEST(BluePrint, JoinsAndBlocksReachTheText) {
  Layer gate = seq(gap(), conv(6, 1).bias(), sigmoid());
  BluePrint net =
      model("joins", {9, 7, 8}, 3,
            seq(concat(seq(), cbr(4, 3, 1, 1), seq(maxpool(3, 1, 1).ceil(), relu())),
                block(8, 16, RESNEXT_1_3_1).groups(4).act(SILU).named("b"),
                block(8, RESNETD_3_3_DS).eps(1e-3).momentum(0.2), mbconv(6, 6, 1).act(HARDSWISH),
                mul2(seq(), gate), avgpool(2, 2, 0).ceil(), gap_fc(3, true)));
  EXPECT_EQ(net.error(), "");
  for (const char *part :
       {"concat(\n", "maxpool(3, 1, 1, ceil = true),\n",
        "block(8, 16, RESNEXT_1_3_1, groups = 4, act = silu, name = \"b\"),\n",
        "block(8, RESNETD_3_3_DS, eps = 0.001, momentum = 0.2),\n",
        "mbconv(6, 6, 1, act = hardswish),\n", "mul2(\n", "avgpool(2, 2, 0, ceil = true),\n"})
    EXPECT_NE(net.toText().find(part), std::string::npos) << part << net.toText();
  std::string ir = irOf(net.toText());
  EXPECT_NE(ir.find("tr.bp.block <RESNEXT_1_3_1> mid 8 out 16 groups 4 act <silu> name \"b\""),
            std::string::npos)
      << ir;
}

// What is left out is what the language makes of it: windows side by side, no pad, a bias.
TEST(BluePrint, CallsHaveTheDefaultsOfTheLanguage) {
  BluePrint net = model("defaults", {8, 8, 3}, 5,
                        seq(cbr(4, 3), maxpool(2), avgpool(3, 1), fc(7), gap(), gap_fc(5)));
  EXPECT_EQ(net.error(), "");
  std::string ir = irOf(net.toText());
  for (const char *part :
       {"tr.bp.cbr <out = 4, kernel = [3, 3]> ", "tr.bp.maxpool <kernel = [2, 2], stride = [2, 2]>",
        "tr.bp.avgpool <kernel = [3, 3], stride = [1, 1]>", "tr.bp.fc out 7 bias true",
        "tr.bp.gap_fc out 5 bias true"})
    EXPECT_NE(ir.find(part), std::string::npos) << part << ir;
}

TEST(BluePrint, ExtentsAndChannelsReachTheText) {
  BluePrint net = model(
      "maps", {9, 7, 8}, 3,
      seq(conv(8, 3, 1, SAME), conv_transpose(8, 3, 2, 1).with("output_pad", 1).padEnd({0, 1}),
          maxpool(2, 1, 0).dilation(2), avgpool(3, 2, 1).countIncludePad().padEnd(0), upsample(2),
          upsample({1, 2}, BILINEAR), adaptive_avgpool({4, 5}), slice(1, 6), channel_shuffle(3),
          channel_padding(2, 1), global_maxpool(), fc(3, true)));
  EXPECT_EQ(net.error(), "");
  for (const char *part :
       {"conv(8, 3, 1, same),\n", "conv_transpose(8, 3, 2, 1, output_pad = 1, pad_end = 0x1),\n",
        "maxpool(2, 1, 0, dilation = 2),\n",
        "avgpool(3, 2, 1, count_include_pad = true, pad_end = 0),\n", "upsample(2, nearest),\n",
        "upsample(1x2, bilinear),\n", "adaptive_avgpool(4x5),\n", "slice(1, 6),\n",
        "channel_shuffle(3),\n", "channel_padding(2, 1),\n", "global_maxpool(),\n"})
    EXPECT_NE(net.toText().find(part), std::string::npos) << part << net.toText();
}

TEST(BluePrint, FaultsOfJoinsAreAtTheCallersLine) {
  int line = __LINE__ + 1;
  Layer pooled = maxpool(2, 2, 0);
  Layer joined = concat(pooled, relu());
  tr::Result<Plan> plan = compile(model("net", {8, 8, 3}, 10, seq(joined, gap_fc(10, true))));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().find(place(line) + "error: concat layer '0': expected branches of equal "
                                            "height and width"),
            0u)
      << plan.error();
  BluePrint none = model("net", {8, 8, 3}, 10, seq(concat(), gap_fc(10, true)));
  EXPECT_NE(none.error().find("expected at least one branch in concat(), but got none"),
            std::string::npos)
      << none.error();
}

TEST(BluePrint, FaultsAreAtTheCallersLine) {
  Layer first = conv(8, 3);
  Layer wrong = maxpool(0, 2, 0);
  int line = __LINE__ - 1;
  BluePrint net = model("bad", {28, 28, 1}, 10, seq(first, wrong, fc(10, true)));
  EXPECT_EQ(net.error().find(place(line) + "error: "), 0u) << net.error();
  EXPECT_NE(net.error().find("expected"), std::string::npos) << net.error();
  EXPECT_EQ(compile(net).error(), net.error());

  BluePrint style = model("bad", {28, 28, 1}, 10, seq(block(8, 16, RESNET_3_3), fc(10, true)));
  EXPECT_EQ(style.error().find(place(__LINE__ - 1)), 0u) << style.error();
  BluePrint word = model("bad", {28, 28, 1}, 10, seq(first.with("grups", 2), fc(10, true)));
  EXPECT_NE(word.error().find("grups"), std::string::npos) << word.error();
  BluePrint name = model("no name", {28, 28, 1}, 10, seq(first, fc(10, true)));
  EXPECT_EQ(name.error().find(place(__LINE__ - 1)), 0u) << name.error();
  BluePrint quoted = model("q", {28, 28, 1}, 10, seq(first.named("a\"b\n"), fc(10, true)));
  EXPECT_FALSE(quoted.ok());
}

// What only the passes see is at the line of the layer's call too.
TEST(BluePrint, FaultsOfPassesAreAtTheCallersLine) {
  Layer large = conv(8, 50);
  int line = __LINE__ - 1;
  BluePrint net = model("large", {28, 28, 1}, 10, seq(large, gap(), fc(10, true)));
  EXPECT_EQ(net.error(), "");
  tr::Result<Plan> plan = compile(net);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().find(place(line) + "error: "), 0u) << plan.error();

  Options options;
  options.slices = 1025;
  plan = compile(model("net", {28, 28, 1}, 10, seq(fc(10, true))), options);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().find("slices: expected an integer in [1, 1024], but got '1025'"),
            std::string::npos)
      << plan.error();
}

// Of the options each, beside those of the network.
TEST(BluePrint, EveryFaultIsTold) {
  Options options;
  options.slices = 0;
  options.batch = -5;
  options.valResolution = {0, 32};
  options.trainResolution = {{28, 28}, {14, 14}, -1};
  BluePrint net = model("net", {28, 28, 1}, 10, seq(fc(10, true)));
  EXPECT_EQ(compile(net, options).error(),
            "net: error: option batch: expected an integer in [1, 2147483647], but got '-5'\n"
            "net: error: option train-res: expected R, HxW or R,R@EPOCH, but got '28x28,14x14@-1'\n"
            "net: error: option val-res: expected R or HxW, but got '0x32'\n"
            "net: error: option slices: expected an integer in [1, 1024], but got '0'");
  int line = __LINE__ + 1;
  BluePrint wrong = model("net", {28, 28, 1}, 10, seq(maxpool(0, 2, 0), fc(10, true)));
  std::string error = compile(wrong, options).error();
  EXPECT_EQ(error.find(place(line) + "error: "), 0u) << error;
  EXPECT_NE(error.find("option slices"), std::string::npos) << error;
}

// Layers behind a faulty one are not blamed for it; those beside it are looked at.
TEST(BluePrint, FaultsOfAllBranches) {
  Layer large = conv(8, 50);
  int line = __LINE__ - 1;
  Layer larger = conv(8, 3, 1, 1), pooled = maxpool(40, 1, 0);
  BluePrint net =
      model("net", {28, 28, 1}, 10,
            seq(add2(seq(large, bn()), seq(larger, pooled, bn())), gap(), fc(10, true)));
  std::string error = compile(net).error();
  EXPECT_NE(error.find(place(line) + "error: "), std::string::npos) << error;
  EXPECT_NE(error.find(place(line + 2) + "error: "), std::string::npos) << error;
  size_t errors = 0;
  for (size_t at = error.find("error: "); at != std::string::npos;
       at = error.find("error: ", at + 1))
    ++errors;
  EXPECT_EQ(errors, 2u) << error;
}

// As the flags --train-res and --val-res.
TEST(BluePrint, VariantsHaveTheirResolutions) {
  BluePrint net = model("net", {28, 28, 1}, 3, seq(conv(4, 3), gap_fc(3, true)));
  Options options;
  options.trainResolution = {{20, 24}, {12, 12}, 5};
  options.valResolution = {32, 32};
  tr::Result<Plan> plan = compile(net, options);
  ASSERT_TRUE(plan) << plan.error();
  trf::Plan read;
  std::string error;
  ASSERT_TRUE(trf::readPlan(plan->data(), plan->size(), read, error)) << error;
  auto sizeOf = [&](const char *name) {
    const trf::Variant &v = read.variants[read.findVariant(name)];
    return std::make_pair(v.height, v.width);
  };
  EXPECT_EQ(sizeOf("train_base"), std::make_pair(int64_t(20), int64_t(24)));
  EXPECT_EQ(sizeOf("train_lowres"), std::make_pair(int64_t(12), int64_t(12)));
  EXPECT_EQ(sizeOf("val_base"), std::make_pair(int64_t(32), int64_t(32)));
}

TEST(BluePrint, PlanIsWrittenWholeOrNotAtAll) {
  tr::Result<Plan> plan = compile(model("net", {4, 4, 1}, 3, seq(fc(3, true))));
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_NE(plan->save("/nonexistent/x.plan"), "");
  std::string path = testing::TempDir() + "/blueprint_test.plan";
  EXPECT_EQ(plan->save(path), "");
  EXPECT_EQ(std::filesystem::file_size(path), plan->size());
  std::filesystem::remove(path);
}

} // namespace
