// SPDX-License-Identifier: Apache-2.0
//
// Order of a network's layers. The stem of an add2 comes before its shortcut, as
// in fused blocks, so that parameters have one order with and without fusion.
#include "Network.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tr;

namespace {

class Reader {
public:
  explicit Reader(Network &network) : network(network) {}

  LogicalResult run(arch::PlanOp plan);

private:
  FailureOr<int32_t> readBlock(Block &block);
  LogicalResult readAdd2(arch::Add2Op op);
  LogicalResult readLayer(LayerOpInterface layer);
  LogicalResult checkEnd();
  LogicalResult checkUses();

  int32_t lookup(Value value) const { return values.lookup(value); }
  void append(Operation *op, LayerOpInterface layer, int32_t first, int32_t second) {
    int32_t output = network.valueCount++;
    values[op->getResult(0)] = output;
    network.nodes.push_back({op, layer, {first, second}, output});
  }

  Network &network;
  llvm::DenseMap<Value, int32_t> values;
};

LogicalResult Reader::run(arch::PlanOp plan) {
  network.plan = plan;
  Block &body = plan.getBody().front();
  auto type = cast<RankedTensorType>(body.getArgument(0).getType());
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return plan.emitOpError("expected known input extents, but got ") << type;
  network.input = getImageShape(type);
  values[body.getArgument(0)] = 0;
  FailureOr<int32_t> result = readBlock(body);
  if (failed(result))
    return failure();
  if (failed(checkEnd()))
    return failure();
  network.logits = network.nodes.back().inputs[0];
  return checkUses();
}

// Returns the value that the block yields.
FailureOr<int32_t> Reader::readBlock(Block &block) {
  for (Operation &op : block) {
    if (auto yield = dyn_cast<arch::YieldOp>(op))
      return lookup(yield.getValue());
    LogicalResult read = success();
    if (auto add2 = dyn_cast<arch::Add2Op>(op))
      read = readAdd2(add2);
    else if (auto layer = dyn_cast<LayerOpInterface>(op))
      read = readLayer(layer);
    else
      read = op.emitOpError("is not a layer");
    if (failed(read))
      return failure();
  }
  return failure(); // The verifier promises a yield.
}

LogicalResult Reader::readLayer(LayerOpInterface layer) {
  append(layer, layer, lookup(layer->getOperand(0)), -1);
  return success();
}

LogicalResult Reader::readAdd2(arch::Add2Op op) {
  Block &stem = op.getStem().front(), &shortcut = op.getShortcut().front();
  values[stem.getArgument(0)] = values[shortcut.getArgument(0)] = lookup(op.getInput());
  FailureOr<int32_t> stemValue = readBlock(stem);
  if (failed(stemValue))
    return failure();
  if (!network.nodes.empty() && network.nodes.back().output == *stemValue)
    network.nodes.back().endsResidualStem = true;
  FailureOr<int32_t> shortcutValue = readBlock(shortcut);
  if (failed(shortcutValue))
    return failure();
  append(op, nullptr, *stemValue, *shortcutValue);
  return success();
}

LogicalResult Reader::checkEnd() {
  auto yield = cast<arch::YieldOp>(network.plan.getBody().front().back());
  for (const NetworkNode &node : network.nodes)
    if (isa<arch::SoftmaxCeOp>(node.op) && &node != &network.nodes.back())
      return node.op->emitOpError("expected the loss to be the last layer");
  if (network.nodes.empty() || !isa<arch::SoftmaxCeOp>(network.nodes.back().op) ||
      lookup(yield.getValue()) != network.nodes.back().output)
    return yield.emitOpError("expected tr.arch.softmax_ce as the last layer; "
                             "--tr-arch-normalize-softmax-ce puts one");
  return success();
}

LogicalResult Reader::checkUses() {
  std::vector<bool> used(network.valueCount, false);
  for (const NetworkNode &node : network.nodes)
    for (unsigned i = 0; i < node.getInputCount(); ++i)
      used[node.inputs[i]] = true;
  used[network.nodes.back().output] = true;
  for (const NetworkNode &node : network.nodes)
    if (!used[node.output])
      return node.op->emitOpError("expected a layer that something reads, but the result of '")
             << node.getPath() << "' is unused";
  return success();
}

} // namespace

StringRef NetworkNode::getPath() const {
  if (layer)
    return LayerOpInterface(layer).getPath();
  return cast<arch::Add2Op>(op).getPath();
}

StringRef NetworkNode::getKind() const {
  StringRef name = op->getName().getStringRef();
  name.consume_front("tr.arch.");
  return name;
}

FailureOr<Network> Network::read(arch::PlanOp plan) {
  Network network;
  if (failed(Reader(network).run(plan)))
    return failure();
  return network;
}

SmallVector<Variant> tr::getVariants(OptionsAttr options, ImageShape input) {
  SmallVector<Variant> variants;
  if (!options.getSpecs() || options.getSpecs().empty()) {
    variants.push_back({"train_base", true, 32, input});
    variants.push_back({"val_base", false, 32, input});
    return variants;
  }
  for (auto spec : options.getSpecs().getAsRange<CompileSpecAttr>()) {
    ImageShape shape = input;
    if (spec.getResolution() != Dims2{})
      shape = {spec.getResolution().h, spec.getResolution().w, input.c};
    variants.push_back({spec.getName().str(), spec.getTraining(), spec.getBatch(), shape});
  }
  return variants;
}
