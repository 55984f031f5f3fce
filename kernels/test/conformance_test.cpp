// SPDX-License-Identifier: Apache-2.0
//
// The checks that every kernel of every backend must pass.
#include "conformance.h"

#include <cmath>
#include <cstring>

namespace trk::test {
namespace {

RunOptions optionsOf(const Case &c, uint8_t poison = 0xAB) {
  RunOptions options;
  options.poison = poison;
  options.staging = c.staging.data();
  return options;
}

Case runCase(const Backend &backend, const Case &c, const RunOptions &options) {
  Case result = c;
  EXPECT_EQ(runKernel(backend, c.op, result.operands, c.attrs, options), "") << c.name;
  return result;
}
Case runCase(const Backend &backend, const Case &c) { return runCase(backend, c, optionsOf(c)); }

} // namespace

TEST_P(ConformanceTest, MatchesReference) {
  ASSERT_FALSE(cases().empty()) << "no case for " << info(op()).name;
  for (const Case *c : cases())
    EXPECT_EQ(compareWithin(runCase(referenceBackend(), *c), runCase(backend(), *c)), "");
}

// Old content of outputs and scratch, here NaN against large numbers, has no influence.
TEST_P(ConformanceTest, WritesEveryByte) {
  for (const Case *c : cases())
    EXPECT_EQ(compareBits(runCase(backend(), *c, optionsOf(*c, 0xFF)),
                          runCase(backend(), *c, optionsOf(*c, 0x4B))),
              "");
}

TEST_P(ConformanceTest, ThreadCountDoesNotChangeBits) {
  Backend one = backend(), many = backend();
  one.threads = 1;
  many.threads = 3;
  for (const Case *c : cases())
    EXPECT_EQ(compareBits(runCase(one, *c), runCase(many, *c)), "");
}

// Nothing of an earlier run, its values or its addresses, stays in the state.
TEST_P(ConformanceTest, SecondRunEqualsFirst) {
  for (const Case *c : cases()) {
    RunOptions used = optionsOf(*c);
    used.used_state = true;
    EXPECT_EQ(compareBits(runCase(backend(), *c), runCase(backend(), *c, used)), "");
  }
}

TEST_P(ConformanceTest, WorksInPlace) {
  for (const InPlace &pair : inPlacePairs(op()))
    for (const Case *c : cases()) {
      if (!c->operands[size_t(pair.in)].present())
        continue;
      RunOptions options = optionsOf(*c);
      options.alias_in = pair.in;
      options.alias_out = pair.out;
      EXPECT_EQ(compareBits(runCase(backend(), *c), runCase(backend(), *c, options)), "");
    }
}

namespace {

// Ops whose result is a number per element or per sum, so that a NaN must show.
bool passesNanOn(Opcode op, int operand) {
  const OpInfo &table = info(op);
  if (table.operands[operand].access == Access::Write ||
      table.operands[operand].dtype != DType::F32)
    return false;
  switch (op) {
  case Opcode::range_check_finite: // the flag is the result
  case Opcode::range_clear:
  case Opcode::range_h2d:
    return false;
  default:
    return true;
  }
}

// 0 * NaN behind the derivative of an activation is not defined.
bool maskedByActivation(const Case &c) {
  switch (c.op) {
  case Opcode::bn_bwd_reduce:
  case Opcode::bn_bwd_apply:
  case Opcode::join_bwd_reduce:
  case Opcode::act_bwd:
  case Opcode::act_bwd_out:
    return c.attrs[0].i != int64_t(Activation::None);
  default:
    return false;
  }
}

bool maySpread(Opcode op) {
  switch (op) {
  case Opcode::conv_fwd:
  case Opcode::conv_inf:
  case Opcode::conv_stats_fwd:
  case Opcode::conv_bwd_data:
  case Opcode::conv_bwd_weight:
    return true;
  default:
    return false;
  }
}

// Where the reference has a NaN the backend has one. Elsewhere it has one only where
// the algorithm of a convolution may spread it.
std::string compareNans(const Case &expected, const Case &got) {
  for (size_t o = 0; o < expected.operands.size(); ++o) {
    const Host &e = expected.operands[o], &g = got.operands[o];
    if (info(expected.op).operands[o].access == Access::Read || !e.present() ||
        e.dtype != DType::F32)
      continue;
    for (int64_t i = 0; i < e.elements(); ++i) {
      bool want = std::isnan(e.f()[i]), have = std::isnan(g.f()[i]);
      if (want != have && !(have && maySpread(expected.op)))
        return expected.name + ": operand " + info(expected.op).operands[o].name + ", element " +
               std::to_string(i) + (want ? ": NaN was hidden" : ": NaN from nowhere");
    }
  }
  return std::string();
}

} // namespace

TEST_P(ConformanceTest, NanIsNeverHidden) {
  for (const Case *c : cases()) {
    if (maskedByActivation(*c))
      continue;
    for (size_t o = 0; o < c->operands.size(); ++o) {
      if (!c->operands[o].present() || !passesNanOn(op(), int(o)))
        continue;
      Case poisoned = *c;
      Host &host = poisoned.operands[o];
      host.f()[host.elements() * 2 / 3] = std::nanf("");
      poisoned.name += std::string(", NaN in ") + info(op()).operands[o].name;
      EXPECT_EQ(compareNans(runCase(referenceBackend(), poisoned), runCase(backend(), poisoned)),
                "");
    }
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConformanceTest);

} // namespace trk::test
