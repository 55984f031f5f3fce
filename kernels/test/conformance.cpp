// SPDX-License-Identifier: Apache-2.0
//
// Random operands, shapes and comparisons of the conformance suite.
#include "conformance.h"
#include "tolerances.h"

#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

namespace trk::test {

// splitmix64: any seed is good, and the values never change.
uint32_t Data::next() {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return uint32_t((z ^ (z >> 31)) >> 32);
}

double Data::uniform(double low, double high) {
  return low + (high - low) * (next() / 4294967296.0);
}

Host Data::values(const Dims &dims, double low, double high) {
  Host h(DType::F32, dims);
  for (int64_t i = 0; i < h.elements(); ++i)
    h.f()[i] = float(uniform(low, high));
  return h;
}

Host Data::grid(const Dims &dims, int low, int high) {
  Host h(DType::F32, dims);
  for (int64_t i = 0; i < h.elements(); ++i)
    h.f()[i] = float(low + int(next() % uint32_t(high - low + 1))) / 8.0f;
  return h;
}

Host Data::ints(const Dims &dims, int32_t low, int32_t high) {
  Host h(DType::I32, dims);
  for (int64_t i = 0; i < h.elements(); ++i)
    h.i()[i] = low + int32_t(next() % uint32_t(high - low + 1));
  return h;
}

const std::vector<Dims> &pointwiseShapes() {
  static const std::vector<Dims> shapes = {
      {1, 1, 1, 1},   {1, 1, 1, 3},   {2, 1, 1, 17}, {3, 5, 7, 1},   {2, 7, 5, 3},
      {1, 13, 1, 16}, {1, 1, 11, 31}, {4, 6, 9, 19}, {2, 8, 3, 32},  {1, 3, 17, 33},
      {5, 4, 4, 64},  {16, 1, 1, 10}, {7, 9, 2, 40}, {3, 29, 31, 24}};
  return shapes;
}

const std::vector<Activation> &allActivations() {
  static const std::vector<Activation> all = {
#define X(name, spelling) Activation::name,
      TRRT_ACTIVATIONS(X)
#undef X
  };
  return all;
}

std::string describe(const Dims &d) {
  return std::to_string(d[0]) + "x" + std::to_string(d[1]) + "x" + std::to_string(d[2]) + "x" +
         std::to_string(d[3]);
}

std::string describe(const Window &w) {
  auto pair = [](const char *name, int64_t h, int64_t x) {
    return name + std::to_string(h) + "x" + std::to_string(x);
  };
  return pair("k", w.kernel_h, w.kernel_w) + pair(" s", w.stride_h, w.stride_w) +
         pair(" p", w.pad_h, w.pad_w) + pair(" d", w.dilation_h, w.dilation_w) + " g" +
         std::to_string(w.groups);
}

static AddCases categoryOf(Opcode op) {
  std::string_view name = info(op).name;
  auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (has("pool") || has("gap_"))
    return addPoolCases;
  if (has("conv_"))
    return addConvCases;
  if (has("bn_") || has("join_"))
    return addBnCases;
  if (has("softmax"))
    return addLossCases;
  if (info(op).stream != Stream::Compute)
    return addRangeCases;
  return addLayerCases;
}

// Every test is a process of its own under CTest, so only its category is made.
const Cases &casesWith(Opcode op) {
  static std::map<AddCases, Cases> made;
  AddCases add = categoryOf(op);
  Cases &cases = made[add];
  if (cases.empty())
    add(cases);
  return cases;
}

std::vector<InPlace> inPlacePairs(Opcode op) {
  std::vector<InPlace> pairs;
  for (uint32_t out = 0; out < info(op).operand_count; ++out)
    for (uint32_t in = 0; in < info(op).operand_count; ++in)
      if (mayLieOn(info(op), out, in))
        pairs.push_back({static_cast<int>(in), static_cast<int>(out)});
  return pairs;
}

namespace {

bool written(const Case &c, size_t operand) {
  return info(c.op).operands[operand].access != Access::Read && c.operands[operand].present();
}

std::string place(const Case &c, size_t operand, int64_t element) {
  return c.name + ": operand " + info(c.op).operands[operand].name + ", element " +
         std::to_string(element);
}

std::string compareFloats(const Case &expected, const Case &got, size_t operand,
                          const Tolerance &t) {
  const Host &e = expected.operands[operand], &g = got.operands[operand];
  double largest = 0;
  for (int64_t i = 0; i < e.elements(); ++i)
    if (std::isfinite(e.f()[i]))
      largest = std::max(largest, std::fabs(double(e.f()[i])));
  for (int64_t i = 0; i < e.elements(); ++i) {
    double want = e.f()[i], have = g.f()[i];
    double allowed = t.element * std::fabs(want) + t.largest * largest + t.absolute;
    bool same = std::isfinite(want) ? std::fabs(have - want) <= allowed
                                    : have == want || (std::isnan(have) && std::isnan(want));
    if (!same)
      return place(expected, operand, i) + ": expected " + std::to_string(want) + ", but got " +
             std::to_string(have) + " (difference " + std::to_string((have - want) * 1e6) +
             "e-6, allowed " + std::to_string(allowed * 1e6) + "e-6)";
  }
  return std::string();
}

} // namespace

std::string compareBits(const Case &a, const Case &b) {
  for (size_t o = 0; o < a.operands.size(); ++o) {
    if (!written(a, o))
      continue;
    const Host &x = a.operands[o], &y = b.operands[o];
    int64_t size = dtypeBytes(x.dtype);
    for (int64_t i = 0; i < x.elements(); ++i)
      if (std::memcmp(&x.bytes[size_t(i * size)], &y.bytes[size_t(i * size)], size_t(size)))
        return place(a, o, i) + ": bits differ";
  }
  return std::string();
}

std::string compareWithin(const Case &expected, const Case &got) {
  Tolerance tolerance = toleranceFor(expected.op);
  for (size_t o = 0; o < expected.operands.size(); ++o) {
    if (!written(expected, o))
      continue;
    std::string difference;
    if (expected.operands[o].dtype == DType::F32) {
      difference = compareFloats(expected, got, o, tolerance);
    } else if (expected.operands[o].bytes != got.operands[o].bytes) {
      difference = expected.name + ": operand " + info(expected.op).operands[o].name + " differs";
    }
    if (!difference.empty())
      return difference;
  }
  return std::string();
}

std::vector<const Case *> ConformanceTest::cases() const {
  std::vector<const Case *> mine;
  for (const Case &c : casesWith(op()))
    if (c.op == op())
      mine.push_back(&c);
  return mine;
}

std::vector<Opcode> everyOp() {
  std::vector<Opcode> ops;
  for (uint32_t op = 0; op < kOpCount; ++op)
    ops.push_back(static_cast<Opcode>(op));
  return ops;
}

std::string conformanceName(const testing::TestParamInfo<std::tuple<Backend, Opcode>> &param) {
  const Backend &backend = std::get<0>(param.param);
  return backend.name + "_threads" + std::to_string(backend.threads) + "_slices" +
         std::to_string(backend.slices) + "_" + info(std::get<1>(param.param)).name;
}

} // namespace trk::test
