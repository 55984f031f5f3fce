// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite: inputs for every kernel op, and checks that hold for any library. A
// library joins with one INSTANTIATE_TEST_SUITE_P (see reference_conformance_test.cpp).
#ifndef TRK_TEST_CONFORMANCE_H
#define TRK_TEST_CONFORMANCE_H

#include "run_kernel.h"
#include "trk/activation.h"

#include <gtest/gtest.h>

#include <tuple>

namespace trk::test {

struct Case {
  std::string name;
  Invocation call;
};
using Cases = std::vector<Case>;
// Its name is that of the op and `what`.
void add(Cases &cases, const std::string &what, Invocation call);

// Reproducible random operands.
class Data {
public:
  explicit Data(uint64_t seed) : state(seed) {}
  uint32_t next();
  double uniform(double low, double high);
  // Slightly more positive than negative, so that long sums do not cancel.
  Host values(const Dims &dims, double low = -0.75, double high = 1.25);
  // Multiples of 1/8: sums, maxima and comparisons are exact in every library.
  Host grid(const Dims &dims, int low = -16, int high = 16);
  Host vec(int64_t c, double low, double high) { return values({1, 1, 1, c}, low, high); }
  Host ints(const Dims &dims, int32_t low, int32_t high);

private:
  uint64_t state;
};

// Extents used by every pointwise op: odd, prime, 1, H != W, whole and broken vectors.
const std::vector<Dims> &pointwiseShapes();
const std::vector<Act> &allActivations();
std::string describe(const Dims &dims);
std::string describe(const Window &w);

// Cases of the ops of one category, cases_*.cpp.
using AddCases = void (*)(Cases &);
void addConvCases(Cases &cases);
void addBnCases(Cases &cases);
void addFactorCases(Cases &cases);
void addLayerCases(Cases &cases);
void addPoolCases(Cases &cases);
void addShapeCases(Cases &cases);
void addLossCases(Cases &cases);
void addRangeCases(Cases &cases);

// A kernel of a library.
struct KernelId {
  Opcode op{};
  Instance instance{};

  const trf::OpInfo &info() const { return trf::info(op); }
  std::string name() const;
};
void PrintTo(const KernelId &id, std::ostream *os);
// What the library registers. Devices transfer, so that those ops have no kernels.
std::vector<KernelId> kernelsOf(std::string_view library);
std::vector<const Case *> casesOf(const KernelId &id);

// Operand pairs of an op that may share memory.
struct InPlace {
  int in, out;
};
std::vector<InPlace> inPlacePairs(Opcode op);
// Whether those of this call may: both are there and, as one may be spread, equally large.
bool mayShare(Invocation call, const InPlace &pair);

// Runs with operands as runs of the channels of wider tensors: each one that may be, then all of
// them together.
std::vector<RunOptions> channelRuns(Invocation call, Data &data);

// Empty, or the first difference of a written operand.
std::string compareBits(const Case &a, const Case &b);
std::string compareWithin(const Case &expected, const Case &got);

class ConformanceTest : public testing::TestWithParam<std::tuple<LibrarySetup, KernelId>> {
protected:
  const LibrarySetup &setup() const { return std::get<0>(GetParam()); }
  const KernelId &kernel() const { return std::get<1>(GetParam()); }
  std::vector<const Case *> cases() const { return casesOf(kernel()); }
};

std::string
conformanceName(const testing::TestParamInfo<std::tuple<LibrarySetup, KernelId>> &param);

} // namespace trk::test

#endif // TRK_TEST_CONFORMANCE_H
