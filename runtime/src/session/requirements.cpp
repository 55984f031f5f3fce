// SPDX-License-Identifier: Apache-2.0
//
// One line for each reason why a plan cannot be run here.
#include "session/requirements.h"

#include "base/status.h"
#include "base/text.h"
#include "plan/param_layout.h"
#include "session/input_half.h"

#include <set>

namespace trrt {

using namespace trf;

std::string layerText(const Plan &plan, uint32_t layer) {
  return layer == kNone ? std::string() : " (layer " + printable(plan.layers[layer].path) + ")";
}

static void require(bool holds, const std::string &what) {
  if (!holds)
    throw Error(TRRT_INVALID_FILE, "the plan cannot be run: " + what);
}

// Its extents are those that the row of the shared tensor says, which may need the variant's.
static Dims expectedDims(const SharedTensorRow &tensor, const Variant &variant) {
  switch (tensor.extents) {
  case SharedExtents::Images:
    return {variant.batch, variant.height, variant.width, variant.channels};
  case SharedExtents::Samples:
    return {variant.batch, 1, 1, 1};
  default:
    return {1, 1, 1, 1};
  }
}

static void requireInput(const Plan &plan, const SharedTensorRow &tensor) {
  const std::string name = "tensor '" + std::string(tensor.name) + "'";
  const uint32_t id = plan.findTensor(tensor.value);
  require(id != kNone, "it has no " + name);
  const TensorInfo &info = plan.tensors[id];
  require(info.dtype == tensor.dtype && plan.regionOf(info).region == Region{tensor.role},
          name + " has another type or region than expected");
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    require(plan.shape(id, v) == expectedDims(tensor, plan.variants[v]),
            name + " does not have the shape of variant " + plan.variants[v].name);
}

void requireInputs(const Plan &plan) {
  require(!plan.variants.empty(), "it has no variant");
  for (const Half half : kHalves) {
    const HalfTensors tensors = tensorsOf(half);
    for (const SharedTensor tensor : {tensors.images, tensors.labels, tensors.valid})
      requireInput(plan, row(tensor));
  }
}

void requireParameters(const Plan &plan) {
  for (const Param &param : plan.params) {
    const std::string error = checkLayout(param, plan.shape(param.tensor, 0));
    require(error.empty(), error);
    require(plan.tensors[param.tensor].dtype == DType::F32 &&
                (param.grad == kNone || plan.shape(param.grad, 0) == plan.shape(param.tensor, 0)),
            "parameter '" + param.name + "' and its gradient do not fit");
  }
}

// A device that has nothing that a target could ask for is named by what it lacks first.
static std::string abilityText(Target has, Target needs) {
  if (row(has).rank != 0)
    return std::string(name(has));
  Target least = needs;
  for (const TargetRow &target : kTargets)
    if (target.device == row(needs).device && target.rank > 0 && target.rank < row(least).rank)
      least = target.value;
  return "less than " + std::string(name(least));
}

void requireTarget(const Plan &plan, const Device &device) {
  const Target has = device.target();
  if (covers(has, plan.target))
    return;
  const std::string advice = row(has).rank == 0 ? "run it on device 'reference'"
                                                : "compile with --target " + std::string(name(has));
  throw Error(TRRT_UNSUPPORTED, "the plan was compiled for " + std::string(name(plan.target)) +
                                    ", but this " + std::string(row(row(has).device).noun) +
                                    " has " + abilityText(has, plan.target) + "; " + advice);
}

void requireKernels(const Plan &plan, const Device &device) {
  std::vector<std::string> missing;
  std::set<Opcode> seen;
  for (const SubgraphInfo &record : plan.subgraphs)
    for (uint32_t i = record.first_op; i < record.first_op + record.op_count; ++i) {
      const Op &op = plan.ops[i];
      if (!device.hasKernel(op.opcode, op.instance) && seen.insert(op.opcode).second)
        missing.push_back("'" + std::string(op.info().name) + "'" + layerText(plan, op.layer));
    }
  if (!missing.empty())
    throw Error(TRRT_UNSUPPORTED, "device '" + device.name() + "' has no kernel for " +
                                      joined(missing, ", ") + "; run the plan on another device");
}

} // namespace trrt
