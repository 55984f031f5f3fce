// SPDX-License-Identifier: Apache-2.0
//
// tr.graph -> plan records. Ids in the program are positions, as in the file, so
// most ops become one record each. What the records mean is for PlanChecks.cpp: here is only
// reported what no record can hold.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "trf/version.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tr {
namespace {

using trf::kNone;

// The file stores the numbers of enumerators.
template <typename E> uint32_t toId(E value) { return static_cast<uint32_t>(value); }

class Exporter {
public:
  explicit Exporter(graph::ProgramOp program)
      : program(program), records(builder.records),
        regions(llvm::to_vector(program.getBody().front().getOps<graph::RegionOp>())) {}
  FailureOr<trf::PlanRecords> run();

private:
  LogicalResult addTensors();
  LogicalResult addParams();
  LogicalResult addSubgraphs();
  LogicalResult addCompute(graph::ComputeOp op);
  LogicalResult addRange(graph::RangeOp op);
  void addSchedules();
  LogicalResult addAtlas();
  void addVariants();
  void addLayers();
  void addShapes(graph::TensorOp op);
  void addTarget();
  FailureOr<uint64_t> attrBits(graph::ComputeOp op, const trf::AttrInfo &attr);
  // An id or a count. Those that have no place in the 32 bits of a record are reported.
  uint32_t number(Operation *op, StringRef what, int64_t value);
  uint32_t numberOrNone(Operation *op, StringRef what, int64_t value) {
    return value == -1 ? kNone : number(op, what, value);
  }
  uint32_t locOf(Location loc);
  uint32_t intern(StringRef text) { return builder.intern(toView(text)); }
  uint32_t rangeOf(graph::RegionRun run);

  template <typename Op> auto parts() { return program.getBody().front().getOps<Op>(); }

  graph::ProgramOp program;
  trf::RecordBuilder builder;
  trf::PlanRecords &records;
  SmallVector<graph::RegionOp> regions;
  llvm::DenseMap<std::pair<size_t, size_t>, uint32_t> rangeIds;
  SmallVector<uint32_t> subgraphOfOp; // subgraph id of each kernel op
  bool numbersFit = true;
};

uint32_t Exporter::number(Operation *op, StringRef what, int64_t value) {
  if (value >= 0 && value < kNone)
    return static_cast<uint32_t>(value);
  op->emitOpError("expected ") << what << " in [0, " << kNone - 1 << "], but got " << value;
  numbersFit = false;
  return kNone;
}

void Exporter::addVariants() {
  for (auto op : parts<graph::VariantOp>()) {
    trf_variant record = {};
    record.name = intern(op.getName());
    record.is_training = op.getTraining();
    record.batch = number(op, "batch", op.getBatch());
    record.height = number(op, "height", op.getInput()[0]);
    record.width = number(op, "width", op.getInput()[1]);
    record.channels = number(op, "channels", op.getInput()[2]);
    record.graph = number(op, "graph", op.getGraph());
    record.shape_id = number(op, "shape_id", op.getShapeId());
    records.variants.push_back(record);
  }
  for (auto op : parts<graph::RegionOp>()) {
    trf_region record = {};
    trf::TypedRegion region = op.getRegion();
    record.role = toId(region.region.role);
    record.group = toId(region.region.group);
    record.dtype = region.dtype ? toId(*region.dtype) : kNone;
    record.offset = op.getOffset();
    record.bytes = op.getBytes();
    records.regions.push_back(record);
  }
}

// The file's last component only: plans do not depend on the folder they were made in.
uint32_t Exporter::locOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return kNone;
  records.locs.push_back(
      {intern(llvm::sys::path::filename(file.getFilename())), file.getLine(), file.getColumn()});
  return records.locs.size() - 1;
}

void Exporter::addLayers() {
  for (auto op : parts<graph::LayerOp>()) {
    trf_layer record = {};
    record.path = intern(op.getPath());
    record.kind = intern(op.getKind());
    record.loc = locOf(op.getLoc());
    record.is_first = op.getFirst();
    records.layers.push_back(record);
  }
  for (auto op : parts<graph::FusionOp>())
    records.fusions.push_back({intern(op.getKind()), number(op, "count", op.getCount())});
}

LogicalResult Exporter::addTensors() {
  for (auto op : parts<graph::TensorOp>()) {
    if (!op.getSlot() || !op.getOffset())
      return op.emitOpError("expected a slot and an offset; run --tr-graph-pipeline first");
    trf_tensor record = {};
    record.name = intern(op.getName());
    auto region = llvm::find_if(
        regions, [&](graph::RegionOp placed) { return placed.getRegion() == op.getRegion(); });
    if (region == regions.end())
      return op.emitOpError("expected the program to place region '")
             << spell(op.getRegion()) << "', but got no tr.graph.region of it";
    record.region = region - regions.begin();
    record.dtype = toId(op.getDtype());
    record.layer = numberOrNone(op, "layer", op.getLayer());
    record.parent = op.getParent() ? number(op, "parent", *op.getParent()) : kNone;
    record.first_channel = number(op, "first channel", op.getFirstChannel().value_or(0));
    record.offset = *op.getOffset();
    record.slot_bytes = *op.getSlot();
    record.layout = toId(trf::TensorLayout::NHWC);
    records.tensors.push_back(record);
    addShapes(op);
  }
  return success();
}

void Exporter::addShapes(graph::TensorOp op) {
  for (Attribute attr : op.getShapes()) {
    ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    trf_shape shape = {};
    for (int i = 0; i < 4; ++i)
      shape.dims[i] = number(op, "extent", dims[i]);
    records.shapes.push_back(shape);
  }
}

LogicalResult Exporter::addParams() {
  for (auto op : parts<graph::ParamOp>()) {
    trf_param record = {};
    record.name = intern(op.getName());
    record.flags = static_cast<int64_t>(op.getGrad()) >= 0 ? TRF_PARAM_TRAINABLE : 0;
    record.tensor = number(op, "tensor", op.getTensor());
    record.grad = numberOrNone(op, "grad", op.getGrad());
    record.layout = toId(op.getLayout());
    record.init = toId(op.getInit());
    record.init_scale = op.getScale().convertToDouble();
    for (int i = 0; i < 4; ++i)
      record.logical_dims[i] = number(op, "logical extent", op.getLogical()[i]);
    records.params.push_back(record);
  }
  return success();
}

uint32_t Exporter::rangeOf(graph::RegionRun run) {
  auto [entry, inserted] = rangeIds.try_emplace({run.first, run.last}, records.ranges.size());
  if (inserted)
    records.ranges.push_back({static_cast<uint32_t>(run.first), static_cast<uint32_t>(run.last)});
  return entry->second;
}

FailureOr<uint64_t> Exporter::attrBits(graph::ComputeOp op, const trf::AttrInfo &attr) {
  Attribute value = graph::getValue(op, attr);
  trf::Attr bits;
  if (auto number = dyn_cast_or_null<IntegerAttr>(value); number && !attr.isFloat())
    bits.i = number.getInt();
  else if (auto number = dyn_cast_or_null<FloatAttr>(value); number && attr.isFloat())
    bits.f = number.getValueAsDouble();
  else
    return op.emitOpError("expected ")
           << (attr.isFloat() ? "an f64" : "an i64") << " attribute '" << toRef(attr.name)
           << "' of kernel op " << spell(op.getKernel());
  return static_cast<uint64_t>(bits.i);
}

LogicalResult Exporter::addCompute(graph::ComputeOp op) {
  trf_op record = {};
  record.opcode = toId(op.getKernel());
  record.instance = toId(op.getInstance());
  record.layer = numberOrNone(op, "layer", op.getLayer());
  record.algorithm = toId(op.getAlgorithm().value_or(trf::ConvAlgorithm::Auto));
  std::vector<uint32_t> operands;
  for (int64_t id : op.getTensors())
    operands.push_back(numberOrNone(op, "tensor", id));
  std::vector<uint64_t> attrs;
  size_t needed = 0; // without later ones at the end that say nothing
  for (const trf::AttrInfo &attr : trf::info(op.getKernel()).attrs) {
    FailureOr<uint64_t> bits = attrBits(op, attr);
    if (failed(bits))
      return failure();
    attrs.push_back(*bits);
    trf::Attr value;
    std::memcpy(&value, &*bits, sizeof(value));
    if (!trf::isAsMissing(attr, value))
      needed = attrs.size();
  }
  attrs.resize(needed);
  builder.addOp(record, operands, attrs);
  return success();
}

LogicalResult Exporter::addRange(graph::RangeOp op) {
  trf_op record = {};
  record.opcode = toId(op.getKernel());
  record.layer = kNone;
  std::vector<uint32_t> operands;
  unsigned nextRange = 0, nextTensor = 0;
  for (const trf::OperandInfo &operand : trf::info(op.getKernel()).operands) {
    if (!operand.isRun()) {
      operands.push_back(numberOrNone(op, "tensor", op.getTensors()[nextTensor++]));
      continue;
    }
    FailureOr<graph::RegionRun> run = graph::findRun(op, nextRange++, regions);
    if (failed(run))
      return failure();
    operands.push_back(rangeOf(*run));
  }
  builder.addOp(record, operands, {});
  return success();
}

LogicalResult Exporter::addSubgraphs() {
  for (auto op : parts<graph::SubgraphOp>()) {
    trf_subgraph record = {};
    record.graph = number(op, "graph", op.getGraph());
    record.subgraph = toId(op.getId());
    record.first_op = records.ops.size();
    record.reason = intern(op.getReason().value_or(""));
    for (Operation &kernel : op.getBody().front()) {
      auto compute = dyn_cast<graph::ComputeOp>(kernel);
      if (failed(compute ? addCompute(compute) : addRange(cast<graph::RangeOp>(kernel))))
        return failure();
    }
    record.op_count = records.ops.size() - record.first_op;
    subgraphOfOp.resize(records.ops.size(), record.subgraph);
    records.subgraphs.push_back(record);
  }
  return success();
}

void Exporter::addSchedules() {
  for (auto op : parts<graph::ScheduleOp>()) {
    trf_schedule record = {};
    record.schedule = toId(op.getKind());
    record.graph = number(op, "graph", op.getGraph());
    record.first_node = records.scheduleNodes.size();
    record.node_count = op.getNodes().size();
    record.first_edge = records.scheduleEdges.size();
    record.edge_count = op.getEdges().size() / 2;
    for (int64_t node : op.getNodes())
      records.scheduleNodes.push_back({static_cast<uint32_t>(node), subgraphOfOp[node]});
    for (size_t i = 0; i + 1 < op.getEdges().size(); i += 2)
      records.scheduleEdges.push_back(
          {number(op, "node", op.getEdges()[i]), number(op, "node", op.getEdges()[i + 1])});
    records.schedules.push_back(record);
  }
}

LogicalResult Exporter::addAtlas() {
  auto variants = llvm::to_vector(parts<graph::VariantOp>());
  size_t variant = 0;
  for (auto op : parts<graph::AtlasOp>()) {
    if (variant < variants.size() && op.getVariant() != variants[variant].getName()) {
      InFlightDiagnostic diagnostic = op.emitOpError("expected the atlas of variant '")
                                      << variants[variant].getName() << "', but got '"
                                      << op.getVariant() << "'";
      diagnostic.attachNote(variants[variant].getLoc()) << "this variant is the next one";
      return diagnostic;
    }
    if (op.getSubgraphs().size() != trf::kCount<trf::Subgraph> ||
        op.getCaptures().size() != trf::kCount<trf::Subgraph>)
      return op.emitOpError("expected ")
             << trf::kCount<trf::Subgraph> << " subgraphs and captures, but got "
             << op.getSubgraphs().size() << " and " << op.getCaptures().size();
    for (auto [subgraph, capture] : llvm::zip(op.getSubgraphs(), op.getCaptures()))
      records.atlas.push_back(
          {numberOrNone(op, "subgraph", subgraph), numberOrNone(op, "capture", capture)});
    ++variant;
  }
  if (variant == variants.size())
    return success();
  return program.emitOpError("expected one atlas op for each of ")
         << variants.size() << " variants, but got " << variant
         << "; run --tr-graph-pipeline first";
}

void Exporter::addTarget() {
  OptionsAttr attr = getOptions(program);
  const CompileOptions &options = attr.getValues();
  trf_target target = {};
  target.target = toId(options.target);
  target.precision = toId(program.getPrecision());
  target.optimizer = toId(options.optimizer);
  target.slices = number(program, "slices", options.slices);
  target.classes = number(program, "classes", program.getClasses());
  target.train_samples = options.trainSamples;
  target.val_samples = options.valSamples;
  target.lowres_epoch = numberOrNone(program, "lowres_epoch", attr.getLowresEpoch());
  target.flags = options.dropLast ? TRF_DROP_LAST : 0;
  for (const trf_variant &variant : records.variants)
    target.graph_count = std::max(target.graph_count, variant.graph + 1);
  for (const trf_region &region : records.regions)
    target.arena_bytes = std::max(target.arena_bytes, region.offset + region.bytes);
  records.target.push_back(target);
  records.meta.push_back({intern(program.getSymName()), intern("renaissance " TRF_VERSION)});
}

FailureOr<trf::PlanRecords> Exporter::run() {
  // Most strings are names of tensors.
  builder.reserveStrings(program.getBody().front().getOperations().size());
  addVariants();
  if (records.variants.empty())
    return program.emitOpError("expected at least one variant, but got none");
  addLayers();
  if (failed(addTensors()) || failed(addParams()) || failed(addSubgraphs()) || failed(addAtlas()))
    return failure();
  addSchedules();
  addTarget();
  if (!numbersFit)
    return failure();
  return std::move(records);
}

} // namespace

FailureOr<trf::PlanRecords> makeRecords(graph::ProgramOp program) {
  return Exporter(program).run();
}

} // namespace tr
