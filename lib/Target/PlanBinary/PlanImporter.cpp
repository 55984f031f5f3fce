// SPDX-License-Identifier: Apache-2.0
//
// Plan records -> tr.graph. Every reference is checked before it is followed: the
// file may say anything.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "renaissance/Target/PlanTables.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include <cstring>

using namespace mlir;

namespace tr {
namespace {

// How many enumerators a stored number may name.
#define X(...) +1
template <typename Enum> constexpr uint32_t kCount = 0;
template <> constexpr uint32_t kCount<plan::DType> = 0 TRRT_DTYPES(X);
template <> constexpr uint32_t kCount<plan::Region> = 0 TRRT_REGIONS(X);
template <> constexpr uint32_t kCount<plan::Subgraph> = 0 TRRT_SUBGRAPHS(X);
template <> constexpr uint32_t kCount<plan::Schedule> = 0 TRRT_SCHEDULES(X);
template <> constexpr uint32_t kCount<plan::Init> = 0 TRRT_INITS(X);
template <> constexpr uint32_t kCount<plan::ParamLayout> = 0 TRRT_PARAM_LAYOUTS(X);
template <> constexpr uint32_t kCount<plan::ConvAlgorithm> = 0 TRRT_CONV_ALGORITHMS(X);
#undef X

class Importer {
public:
  Importer(const PlanImage &image, Location loc)
      : image(image), loc(loc), builder(loc.getContext()) {}
  OwningOpRef<ModuleOp> run();

private:
  LogicalResult addVariants();
  LogicalResult addLayers();
  LogicalResult addTensors();
  LogicalResult addParams();
  LogicalResult addSubgraphs();
  LogicalResult addOp(const trrt_plan_op &op);
  LogicalResult addSchedules();
  LogicalResult addAtlas();
  FailureOr<OptionsAttr> options();

  LogicalResult fail(const Twine &message) { return emitError(loc) << message; }
  // The string, or an error and null.
  StringAttr text(uint32_t index) {
    if (index < image.strings().size())
      return builder.getStringAttr(image.strings()[index]);
    (void)fail("expected a string below " + Twine(image.strings().size()) + ", but got " +
               Twine(index));
    return {};
  }
  // The spelling of a stored enumerator, or an error and null.
  template <typename Enum> StringAttr name(const Twine &what, uint32_t value) {
    if (value < kCount<Enum>)
      return builder.getStringAttr(plan::stringify(static_cast<Enum>(value)));
    (void)fail("expected a known " + what + ", but got " + Twine(value));
    return {};
  }
  StringAttr region(uint32_t value) { return name<plan::Region>("region", value); }
  // Is [first, first + count) within `size` records?
  LogicalResult within(const Twine &what, uint64_t first, uint64_t count, uint64_t size) {
    if (first <= size && count <= size - first)
      return success();
    return fail("expected " + what + " below " + Twine(size) + ", but got " + Twine(first + count));
  }
  static int64_t id(uint32_t value) { return value == TRRT_PLAN_NONE ? -1 : int64_t(value); }

  const PlanImage &image;
  Location loc;
  OpBuilder builder;
};

FailureOr<OptionsAttr> Importer::options() {
  StringAttr optimizerName = text(image.target.optimizer);
  if (!optimizerName)
    return failure();
  std::optional<Optimizer> optimizer = symbolizeOptimizer(optimizerName.getValue());
  if (!optimizer)
    return fail("expected optimizer sgd or adamw, but got " + optimizerName.getValue());
  std::optional<Isa> target = symbolizeIsa(image.target.isa);
  if (!target)
    return fail("expected a known instruction set, but got " + Twine(image.target.isa));
  SmallVector<Attribute> specs;
  auto emit = [&] { return emitError(loc); };
  for (const trrt_plan_variant &variant : image.variants) {
    StringAttr variantName = text(variant.name);
    if (!variantName)
      return failure();
    auto spec = CompileSpecAttr::getChecked(emit, builder.getContext(), variantName.getValue(),
                                            variant.is_training != 0, int64_t(variant.batch),
                                            Dims2{int64_t(variant.height), int64_t(variant.width)});
    if (!spec)
      return failure();
    specs.push_back(spec);
  }
  auto result = OptionsAttr::getChecked(
      emit, builder.getContext(), *optimizer, int64_t(image.target.slices),
      /*zeroGamma=*/false, builder.getArrayAttr(specs), int64_t(image.target.train_samples),
      int64_t(image.target.val_samples), id(image.target.lowres_epoch),
      (image.target.flags & TRRT_PLAN_DROP_LAST) != 0, *target);
  if (!result)
    return failure();
  return result;
}

LogicalResult Importer::addVariants() {
  for (const trrt_plan_variant &v : image.variants) {
    int64_t input[] = {v.height, v.width, v.channels};
    graph::VariantOp::create(builder, loc, text(v.name), v.is_training != 0, v.batch, input,
                             v.graph, v.shape_id);
  }
  for (const trrt_plan_region &r : image.regions) {
    StringAttr known = region(r.region);
    if (!known)
      return failure();
    graph::RegionOp::create(builder, loc, known, int64_t(r.offset), int64_t(r.bytes));
  }
  return success();
}

LogicalResult Importer::addLayers() {
  for (const trrt_plan_layer &layer : image.layers) {
    StringAttr path = text(layer.path), kind = text(layer.kind);
    if (!path || !kind)
      return failure();
    Location where = builder.getUnknownLoc();
    if (layer.loc != TRRT_PLAN_NONE) {
      if (failed(within("a location", layer.loc, 1, image.locs.size())))
        return failure();
      const trrt_plan_loc &source = image.locs[layer.loc];
      StringAttr file = text(source.file);
      if (!file)
        return failure();
      where = FileLineColLoc::get(file, source.line, source.column);
    }
    graph::LayerOp::create(builder, where, path, kind, layer.is_first != 0);
  }
  return success();
}

LogicalResult Importer::addTensors() {
  const size_t variants = image.variants.size();
  if (image.shapes.size() != image.tensors.size() * variants)
    return fail("expected a shape for each tensor and variant");
  for (auto [index, tensor] : llvm::enumerate(image.tensors)) {
    StringAttr tensorName = text(tensor.name), where = region(tensor.region);
    StringAttr dtype = name<plan::DType>("dtype", tensor.dtype);
    if (!tensorName || !where || !dtype)
      return failure();
    SmallVector<Attribute> shapes;
    for (size_t v = 0; v < variants; ++v) {
      const uint32_t *dims = image.shapes[index * variants + v].dims;
      shapes.push_back(builder.getDenseI64ArrayAttr({dims[0], dims[1], dims[2], dims[3]}));
    }
    graph::TensorOp::create(builder, loc, static_cast<int64_t>(index), tensorName, where, dtype,
                            id(tensor.layer), builder.getArrayAttr(shapes),
                            static_cast<int64_t>(tensor.slot_bytes),
                            static_cast<int64_t>(tensor.offset));
  }
  return success();
}

LogicalResult Importer::addParams() {
  for (const trrt_plan_param &param : image.params) {
    StringAttr paramName = text(param.name);
    StringAttr layout = name<plan::ParamLayout>("layout", param.layout);
    StringAttr init = name<plan::Init>("init", param.init);
    if (!paramName || !layout || !init)
      return failure();
    const uint32_t *d = param.logical_dims;
    graph::ParamOp::create(builder, loc, paramName, builder.getI64IntegerAttr(id(param.tensor)),
                           builder.getI64IntegerAttr(id(param.grad)), layout, init,
                           builder.getF64FloatAttr(param.init_scale),
                           builder.getDenseI64ArrayAttr({d[0], d[1], d[2], d[3]}));
  }
  for (const trrt_plan_fusion &fusion : image.fusions) {
    StringAttr kind = text(fusion.op);
    if (!kind)
      return failure();
    graph::FusionOp::create(builder, loc, kind, builder.getI64IntegerAttr(fusion.count));
  }
  return success();
}

LogicalResult Importer::addOp(const trrt_plan_op &op) {
  if (op.opcode >= plan::kKernelCount)
    return fail("expected an opcode below " + Twine(plan::kKernelCount) + ", but got " +
                Twine(op.opcode));
  const plan::KernelInfo &info = plan::getInfo(static_cast<plan::Kernel>(op.opcode));
  if (failed(within("operands", op.first_operand, op.operand_count, image.operands.size())) ||
      failed(within("attributes", op.first_attr, op.attr_count, image.attrs.size())))
    return failure();
  if (op.operand_count != info.operands.size() || op.attr_count != info.attrs.size())
    return fail("expected " + Twine(info.operands.size()) + " operands and " +
                Twine(info.attrs.size()) + " attributes of " + info.name + ", but got " +
                Twine(op.operand_count) + " and " + Twine(op.attr_count));
  SmallVector<int64_t> tensors;
  SmallVector<Attribute> ranges;
  bool isRange = false;
  for (auto [i, operand] : llvm::enumerate(info.operands)) {
    uint32_t value = image.operands[op.first_operand + i];
    if (!operand.range) {
      tensors.push_back(id(value));
      continue;
    }
    isRange = true;
    if (failed(within("a range", value, 1, image.ranges.size())))
      return failure();
    StringAttr first = region(image.ranges[value].first_region);
    StringAttr last = region(image.ranges[value].last_region);
    if (!first || !last)
      return failure();
    ranges.push_back(builder.getArrayAttr({first, last}));
  }
  if (isRange) {
    graph::RangeOp::create(builder, loc, builder.getStringAttr(info.name),
                           builder.getArrayAttr(ranges), builder.getDenseI64ArrayAttr(tensors));
    return success();
  }
  SmallVector<NamedAttribute> values;
  for (auto [i, attr] : llvm::enumerate(info.attrs)) {
    uint64_t bits = image.attrs[op.first_attr + i].bits;
    double number;
    std::memcpy(&number, &bits, sizeof(number));
    Attribute value = attr.isFloat ? Attribute(builder.getF64FloatAttr(number))
                                   : Attribute(builder.getI64IntegerAttr(int64_t(bits)));
    values.push_back(builder.getNamedAttr(attr.name, value));
  }
  StringAttr algorithm;
  if (op.algorithm != 0 && !(algorithm = name<plan::ConvAlgorithm>("algorithm", op.algorithm)))
    return failure();
  graph::ComputeOp::create(builder, loc, builder.getStringAttr(info.name),
                           builder.getDenseI64ArrayAttr(tensors), builder.getDictionaryAttr(values),
                           builder.getI64IntegerAttr(id(op.layer)), algorithm);
  return success();
}

LogicalResult Importer::addSubgraphs() {
  uint64_t next = 0;
  for (const trrt_plan_subgraph &record : image.subgraphs) {
    StringAttr known = name<plan::Subgraph>("subgraph", record.subgraph);
    StringAttr reason = text(record.reason);
    if (!known || !reason ||
        failed(within("ops", record.first_op, record.op_count, image.ops.size())))
      return failure();
    if (record.first_op != next)
      return fail("expected the ops of subgraph " + known.getValue() + " at " + Twine(next) +
                  ", but got " + Twine(record.first_op));
    next += record.op_count;
    auto op =
        graph::SubgraphOp::create(builder, loc, known, builder.getI64IntegerAttr(record.graph),
                                  reason.getValue().empty() ? StringAttr() : reason);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
    for (uint32_t i = 0; i < record.op_count; ++i)
      if (failed(addOp(image.ops[record.first_op + i])))
        return failure();
  }
  return success();
}

LogicalResult Importer::addSchedules() {
  for (const trrt_plan_schedule &record : image.schedules) {
    StringAttr known = name<plan::Schedule>("schedule", record.schedule);
    if (!known ||
        failed(within("nodes", record.first_node, record.node_count, image.scheduleNodes.size())) ||
        failed(within("edges", record.first_edge, record.edge_count, image.scheduleEdges.size())))
      return failure();
    SmallVector<int64_t> nodes, edges;
    for (uint32_t i = 0; i < record.node_count; ++i)
      nodes.push_back(image.scheduleNodes[record.first_node + i].op);
    for (uint32_t i = 0; i < record.edge_count; ++i) {
      const trrt_plan_edge &edge = image.scheduleEdges[record.first_edge + i];
      edges.append({int64_t(edge.from), int64_t(edge.to)});
    }
    graph::ScheduleOp::create(builder, loc, known, builder.getI64IntegerAttr(record.graph),
                              builder.getDenseI64ArrayAttr(nodes),
                              builder.getDenseI64ArrayAttr(edges));
  }
  return success();
}

LogicalResult Importer::addAtlas() {
  if (image.atlas.size() != image.variants.size() * TRRT_SUBGRAPH_COUNT)
    return fail("expected " + Twine(TRRT_SUBGRAPH_COUNT) + " atlas entries for each variant");
  for (auto [v, variant] : llvm::enumerate(image.variants)) {
    SmallVector<int64_t> subgraphs, captures;
    for (uint32_t i = 0; i < TRRT_SUBGRAPH_COUNT; ++i) {
      const trrt_plan_atlas_entry &entry = image.atlas[v * TRRT_SUBGRAPH_COUNT + i];
      subgraphs.push_back(id(entry.subgraph_record));
      captures.push_back(id(entry.capture));
    }
    graph::AtlasOp::create(builder, loc, text(variant.name),
                           builder.getDenseI64ArrayAttr(subgraphs),
                           builder.getDenseI64ArrayAttr(captures));
  }
  return success();
}

OwningOpRef<ModuleOp> Importer::run() {
  builder.getContext()->loadDialect<TRDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  FailureOr<OptionsAttr> moduleOptions = options();
  StringAttr model = text(image.meta.model), precision = text(image.target.precision);
  if (failed(moduleOptions) || !model || !precision)
    return {};
  (*module)->setAttr(TRDialect::getOptionsAttrName(), *moduleOptions);
  builder.setInsertionPointToEnd(module->getBody());
  auto program = graph::ProgramOp::create(
      builder, loc, model, builder.getI64IntegerAttr(image.target.classes), precision);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  if (failed(addVariants()) || failed(addLayers()) || failed(addTensors()) || failed(addParams()) ||
      failed(addSubgraphs()) || failed(addSchedules()) || failed(addAtlas()) ||
      failed(verify(*module)))
    return {};
  return module;
}

} // namespace

OwningOpRef<ModuleOp> importPlan(const PlanImage &image, Location loc) {
  return Importer(image, loc).run();
}

} // namespace tr
