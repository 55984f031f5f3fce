// SPDX-License-Identifier: Apache-2.0
//
// tr.graph -> plan records. Ids in the program are positions, as in the file, so
// most ops become one record each.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "renaissance/Target/PlanTables.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tr {
namespace {

constexpr uint32_t kNone = TRRT_PLAN_NONE;

enum TensorLayout : uint32_t {
#define X(name, spelling) k##name,
  TRRT_TENSOR_LAYOUTS(X)
#undef X
};

// Verifiers have seen every name before; the file stores its enumerator.
template <typename Enum> uint32_t valueOf(std::optional<Enum> known) {
  return static_cast<uint32_t>(*known);
}

uint32_t regionOf(Attribute name) {
  return valueOf(plan::symbolizeRegion(cast<StringAttr>(name).getValue()));
}

uint32_t idOrNone(int64_t id) { return id < 0 ? kNone : static_cast<uint32_t>(id); }

class Exporter {
public:
  explicit Exporter(graph::ProgramOp program) : program(program) {}
  FailureOr<PlanImage> run();

private:
  LogicalResult addTensors();
  LogicalResult addParams();
  LogicalResult addSubgraphs();
  LogicalResult addOp(Operation &op);
  LogicalResult addSchedules();
  LogicalResult addAtlas();
  void addVariants();
  void addLayers();
  void addTarget();
  FailureOr<uint64_t> attrBits(graph::ComputeOp op, StringRef name, bool isFloat);
  uint32_t locOf(Location loc);
  uint32_t rangeOf(uint32_t first, uint32_t last);

  template <typename Op> auto parts() { return program.getBody().front().getOps<Op>(); }

  graph::ProgramOp program;
  PlanImage image;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> rangeIds;
  SmallVector<uint32_t> subgraphOfOp; // subgraph id of each kernel op
};

void Exporter::addVariants() {
  for (auto op : parts<graph::VariantOp>()) {
    trrt_plan_variant record = {};
    record.name = image.intern(op.getName());
    record.is_training = op.getTraining();
    record.batch = op.getBatch();
    record.height = op.getInput()[0];
    record.width = op.getInput()[1];
    record.channels = op.getInput()[2];
    record.graph = op.getGraph();
    record.shape_id = op.getShapeId();
    image.variants.push_back(record);
  }
  for (auto op : parts<graph::RegionOp>()) {
    trrt_plan_region record = {};
    record.region = valueOf(plan::symbolizeRegion(op.getRegion()));
    record.offset = op.getOffset();
    record.bytes = op.getBytes();
    image.regions.push_back(record);
  }
}

// The file's last component only: plans do not depend on the folder they were made in.
uint32_t Exporter::locOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return kNone;
  image.locs.push_back({image.intern(llvm::sys::path::filename(file.getFilename()).str()),
                        file.getLine(), file.getColumn()});
  return image.locs.size() - 1;
}

void Exporter::addLayers() {
  for (auto op : parts<graph::LayerOp>()) {
    trrt_plan_layer record = {};
    record.path = image.intern(op.getPath());
    record.kind = image.intern(op.getKind());
    record.loc = locOf(op.getLoc());
    record.is_first = op.getFirst();
    image.layers.push_back(record);
  }
  for (auto op : parts<graph::FusionOp>())
    image.fusions.push_back({image.intern(op.getKind()), static_cast<uint32_t>(op.getCount())});
}

LogicalResult Exporter::addTensors() {
  for (auto op : parts<graph::TensorOp>()) {
    if (!op.getSlot() || !op.getOffset())
      return op.emitOpError("expected a slot and an offset; run --tr-graph-pipeline first");
    trrt_plan_tensor record = {};
    record.name = image.intern(op.getName());
    record.region = valueOf(plan::symbolizeRegion(op.getRegion()));
    record.dtype = valueOf(plan::symbolizeDType(op.getDtype()));
    record.layer = idOrNone(op.getLayer());
    record.offset = *op.getOffset();
    record.slot_bytes = *op.getSlot();
    record.layout = kNHWC;
    image.tensors.push_back(record);
    for (Attribute attr : op.getShapes()) {
      ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(attr).asArrayRef();
      trrt_plan_shape shape = {};
      for (int i = 0; i < 4; ++i)
        shape.dims[i] = dims[i];
      image.shapes.push_back(shape);
    }
  }
  return success();
}

LogicalResult Exporter::addParams() {
  for (auto op : parts<graph::ParamOp>()) {
    trrt_plan_param record = {};
    record.name = image.intern(op.getName());
    record.flags = static_cast<int64_t>(op.getGrad()) >= 0 ? TRRT_PLAN_PARAM_TRAINABLE : 0;
    record.tensor = idOrNone(op.getTensor());
    record.grad = idOrNone(op.getGrad());
    record.layout = valueOf(plan::symbolizeParamLayout(op.getLayout()));
    record.init = valueOf(plan::symbolizeInit(op.getInit()));
    record.init_scale = op.getScale().convertToDouble();
    for (int i = 0; i < 4; ++i)
      record.logical_dims[i] = op.getLogical()[i];
    image.params.push_back(record);
  }
  return success();
}

uint32_t Exporter::rangeOf(uint32_t first, uint32_t last) {
  auto [entry, inserted] = rangeIds.try_emplace({first, last}, image.ranges.size());
  if (inserted)
    image.ranges.push_back({first, last});
  return entry->second;
}

FailureOr<uint64_t> Exporter::attrBits(graph::ComputeOp op, StringRef name, bool isFloat) {
  Attribute value = op.getValues().get(name);
  if (auto number = dyn_cast_or_null<IntegerAttr>(value); number && !isFloat)
    return PlanImage::intAttr(number.getInt());
  if (auto number = dyn_cast_or_null<FloatAttr>(value); number && isFloat)
    return PlanImage::floatAttr(number.getValueAsDouble());
  return op.emitOpError("expected ") << (isFloat ? "an f64" : "an i64") << " attribute '" << name
                                     << "' of kernel op " << op.getKernel();
}

LogicalResult Exporter::addOp(Operation &op) {
  std::vector<uint32_t> operands;
  std::vector<uint64_t> attrs;
  if (auto compute = dyn_cast<graph::ComputeOp>(op)) {
    plan::Kernel kernel = *plan::symbolizeKernel(compute.getKernel());
    const plan::KernelInfo &info = plan::getInfo(kernel);
    for (int64_t id : compute.getTensors())
      operands.push_back(idOrNone(id));
    for (const plan::AttrInfo &attr : info.attrs) {
      FailureOr<uint64_t> bits = attrBits(compute, attr.name, attr.isFloat);
      if (failed(bits))
        return failure();
      attrs.push_back(*bits);
    }
    uint32_t record =
        image.addOp(static_cast<uint32_t>(kernel), operands, attrs, idOrNone(compute.getLayer()));
    if (compute.getAlgorithm())
      image.ops[record].algorithm = valueOf(plan::symbolizeConvAlgorithm(*compute.getAlgorithm()));
    return success();
  }
  auto range = cast<graph::RangeOp>(op);
  plan::Kernel kernel = *plan::symbolizeKernel(range.getKernel());
  size_t nextRange = 0, nextTensor = 0;
  for (const plan::OperandInfo &operand : plan::getInfo(kernel).operands) {
    if (!operand.range) {
      operands.push_back(idOrNone(range.getTensors()[nextTensor++]));
      continue;
    }
    auto bounds = cast<ArrayAttr>(range.getRanges()[nextRange++]);
    operands.push_back(rangeOf(regionOf(bounds[0]), regionOf(bounds[1])));
  }
  image.addOp(static_cast<uint32_t>(kernel), operands, attrs);
  return success();
}

LogicalResult Exporter::addSubgraphs() {
  for (auto op : parts<graph::SubgraphOp>()) {
    trrt_plan_subgraph record = {};
    record.graph = op.getGraph();
    record.subgraph = valueOf(plan::symbolizeSubgraph(op.getName()));
    record.first_op = image.ops.size();
    record.reason = image.intern(op.getReason().value_or("").str());
    for (Operation &kernel : op.getBody().front())
      if (failed(addOp(kernel)))
        return failure();
    record.op_count = image.ops.size() - record.first_op;
    subgraphOfOp.resize(image.ops.size(), record.subgraph);
    image.subgraphs.push_back(record);
  }
  return success();
}

LogicalResult Exporter::addSchedules() {
  for (auto op : parts<graph::ScheduleOp>()) {
    trrt_plan_schedule record = {};
    record.schedule = valueOf(plan::symbolizeSchedule(op.getName()));
    record.graph = op.getGraph();
    record.first_node = image.scheduleNodes.size();
    record.node_count = op.getNodes().size();
    record.first_edge = image.scheduleEdges.size();
    record.edge_count = op.getEdges().size() / 2;
    for (int64_t node : op.getNodes()) {
      if (node < 0 || node >= static_cast<int64_t>(subgraphOfOp.size()))
        return op.emitOpError("expected kernel-op positions below ")
               << subgraphOfOp.size() << ", but got " << node;
      image.scheduleNodes.push_back({static_cast<uint32_t>(node), subgraphOfOp[node]});
    }
    for (size_t i = 0; i + 1 < op.getEdges().size(); i += 2)
      image.scheduleEdges.push_back(
          {static_cast<uint32_t>(op.getEdges()[i]), static_cast<uint32_t>(op.getEdges()[i + 1])});
    image.schedules.push_back(record);
  }
  return success();
}

LogicalResult Exporter::addAtlas() {
  size_t variant = 0;
  for (auto op : parts<graph::AtlasOp>()) {
    if (op.getSubgraphs().size() != TRRT_SUBGRAPH_COUNT ||
        op.getCaptures().size() != TRRT_SUBGRAPH_COUNT)
      return op.emitOpError("expected ")
             << TRRT_SUBGRAPH_COUNT << " subgraphs and captures, but got "
             << op.getSubgraphs().size() << " and " << op.getCaptures().size();
    for (auto [subgraph, capture] : llvm::zip(op.getSubgraphs(), op.getCaptures()))
      image.atlas.push_back({idOrNone(subgraph), idOrNone(capture)});
    ++variant;
  }
  if (variant == image.variants.size())
    return success();
  return program.emitOpError("expected one atlas op for each of ")
         << image.variants.size() << " variants, but got " << variant
         << "; run --tr-graph-pipeline first";
}

void Exporter::addTarget() {
  OptionsAttr options = getOptions(program);
  trrt_plan_target &target = image.target;
  target.backend = image.intern("cpu");
  target.precision = image.intern(program.getPrecision());
  target.optimizer = image.intern(stringifyOptimizer(options.getOptimizer()).str());
  target.slices = options.getSlices();
  target.classes = program.getClasses();
  target.train_samples = options.getTrainSamples();
  target.val_samples = options.getValSamples();
  target.lowres_epoch = idOrNone(options.getLowresEpoch());
  target.isa = static_cast<uint32_t>(options.getTarget());
  target.flags = options.getDropLast() ? TRRT_PLAN_DROP_LAST : 0;
  for (const trrt_plan_variant &variant : image.variants)
    target.graph_count = std::max(target.graph_count, variant.graph + 1);
  for (const trrt_plan_region &region : image.regions)
    target.arena_bytes = std::max(target.arena_bytes, region.offset + region.bytes);
  image.meta.model = image.intern(program.getSymName());
  image.meta.producer = image.intern("renaissance " TR_VERSION);
}

FailureOr<PlanImage> Exporter::run() {
  // Most strings are names of tensors.
  image.reserveStrings(program.getBody().front().getOperations().size());
  addVariants();
  addLayers();
  if (failed(addTensors()) || failed(addParams()) || failed(addSubgraphs()) ||
      failed(addSchedules()) || failed(addAtlas()))
    return failure();
  addTarget();
  std::string limit = image.limitError();
  if (!limit.empty())
    return program.emitOpError() << limit;
  return std::move(image);
}

} // namespace

FailureOr<PlanImage> exportPlan(graph::ProgramOp program) { return Exporter(program).run(); }

FailureOr<graph::ProgramOp> findProgram(ModuleOp module) {
  auto programs = llvm::to_vector(module.getOps<graph::ProgramOp>());
  if (programs.size() == 1)
    return programs.front();
  InFlightDiagnostic diagnostic = module.emitError("expected one tr.graph.program, but got ")
                                  << programs.size();
  if (programs.empty())
    diagnostic.attachNote() << "--tr-compile of tr-opt makes one from a blueprint";
  return failure();
}

} // namespace tr
