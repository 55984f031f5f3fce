// SPDX-License-Identifier: Apache-2.0
//
// From the descriptions of single layers to one tensor table and one list of
// kernel ops: shapes flow forward, gradients are routed backward, then tensors get
// ids and operands are resolved to them.
#include "CallResolver.h"
#include "LoweredNetwork.h"

using namespace mlir;
using namespace tr;

namespace {

// Elements of one tensor; byte sizes of a whole table stay far below 2^63.
constexpr int64_t kMaxElements = int64_t(1) << 48;

// What is known of a value before there are tensors.
struct ValueFacts {
  ImageShape shape, features;
  bool readInBackward = false;
};

bool readsInput(const KernelCall &call) { return call.usesKind(TensorRef::Input); }

bool uses(ArrayRef<KernelCall> calls, TensorRef own) {
  return llvm::any_of(calls, [&](const KernelCall &call) { return call.uses(own); });
}

// Describes the layers in order.
class Describer {
public:
  Describer(const Network &network, const Variant &variant, OptionsAttr options)
      : values(network.producers.size()), needsGrad(network.producers.size(), false),
        network(network), variant(variant), options(options) {
    for (const Variant &each : getVariants(options, network.input))
      needs.trains |= each.training;
    needs.optimizer = options.getValues().optimizer;
  }

  LogicalResult run();

  IdVector<LayerId, LayerDescription> descriptions;
  IdVector<ValueId, ValueFacts> values;
  IdVector<ValueId, char> needsGrad;
  SharedNeeds needs;

private:
  LogicalResult describe(LayerId layer);
  FailureOr<LayerContext> makeContext(LayerId layer);
  void noteFacts(LayerId layer);
  ImageShape getFeatures(const NetworkNode &node, ImageShape output) const;
  LogicalResult checkSizes() const;

  const Network &network;
  const Variant &variant;
  OptionsAttr options;
  uint32_t randomLayers = 0;
};

LogicalResult Describer::run() {
  auto emitError = [&] { return network.emitError(LayerId::None, variant.name); };
  if (failed(tr::detail::checkExtents(variant.input, emitError)))
    return failure();
  values[ValueId::Images].shape = values[ValueId::Images].features = variant.input;
  for (size_t i = 0; i < network.nodes.size(); ++i)
    if (failed(describe(network.layerAt(i))))
      return failure();
  return checkSizes();
}

FailureOr<LayerContext> Describer::makeContext(LayerId layer) {
  const NetworkNode &node = network.nodes[layer];
  LayerOpInterface op = node.layer;
  LayerContext context;
  for (ValueId input : node.inputs) {
    context.inputs.push_back(values[input].shape);
    context.inputNeedsGrad.push_back(needsGrad[input]);
  }
  auto emitError = [&] { return emitLayerError(op, variant.name); };
  FailureOr<ImageShape> output = op.inferOutputShape(context.inputs, emitError);
  if (failed(output) || failed(tr::detail::checkExtents(*output, emitError)))
    return failure();
  context.batch = variant.batch;
  context.output = *output;
  context.features = values[node.inputs.front()].features;
  context.first = node.readsImages();
  context.training = needs.trains;
  context.zeroGamma = options.getValues().zeroGamma;
  context.endsResidualStem = node.endsResidualStem;
  context.index = randomLayers;
  return context;
}

LogicalResult Describer::describe(LayerId layer) {
  FailureOr<LayerContext> context = makeContext(layer);
  if (failed(context))
    return failure();
  descriptions.push_back(LayerDescription(std::move(*context)));
  LayerOpInterface op = network.nodes[layer].layer;
  op.describe(descriptions[layer]);
  noteFacts(layer);
  return success();
}

// Extents survive a flatten for as long as layers keep the shape.
ImageShape Describer::getFeatures(const NetworkNode &node, ImageShape output) const {
  const ValueFacts &first = values[node.inputs.front()];
  bool same = llvm::all_of(node.inputs, [&](ValueId input) {
    return values[input].shape == output && values[input].features == first.features;
  });
  return same ? first.features : output;
}

void Describer::noteFacts(LayerId layer) {
  const NetworkNode &node = network.nodes[layer];
  const LayerDescription &description = descriptions[layer];
  const LayerFacts &facts = description.getFacts();
  ValueFacts &out = values[node.output];
  out.shape = description.getOutput();
  out.features = facts.features ? *facts.features : getFeatures(node, out.shape);
  needsGrad[node.output] =
      needs.trains && (!facts.params.empty() ||
                       llvm::any_of(node.inputs, [&](ValueId input) { return needsGrad[input]; }));
  randomLayers += facts.random;
  needs.draws |= facts.random;
  needs.countsFolds |= uses(facts.inference, LayerDescription::shared(trf::SharedTensor::Folds));
  bool backwardReads =
      llvm::any_of(facts.backward, readsInput) || (facts.recompute && readsInput(*facts.recompute));
  for (ValueId input : node.inputs)
    values[input].readInBackward |= backwardReads;
}

LogicalResult Describer::checkSizes() const {
  auto fits = [](const TensorDims &dims) {
    int64_t elements = 1;
    for (int64_t dim : dims)
      if (llvm::MulOverflow(elements, dim, elements) || elements > kMaxElements)
        return false;
    return true;
  };
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    LayerId layer = network.layerAt(i);
    ImageShape shape = descriptions[layer].getOutput();
    if (!fits({variant.batch, shape.h, shape.w, shape.c}))
      return emitLayerError(network.nodes[layer].layer, variant.name)
             << "expected at most " << kMaxElements << " elements, but got batch " << variant.batch
             << " of " << toString(shape);
    for (const TensorRow &row : descriptions[layer].getFacts().tensors)
      if (!fits(row.dims))
        return emitLayerError(network.nodes[layer].layer, variant.name)
               << "expected at most " << kMaxElements << " elements in tensor '" << row.name << "'";
  }
  return success();
}

// Gives tensors ids and resolves the kernel ops to them.
class Lowering {
public:
  Lowering(const Network &network, const Variant &variant, const Describer &described, bool fuse)
      : network(network), variant(variant), fuse(fuse), descriptions(described.descriptions),
        values(described.values), needs(described.needs),
        routes(routeGradients(network, descriptions, described.needsGrad)), places(network),
        resolver(network, descriptions, routes, result.table, places),
        isRecomputed(network.producers.size(), false) {}

  LoweredNetwork run();

private:
  void addLayerTensors(LayerId layer);
  void addOwnTensors(LayerId layer);
  void placeOutput(LayerId layer);
  void addGradients(LayerId layer);
  void emitForward(LayerId layer);
  void emitJoin(LayerId layer, std::vector<TableCall> &forward);
  void emitTake(LayerId layer, std::vector<TableCall> &forward);
  void copyLogits(LayerId layer);
  void emitBackward(LayerId layer);
  void emitSplit(LayerId layer, std::vector<TableCall> &calls);
  void recompute(ValueId value);
  void addSum(std::vector<TableCall> &calls, LayerId layer, TensorId a, TensorId b, TensorId y);
  void clearUnusedShapes();
  const LayerFacts &factsOf(LayerId layer) const { return descriptions[layer].getFacts(); }
  int32_t getCopyIndex(LayerId layer) const {
    const std::optional<KernelCall> &call = factsOf(layer).recompute;
    return call ? call->operands.back().index : -1;
  }

  const Network &network;
  const Variant &variant;
  const bool fuse;
  const IdVector<LayerId, LayerDescription> &descriptions;
  const IdVector<ValueId, ValueFacts> &values;
  const SharedNeeds &needs;
  GradientRoutes routes;
  Places places;
  LoweredNetwork result;
  CallResolver resolver;
  IdVector<ValueId, char> isRecomputed; // the value's copy is made already
};

LoweredNetwork Lowering::run() {
  result.trains = needs.trains;
  result.table.addShared(needs, variant.batch, variant.input, values[network.logits].shape);
  size_t count = network.nodes.size();
  for (size_t i = 0; i < count; ++i)
    addLayerTensors(network.layerAt(i));
  for (size_t i = 0; i < count; ++i)
    emitForward(network.layerAt(i));
  for (size_t i = count; i-- > 0;)
    emitBackward(network.layerAt(i));
  // Kernels that keep what they made of folded values see that it is no longer true.
  namespace op = trf::ops::counter_add;
  if (needs.countsFolds)
    result.fold.push_back({op::kOpcode,
                           {result.table.getShared(trf::SharedTensor::Folds)},
                           toAttrList(op::Attrs{1}),
                           LayerId::None});
  fuseJoins(result);
  if (fuse)
    fuseGates(network, result);
  placeRuns(result);
  clearUnusedShapes();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void Lowering::addLayerTensors(LayerId layer) {
  const LayerFacts &facts = factsOf(layer);
  result.fused.push_back(LayerOpInterface(network.nodes[layer].layer).isFused());
  addOwnTensors(layer);
  size_t firstParam = result.table.params.size();
  for (ParamRow param : facts.params) {
    param.tensor = static_cast<int32_t>(places.own[layer][param.tensor]);
    param.grad = param.grad < 0 ? -1 : static_cast<int32_t>(places.own[layer][param.grad]);
    result.table.addParam(std::move(param));
  }
  if (needs.trains)
    result.table.addOptimizerStates(layer, ArrayRef(result.table.params).drop_front(firstParam),
                                    needs.optimizer);
  placeOutput(layer);
  if (facts.output.kind == TensorRef::Own)
    addGradients(layer);
}

void Lowering::addOwnTensors(LayerId layer) {
  const LayerFacts &facts = factsOf(layer);
  ValueId output = network.nodes[layer].output;
  int32_t copy = getCopyIndex(layer);
  for (auto [position, row] : llvm::enumerate(facts.tensors)) {
    TensorRef ref{TensorRef::Own, static_cast<int32_t>(position)};
    TensorId id = TensorId::None;
    bool isLogits = output == network.logits && facts.output == ref;
    if (isLogits)
      id = result.table.getShared(trf::SharedTensor::Logits);
    else if (ref.index != copy || values[output].readInBackward)
      id = result.table.add(row, layer);
    places.own[layer].push_back(id);
    bool joined = (facts.joinsChannels || facts.takenFrom) && facts.output == ref;
    bool hasTwin = !isLogits && row.region.isPooled() &&
                   (joined ? needs.trains
                           : uses(facts.inference, ref) &&
                                 (uses(facts.forward, ref) || uses(facts.backward, ref)));
    places.ownInference[layer].push_back(hasTwin ? result.table.addInferenceTwin(id) : id);
  }
}

void Lowering::placeOutput(LayerId layer) {
  const LayerFacts &facts = factsOf(layer);
  ValuePlaces &out = places.values[network.nodes[layer].output];
  out.training = resolver.resolve(layer, facts.output, Phase::Forward);
  out.inference = resolver.resolve(layer, facts.inferenceOutput, Phase::Inference);
  out.backward = facts.output.kind == TensorRef::Own
                     ? out.training
                     : resolver.resolve(layer, facts.output, Phase::Backward);
  if (facts.recompute && values[network.nodes[layer].output].readInBackward)
    out.backward = places.own[layer][getCopyIndex(layer)]; // also for the layer itself
}

void Lowering::addGradients(LayerId layer) {
  ValueId value = network.nodes[layer].output;
  ImageShape shape = values[value].shape;
  const TensorRow &output = factsOf(layer).tensors[factsOf(layer).output.index];
  for (int32_t part = 0; part < routes.values[value].ownCount; ++part) {
    std::string name = output.name + ".grad";
    if (part > 0)
      name += "." + std::to_string(part);
    places.gradients[value].push_back(result.table.add(
        {name, {trf::Role::FeatureGrad}, output.dtype, {variant.batch, shape.h, shape.w, shape.c}},
        layer));
  }
}

// A variant has no use for the activations of the other kind of step.
void Lowering::clearUnusedShapes() {
  IdVector<TensorId, char> used(result.table.tensors.size(), false);
  auto mark = [&](ArrayRef<TableCall> calls) {
    for (const TableCall &call : calls)
      for (TensorId id : call.tensors)
        if (toNumber(id) >= 0)
          used[id] = used[result.table.getRun(id).root] = true;
  };
  if (variant.training) {
    mark(result.firstForward);
    mark(result.deepForward);
    mark(result.deepBackward);
    mark(result.firstBackward);
  } else {
    mark(result.inference);
  }
  for (size_t i = 0; i < used.size(); ++i) {
    auto id = static_cast<TensorId>(i);
    TableTensor &tensor = result.table.tensors[id];
    if (tensor.layer != LayerId::None && !used[id] && result.table.isPooled(id))
      tensor.row.dims = {0, 0, 0, 0};
  }
}

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

void Lowering::addSum(std::vector<TableCall> &calls, LayerId layer, TensorId a, TensorId b,
                      TensorId y) {
  namespace op = trf::ops::add_fwd;
  TableCall sum{op::kOpcode, {}, toAttrList(op::Attrs{Activation::None}), layer};
  sum.tensors.resize(op::kOperandCount, TensorId::None);
  sum.tensors[op::a] = a;
  sum.tensors[op::b] = b;
  sum.tensors[op::y] = y;
  calls.push_back(std::move(sum));
}

// What is called logits must be where the logits are, also after a dropout.
void Lowering::copyLogits(LayerId layer) {
  ValuePlaces &in = places.values[network.logits];
  TensorId logits = result.table.getShared(trf::SharedTensor::Logits);
  if (network.nodes[layer].inputs.front() != network.logits || in.inference == logits)
    return;
  result.inference.push_back({trf::Opcode::copy, {in.inference, logits}, {}, layer});
  in.inference = logits;
}

void Lowering::emitForward(LayerId layer) {
  const LayerFacts &facts = factsOf(layer);
  copyLogits(layer);
  std::vector<TableCall> &forward =
      network.nodes[layer].readsImages() ? result.firstForward : result.deepForward;
  if (facts.joinsChannels)
    emitJoin(layer, forward);
  if (facts.takenFrom)
    emitTake(layer, forward);
  for (const KernelCall &call : facts.forward)
    forward.push_back(resolver.resolve(layer, call, Phase::Forward));
  for (const KernelCall &call : facts.inference)
    result.inference.push_back(resolver.resolve(layer, call, Phase::Inference));
  for (const KernelCall &call : facts.fold)
    result.fold.push_back(resolver.resolve(layer, call, Phase::Forward));
}

// Copies of the inputs to their channels of the output; placeRuns() finds most of them needless.
void Lowering::emitJoin(LayerId layer, std::vector<TableCall> &forward) {
  const ValuePlaces &output = places.values[network.nodes[layer].output];
  int64_t first = 0;
  for (ValueId input : network.nodes[layer].inputs) {
    const ValuePlaces &place = places.values[input];
    namespace op = trf::ops::copy;
    TableCall copy{op::kOpcode, {}, {}, layer, output.training, first};
    copy.tensors.resize(op::kOperandCount, TensorId::None);
    copy.tensors[op::x] = place.training;
    if (needs.trains)
      forward.push_back(copy);
    copy.tensors[op::x] = place.inference;
    copy.whole = output.inference;
    result.inference.push_back(std::move(copy));
    first += values[input].shape.c;
  }
}

// Copies of channels of the input, likewise.
void Lowering::emitTake(LayerId layer, std::vector<TableCall> &forward) {
  const NetworkNode &node = network.nodes[layer];
  const ValuePlaces &input = places.values[node.inputs.front()],
                    &output = places.values[node.output];
  namespace op = trf::ops::copy;
  TableCall copy{op::kOpcode, {}, {}, layer, input.training, *factsOf(layer).takenFrom};
  copy.tensors.resize(op::kOperandCount, TensorId::None);
  copy.tensors[op::y] = output.training;
  if (needs.trains)
    forward.push_back(copy);
  copy.tensors[op::y] = output.inference;
  copy.whole = input.inference;
  result.inference.push_back(std::move(copy));
}

// The gradient of each input is its channels of the output's.
void Lowering::emitSplit(LayerId layer, std::vector<TableCall> &calls) {
  const NetworkNode &node = network.nodes[layer];
  int64_t first = 0;
  for (auto [index, input] : llvm::enumerate(node.inputs)) {
    if (descriptions[layer].needsInputGrad(static_cast<int32_t>(index))) {
      namespace op = trf::ops::copy;
      TableCall copy{
          op::kOpcode, {}, {}, layer, places.getGradient(routes.values[node.output].total), first};
      copy.tensors.resize(op::kOperandCount, TensorId::None);
      copy.tensors[op::y] = places.getGradient(routes.inputs[layer][index]);
      calls.push_back(std::move(copy));
    }
    first += values[input].shape.c;
  }
}

// Makes the copies that backward reads instead of a value, before their first reader. A copy may
// be made from others, which are made first.
void Lowering::recompute(ValueId value) {
  SmallVector<ValueId, 4> pending{value}; // each is made once all after it are
  while (!pending.empty()) {
    ValueId next = pending.back();
    LayerId layer = network.producers[next];
    const std::optional<KernelCall> *call =
        next == ValueId::Images ? nullptr : &factsOf(layer).recompute;
    if (isRecomputed[next] || !call || !*call) {
      pending.pop_back();
      continue;
    }
    const NetworkNode &node = network.nodes[layer];
    size_t count = pending.size();
    if (readsInput(**call))
      for (ValueId input : node.inputs)
        if (input != ValueId::Images && !isRecomputed[input] &&
            factsOf(network.producers[input]).recompute)
          pending.push_back(input);
    if (pending.size() > count)
      continue;
    assert(!(node.readsImages() && readsInput(**call)) &&
           "a copy made from the images would need the input half");
    isRecomputed[next] = true;
    pending.pop_back();
    result.deepBackward.push_back(resolver.resolve(layer, **call, Phase::Backward));
  }
}

// The sum of a value's gradients belongs to the layer that made the value.
void Lowering::emitBackward(LayerId layer) {
  const NetworkNode &node = network.nodes[layer];
  const ValueGradient &gradient = routes.values[node.output];
  for (auto [a, b] : gradient.sums)
    addSum(result.deepBackward, layer, places.getGradient(a), places.getGradient(b),
           places.getGradient(gradient.total));
  std::vector<TableCall> &calls = node.readsImages() ? result.firstBackward : result.deepBackward;
  if (factsOf(layer).joinsChannels && needs.trains)
    emitSplit(layer, calls);
  for (const KernelCall &call : factsOf(layer).backward) {
    if (readsInput(call))
      for (ValueId input : node.inputs)
        recompute(input);
    calls.push_back(resolver.resolve(layer, call, Phase::Backward));
  }
}

} // namespace

FailureOr<LoweredNetwork> tr::lowerNetwork(const Network &network, const Variant &variant,
                                           OptionsAttr options) {
  Describer described(network, variant, options);
  if (failed(described.run()))
    return failure();
  return Lowering(network, variant, described, options.getValues().fuse).run();
}
