// SPDX-License-Identifier: Apache-2.0
//
// Parameters and FLOPs come from the finished program, so the summary shows what
// the plan really holds.
#include "Report.h"

#include "renaissance/Target/PlanTables.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tr {
namespace {

ArrayRef<int64_t> shapeOf(graph::TensorOp tensor, size_t variant) {
  return cast<DenseI64ArrayAttr>(tensor.getShapes()[variant]).asArrayRef();
}

// Multiplications and additions of a convolution or FC: two for each weight and
// output position. Other kernels are not counted, as in the published figures.
int64_t flopsOf(graph::ComputeOp op, ArrayRef<graph::TensorOp> tensors, size_t variant) {
  plan::Kernel kernel = *plan::symbolizeKernel(op.getKernel());
  const plan::KernelInfo &info = plan::getInfo(kernel);
  if (!info.isConv && kernel != plan::Kernel::fc_fwd)
    return 0;
  auto shapeOfOperand = [&](StringRef name) {
    auto operand = llvm::find_if(info.operands, [&](auto &o) { return o.name == name; });
    assert(operand != info.operands.end() && "forward kernels have w and y");
    return shapeOf(tensors[op.getTensors()[operand - info.operands.begin()]], variant);
  };
  ArrayRef<int64_t> out = shapeOfOperand("y");
  return 2 * product(shapeOfOperand("w")) * out[1] * out[2];
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
    if (plan::symbolizeSubgraph(subgraph.getName()) != plan::Subgraph::InfMainA ||
        subgraph.getGraph() != 0)
      continue;
    for (auto op : subgraph.getBody().front().getOps<graph::ComputeOp>())
      if (int64_t layer = op.getLayer(); layer >= 0)
        costs[layers[layer].getPath()].flops += flopsOf(op, tensors, variant);
  }
  return costs;
}

std::string grouped(int64_t value) { return llvm::formatv("{0:N}", value).str(); }

std::vector<LayerRow> collectLayers(arch::PlanOp plan) {
  std::vector<LayerRow> rows;
  plan.walk<WalkOrder::PreOrder>([&](Operation *op) {
    LayerRow row;
    if (auto layer = dyn_cast<LayerOpInterface>(op))
      row.path = layer.getPath().str();
    else if (auto add = dyn_cast<arch::Add2Op>(op))
      row.path = add.getPath().str();
    else
      return;
    row.kind = op->getName().stripDialect().drop_front(StringRef("arch.").size()).str();
    row.input = toString(getImageShape(op->getOperand(0).getType()));
    row.output = toString(getImageShape(op->getResult(0).getType()));
    row.location = locationText(op->getLoc());
    row.first = op->hasAttr("first");
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
