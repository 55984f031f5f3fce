// SPDX-License-Identifier: Apache-2.0
//
// Phase 1, --tr-graph-derive-shapes: the tensor table. Every layer describes
// itself under every variant; the tables must agree in all but shapes.
#include "Network.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_GRAPHDERIVESHAPES
#include "renaissance/Conversion/Passes.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

std::string toText(const TensorDims &dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

// The images have one reader, the first layer, which exists for both input halves.
void ensureFirstLayer(arch::PlanOp plan) {
  Block &body = plan.getBody().front();
  Value images = body.getArgument(0);
  if (images.hasOneUse() && isa<LayerOpInterface>(*images.user_begin()) &&
      !isa<arch::SoftmaxCeOp>(*images.user_begin()))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto identity = arch::IdentityOp::create(builder, body.front().getLoc(), images.getType(), images,
                                           builder.getStrArrayAttr({"input"}), /*first=*/true);
  images.replaceAllUsesExcept(identity, identity);
}

// Variants that coincide have one table.
struct VariantTable {
  Variant variant;
  LoweredNetwork network;
};

bool coincide(const Variant &a, const Variant &b) {
  return a.training == b.training && a.batch == b.batch && a.input == b.input;
}

class Agreement {
public:
  Agreement(const Network &network, const VariantTable &base, const VariantTable &other)
      : network(network), base(base), other(other) {}

  LogicalResult check() const {
    size_t common = std::min(base.network.tensors.size(), other.network.tensors.size());
    for (size_t id = 0; id < common; ++id)
      if (failed(checkTensor(id)))
        return failure();
    if (base.network.tensors.size() != other.network.tensors.size())
      return reportCount(common);
    return checkParams();
  }

private:
  LogicalResult checkTensor(size_t id) const {
    const TableTensor &a = base.network.tensors[id], &b = other.network.tensors[id];
    auto fail = [&](StringRef what, StringRef expected, StringRef got) {
      return report(a.layer, what)
             << " '" << expected << "' as under variant '" << base.variant.name << "', but got '"
             << got << "' under variant '" << other.variant.name << "'";
    };
    if (a.layer != b.layer || a.row.name != b.row.name)
      return fail("tensor", a.row.name, b.row.name);
    if (a.row.region != b.row.region)
      return fail("region of tensor '" + a.row.name + "'", plan::stringify(a.row.region),
                  plan::stringify(b.row.region));
    if (a.row.dtype != b.row.dtype)
      return fail("type of tensor '" + a.row.name + "'", plan::stringify(a.row.dtype),
                  plan::stringify(b.row.dtype));
    return success();
  }

  // Every tensor before `first` has a partner.
  LogicalResult reportCount(size_t first) const {
    const LoweredNetwork &longer =
        base.network.tensors.size() > first ? base.network : other.network;
    const TableTensor &spare = longer.tensors[first];
    return report(spare.layer, std::to_string(base.network.tensors.size()))
           << " tensors as under variant '" << base.variant.name << "', but got "
           << other.network.tensors.size() << " under variant '" << other.variant.name
           << "', which part over '" << spare.row.name << "'";
  }

  LogicalResult checkParams() const {
    for (const ParamRow &param : base.network.params) {
      const TableTensor &a = base.network.tensors[param.tensor];
      const TableTensor &b = other.network.tensors[param.tensor];
      if (a.row.dims != b.row.dims)
        return report(a.layer, "parameter '" + param.name + "' of shape ")
               << toText(a.row.dims) << " as under variant '" << base.variant.name
               << "', but got shape " << toText(b.row.dims) << " under variant '"
               << other.variant.name << "'";
    }
    return success();
  }

  InFlightDiagnostic report(int32_t layer, const Twine &what) const {
    if (layer < 0)
      return network.getPlan().emitOpError("expected ") << what;
    const NetworkNode &node = network.nodes[layer];
    return node.op->emitOpError("of layer '") << node.getPath() << "': expected " << what;
  }

  const Network &network;
  const VariantTable &base, &other;
};

class ProgramWriter {
public:
  ProgramWriter(const Network &network, ArrayRef<Variant> variants, ArrayRef<VariantTable> tables)
      : network(network), variants(variants), tables(tables), builder(network.plan) {
    for (const Variant &variant : variants)
      tableOf.push_back(
          llvm::find_if(
              tables, [&](const VariantTable &table) { return coincide(table.variant, variant); }) -
          tables.begin());
  }

  void write();

private:
  void writeVariants();
  void writeLayers();
  void writeTensors();
  void writeParams();
  void writeFusions();
  Location locOf(int32_t layer) const {
    return layer < 0 ? network.getPlan().getLoc() : network.nodes[layer].op->getLoc();
  }

  const Network &network;
  ArrayRef<Variant> variants;
  ArrayRef<VariantTable> tables;
  SmallVector<size_t, 6> tableOf; // of each variant
  OpBuilder builder;
};

void ProgramWriter::write() {
  arch::PlanOp plan = network.plan;
  builder.setInsertionPointAfter(plan);
  auto program = graph::ProgramOp::create(builder, plan.getLoc(),
                                          (plan.getSymName() + "_graph").str(), plan.getClasses());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  writeVariants();
  writeLayers();
  writeTensors();
  writeParams();
  writeFusions();
}

void ProgramWriter::writeVariants() {
  for (const Variant &v : variants)
    graph::VariantOp::create(builder, locOf(-1), v.name, v.training, v.batch,
                             ArrayRef<int64_t>{v.input.h, v.input.w, v.input.c});
}

void ProgramWriter::writeLayers() {
  for (const NetworkNode &node : network.nodes)
    graph::LayerOp::create(builder, node.op->getLoc(), node.getPath(), node.getKind(),
                           node.inputs[0] == 0);
}

void ProgramWriter::writeTensors() {
  const LoweredNetwork &base = tables.front().network;
  // Attributes that many tensors have are looked up once.
  std::array<StringAttr, plan::kRegionCount> regions;
  for (uint32_t i = 0; i < plan::kRegionCount; ++i)
    regions[i] = builder.getStringAttr(plan::stringify(static_cast<plan::Region>(i)));
  for (auto [id, tensor] : llvm::enumerate(base.tensors)) {
    SmallVector<Attribute, 6> distinct, shapes;
    for (const VariantTable &table : tables)
      distinct.push_back(builder.getDenseI64ArrayAttr(table.network.tensors[id].row.dims));
    for (size_t table : tableOf)
      shapes.push_back(distinct[table]);
    graph::TensorOp::create(builder, locOf(tensor.layer), static_cast<int64_t>(id),
                            builder.getStringAttr(tensor.row.name),
                            regions[static_cast<uint32_t>(tensor.row.region)],
                            builder.getStringAttr(plan::stringify(tensor.row.dtype)),
                            int64_t{tensor.layer}, builder.getArrayAttr(shapes),
                            /*slot=*/std::nullopt, /*offset=*/std::nullopt);
  }
}

void ProgramWriter::writeParams() {
  const LoweredNetwork &base = tables.front().network;
  for (const ParamRow &param : base.params)
    graph::ParamOp::create(builder, locOf(base.tensors[param.tensor].layer), param.name,
                           int64_t{param.tensor}, int64_t{param.grad},
                           plan::stringify(param.layout), plan::stringify(param.init),
                           APFloat(param.scale), ArrayRef<int64_t>(param.logical));
}

void ProgramWriter::writeFusions() {
  llvm::MapVector<StringRef, int64_t> counts;
  for (auto [layer, node] : llvm::enumerate(network.nodes))
    if (tables.front().network.fused[layer])
      ++counts[node.getKind()];
  for (auto [kind, count] : counts)
    graph::FusionOp::create(builder, locOf(-1), kind, count);
}

struct GraphDeriveShapesPass : tr::impl::GraphDeriveShapesBase<GraphDeriveShapesPass> {
  void runOnOperation() override {
    for (arch::PlanOp plan : llvm::to_vector(getOperation().getOps<arch::PlanOp>()))
      if (failed(derive(plan)))
        return signalPassFailure();
  }

  LogicalResult derive(arch::PlanOp plan) {
    ensureFirstLayer(plan);
    FailureOr<Network> network = Network::read(plan);
    if (failed(network))
      return failure();
    OptionsAttr options = getOptions(plan);
    SmallVector<VariantTable, 2> tables;
    llvm::StringSet<> names;
    SmallVector<Variant> variants = getVariants(options, network->input);
    for (const Variant &variant : variants) {
      if (!names.insert(variant.name).second)
        return plan.emitOpError("expected different variant names, but got '")
               << variant.name << "' twice";
      auto same = llvm::find_if(
          tables, [&](const VariantTable &table) { return coincide(table.variant, variant); });
      if (same != tables.end()) {
        trace(plan.getLoc(), getArgumentName(),
              [&] { return llvm::formatv("{0}: as {1}", variant.name, same->variant.name); });
        continue;
      }
      FailureOr<LoweredNetwork> lowered = lowerNetwork(*network, variant, options);
      if (failed(lowered))
        return failure();
      tables.push_back({variant, std::move(*lowered)});
      trace(plan.getLoc(), getArgumentName(), [&] {
        const LoweredNetwork &made = tables.back().network;
        return llvm::formatv("{0}: batch {1} of {2}, {3} layers, {4} tensors, {5} parameters",
                             variant.name, variant.batch, toString(variant.input),
                             network->nodes.size(), made.tensors.size(), made.params.size());
      });
      if (failed(Agreement(*network, tables.front(), tables.back()).check()))
        return failure();
    }
    numTensors += tables.front().network.tensors.size();
    ProgramWriter(*network, variants, tables).write();
    return success();
  }
};

} // namespace
