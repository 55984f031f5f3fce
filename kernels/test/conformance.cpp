// SPDX-License-Identifier: Apache-2.0
//
// Random operands, shapes and comparisons of the conformance suite.
#include "conformance.h"
#include "tolerances.h"

#include <cmath>
#include <map>
#include <ostream>

namespace trk::test {

void add(Cases &cases, const std::string &what, Invocation call) {
  std::string name(call.info().name);
  cases.push_back({what.empty() ? name : name + " " + what, std::move(call)});
}

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

const std::vector<Act> &allActivations() {
  static const std::vector<Act> all = [] {
    std::vector<Act> activations;
    for (const trf::ActivationRow &row : trf::kActivations) {
      activations.push_back(row.value);
      if (row.hasParameter())
        activations.push_back({row.value, 0.3f});
    }
    return activations;
  }();
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
  return pair("k", w.kernelH, w.kernelW) + pair(" s", w.strideH, w.strideW) +
         pair(" p", w.padH, w.padW) + pair(" d", w.dilationH, w.dilationW) + " g" +
         std::to_string(w.groups) + pair(" more", w.moreH, w.moreW) + (w.ceil ? " ceil" : "") +
         (w.countPad ? " count" : "");
}

static AddCases categoryOf(Opcode op) {
  std::string_view name = trf::name(op);
  auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  for (std::string_view part : {"prelu_", "scale_", "layer_norm_", "group_norm_", "drop_mask",
                                "bn_cumulate", "bn_apply_gap", "gate_bwd"})
    if (has(part))
      return addFactorCases;
  for (std::string_view part : {"global_", "adaptive_", "upsample_", "bias_", "channel_place",
                                "channel_take", "channel_shuffle"})
    if (has(part))
      return addShapeCases;
  if (has("pool") || has("gap_"))
    return addPoolCases;
  if (has("conv_"))
    return addConvCases;
  if (has("bn_") || has("join_"))
    return addBnCases;
  if (has("softmax"))
    return addLossCases;
  if (trf::info(op).stream != trf::Stream::Compute)
    return addRangeCases;
  return addLayerCases;
}

// The category that `op` belongs to. Many runs are of a few tests, so no other one is made.
static const Cases &casesWith(Opcode op) {
  static std::map<AddCases, Cases> made;
  AddCases addAll = categoryOf(op);
  Cases &cases = made[addAll];
  if (cases.empty())
    addAll(cases);
  return cases;
}

std::vector<const Case *> casesOf(const KernelId &id) {
  std::vector<const Case *> mine;
  for (const Case &c : casesWith(id.op))
    if (c.call.op == id.op && c.call.instance == id.instance)
      mine.push_back(&c);
  return mine;
}

std::string KernelId::name() const {
  return std::string(info().name).append("_").append(trf::name(instance));
}

void PrintTo(const KernelId &id, std::ostream *os) { *os << id.name(); }

std::vector<KernelId> kernelsOf(std::string_view library) {
  KernelTable table;
  findLibrary(library)->fill(table);
  std::vector<KernelId> kernels;
  for (const trf::OpInfo &op : trf::kOps)
    for (const trf::InstanceRow &instance : trf::kInstances)
      if (table.at(op.opcode, instance.value).run)
        kernels.push_back({op.opcode, instance.value});
  return kernels;
}

std::vector<InPlace> inPlacePairs(Opcode op) {
  std::vector<InPlace> pairs;
  const auto &operands = trf::info(op).operands;
  for (uint32_t out = 0; out < operands.size(); ++out)
    for (uint32_t in = 0; in < operands.size(); ++in)
      if (operands[out].mayLieOn(in))
        pairs.push_back({static_cast<int>(in), static_cast<int>(out)});
  return pairs;
}

bool mayShare(Invocation call, const InPlace &pair) {
  call.makeOutputs();
  const Host &in = call[pair.in], &out = call[pair.out];
  return in.present() && out.present() && in.elements() == out.elements();
}

namespace {

// Whether the operand of this call may be a run of channels. A copy to another shape has none.
bool mayBeRun(const Invocation &call, size_t operand) {
  for (size_t i = 0; i < call.operands.size(); ++i)
    if (call.row(i).dims.rule == trf::DimsRule::Count &&
        call.operands[i].dims != call.operands[call.row(i).dims.first].dims)
      return false;
  return call.row(operand).takesPitch() && call.operands[operand].present();
}

// Some channels on both sides; sometimes so many that pixels are whole vectors apart.
Margin anyMargin(int64_t c, Data &data) {
  Margin margin{data.next() % 20, data.next() % 20 + 1};
  if (data.next() % 3 == 0)
    margin.after = 32 - (margin.before + c) % 32;
  return margin;
}

} // namespace

std::vector<RunOptions> channelRuns(Invocation call, Data &data) {
  call.makeOutputs();
  std::vector<RunOptions> runs;
  RunOptions all;
  all.usedState = true;
  all.margins.resize(call.operands.size());
  for (size_t i = 0; i < call.operands.size(); ++i) {
    if (!mayBeRun(call, i))
      continue;
    runs.emplace_back().margins.resize(call.operands.size());
    runs.back().margins[i] = anyMargin(call.operands[i].dims[3], data);
    all.margins[i] = anyMargin(call.operands[i].dims[3], data);
  }
  if (!runs.empty())
    runs.push_back(all);
  return runs;
}

namespace {

std::string place(const Case &c, size_t operand, int64_t element) {
  return c.name + ": operand " + std::string(c.call.row(operand).name) + ", element " +
         std::to_string(element);
}

std::string compareFloats(const Case &expected, const Case &got, size_t operand,
                          const Tolerance &t) {
  const Host &e = expected.call.operands[operand], &g = got.call.operands[operand];
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
  for (size_t o = 0; o < a.call.operands.size(); ++o) {
    if (!a.call.writes(o))
      continue;
    const Host &x = a.call.operands[o], &y = b.call.operands[o];
    int64_t size = trf::bytesOf(x.dtype);
    for (int64_t i = 0; i < x.elements(); ++i)
      if (std::memcmp(&x.bytes[size_t(i * size)], &y.bytes[size_t(i * size)], size_t(size)))
        return place(a, o, i) + ": bits differ";
  }
  return std::string();
}

std::string compareWithin(const Case &expected, const Case &got) {
  Tolerance tolerance = toleranceFor(expected.call.op);
  for (size_t o = 0; o < expected.call.operands.size(); ++o) {
    if (!expected.call.writes(o))
      continue;
    std::string difference;
    if (expected.call.operands[o].dtype == DType::F32) {
      difference = compareFloats(expected, got, o, tolerance);
    } else if (expected.call.operands[o].bytes != got.call.operands[o].bytes) {
      difference =
          expected.name + ": operand " + std::string(expected.call.row(o).name) + " differs";
    }
    if (!difference.empty())
      return difference;
  }
  return std::string();
}

std::string
conformanceName(const testing::TestParamInfo<std::tuple<LibrarySetup, KernelId>> &param) {
  const LibrarySetup &setup = std::get<0>(param.param);
  return setup.name() + "_threads" + std::to_string(setup.threads) + "_slices" +
         std::to_string(setup.slices) + "_" + std::get<1>(param.param).name();
}

} // namespace trk::test
