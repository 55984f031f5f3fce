// SPDX-License-Identifier: Apache-2.0
//
// Runs of the channels of a tensor: what they overlap, who may write and read them in which
// order, and that their parent counts once.
#include "bare_plan.h"
#include "channel_runs.h"
#include "meaning.h"
#include "plan_builder.h"
#include "trf/dataflow.h"
#include "trf/liveness.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;

namespace {

std::string dataflowError(const BarePlan &bare) {
  return messageOf([&] { verifyDataflow(bare.plan); });
}

void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << ": '" << text << "'";
}

std::vector<uint32_t> piecesOf(const ChannelPieces &pieces, uint32_t tensor) {
  std::vector<uint32_t> result;
  pieces.forEach(tensor, [&](uint32_t piece) { result.push_back(piece); });
  return result;
}

// A parent of eight channels with runs of three and five, and a tensor elsewhere.
struct Concat : BarePlan {
  uint32_t parent = pooled(0, 1024, 8);
  uint32_t left = runOf(parent, 0, 3), right = runOf(parent, 3, 5);
  uint32_t other = pooled(1024);
};

} // namespace

TEST(ChannelRuns, Overlap) {
  Concat c;
  const uint32_t middle = c.runOf(c.parent, 2, 2);
  const auto overlap = [&](uint32_t a, uint32_t b) {
    return channelRunOf(c.plan, a).overlaps(channelRunOf(c.plan, b));
  };
  EXPECT_FALSE(overlap(c.left, c.right));
  EXPECT_TRUE(overlap(c.left, middle));
  EXPECT_TRUE(overlap(middle, c.right));
  EXPECT_TRUE(overlap(c.parent, c.right));
  EXPECT_FALSE(overlap(c.other, c.right));
  EXPECT_TRUE(channelRunOf(c.plan, c.left) == channelRunOf(c.plan, c.runOf(c.parent, 0, 3)));
}

TEST(ChannelRuns, PiecesCutAParentWhereItsRunsBeginAndEnd) {
  Concat c;
  const uint32_t middle = c.runOf(c.parent, 2, 4);
  const ChannelPieces pieces(c.plan);
  const std::vector<uint32_t> all = piecesOf(pieces, c.parent);
  ASSERT_EQ(all.size(), 4u); // 0-2, 2-3, 3-6, 6-8
  EXPECT_EQ(piecesOf(pieces, c.left), (std::vector<uint32_t>{all[0], all[1]}));
  EXPECT_EQ(piecesOf(pieces, c.right), (std::vector<uint32_t>{all[2], all[3]}));
  EXPECT_EQ(piecesOf(pieces, middle), (std::vector<uint32_t>{all[1], all[2]}));
  EXPECT_EQ(piecesOf(pieces, c.other).size(), 1u);
  EXPECT_EQ(pieces.count(), 6u); // and the kept tensor
}

TEST(ChannelRuns, AParentIsReadAfterAllItsRunsWereWritten) {
  Concat c;
  const uint32_t first = c.node(0, c.left), last = c.node(0, c.right);
  const uint32_t read = c.node(c.parent, c.other);
  c.edge(first, read);
  expectContains(dataflowError(c), "no path of edges leads from node 1 (OPS record 1, act_fwd of "
                                   "layer ), which uses tensor 't1' before");
  c.edge(last, read);
  EXPECT_EQ(dataflowError(c), ""); // the runs wait for nobody
}

TEST(ChannelRuns, AParentHasNoContentWhereARunIsMissing) {
  Concat c;
  const uint32_t left = c.node(0, c.left);
  c.edge(left, c.node(c.parent, c.other));
  expectContains(dataflowError(c),
                 "x: tensor 't1' is read before anything in the schedule writes it");
  Concat d;
  const uint32_t wrong = d.node(0, d.left);
  d.edge(wrong, d.node(d.right, d.other));
  expectContains(dataflowError(d),
                 "x: tensor 't1.3' is read before anything in the schedule writes it");
}

TEST(ChannelRuns, ARunIsReadAfterItsParentWasWritten) {
  Concat c;
  const uint32_t write = c.node(0, c.parent), read = c.node(c.right, c.other);
  expectContains(dataflowError(c), "no path of edges leads from node 0");
  c.edge(write, read);
  EXPECT_EQ(dataflowError(c), "");
}

TEST(ChannelRuns, WritesOfChannelsThatAreThereAreRefused) {
  Concat c;
  const uint32_t overlapping = c.runOf(c.parent, 2, 2);
  const uint32_t first = c.node(0, c.left);
  c.edge(first, c.node(0, overlapping));
  expectContains(dataflowError(c), "y: tensor 't1.2' is written a second time");
}

// Bytes belong to the parent as a whole: what lies on any of them ends both runs.
TEST(ChannelRuns, ATensorOnTheSlotEndsAllRuns) {
  for (const bool again : {false, true}) {
    Concat c;
    const uint32_t over = c.pooled(512);
    std::vector<uint32_t> nodes = {c.node(0, c.left), c.node(0, over)};
    if (again)
      nodes.push_back(c.node(0, c.left)); // the right one is not made again by that
    nodes.push_back(c.node(0, c.right));
    nodes.push_back(c.node(c.left, c.other));
    for (size_t i = 1; i < nodes.size(); ++i)
      c.edge(nodes[i - 1], nodes[i]);
    if (again)
      expectContains(dataflowError(c), "y: tensor 't1.0' is written a second time");
    else
      expectContains(dataflowError(c),
                     "x: tensor 't1.0' is read, but tensor 't5' was written over it");
  }
}

TEST(ChannelRuns, WhoTakesTheSlotWaitsForTheUsersOfAllRuns) {
  Concat c;
  const uint32_t left = c.node(0, c.left), right = c.node(0, c.right);
  const uint32_t read = c.node(c.left, c.other);
  const uint32_t taker = c.node(0, c.pooled(512));
  c.edge(left, read);
  c.edge(read, taker);
  expectContains(dataflowError(c), "no path of edges leads from node 1 (");
  c.edge(right, taker);
  EXPECT_EQ(dataflowError(c), "");
}

// The first run that is written takes the bytes of all, but a later one does not wait for it.
TEST(ChannelRuns, EachRunWaitsForWhoHadTheSlotBefore) {
  Concat c;
  const uint32_t before = c.pooled(512);
  const uint32_t write = c.node(0, before), read = c.node(before, c.other);
  const uint32_t left = c.node(0, c.left), right = c.node(0, c.right);
  c.edge(write, read);
  c.edge(read, left);
  expectContains(dataflowError(c), "no path of edges leads from node 1 (OPS record 1, act_fwd of "
                                   "layer ), which uses tensor 't5' before");
  c.edge(read, right);
  EXPECT_EQ(dataflowError(c), "");
}

TEST(ChannelRuns, OperandsOfAnOpMayBeChannelsApart) {
  Concat c;
  c.node(c.left, c.right);
  EXPECT_EQ(messageOf([&] { verifyMeaning(c.plan); }).find("different places"), std::string::npos);
  // act_fwd may write over all that it reads, but not over a part or with another pitch.
  const std::pair<uint32_t, uint32_t> pairs[] = {
      {c.left, c.runOf(c.parent, 2, 2)}, {c.left, c.parent}, {c.pooled(0, 1024), c.left}};
  for (const auto &[in, out] : pairs) {
    Concat d = c;
    d.plan.ops[0].operands = {in, out};
    expectContains(messageOf([&] { verifyMeaning(d.plan); }),
                   "overlap, which this op does not allow");
  }
  Concat d = c;
  d.plan.ops[0].operands = {d.left, d.runOf(d.parent, 0, 3)};
  EXPECT_EQ(messageOf([&] { verifyMeaning(d.plan); }).find("different places"), std::string::npos);
}

TEST(ChannelRuns, SlotsOfParentsMayNotOverlapOthers) {
  Concat c;
  c.plan.tensors[c.parent].layer = kNone; // and so shares with nobody
  EXPECT_EQ(messageOf([&] { verifyMeaning(c.plan); }), "");
  c.pooled(512);
  expectContains(messageOf([&] { verifyMeaning(c.plan); }), "their slots overlap");
}

TEST(ChannelRuns, LivenessCountsTheParentOnce) {
  Concat c;
  c.node(0, c.left);
  c.node(0, c.other);
  c.node(c.other, c.right);
  c.node(c.left, c.pooled(2048));
  const ScheduleMemory memory = measureMemory(c.plan, c.schedule());
  ASSERT_EQ(memory.lifetimes.size(), 3u);
  EXPECT_EQ(memory.lifetimes[0].tensor, c.parent);
  EXPECT_EQ(memory.lifetimes[0].lower, 0u); // from the first use of a run to the last
  EXPECT_EQ(memory.lifetimes[0].upper, 4u);
  EXPECT_EQ(memory.lifetimes[0].bytes, 1024u);
  EXPECT_EQ(memory.noReuse, 1024u + 2 * 256u);
  EXPECT_EQ(memory.lowerBound, 1024u + 256u);
}

TEST(ChannelRuns, ARunTakesNoSlotOver) {
  BarePlan bare;
  const uint32_t input = bare.pooled(0, 1024);
  const uint32_t parent = bare.pooled(0, 1024, 8), run = bare.runOf(parent, 0, 3);
  bare.node(0, input);
  bare.node(input, run);
  const ScheduleMemory memory = measureMemory(bare.plan, bare.schedule());
  ASSERT_EQ(memory.lifetimes.size(), 2u);
  EXPECT_FALSE(memory.lifetimes[0].takenOver);
  EXPECT_EQ(memory.lifetimes[0].upper, 2u);
}

// ---- in files

namespace {

// Two tensors side by side in a third one, which is read.
Draft concatDraft(Opcode opcode, uint32_t channels) {
  PlanBuilder b("concat", "runs test", 3);
  b.variant("a", true, {2, 3, 4, 3}, 0);
  const uint32_t layer = b.layer("0", "concat", true);
  const auto feature = [&](const char *name, uint32_t c) {
    return b.tensor(name, {Role::Feature}, DType::F32, {2, 3, 4, c}, layer);
  };
  const uint32_t left = feature("left", 3), right = feature("right", channels);
  const uint32_t whole = feature("whole", 8), read = feature("read", 8);
  const uint32_t runs[] = {b.runOf("whole.left", whole, 0, 3), b.runOf("whole.right", whole, 3, 5)};
  const std::vector<uint64_t> attrs(info(opcode).attrs.size());
  b.op(opcode, {left, runs[0]}, attrs, layer);
  b.op(opcode, {right, runs[1]}, attrs, layer);
  b.op(Opcode::act_fwd, {whole, read}, {1}, layer);
  b.subgraph(Subgraph::UserGraph);
  return b.finish();
}

} // namespace

TEST(ChannelRuns, FilesMayHoldThem) {
  EXPECT_EQ(errorOf(concatDraft(Opcode::act_fwd, 5)), "");
  expectContains(errorOf(concatDraft(Opcode::act_fwd, 4)), "y: expected 2x3x4x4, but got 2x3x4x5");
  const std::shared_ptr<const Plan> plan = readDraft(concatDraft(Opcode::act_fwd, 5));
  uint32_t runs = 0;
  for (uint32_t id = 0; id < plan->tensors.size(); ++id)
    if (plan->rootOf(id) != id) {
      EXPECT_EQ(plan->tensors[plan->rootOf(id)].name, "whole");
      EXPECT_EQ(plan->tensors[id].first_channel, runs++ == 0 ? 0u : 3u);
    }
  EXPECT_EQ(runs, 2u);
}

// Other ops that take elements in order may change the shape, but not of a run.
TEST(ChannelRuns, CopiesOfRunsKeepTheShape) {
  EXPECT_EQ(errorOf(concatDraft(Opcode::copy, 5)), "");
  Draft draft = concatDraft(Opcode::copy, 5);
  draft.records.shapes[findTensor(draft, "right")] = {{2, 4, 3, 5}};
  expectContains(errorOf(draft), "(copy of layer 0) in variant a, y: expected 2x4x3x5, but got "
                                 "2x3x4x5");
}

TEST(ChannelRuns, OnlyOperandsOfRowsThatSaySoTakeThem) {
  EXPECT_FALSE(info(Opcode::channel_pad_fwd).operands[ops::channel_pad_fwd::y].takesPitch());
  expectContains(errorOf(concatDraft(Opcode::channel_pad_fwd, 5)),
                 "(channel_pad_fwd), y: expected a whole tensor, but 'whole.left' is a run of the "
                 "channels of another one");
}
