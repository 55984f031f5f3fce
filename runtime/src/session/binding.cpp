// SPDX-License-Identifier: Apache-2.0
//
// How a session is made: checks, the arena, bound calls, captured schedules.
#include "session/session.h"

#include "base/status.h"
#include "base/text.h"
#include "session/memory.h"
#include "session/param_layout.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

namespace trrt {

static constexpr trk::DType kRegionDTypes[] = {
#define X(name, spelling, dtype, life, purpose) trk::DType::dtype,
    TRRT_REGIONS(X)
#undef X
};

static const char *const kHalfNames[2][3] = {{"data_a", "label_a", "valid_a"},
                                             {"data_b", "label_b", "valid_b"}};
static constexpr Region kHalfRegions[2][2] = {{Region::IALabel, Region::IAData},
                                              {Region::IBLabel, Region::IBData}};

static std::string layerName(const Plan &plan, uint32_t layer) {
  return layer == kNone ? std::string() : " (layer " + printable(plan.layers[layer].path) + ")";
}

Session::Session(std::shared_ptr<const Plan> plan, std::unique_ptr<Backend> backend, Debug debug)
    : thePlan(std::move(plan)), device(std::move(backend)), debug(debug) {
  checkPlan();
  checkIsa();
  checkKernels();
  const uint64_t stagingBytes = halfBytes(0) + halfBytes(1);
  requireMemory(*thePlan, *device, stagingBytes);
  arena = device->allocateArena(thePlan->arena_bytes);
  makeHalf(0);
  makeHalf(1);
  bindSubgraphs();
  requireMemory(*thePlan, *device, stagingBytes); // now with scratch
  device->finishBinding();
  captureSchedules();
}

static void require(bool holds, const std::string &what) {
  if (!holds)
    throw Error(TRRT_INVALID_FILE, "the plan cannot be run: " + what);
}

// Input tensor `part` (images, labels, valid count) of a half.
static void checkInput(const Plan &plan, int half, int part) {
  const std::string name = kHalfNames[half][part];
  const uint32_t id = plan.findTensor(name);
  require(id != kNone, "it has no tensor '" + name + "'");
  const TensorInfo &info = plan.tensors[id];
  require(info.dtype == (part == 0 ? trk::DType::F32 : trk::DType::I32) &&
              info.region == kHalfRegions[half][part == 0],
          "tensor '" + name + "' has another type or region than expected");
  for (uint32_t v = 0; v < plan.variants.size(); ++v) {
    const Variant &variant = plan.variants[v];
    const Dims images = {variant.batch, variant.height, variant.width, variant.channels};
    const Dims expected = part == 0   ? images
                          : part == 1 ? Dims{variant.batch, 1, 1, 1}
                                      : Dims{1, 1, 1, 1};
    require(plan.shape(id, v) == expected,
            "tensor '" + name + "' does not have the shape of variant " + variant.name);
  }
}

// The tensors that a session reads and writes by itself. That offsets, shapes and
// ids are in range was checked when the plan was read.
void Session::checkPlan() const {
  const Plan &plan = *thePlan;
  require(!plan.variants.empty(), "it has no variant");
  for (int half = 0; half < 2; ++half)
    for (int part = 0; part < 3; ++part)
      checkInput(plan, half, part);
  for (const Param &param : plan.params) {
    const std::string error = checkLayout(param, plan.shape(param.tensor, 0));
    require(error.empty(), error);
    require(plan.tensors[param.tensor].dtype == trk::DType::F32 &&
                (param.grad == kNone || plan.shape(param.grad, 0) == plan.shape(param.tensor, 0)),
            "parameter '" + param.name + "' and its gradient do not fit");
  }
}

void Session::checkIsa() const {
  const trk::Isa has = device->isa(), needs = thePlan->isa;
  if (needs <= has)
    return;
  const auto name = [](trk::Isa isa) {
    return std::string(trk::kIsaNames[static_cast<size_t>(isa)]);
  };
  const std::string target = "compile with --target " + name(has);
  throw Error(TRRT_UNSUPPORTED, "the plan was compiled for " + name(needs) + ", but this CPU has " +
                                    (has == trk::Isa::Any ? "less than " + name(trk::Isa::V3) +
                                                                "; run it on backend 'reference'"
                                                          : name(has) + "; " + target));
}

void Session::checkKernels() const {
  const Plan &plan = *thePlan;
  std::string missing;
  std::set<trk::Opcode> seen;
  for (const SubgraphInfo &record : plan.subgraphs)
    for (uint32_t i = record.first_op; i < record.first_op + record.op_count; ++i) {
      const Op &op = plan.ops[i];
      if (!device->hasKernel(op.opcode) && seen.insert(op.opcode).second)
        missing += std::string(missing.empty() ? "" : ", ") + "'" + trk::info(op.opcode).name +
                   "'" + layerName(plan, op.layer);
    }
  if (!missing.empty())
    throw Error(TRRT_UNSUPPORTED, std::string("backend '") + device->name() +
                                      "' has no kernel for " + missing +
                                      "; run the plan on another backend");
}

uint64_t Session::halfBytes(int half) const {
  const RegionExtent &first = thePlan->regions[static_cast<size_t>(kHalfRegions[half][0])];
  const RegionExtent &last = thePlan->regions[static_cast<size_t>(kHalfRegions[half][1])];
  return last.offset + last.bytes - first.offset;
}

// The staging block has the bytes of the half's regions, so that one copy fills them.
void Session::makeHalf(int half) {
  const Plan &plan = *thePlan;
  const RegionExtent &first = plan.regions[static_cast<size_t>(kHalfRegions[half][0])];
  staging[half] = device->allocateStaging(halfBytes(half));
  const auto at = [&](const char *name) {
    return staging[half] + (plan.tensors[plan.findTensor(name)].offset - first.offset);
  };
  halves[half].images = reinterpret_cast<float *>(at(kHalfNames[half][0]));
  halves[half].labels = reinterpret_cast<int32_t *>(at(kHalfNames[half][1]));
  halves[half].valid = reinterpret_cast<int32_t *>(at(kHalfNames[half][2]));
}

trk::Tensor Session::rangeTensor(const Range &range) const {
  const RegionExtent &first = thePlan->regions[static_cast<size_t>(range.first)];
  const RegionExtent &last = thePlan->regions[static_cast<size_t>(range.last)];
  trk::Tensor tensor;
  tensor.data = arena + first.offset;
  tensor.dtype = kRegionDTypes[static_cast<size_t>(range.first)];
  const uint64_t bytes = last.offset + last.bytes - first.offset;
  const int64_t elements = static_cast<int64_t>(bytes) / trk::dtypeBytes(tensor.dtype);
  tensor.dims[0] = tensor.dims[1] = tensor.dims[2] = 1;
  tensor.dims[3] = elements;
  return tensor;
}

// Where in the staging block of its half a transfer to `range` begins.
const void *Session::stagingOf(const Range &range) const {
  const int half = range.first >= Region::IBLabel;
  if (range.first < kHalfRegions[half][0] || range.last > kHalfRegions[half][1])
    throw Error(TRRT_INVALID_FILE,
                "the plan cannot be run: a transfer leaves the regions of its input half");
  const RegionExtent &base = thePlan->regions[static_cast<size_t>(kHalfRegions[half][0])];
  return staging[half] + (thePlan->regions[static_cast<size_t>(range.first)].offset - base.offset);
}

CallSpec Session::resolve(const Op &op, uint32_t variant) const {
  const Plan &plan = *thePlan;
  const trk::OpInfo &info = trk::info(op.opcode);
  CallSpec spec;
  spec.op = op.opcode;
  spec.algorithm = op.algorithm;
  spec.slices = static_cast<int>(plan.slices);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const uint32_t id = op.operands[i];
    trk::Tensor tensor;
    if (id != kNone && info.operands[i].range) {
      tensor = rangeTensor(plan.ranges[id]);
      if (op.opcode == trk::Opcode::range_h2d)
        spec.staging = stagingOf(plan.ranges[id]);
    } else if (id != kNone) {
      tensor.data = arena + plan.tensors[id].offset;
      tensor.dtype = plan.tensors[id].dtype;
      const Dims &dims = plan.shape(id, variant);
      std::copy(dims.begin(), dims.end(), tensor.dims);
    }
    spec.operands.push_back(tensor);
  }
  for (const uint64_t bits : op.attrs) {
    static_assert(sizeof(trk::Attr) == sizeof(bits), "attributes are 64 bits");
    trk::Attr attr;
    std::memcpy(&attr, &bits, sizeof(attr));
    spec.attrs.push_back(attr);
  }
  return spec;
}

// oneDNN's fallbacks for shapes that it has no kernel for.
void Session::noteSlow(const Op &op, CallId call) {
  if (trk::info(op.opcode).flops != trk::kFlopsConv || op.layer == kNone)
    return;
  const std::string name = device->implementation(call);
  const char *kind = name.rfind("ref", 0) == 0    ? "reference"
                     : name.rfind("gemm", 0) == 0 ? "gemm"
                                                  : nullptr;
  if (kind && slowLayers.insert(op.layer).second)
    std::fprintf(stderr, "warning: layer %s: %s runs on oneDNN's slow %s implementation (%s)\n",
                 printable(thePlan->layers[op.layer].path).c_str(), trk::info(op.opcode).name, kind,
                 name.c_str());
}

void Session::bindSubgraphs() {
  const Plan &plan = *thePlan;
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    for (uint32_t s = 0; s < TRRT_SUBGRAPH_COUNT; ++s) {
      const AtlasEntry &entry = plan.atlas[size_t{v} * TRRT_SUBGRAPH_COUNT + s];
      if (entry.subgraph_record == kNone || bound.count(entry.capture))
        continue;
      const SubgraphInfo &record = plan.subgraphs[entry.subgraph_record];
      BoundSubgraph &result = bound[entry.capture];
      result.firstOp = record.first_op;
      for (uint32_t i = record.first_op; i < record.first_op + record.op_count; ++i) {
        std::string error;
        result.calls.push_back(device->bind(resolve(plan.ops[i], v), error));
        if (error.empty())
          noteSlow(plan.ops[i], result.calls.back());
        else
          throw Error(TRRT_UNSUPPORTED, std::string("backend '") + device->name() +
                                            "' cannot run '" + trk::info(plan.ops[i].opcode).name +
                                            "'" + layerName(plan, plan.ops[i].layer) + ": " +
                                            error);
      }
    }
}

// Variants that coincide have equal lists, and so one capture.
CaptureId Session::captureOnce(const std::vector<CallId> &calls) {
  const auto [found, isNew] = captured.try_emplace(calls, kNoCapture);
  if (isNew)
    found->second = device->capture(calls);
  return found->second;
}

// kNoCapture where the variant does not run one of the schedule's subgraphs.
CaptureId Session::captureSchedule(uint32_t variant, const Schedule &schedule) {
  const Plan &plan = *thePlan;
  std::vector<CallId> calls;
  calls.reserve(schedule.nodes.size());
  for (const ScheduleNode &node : schedule.nodes) {
    const AtlasEntry &entry =
        plan.atlas[size_t{variant} * TRRT_SUBGRAPH_COUNT + static_cast<uint32_t>(node.subgraph)];
    if (entry.subgraph_record == kNone)
      return kNoCapture;
    const BoundSubgraph &subgraph = bound.at(entry.capture);
    if (node.op < subgraph.firstOp || node.op - subgraph.firstOp >= subgraph.calls.size())
      throw Error(TRRT_INVALID_FILE,
                  "the plan cannot be run: a schedule names an op outside its subgraph");
    calls.push_back(subgraph.calls[node.op - subgraph.firstOp]);
  }
  const CaptureId capture = captureOnce(calls);
  if (debug == Debug::Poison && !poisoned.count(capture)) {
    std::vector<CaptureId> nodes;
    for (const CallId call : calls)
      nodes.push_back(device->capture({call}));
    poisoned.emplace(capture, PoisonedSteps(plan, schedule, std::move(nodes)));
  }
  return capture;
}

void Session::captureSubgraph(Subgraph subgraph, std::vector<CaptureId> &perVariant) {
  for (uint32_t v = 0; v < thePlan->variants.size(); ++v) {
    const AtlasEntry &entry =
        thePlan->atlas[size_t{v} * TRRT_SUBGRAPH_COUNT + static_cast<uint32_t>(subgraph)];
    perVariant.push_back(
        entry.subgraph_record == kNone ? kNoCapture : captureOnce(bound.at(entry.capture).calls));
  }
}

void Session::captureSchedules() {
  schedules.resize(thePlan->variants.size());
  for (uint32_t v = 0; v < thePlan->variants.size(); ++v) {
    schedules[v].fill(kNoCapture);
    for (const Schedule &schedule : thePlan->schedules)
      if (schedule.graph == thePlan->variants[v].graph)
        schedules[v][static_cast<size_t>(schedule.kind)] = captureSchedule(v, schedule);
  }
  captureSubgraph(Subgraph::UpdateBnInfParams, foldCaptures);
  captureSubgraph(Subgraph::ClearMetrics, clearCaptures);
}

} // namespace trrt
