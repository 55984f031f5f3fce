// SPDX-License-Identifier: Apache-2.0
//
// The checks that every kernel of every library must pass.
#include "conformance.h"

#include <cmath>
#include <cstring>

namespace trk::test {
namespace {

RunOptions poisonedBy(uint8_t poison) {
  RunOptions options;
  options.poison = poison;
  return options;
}

Case runCase(const LibrarySetup &setup, const Case &c, const RunOptions &options = {}) {
  Case result = c;
  EXPECT_EQ(runKernel(setup, result.call, options), "") << c.name;
  return result;
}

} // namespace

TEST_P(ConformanceTest, MatchesReference) {
  ASSERT_FALSE(cases().empty()) << "no case for " << kernel().name();
  for (const Case *c : cases())
    EXPECT_EQ(compareWithin(runCase(referenceSetup(), *c), runCase(setup(), *c)), "");
}

// Old content of outputs and scratch, here NaN against large numbers, has no influence.
TEST_P(ConformanceTest, WritesEveryByte) {
  for (const Case *c : cases())
    EXPECT_EQ(
        compareBits(runCase(setup(), *c, poisonedBy(0xFF)), runCase(setup(), *c, poisonedBy(0x4B))),
        "");
}

TEST_P(ConformanceTest, ThreadCountDoesNotChangeBits) {
  LibrarySetup one = setup(), many = setup();
  one.threads = 1;
  many.threads = 3;
  for (const Case *c : cases())
    EXPECT_EQ(compareBits(runCase(one, *c), runCase(many, *c)), "");
}

// Nothing of an earlier run, its values or its addresses, stays in the state.
TEST_P(ConformanceTest, SecondRunEqualsFirst) {
  for (const Case *c : cases()) {
    RunOptions used;
    used.usedState = true;
    EXPECT_EQ(compareBits(runCase(setup(), *c), runCase(setup(), *c, used)), "");
  }
}

TEST_P(ConformanceTest, WorksInPlace) {
  Data data(41);
  for (const InPlace &pair : inPlacePairs(kernel().op))
    for (const Case *c : cases()) {
      if (!mayShare(c->call, pair))
        continue;
      RunOptions options;
      options.aliasIn = pair.in;
      options.aliasOut = pair.out;
      const Case apart = runCase(setup(), *c);
      EXPECT_EQ(compareBits(apart, runCase(setup(), *c, options)), "");
      // Two that lie on one another have the same pitch.
      const std::vector<RunOptions> runs = channelRuns(c->call, data);
      if (runs.empty())
        continue;
      options.margins = runs.back().margins;
      options.margins[size_t(pair.out)] = options.margins[size_t(pair.in)];
      EXPECT_EQ(compareBits(apart, runCase(setup(), *c, options)), "");
    }
}

TEST_P(ConformanceTest, RunsOfChannelsGiveTheBitsOfDenseTensors) {
  Data data(42);
  for (const Case *c : cases()) {
    const std::vector<RunOptions> runs = channelRuns(c->call, data);
    if (runs.empty())
      continue;
    const Case dense = runCase(setup(), *c);
    for (size_t i = 0; i < runs.size(); ++i)
      EXPECT_EQ(compareBits(dense, runCase(setup(), *c, runs[i])), "") << "run " << i;
  }
}

namespace {

// Where the result is a number per element or per sum, so that a NaN must show.
bool passesNanOn(const Invocation &call, size_t operand) {
  if (!call.row(operand).reads() || !call.operands[operand].present() ||
      trf::typeOf(call.row(operand).type, call.instance) != DType::F32)
    return false;
  return call.op != Opcode::range_check_finite; // the flag is the result
}

// 0 * NaN is not defined where the derivative of an activation is 0.
bool isMaskedByActivation(const Invocation &call) {
  switch (call.op) {
  case Opcode::bn_bwd_reduce:
  case Opcode::bn_bwd_apply:
  case Opcode::join_bwd_reduce:
  case Opcode::act_bwd:
  case Opcode::act_bwd_out:
    return call.activation() != Activation::None;
  default:
    return false;
  }
}

// Where the reference has a NaN the library has one. Elsewhere it has one only where
// the algorithm of a convolution may spread it.
std::string compareNans(const Case &expected, const Case &got) {
  for (size_t o = 0; o < expected.call.operands.size(); ++o) {
    const Host &e = expected.call.operands[o], &g = got.call.operands[o];
    if (!expected.call.writes(o) || e.dtype != DType::F32)
      continue;
    for (int64_t i = 0; i < e.elements(); ++i) {
      bool want = std::isnan(e.f()[i]), have = std::isnan(g.f()[i]);
      if (want != have && !(have && expected.call.info().isConv()))
        return expected.name + ": operand " + std::string(expected.call.row(o).name) +
               ", element " + std::to_string(i) +
               (want ? ": NaN was hidden" : ": NaN from nowhere");
    }
  }
  return std::string();
}

} // namespace

TEST_P(ConformanceTest, NanIsNeverHidden) {
  for (const Case *c : cases()) {
    if (isMaskedByActivation(c->call))
      continue;
    for (size_t o = 0; o < c->call.operands.size(); ++o) {
      if (!passesNanOn(c->call, o))
        continue;
      Case poisoned = *c;
      Host &host = poisoned.call.operands[o];
      host.f()[host.elements() * 2 / 3] = std::nanf("");
      poisoned.name += ", NaN in " + std::string(c->call.row(o).name);
      EXPECT_EQ(compareNans(runCase(referenceSetup(), poisoned), runCase(setup(), poisoned)), "");
    }
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConformanceTest);

} // namespace trk::test
