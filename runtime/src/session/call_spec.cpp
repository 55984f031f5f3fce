// SPDX-License-Identifier: Apache-2.0
//
// Places of tensors and of runs of regions.
#include "session/call_spec.h"

namespace trrt {

using namespace trf;

OperandSpec placeOf(const Plan &plan, uint32_t tensor, uint32_t variant) {
  const TensorInfo &info = plan.tensors[tensor];
  OperandSpec spec;
  spec.dtype = info.dtype;
  spec.dims = plan.shape(tensor, variant);
  spec.pitch = plan.shape(plan.rootOf(tensor), variant)[3];
  spec.offset = info.offset + info.first_channel * static_cast<uint64_t>(bytesOf(info.dtype));
  return spec;
}

static OperandSpec placeOf(const Plan &plan, const Range &range) {
  const RegionInfo &first = plan.regions[range.first];
  OperandSpec spec;
  spec.dtype = first.dtype.value_or(DType::U8);
  spec.pitch = static_cast<int64_t>(plan.bytesOf(range)) / bytesOf(spec.dtype);
  spec.dims = {1, 1, 1, spec.pitch};
  spec.offset = first.offset;
  return spec;
}

CallSpec resolveCall(const Plan &plan, const Op &op, uint32_t variant, const InputHalves &halves) {
  const OpInfo &info = op.info();
  CallSpec spec;
  spec.op = op.opcode;
  spec.instance = op.instance;
  spec.attrs = op.attrs;
  spec.algorithm = op.algorithm;
  spec.slices = static_cast<int>(plan.slices);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const uint32_t id = op.operands[i];
    if (id == kNone)
      spec.operands.emplace_back();
    else if (info.operands[i].isRun())
      spec.operands.push_back(placeOf(plan, plan.ranges[id]));
    else
      spec.operands.push_back(placeOf(plan, id, variant));
  }
  if (info.stream == Stream::Transfer) {
    const Range &range = plan.ranges[op.operands[ops::range_h2d::dst]];
    spec.staging = halves[plan.regions[range.first].region.row().half].stagingOf(plan, range);
  }
  return spec;
}

} // namespace trrt
