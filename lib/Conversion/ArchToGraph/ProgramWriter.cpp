// SPDX-License-Identifier: Apache-2.0
//
// Variants, layers, tensors, parameters and the count of fused layers.
#include "ProgramWriter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tr;

namespace {

class ProgramWriter {
public:
  ProgramWriter(const Network &network, ArrayRef<VariantTable> variants,
                ArrayRef<LoweredNetwork> tables)
      : network(network), variants(variants), tables(tables), builder(network.op) {}

  graph::ProgramOp write();

private:
  void writeVariants();
  void writeLayers();
  void writeTensors();
  void writeParams();
  void writeFusions();
  const TensorTable &getBase() const { return tables.front().table; }

  const Network &network;
  ArrayRef<VariantTable> variants;
  ArrayRef<LoweredNetwork> tables;
  OpBuilder builder;
};

graph::ProgramOp ProgramWriter::write() {
  arch::NetworkOp op = network.op;
  builder.setInsertionPointAfter(op);
  auto program = graph::ProgramOp::create(builder, op.getLoc(), op.getSymName(), op.getClasses());
  program.setPrecision(getOptions(op).getValues().precision);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  writeVariants();
  writeLayers();
  writeTensors();
  writeParams();
  writeFusions();
  return program;
}

void ProgramWriter::writeVariants() {
  for (const auto &[v, table] : variants)
    graph::VariantOp::create(builder, network.getLoc(LayerId::None), v.name, v.training, v.batch,
                             ArrayRef<int64_t>{v.input.h, v.input.w, v.input.c});
}

void ProgramWriter::writeLayers() {
  for (const NetworkNode &node : network.nodes) {
    LayerOpInterface layer = node.layer;
    graph::LayerOp::create(builder, layer.getLoc(), layer.getPath(), layer.getLayerKind(),
                           node.readsImages());
  }
}

void ProgramWriter::writeTensors() {
  for (size_t i = 0; i < getBase().tensors.size(); ++i) {
    auto id = static_cast<TensorId>(i);
    const TableTensor &tensor = getBase().tensors[id];
    SmallVector<Attribute, 6> distinct, shapes;
    for (const LoweredNetwork &lowered : tables)
      distinct.push_back(builder.getDenseI64ArrayAttr(lowered.table.tensors[id].row.dims));
    for (const VariantTable &variant : variants)
      shapes.push_back(distinct[variant.table]);
    std::optional<int64_t> parent, firstChannel;
    if (tensor.parent != TensorId::None) {
      parent = toNumber(tensor.parent);
      firstChannel = tensor.firstChannel;
    }
    graph::TensorOp::create(builder, network.getLoc(tensor.layer), toNumber(id),
                            builder.getStringAttr(tensor.row.name),
                            trf::typedRegion(tensor.row.region, tensor.row.dtype), tensor.row.dtype,
                            toNumber(tensor.layer), builder.getArrayAttr(shapes), parent,
                            firstChannel, /*slot=*/std::nullopt,
                            /*offset=*/std::nullopt);
  }
}

void ProgramWriter::writeParams() {
  for (const ParamRow &param : getBase().params) {
    LayerId layer = getBase().tensors[static_cast<TensorId>(param.tensor)].layer;
    graph::ParamOp::create(builder, network.getLoc(layer), param.name, int64_t{param.tensor},
                           int64_t{param.grad}, param.layout, param.init, APFloat(param.scale),
                           ArrayRef<int64_t>(param.logical));
  }
}

void ProgramWriter::writeFusions() {
  llvm::MapVector<StringRef, int64_t> counts;
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    LayerId layer = network.layerAt(i);
    if (tables.front().fused[layer])
      ++counts[LayerOpInterface(network.nodes[layer].layer).getLayerKind()];
  }
  for (auto [kind, count] : counts)
    graph::FusionOp::create(builder, network.getLoc(LayerId::None), kind, count);
}

} // namespace

graph::ProgramOp tr::writeProgram(const Network &network, ArrayRef<VariantTable> variants,
                                  ArrayRef<LoweredNetwork> tables) {
  return ProgramWriter(network, variants, tables).write();
}
