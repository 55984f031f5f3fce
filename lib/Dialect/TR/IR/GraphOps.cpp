// SPDX-License-Identifier: Apache-2.0
//
// Registration and verifiers of `tr.graph`. A verifier looks at its own op and the
// tables of plan_format.h and kernel_ops.def; what needs several ops at once
// (operand types, tensor ids) is checked by --tr-verify-graph.
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "renaissance/Target/PlanTables.h"

#include "llvm/ADT/TypeSwitch.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"

using namespace mlir;

void tr::TRDialect::registerGraphOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"
      >();
}

namespace tr::graph {
namespace {

constexpr int64_t kMaxExtent = int64_t(1) << 31;

LogicalResult checkAtLeast(Operation *op, StringRef what, int64_t value, int64_t least) {
  if (value >= least)
    return success();
  return op->emitOpError("expected ") << what << " >= " << least << ", but got " << value;
}

LogicalResult checkExtents(Operation *op, StringRef what, ArrayRef<int64_t> extents, size_t count) {
  if (extents.size() != count)
    return op->emitOpError("expected ")
           << count << " values for " << what << ", but got " << extents.size();
  for (int64_t extent : extents)
    if (extent < 1 || extent >= kMaxExtent)
      return op->emitOpError("expected ")
             << what << " in [1, " << kMaxExtent - 1 << "], but got " << extent;
  return success();
}

LogicalResult checkAligned(Operation *op, StringRef what, int64_t value) {
  if (value >= 0 && value % TRRT_PLAN_TENSOR_ALIGN == 0)
    return success();
  return op->emitOpError("expected ") << what << " to be a multiple of " << TRRT_PLAN_TENSOR_ALIGN
                                      << " and >= 0, but got " << value;
}

// A value of an optional-like enumeration of plan_format.h.
template <typename T>
FailureOr<T> checkName(Operation *op, StringRef what, StringRef name, std::optional<T> value) {
  if (value)
    return *value;
  return op->emitOpError("expected a ") << what << " of the plan format, but got '" << name << "'";
}

// The order of a program's ops; -1 for what does not belong there.
int getRank(Operation &op) {
  return llvm::TypeSwitch<Operation &, int>(op)
      .Case<VariantOp>([](auto) { return 0; })
      .Case<RegionOp>([](auto) { return 1; })
      .Case<LayerOp>([](auto) { return 2; })
      .Case<TensorOp>([](auto) { return 3; })
      .Case<ParamOp>([](auto) { return 4; })
      .Case<FusionOp>([](auto) { return 5; })
      .Case<SubgraphOp>([](auto) { return 6; })
      .Case<ScheduleOp>([](auto) { return 7; })
      .Case<AtlasOp>([](auto) { return 8; })
      .Default([](Operation &) { return -1; });
}

FailureOr<const plan::KernelInfo *> checkKernel(Operation *op, StringRef name, bool ranges) {
  std::optional<plan::Kernel> kernel = plan::symbolizeKernel(name);
  if (!kernel)
    return op->emitOpError("expected a kernel op of the table, but got '") << name << "'";
  const plan::KernelInfo &info = plan::getInfo(*kernel);
  if (info.hasRanges() != ranges)
    return op->emitOpError("expected a kernel op ")
           << (ranges ? "with" : "without") << " range operands, but got '" << name << "'";
  return &info;
}

// `ids` are the tensor operands, which the table lists among ranges.
LogicalResult checkTensorIds(Operation *op, const plan::KernelInfo &info, ArrayRef<int64_t> ids) {
  size_t next = 0;
  for (const plan::OperandInfo &operand : info.operands) {
    if (operand.range)
      continue;
    if (next < ids.size() && (ids[next] < -1 || (ids[next] == -1 && !operand.optional)))
      return op->emitOpError("expected a tensor id for operand '")
             << operand.name << "' of " << info.name << ", but got " << ids[next];
    ++next;
  }
  if (next == ids.size())
    return success();
  return op->emitOpError("expected ")
         << next << " tensor operands for " << info.name << ", but got " << ids.size();
}

LogicalResult checkValues(Operation *op, const plan::KernelInfo &info, DictionaryAttr values) {
  for (const plan::AttrInfo &attr : info.attrs) {
    Attribute value = values.get(attr.name);
    bool fits = attr.isFloat ? isa_and_nonnull<FloatAttr>(value)
                             : isa_and_nonnull<IntegerAttr>(value) &&
                                   cast<IntegerAttr>(value).getType().isInteger(64);
    if (fits && attr.isFloat)
      fits = cast<FloatAttr>(value).getType().isF64();
    if (!fits)
      return op->emitOpError("expected an ")
             << (attr.isFloat ? "f64" : "i64") << " value '" << attr.name << "' for " << info.name;
  }
  if (values.size() == info.attrs.size())
    return success();
  return op->emitOpError("expected ")
         << info.attrs.size() << " values for " << info.name << ", but got " << values.size();
}

// The one value that an attribute of the convolution may have; nullopt: any.
std::optional<int64_t> getRequired(plan::ConvAlgorithm algorithm, StringRef attr) {
  switch (algorithm) {
  case plan::ConvAlgorithm::Winograd: // transforms of 3x3 windows that touch each other
    return attr.starts_with("kernel") ? std::optional<int64_t>(3)
           : attr.starts_with("pad")  ? std::nullopt
                                      : std::optional<int64_t>(1);
  case plan::ConvAlgorithm::Pointwise:
    return attr.starts_with("kernel") || attr == "groups" ? std::optional<int64_t>(1)
           : attr.starts_with("pad")                      ? std::optional<int64_t>(0)
                                                          : std::nullopt;
  case plan::ConvAlgorithm::Auto:
  case plan::ConvAlgorithm::Direct:
    return std::nullopt;
  }
  return std::nullopt;
}

LogicalResult checkAlgorithm(ComputeOp op, bool isConv) {
  auto algorithm = plan::symbolizeConvAlgorithm(*op.getAlgorithm());
  if (failed(checkName(op, "convolution algorithm", *op.getAlgorithm(), algorithm)))
    return failure();
  if (!isConv)
    return op.emitOpError("expected no algorithm of ")
           << op.getKernel() << ", which is no convolution, but got " << *op.getAlgorithm();
  for (StringRef name : {"kernel_h", "kernel_w", "stride_h", "stride_w", "pad_h", "pad_w",
                         "dilation_h", "dilation_w", "groups"}) {
    std::optional<int64_t> required = getRequired(*algorithm, name);
    int64_t value = cast<IntegerAttr>(op.getValues().get(name)).getInt();
    if (required && value != *required)
      return op.emitOpError("expected ")
             << name << " " << *required << " with " << *op.getAlgorithm() << ", but got " << value;
  }
  return success();
}

} // namespace

LogicalResult ProgramOp::verify() {
  if (failed(checkAtLeast(*this, "classes", getClasses(), 1)))
    return failure();
  int last = 0;
  int64_t tensors = 0;
  for (Operation &op : getBody().front()) {
    int rank = getRank(op);
    if (rank < 0)
      return op.emitOpError("is not a part of a tr.graph.program");
    if (rank < last)
      return op.emitOpError("expected variants, regions, layers, tensors, params, fusions, "
                            "subgraphs, schedules and atlas in this order");
    last = rank;
    if (auto tensor = dyn_cast<TensorOp>(op); tensor && int64_t(tensor.getId()) != tensors++)
      return tensor.emitOpError("expected id ") << tensors - 1 << ", the position among the "
                                                << "tensors, but got " << tensor.getId();
  }
  return success();
}

LogicalResult VariantOp::verify() {
  if (getName().empty())
    return emitOpError("expected a name, but got an empty one");
  if (failed(checkExtents(*this, "batch", {int64_t(getBatch())}, 1)) ||
      failed(checkExtents(*this, "input", getInput(), 3)) ||
      failed(checkAtLeast(*this, "graph", getGraph(), 0)))
    return failure();
  return checkAtLeast(*this, "shape_id", getShapeId(), 0);
}

LogicalResult RegionOp::verify() {
  if (failed(checkName(*this, "region", getRegion(), plan::symbolizeRegion(getRegion()))) ||
      failed(checkAligned(*this, "offset", getOffset())))
    return failure();
  return checkAligned(*this, "bytes", getBytes());
}

LogicalResult TensorOp::verify() {
  auto region = checkName(*this, "region", getRegion(), plan::symbolizeRegion(getRegion()));
  auto dtype = checkName(*this, "dtype", getDtype(), plan::symbolizeDType(getDtype()));
  if (failed(region) || failed(dtype))
    return failure();
  if (!plan::fits(*dtype, *region))
    return emitOpError("expected ") << plan::stringify(plan::getDType(*region)) << " in region "
                                    << getRegion() << ", but got " << getDtype();
  if (getName().empty())
    return emitOpError("expected a name, but got an empty one");
  if (failed(checkAtLeast(*this, "layer", getLayer(), -1)))
    return failure();
  if (getShapes().empty())
    return emitOpError("expected a shape for each variant, but got none");
  for (Attribute attr : getShapes()) {
    auto shape = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!shape)
      return emitOpError("expected array<i64: n, h, w, c> in shapes, but got ") << attr;
    // A variant that does not use the tensor.
    bool unused =
        shape.size() == 4 && llvm::all_of(shape.asArrayRef(), [](int64_t dim) { return dim == 0; });
    if (unused && plan::isPooled(*region))
      continue;
    if (failed(checkExtents(*this, "shape", shape, 4)))
      return failure();
  }
  if (getSlot() && failed(checkAligned(*this, "slot", *getSlot())))
    return failure();
  return getOffset() ? checkAligned(*this, "offset", *getOffset()) : success();
}

LogicalResult ParamOp::verify() {
  if (getName().empty())
    return emitOpError("expected a name, but got an empty one");
  auto layout = plan::symbolizeParamLayout(getLayout());
  auto init = plan::symbolizeInit(getInit());
  if (failed(checkName(*this, "parameter layout", getLayout(), layout)) ||
      failed(checkName(*this, "rule of the first value", getInit(), init)) ||
      failed(checkAtLeast(*this, "tensor", getTensor(), 0)) ||
      failed(checkAtLeast(*this, "grad", getGrad(), -1)))
    return failure();
  double scale = getScale().convertToDouble();
  if (!(scale >= 0 && std::isfinite(scale)))
    return emitOpError("expected a finite scale >= 0, but got ") << scale;
  return checkExtents(*this, "logical", getLogical(), 4);
}

LogicalResult SubgraphOp::verify() {
  if (failed(checkName(*this, "subgraph", getName(), plan::symbolizeSubgraph(getName()))) ||
      failed(checkAtLeast(*this, "graph", getGraph(), 0)))
    return failure();
  Block &body = getBody().front();
  for (Operation &op : body)
    if (!isa<ComputeOp, RangeOp>(op))
      return op.emitOpError("is not a kernel op of tr.graph");
  if (body.empty() && !getReason())
    return emitOpError("expected a reason for an empty subgraph");
  if (!body.empty() && getReason())
    return emitOpError("expected no reason for a subgraph with kernel ops");
  return success();
}

LogicalResult ComputeOp::verify() {
  auto info = checkKernel(*this, getKernel(), /*ranges=*/false);
  if (failed(info) || failed(checkTensorIds(*this, **info, getTensors())) ||
      failed(checkAtLeast(*this, "layer", getLayer(), -1)))
    return failure();
  if (failed(checkValues(*this, **info, getValues())))
    return failure();
  return getAlgorithm() ? checkAlgorithm(*this, (*info)->isConv) : success();
}

LogicalResult RangeOp::verify() {
  auto info = checkKernel(*this, getKernel(), /*ranges=*/true);
  if (failed(info) || failed(checkTensorIds(*this, **info, getTensors())))
    return failure();
  size_t count = llvm::count_if((*info)->operands, [](auto &operand) { return operand.range; });
  if (getRanges().size() != count)
    return emitOpError("expected ")
           << count << " ranges for " << getKernel() << ", but got " << getRanges().size();
  for (Attribute attr : getRanges()) {
    auto pair = dyn_cast<ArrayAttr>(attr);
    if (!pair || pair.size() != 2 || !isa<StringAttr>(pair[0]) || !isa<StringAttr>(pair[1]))
      return emitOpError("expected [\"first region\", \"last region\"], but got ") << attr;
    std::optional<plan::Region> bounds[2];
    for (int i = 0; i < 2; ++i) {
      StringRef name = cast<StringAttr>(pair[i]).getValue();
      bounds[i] = plan::symbolizeRegion(name);
      if (failed(checkName(*this, "region", name, bounds[i])))
        return failure();
    }
    if (*bounds[0] > *bounds[1])
      return emitOpError("expected the first region not behind the last one, but got ") << attr;
  }
  return success();
}

LogicalResult ScheduleOp::verify() {
  if (failed(checkName(*this, "schedule", getName(), plan::symbolizeSchedule(getName()))) ||
      failed(checkAtLeast(*this, "graph", getGraph(), 0)))
    return failure();
  for (int64_t node : getNodes())
    if (failed(checkAtLeast(*this, "node", node, 0)))
      return failure();
  ArrayRef<int64_t> edges = getEdges();
  if (edges.size() % 2 != 0)
    return emitOpError("expected pairs of node positions in edges, but got ")
           << edges.size() << " values";
  for (size_t i = 0; i < edges.size(); i += 2)
    if (edges[i] < 0 || edges[i] >= edges[i + 1] || edges[i + 1] >= int64_t(getNodes().size()))
      return emitOpError("expected edges from an earlier to a later one of ")
             << getNodes().size() << " nodes, but got " << edges[i] << " -> " << edges[i + 1];
  return success();
}

LogicalResult AtlasOp::verify() {
  for (ArrayRef<int64_t> row : {getSubgraphs(), getCaptures()}) {
    if (row.size() != plan::kSubgraphCount)
      return emitOpError("expected ")
             << plan::kSubgraphCount << " entries, one for each subgraph, but got " << row.size();
    for (int64_t entry : row)
      if (failed(checkAtLeast(*this, "entry", entry, -1)))
        return failure();
  }
  for (auto [index, subgraph] : llvm::enumerate(getSubgraphs()))
    if ((subgraph < 0) != (getCaptures()[index] < 0))
      return emitOpError("expected a capture exactly where there is a subgraph, at entry ")
             << index;
  return success();
}

} // namespace tr::graph
