// SPDX-License-Identifier: Apache-2.0
//
// Registration and verifiers of `tr.graph`. A verifier here looks at its own op and
// the tables of the plan format; ids are checked where all ops are known, in ProgramVerifier.cpp.
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "SymbolName.h"

#include "trf/plan_format.h"
#include "trf/shape_rules.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static ParseResult parseRanges(OpAsmParser &parser, ArrayAttr &ranges);
static void printRanges(OpAsmPrinter &printer, Operation *, ArrayAttr ranges);

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"

void tr::TRDialect::registerGraphOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"
      >();
}

namespace tr::graph {
namespace {

// Ids, numbers of graphs and the like.
LogicalResult checkAtLeast(Operation *op, StringRef what, int64_t value, int64_t least) {
  if (value < least)
    return op->emitOpError("expected ") << what << " >= " << least << ", but got " << value;
  if (value > kMostExtent)
    return op->emitOpError("expected ") << what << " <= " << kMostExtent << ", but got " << value;
  return success();
}

LogicalResult checkExtents(Operation *op, StringRef what, ArrayRef<int64_t> extents, size_t count) {
  if (extents.size() != count)
    return op->emitOpError("expected ")
           << count << " values for " << what << ", but got " << extents.size();
  for (int64_t extent : extents)
    if (extent < 1 || extent > kMostExtent)
      return op->emitOpError("expected ")
             << what << " in [1, " << kMostExtent << "], but got " << extent;
  return success();
}

// So few that byte counts stay far from overflow.
LogicalResult checkElements(TensorOp tensor, DenseI64ArrayAttr shape) {
  constexpr int64_t kMostElements = int64_t(1) << 48;
  int64_t elements = 1;
  for (int64_t dim : shape.asArrayRef())
    if (llvm::MulOverflow(elements, dim, elements) || elements > kMostElements)
      return tensor.emitOpError("expected at most ")
             << kMostElements << " elements, but got shape " << shape;
  return success();
}

LogicalResult checkAligned(Operation *op, StringRef what, int64_t value) {
  if (value > kMostBytes)
    return op->emitOpError("expected ")
           << what << " of at most " << kMostBytes << " bytes, but got " << value;
  if (value >= 0 && value % TRF_TENSOR_ALIGN == 0)
    return success();
  return op->emitOpError("expected ")
         << what << " to be a multiple of " << TRF_TENSOR_ALIGN << " and >= 0, but got " << value;
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

LogicalResult checkKernel(Operation *op, const trf::OpInfo &info, bool ranges) {
  if (info.hasRuns() == ranges)
    return success();
  return op->emitOpError("expected a kernel op ")
         << (ranges ? "with" : "without") << " range operands, but got '" << toRef(info.name)
         << "'";
}

// `ids` are the tensor operands, which the table lists among ranges.
LogicalResult checkTensorIds(Operation *op, const trf::OpInfo &info, ArrayRef<int64_t> ids) {
  size_t next = 0;
  for (const trf::OperandInfo &operand : info.operands) {
    if (operand.isRun())
      continue;
    if (next < ids.size() &&
        (ids[next] < -1 || ids[next] > kMostExtent || (ids[next] == -1 && !operand.isOptional())))
      return op->emitOpError("expected a tensor id for operand '")
             << toRef(operand.name) << "' of " << toRef(info.name) << ", but got " << ids[next];
    ++next;
  }
  if (next == ids.size())
    return success();
  return op->emitOpError("expected ")
         << next << " tensor operands for " << toRef(info.name) << ", but got " << ids.size();
}

LogicalResult checkRange(Operation *op, const trf::AttrInfo &attr, Attribute value) {
  auto fail = [&]() -> InFlightDiagnostic {
    return op->emitOpError("expected ") << toRef(attr.name) << " in ";
  };
  if (attr.isFloat()) {
    double real = cast<FloatAttr>(value).getValueAsDouble();
    if (real >= attr.leastReal && real <= attr.mostReal)
      return success();
    return fail() << "[" << attr.leastReal << ", " << attr.mostReal << "], but got " << real;
  }
  int64_t integer = cast<IntegerAttr>(value).getInt();
  if (attr.type == trf::AttrType::Act) {
    trf::ActAttr act;
    act.bits = integer;
    if (act.rowNumber() < trf::kCount<Activation> && Act(act).isValid())
      return success();
    return op->emitOpError("expected an activation for ")
           << toRef(attr.name) << ", but got " << integer;
  }
  int64_t most = attr.type == trf::AttrType::Enum ? attr.high - 1 : attr.high;
  if (integer >= attr.low && integer <= most)
    return success();
  return fail() << "[" << attr.low << ", " << most << "], but got " << integer;
}

LogicalResult checkValues(Operation *op, const trf::OpInfo &info, DictionaryAttr values) {
  size_t present = 0;
  for (const trf::AttrInfo &attr : info.attrs) {
    Attribute value = values.get(toRef(attr.name));
    if (!value && attr.isLater())
      continue;
    ++present;
    bool fits = attr.isFloat() ? isa_and_nonnull<FloatAttr>(value)
                               : isa_and_nonnull<IntegerAttr>(value) &&
                                     cast<IntegerAttr>(value).getType().isInteger(64);
    if (fits && attr.isFloat())
      fits = cast<FloatAttr>(value).getType().isF64();
    if (!fits)
      return op->emitOpError("expected an ") << (attr.isFloat() ? "f64" : "i64") << " value '"
                                             << toRef(attr.name) << "' for " << toRef(info.name);
    if (failed(checkRange(op, attr, value)))
      return failure();
  }
  if (values.size() == present)
    return success();
  return op->emitOpError("expected ")
         << present << " values for " << toRef(info.name) << ", but got " << values.size();
}

LogicalResult checkAlgorithm(ComputeOp op) {
  trf::ConvAlgorithm algorithm = *op.getAlgorithm();
  if (!trf::info(op.getKernel()).isConv())
    return op.emitOpError("expected no algorithm of ")
           << spell(op.getKernel()) << ", which is no convolution, but got " << spell(algorithm);
  for (StringRef name : {"kernel_h", "kernel_w", "stride_h", "stride_w", "pad_h", "pad_w",
                         "pad_more_h", "pad_more_w", "dilation_h", "dilation_w", "groups"}) {
    std::optional<int64_t> required = trf::requiredAttr(algorithm, toView(name));
    int64_t value = getInt(op, name);
    if (required && value != *required)
      return op.emitOpError("expected ")
             << name << " " << *required << " with " << spell(algorithm) << ", but got " << value;
  }
  return success();
}

} // namespace

DictionaryAttr makeValues(Builder &builder, const trf::OpInfo &info, ArrayRef<trf::Attr> attrs) {
  SmallVector<NamedAttribute, 12> values;
  for (auto [attr, value] : llvm::zip_equal(info.attrs, attrs)) {
    if (trf::isAsMissing(attr, value))
      continue;
    Attribute typed = attr.isFloat() ? Attribute(builder.getF64FloatAttr(value.f))
                                     : Attribute(builder.getI64IntegerAttr(value.i));
    values.push_back(builder.getNamedAttr(toRef(attr.name), typed));
  }
  return builder.getDictionaryAttr(values);
}

Attribute getValue(ComputeOp op, const trf::AttrInfo &attr) {
  Attribute value = op.getValues().get(toRef(attr.name));
  if (value || !attr.isLater())
    return value;
  Builder builder(op.getContext());
  const trf::Attr missing = trf::missingAttr(attr);
  return attr.isFloat() ? Attribute(builder.getF64FloatAttr(missing.f))
                        : Attribute(builder.getI64IntegerAttr(missing.i));
}

int64_t getInt(ComputeOp op, StringRef name) {
  for (const trf::AttrInfo &attr : trf::info(op.getKernel()).attrs)
    if (toRef(attr.name) == name)
      return cast<IntegerAttr>(getValue(op, attr)).getInt();
  llvm_unreachable("the kernel op has the attribute");
}

LogicalResult ProgramOp::verify() {
  if (failed(checkSymbolName(*this)) || failed(checkAtLeast(*this, "classes", getClasses(), 1)))
    return failure();
  int last = 0;
  for (Operation &op : getBody().front()) {
    int rank = getRank(op);
    if (rank < 0)
      return op.emitOpError("is not a part of a tr.graph.program");
    if (rank < last)
      return op.emitOpError("expected variants, regions, layers, tensors, params, fusions, "
                            "subgraphs, schedules and atlas in this order");
    last = rank;
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
  if (failed(checkAligned(*this, "offset", getOffset())))
    return failure();
  return checkAligned(*this, "bytes", getBytes());
}

LogicalResult TensorOp::verify() {
  trf::TypedRegion region = getRegion();
  if (region.dtype && *region.dtype != getDtype())
    return emitOpError("expected ") << spell(*region.dtype) << " in region " << spell(region)
                                    << ", but got " << spell(getDtype());
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
    if (unused && region.region.isPooled())
      continue;
    if (failed(checkExtents(*this, "shape", shape, 4)) || failed(checkElements(*this, shape)))
      return failure();
  }
  if (getParent().has_value() != getFirstChannel().has_value())
    return emitOpError("expected a parent together with a first channel");
  if (getParent() && (failed(checkAtLeast(*this, "parent", *getParent(), 0)) ||
                      failed(checkAtLeast(*this, "first channel", *getFirstChannel(), 0))))
    return failure();
  if (getSlot() && failed(checkAligned(*this, "slot", *getSlot())))
    return failure();
  return getOffset() ? checkAligned(*this, "offset", *getOffset()) : success();
}

LogicalResult ParamOp::verify() {
  if (getName().empty())
    return emitOpError("expected a name, but got an empty one");
  if (failed(checkAtLeast(*this, "tensor", getTensor(), 0)) ||
      failed(checkAtLeast(*this, "grad", getGrad(), -1)))
    return failure();
  double scale = getScale().convertToDouble();
  if (!(scale >= 0 && std::isfinite(scale)))
    return emitOpError("expected a finite scale >= 0, but got ") << scale;
  return checkExtents(*this, "logical", getLogical(), 4);
}

LogicalResult FusionOp::verify() { return checkAtLeast(*this, "count", getCount(), 1); }

LogicalResult SubgraphOp::verify() {
  if (failed(checkAtLeast(*this, "graph", getGraph(), 0)))
    return failure();
  Block &body = getBody().front();
  for (Operation &op : body)
    if (!isa<ComputeOp, RangeOp>(op))
      return op.emitOpError("is not a kernel op of tr.graph");
  if (body.empty() && getReason().value_or("").empty())
    return emitOpError("expected a reason for an empty subgraph");
  if (!body.empty() && getReason())
    return emitOpError("expected no reason for a subgraph with kernel ops");
  return success();
}

LogicalResult ComputeOp::verify() {
  const trf::OpInfo &info = trf::info(getKernel());
  if (failed(checkKernel(*this, info, /*ranges=*/false)) ||
      failed(checkTensorIds(*this, info, getTensors())) ||
      failed(checkAtLeast(*this, "layer", getLayer(), -1)) ||
      failed(checkValues(*this, info, getValues())))
    return failure();
  return getAlgorithm() ? checkAlgorithm(*this) : success();
}

LogicalResult RangeOp::verify() {
  const trf::OpInfo &info = trf::info(getKernel());
  if (failed(checkKernel(*this, info, /*ranges=*/true)) ||
      failed(checkTensorIds(*this, info, getTensors())))
    return failure();
  size_t count = llvm::count_if(info.operands, [](auto &operand) { return operand.isRun(); });
  if (getRanges().size() != count)
    return emitOpError("expected ")
           << count << " ranges for " << spell(getKernel()) << ", but got " << getRanges().size();
  for (Attribute attr : getRanges()) {
    auto regions = dyn_cast<ArrayAttr>(attr);
    if (!regions || regions.empty() || !llvm::all_of(regions, llvm::IsaPred<TypedRegionAttr>))
      return emitOpError("expected a list of regions for each range, but got ") << attr;
  }
  return success();
}

FailureOr<RegionRun> findRun(RangeOp op, unsigned index, ArrayRef<RegionOp> regions) {
  auto list = cast<ArrayAttr>(op.getRanges()[index]);
  std::optional<RegionRun> run;
  for (auto [position, region] : llvm::enumerate(regions)) {
    if (!llvm::is_contained(list, RegionOp(region).getRegionAttr()))
      continue;
    if (run && run->last + 1 != position) {
      RegionOp between = regions[run->last + 1];
      return op.emitOpError("expected the regions of range ")
             << index << " side by side, but got '" << spell(between.getRegion())
             << "' between them";
    }
    run = RegionRun{run ? run->first : position, position};
  }
  if (run)
    return *run;
  std::string names;
  for (auto region : list.getAsRange<TypedRegionAttr>())
    names += (names.empty() ? "'" : ", '") + spell(region.getValue()) + "'";
  return op.emitOpError("expected a region that is there in range ")
         << index << ", but got " << names;
}

LogicalResult ScheduleOp::verify() {
  if (failed(checkAtLeast(*this, "graph", getGraph(), 0)))
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
    if (row.size() != trf::kCount<trf::Subgraph>)
      return emitOpError("expected ")
             << trf::kCount<trf::Subgraph> << " entries, one for each subgraph, but got "
             << row.size();
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

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

// [["b_next_mean", "b_next_var"], ["b_prev_mean", "b_prev_var"]]
static ParseResult parseRanges(OpAsmParser &parser, ArrayAttr &ranges) {
  SmallVector<Attribute> lists;
  auto parseList = [&]() -> ParseResult {
    SmallVector<Attribute> regions;
    auto parseRegion = [&]() -> ParseResult {
      FailureOr<trf::TypedRegion> region = tr::parseSpelling<trf::TypedRegion>(parser);
      if (failed(region))
        return failure();
      regions.push_back(tr::TypedRegionAttr::get(parser.getContext(), *region));
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRegion))
      return failure();
    lists.push_back(parser.getBuilder().getArrayAttr(regions));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseList))
    return failure();
  ranges = parser.getBuilder().getArrayAttr(lists);
  return success();
}

static void printRanges(OpAsmPrinter &printer, Operation *, ArrayAttr ranges) {
  auto printRegion = [&](Attribute region) {
    tr::printQuoted(printer, cast<tr::TypedRegionAttr>(region).getValue());
  };
  auto printList = [&](Attribute regions) {
    printer << '[';
    llvm::interleaveComma(cast<ArrayAttr>(regions), printer, printRegion);
    printer << ']';
  };
  printer << '[';
  llvm::interleaveComma(ranges, printer, printList);
  printer << ']';
}
