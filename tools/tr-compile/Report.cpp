// SPDX-License-Identifier: Apache-2.0
//
// Parameters and FLOPs come from the finished program, so the summary shows what
// the plan really holds.
#include "Report.h"

#include "trf/cost.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tr {
namespace {

ArrayRef<int64_t> shapeOf(graph::TensorOp tensor, size_t variant) {
  return cast<DenseI64ArrayAttr>(tensor.getShapes()[variant]).asArrayRef();
}

// Of one image through a convolution or FC. Other kernel ops are not counted, as in the published
// figures.
int64_t flopsOf(graph::ComputeOp op, ArrayRef<graph::TensorOp> tensors, size_t variant) {
  const trf::OpInfo &info = trf::info(op.getKernel());
  if (info.work.kind == trf::Work::PerElement)
    return 0;
  auto operand = [&](uint32_t i) -> trf::CostOperand {
    int64_t id = op.getTensors()[i];
    if (id < 0)
      return {};
    trf::CostOperand value{{}, graph::TensorOp(tensors[id]).getDtype(), /*absent=*/false};
    llvm::copy(shapeOf(tensors[id], variant), value.dims.begin());
    if (info.operands[i].dims.rule == trf::DimsRule::Slide ||
        info.operands[i].dims.rule == trf::DimsRule::Rows)
      value.dims[0] = 1;
    return value;
  };
  return static_cast<int64_t>(trf::costOf(info, operand).flops);
}

} // namespace

int64_t product(ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= dim;
  return result;
}

std::string locationText(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return llvm::formatv("{0}:{1}:{2}", llvm::sys::path::filename(file.getFilename()), file.getLine(),
                       file.getColumn());
}

llvm::StringMap<LayerCosts> collectCosts(graph::ProgramOp program) {
  Block &body = program.getBody().front();
  auto tensors = llvm::to_vector(body.getOps<graph::TensorOp>());
  auto layers = llvm::to_vector(body.getOps<graph::LayerOp>());
  llvm::StringMap<LayerCosts> costs;
  for (auto param : body.getOps<graph::ParamOp>()) {
    int64_t layer = tensors[param.getTensor()].getLayer();
    if (static_cast<int64_t>(param.getGrad()) >= 0 && layer >= 0)
      costs[layers[layer].getPath()].parameters += product(param.getLogical());
  }
  // The tensors of inference have shapes under the variants that validate.
  auto variants = llvm::to_vector(body.getOps<graph::VariantOp>());
  auto validating = llvm::find_if(variants, [](graph::VariantOp v) { return !v.getTraining(); });
  if (validating == variants.end())
    return costs;
  size_t variant = validating - variants.begin();
  for (auto subgraph : body.getOps<graph::SubgraphOp>()) {
    if (subgraph.getId() != trf::Subgraph::InfMainA || subgraph.getGraph() != 0)
      continue;
    for (auto op : subgraph.getBody().front().getOps<graph::ComputeOp>())
      if (int64_t layer = op.getLayer(); layer >= 0)
        costs[layers[layer].getPath()].flops += flopsOf(op, tensors, variant);
  }
  return costs;
}

std::string grouped(int64_t value) { return llvm::formatv("{0:N}", value).str(); }

std::vector<LayerRow> collectLayers(arch::NetworkOp network) {
  std::vector<LayerRow> rows;
  network.walk<WalkOrder::PreOrder>([&](LayerOpInterface layer) {
    LayerRow row;
    row.path = layer.getPath().str();
    row.kind = layer.getLayerKind().str();
    row.input = toString(getImageShape(layer->getOperand(0).getType()));
    row.output = toString(getImageShape(layer->getResult(0).getType()));
    row.location = locationText(layer.getLoc());
    row.first = layer->hasAttr("first");
    rows.push_back(std::move(row));
  });
  return rows;
}

void printSummary(raw_ostream &os, const std::vector<LayerRow> &rows, graph::ProgramOp program) {
  llvm::StringMap<LayerCosts> costs = collectCosts(program);
  size_t width = StringRef("layer").size();
  for (const LayerRow &row : rows)
    width = std::max(width, row.path.size());
  auto line = [&](StringRef path, StringRef kind, StringRef in, StringRef out, StringRef parameters,
                  StringRef flops, StringRef mark) {
    os << llvm::left_justify(path, width) << "  " << llvm::left_justify(kind, 25)
       << llvm::left_justify(in, 14) << llvm::left_justify(out, 14)
       << llvm::right_justify(parameters, 13) << llvm::right_justify(flops, 17)
       << (mark.empty() ? "" : "  ") << mark << '\n';
  };
  os << "model " << program.getSymName() << '\n';
  line("layer", "kind", "input", "output", "parameters", "FLOPs/sample", "");
  LayerCosts total;
  for (const LayerRow &row : rows) {
    LayerCosts cost = costs.lookup(row.path);
    total.parameters += cost.parameters;
    total.flops += cost.flops;
    line(row.path, row.kind, row.input, row.output, grouped(cost.parameters), grouped(cost.flops),
         row.first ? "first layer" : "");
  }
  line("total", "", "", "", grouped(total.parameters), grouped(total.flops), "");
}

} // namespace tr
