// SPDX-License-Identifier: Apache-2.0
//
// What ops of a program name is there. Passes over programs rely on it and look no id up in vain.
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tr;
using namespace tr::graph;

namespace {

class ProgramVerifier {
public:
  explicit ProgramVerifier(ProgramOp program) : program(program) {}

  LogicalResult run() {
    if (failed(collect()))
      return failure();
    for (auto verify : {&ProgramVerifier::checkTensors, &ProgramVerifier::checkBytes,
                        &ProgramVerifier::checkParams, &ProgramVerifier::checkSubgraphs,
                        &ProgramVerifier::checkSchedules, &ProgramVerifier::checkAtlas})
      if (failed((this->*verify)()))
        return failure();
    return success();
  }

private:
  LogicalResult collect();
  LogicalResult checkTensors();
  LogicalResult checkRun(TensorOp tensor);
  LogicalResult checkBytes();
  LogicalResult checkParams();
  LogicalResult checkSubgraphs();
  LogicalResult checkKernelOp(Operation *op);
  LogicalResult checkSchedules();
  LogicalResult checkAtlas();

  // In the words of the plan format's checks, which see the same fields.
  static LogicalResult checkId(Operation *op, const Twine &field, int64_t id, int64_t count,
                               StringRef nouns) {
    if (id < count)
      return success();
    return op->emitOpError(field) << ": expected one of " << count << " " << nouns << ", but got "
                                  << id;
  }
  int64_t countTensors() const { return static_cast<int64_t>(tensors.size()); }

  ProgramOp program;
  llvm::StringSet<> variantNames;
  std::vector<TensorOp> tensors;
  int64_t layerCount = 0, subgraphCount = 0, kernelOpCount = 0;
};

LogicalResult ProgramVerifier::collect() {
  for (Operation &op : program.getBody().front()) {
    if (auto variant = dyn_cast<VariantOp>(op)) {
      if (!variantNames.insert(variant.getName()).second)
        return variant.emitOpError("name: expected a name of its own, but got '")
               << variant.getName() << "' again";
    } else if (auto tensor = dyn_cast<TensorOp>(op)) {
      tensors.push_back(tensor);
    } else if (auto subgraph = dyn_cast<SubgraphOp>(op)) {
      ++subgraphCount;
      kernelOpCount += static_cast<int64_t>(subgraph.getBody().front().getOperations().size());
    }
    layerCount += isa<LayerOp>(op);
  }
  return success();
}

// A program without variants is still one whose tensors have equally many shapes.
LogicalResult ProgramVerifier::checkTensors() {
  for (auto [position, tensor] : llvm::enumerate(tensors)) {
    if (tensor.getId() != static_cast<int64_t>(position))
      return tensor.emitOpError("expected id ") << position << ", the position among the "
                                                << "tensors, but got " << tensor.getId();
    size_t count = variantNames.empty() ? tensors.front().getShapes().size() : variantNames.size();
    if (tensor.getShapes().size() != count)
      return tensor.emitOpError("expected ")
             << count << " shapes, one for each variant, but got " << tensor.getShapes().size();
    if (failed(checkId(tensor, "layer", tensor.getLayer(), layerCount, "layers")))
      return failure();
  }
  for (TensorOp tensor : tensors)
    if (tensor.getParent() && failed(checkRun(tensor)))
      return failure();
  return success();
}

// A run has the extents of its parent but for the channels, which lie in the parent's and are the
// same under all variants.
LogicalResult ProgramVerifier::checkRun(TensorOp tensor) {
  if (failed(checkId(tensor, "parent", *tensor.getParent(), countTensors(), "tensors")))
    return failure();
  TensorOp parent = tensors[*tensor.getParent()];
  if (parent.getParent() || parent.getRegion() != tensor.getRegion() ||
      parent.getDtype() != tensor.getDtype() || !tensor.getRegion().region.isPooled())
    return tensor.emitOpError("expected a parent in the same pooled region that is no run itself, "
                              "but got '")
           << parent.getName() << "'";
  int64_t channels = 0;
  for (auto [shape, whole] : llvm::zip_equal(tensor.getShapes().getAsRange<DenseI64ArrayAttr>(),
                                             parent.getShapes().getAsRange<DenseI64ArrayAttr>())) {
    ArrayRef<int64_t> dims = shape.asArrayRef(), of = whole.asArrayRef();
    if (dims[3] == 0)
      continue; // the variant does not use it
    channels = channels == 0 ? dims[3] : channels;
    if (dims.drop_back() != of.drop_back() || *tensor.getFirstChannel() + dims[3] > of[3] ||
        dims[3] != channels)
      return tensor.emitOpError("expected channels of '")
             << parent.getName() << "' of shape " << whole << ", but got " << shape;
  }
  return success();
}

// Of slots and of regions; what lies in one place counts twice.
LogicalResult ProgramVerifier::checkBytes() {
  int64_t slots = 0, regions = 0;
  for (Operation &op : program.getBody().front()) {
    if (auto tensor = dyn_cast<TensorOp>(op))
      slots += static_cast<int64_t>(tensor.getSlot().value_or(0));
    else if (auto region = dyn_cast<RegionOp>(op))
      regions += static_cast<int64_t>(region.getBytes());
    if (std::max(slots, regions) > kMostBytes)
      return op.emitOpError("expected at most ")
             << kMostBytes << " bytes up to here, but got " << std::max(slots, regions);
  }
  return success();
}

LogicalResult ProgramVerifier::checkParams() {
  for (auto param : program.getOps<ParamOp>())
    if (failed(checkId(param, "tensor", param.getTensor(), countTensors(), "tensors")) ||
        failed(checkId(param, "grad", param.getGrad(), countTensors(), "tensors")))
      return failure();
  return success();
}

LogicalResult ProgramVerifier::checkSubgraphs() {
  llvm::DenseMap<std::pair<int64_t, uint32_t>, SubgraphOp> seen;
  for (auto subgraph : program.getOps<SubgraphOp>()) {
    auto [known, isNew] = seen.insert(
        {{int64_t(subgraph.getGraph()), static_cast<uint32_t>(subgraph.getId())}, subgraph});
    if (!isNew) {
      InFlightDiagnostic error = subgraph.emitOpError("expected one subgraph '")
                                 << spell(subgraph.getId()) << "' in graph " << subgraph.getGraph()
                                 << ", but got a second one";
      error.attachNote(known->second.getLoc()) << "the first one is here";
      return error;
    }
    for (Operation &op : subgraph.getBody().front())
      if (failed(checkKernelOp(&op)))
        return failure();
  }
  return success();
}

LogicalResult ProgramVerifier::checkKernelOp(Operation *op) {
  auto compute = dyn_cast<ComputeOp>(op);
  if (compute && failed(checkId(op, "layer", compute.getLayer(), layerCount, "layers")))
    return failure();
  trf::Opcode kernel = compute ? compute.getKernel() : cast<RangeOp>(op).getKernel();
  ArrayRef<int64_t> ids = compute ? compute.getTensors() : cast<RangeOp>(op).getTensors();
  for (const trf::OperandInfo &operand : trf::info(kernel).operands) {
    if (operand.isRun())
      continue;
    if (failed(checkId(op, "(" + spell(kernel) + "), " + toRef(operand.name), ids.front(),
                       countTensors(), "tensors")))
      return failure();
    ids = ids.drop_front();
  }
  return success();
}

LogicalResult ProgramVerifier::checkSchedules() {
  for (auto schedule : program.getOps<ScheduleOp>())
    for (int64_t node : schedule.getNodes())
      if (node >= kernelOpCount)
        return schedule.emitOpError("expected kernel-op positions below ")
               << kernelOpCount << ", but got " << node;
  return success();
}

LogicalResult ProgramVerifier::checkAtlas() {
  for (auto atlas : program.getOps<AtlasOp>()) {
    if (!variantNames.contains(atlas.getVariant()))
      return atlas.emitOpError("expected the name of a variant, but got '")
             << atlas.getVariant() << "'";
    for (int64_t place : atlas.getSubgraphs())
      if (failed(checkId(atlas, "subgraphs", place, subgraphCount, "subgraphs")))
        return failure();
  }
  return success();
}

} // namespace

LogicalResult ProgramOp::verifyRegions() { return ProgramVerifier(*this).run(); }
