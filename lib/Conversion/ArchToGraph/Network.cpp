// SPDX-License-Identifier: Apache-2.0
//
// Order of a network's layers: branches one after another, then the layer that joins them.
#include "Network.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tr;

namespace {

class Reader {
public:
  explicit Reader(Network &network) : network(network) {}

  LogicalResult run(arch::NetworkOp op);

private:
  FailureOr<ValueId> readBlock(Block &block);
  LogicalResult readBranches(JoinOpInterface op);
  void append(LayerOpInterface layer, ArrayRef<ValueId> inputs);
  LogicalResult checkEnd();
  LogicalResult checkUses();

  ValueId lookup(Value value) const { return values.lookup(value); }

  Network &network;
  llvm::DenseMap<Value, ValueId> values;
};

LogicalResult Reader::run(arch::NetworkOp op) {
  network.op = op;
  Block &body = op.getBody().front();
  auto type = cast<RankedTensorType>(body.getArgument(0).getType());
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return network.emitError(LayerId::None, "")
           << "expected images of known height, width and channels, but got " << type;
  network.input = getImageShape(type);
  values[body.getArgument(0)] = network.producers.push_back(LayerId::None);
  if (failed(readBlock(body)) || failed(checkEnd()))
    return failure();
  network.logits = network.getLoss().inputs.front();
  return checkUses();
}

// Returns the value that the block yields.
FailureOr<ValueId> Reader::readBlock(Block &block) {
  for (Operation &op : block) {
    if (auto yield = dyn_cast<arch::YieldOp>(op))
      return lookup(yield.getValue());
    if (auto branches = dyn_cast<JoinOpInterface>(op)) {
      if (failed(readBranches(branches)))
        return failure();
    } else {
      append(cast<LayerOpInterface>(op), lookup(op.getOperand(0)));
    }
  }
  return failure(); // The verifier promises a yield.
}

LogicalResult Reader::readBranches(JoinOpInterface op) {
  SmallVector<ValueId, 4> yielded;
  for (Region *branch : op.getBranches()) {
    values[branch->front().getArgument(0)] = lookup(op->getOperand(0));
    FailureOr<ValueId> value = readBlock(branch->front());
    if (failed(value))
      return failure();
    yielded.push_back(*value);
    LayerId last = network.producers[*value];
    auto add2 = dyn_cast<arch::Add2Op>(op.getOperation());
    if (add2 && branch == &add2.getStem() && network.nodes.size() != 0 &&
        last == network.layerAt(network.nodes.size() - 1))
      network.nodes[last].endsResidualStem = true;
  }
  append(cast<LayerOpInterface>(op.getOperation()), yielded);
  return success();
}

void Reader::append(LayerOpInterface layer, ArrayRef<ValueId> inputs) {
  LayerId id = network.layerAt(network.nodes.size());
  ValueId output = network.producers.push_back(id);
  values[layer->getResult(0)] = output;
  network.nodes.push_back({layer, SmallVector<ValueId, 2>(inputs), output});
}

LogicalResult Reader::checkEnd() {
  auto yield = cast<arch::YieldOp>(network.op.getBody().front().back());
  for (NetworkNode &node : network.nodes)
    if (isa<arch::SoftmaxCeOp>(node.layer) && node.output != network.getLoss().output)
      return emitLayerError(node.layer) << "expected the loss to be the last layer";
  if (network.nodes.size() == 0 || !isa<arch::SoftmaxCeOp>(network.getLoss().layer) ||
      lookup(yield.getValue()) != network.getLoss().output)
    return yield.emitOpError("expected tr.arch.softmax_ce as the last layer; "
                             "--tr-arch-normalize-softmax-ce puts one");
  return success();
}

LogicalResult Reader::checkUses() {
  IdVector<ValueId, char> used(network.producers.size(), false);
  for (const NetworkNode &node : network.nodes)
    for (ValueId input : node.inputs)
      used[input] = true;
  used[network.getLoss().output] = true;
  for (const NetworkNode &node : network.nodes)
    if (!used[node.output])
      return emitLayerError(node.layer) << "expected a layer that something reads, but got none";
  return success();
}

} // namespace

FailureOr<Network> Network::read(arch::NetworkOp op) {
  Network network;
  if (failed(Reader(network).run(op)))
    return failure();
  return network;
}

InFlightDiagnostic Network::emitError(LayerId layer, StringRef variant) const {
  if (layer != LayerId::None)
    return emitLayerError(nodes[layer].layer, variant);
  arch::NetworkOp network = op; // asking an op for its name is no const function
  InFlightDiagnostic diagnostic = network.emitError("network '");
  diagnostic << network.getSymName() << "': ";
  if (!variant.empty())
    diagnostic << "under variant '" << variant << "': ";
  return diagnostic;
}

SmallVector<Variant> tr::getVariants(OptionsAttr options, ImageShape input) {
  SmallVector<Variant> variants;
  if (!options.getVariants() || options.getVariants().empty()) {
    int64_t batch = options.getValues().batch;
    variants.push_back({"train_base", true, batch, input});
    variants.push_back({"val_base", false, batch, input});
    return variants;
  }
  for (auto spec : options.getVariants().getAsRange<VariantAttr>()) {
    ImageShape shape = input;
    if (spec.getResolution() != Dims2{})
      shape = {spec.getResolution().h, spec.getResolution().w, input.c};
    variants.push_back({spec.getName().str(), spec.getTraining(), spec.getBatch(), shape});
  }
  return variants;
}
