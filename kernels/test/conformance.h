// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite: inputs for every kernel op, and checks that hold for any
// backend. A backend joins with one INSTANTIATE_TEST_SUITE_P (see
// reference_conformance_test.cpp).
#ifndef TRK_TEST_CONFORMANCE_H
#define TRK_TEST_CONFORMANCE_H

#include "run_kernel.h"
#include "trk/activation.h"

#include <gtest/gtest.h>

#include <tuple>

namespace trk::test {

// One call of one op. Written operands hold shape only.
struct Case {
  Opcode op{};
  std::string name;
  std::vector<Host> operands;
  std::vector<Attr> attrs;
  std::vector<uint8_t> staging;
};
using Cases = std::vector<Case>;

// Reproducible random operands.
class Data {
public:
  explicit Data(uint64_t seed) : state(seed) {}
  uint32_t next();
  double uniform(double low, double high);
  // Slightly more positive than negative, so that long sums do not cancel.
  Host values(const Dims &dims, double low = -0.75, double high = 1.25);
  // Multiples of 1/8: sums, maxima and comparisons are exact on every backend.
  Host grid(const Dims &dims, int low = -16, int high = 16);
  Host vec(int64_t c, double low, double high) { return values({1, 1, 1, c}, low, high); }
  Host ints(const Dims &dims, int32_t low, int32_t high);

private:
  uint64_t state;
};

// Extents used by every pointwise op: odd, prime, 1, H != W, whole and broken vectors.
const std::vector<Dims> &pointwiseShapes();
const std::vector<Activation> &allActivations();
std::string describe(const Dims &dims);
std::string describe(const Window &w);

// Cases of the ops of one category, cases_*.cpp.
using AddCases = void (*)(Cases &);
void addConvCases(Cases &cases);
void addBnCases(Cases &cases);
void addLayerCases(Cases &cases);
void addPoolCases(Cases &cases);
void addLossCases(Cases &cases);
void addRangeCases(Cases &cases);
// The category that `op` belongs to.
const Cases &casesWith(Opcode op);

// Operand pairs of an op that may share memory.
struct InPlace {
  int in, out;
};
std::vector<InPlace> inPlacePairs(Opcode op);

// Empty, or the first difference of a written operand.
std::string compareBits(const Case &a, const Case &b);
std::string compareWithin(const Case &expected, const Case &got);

class ConformanceTest : public testing::TestWithParam<std::tuple<Backend, Opcode>> {
protected:
  const Backend &backend() const { return std::get<0>(GetParam()); }
  Opcode op() const { return std::get<1>(GetParam()); }
  std::vector<const Case *> cases() const;
};

// Parameters of an instantiation.
std::vector<Opcode> everyOp();
std::string conformanceName(const testing::TestParamInfo<std::tuple<Backend, Opcode>> &param);

} // namespace trk::test

#endif // TRK_TEST_CONFORMANCE_H
