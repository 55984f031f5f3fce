// SPDX-License-Identifier: Apache-2.0
//
// From the descriptions of single layers to one tensor table and one list of
// kernel ops: shapes flow forward, gradients are routed backward, then tensors get
// ids and operands are resolved to them.
#include "Gradients.h"
#include "Network.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace mlir;
using namespace tr;
using plan::DType;
using plan::Kernel;

namespace {

// Elements of one tensor; byte sizes of a whole table stay far below 2^63.
constexpr int64_t kMaxElements = int64_t(1) << 48;

struct ValueInfo {
  ImageShape shape, features;
  bool needsGrad = false;
  int32_t training = TableCall::kImages; // tensor id
  int32_t inference = TableCall::kImages;
  int32_t backward = TableCall::kImages; // what backward reads: the tensor or a copy made anew
  bool readInBackward = false;
};

enum class Phase { Forward, Backward, Inference };

class Lowering {
public:
  Lowering(const Network &network, const Variant &variant, OptionsAttr options)
      : network(network), variant(variant), options(options), values(network.valueCount) {
    for (const Variant &each : getVariants(options, network.input))
      training |= each.training;
  }

  FailureOr<LoweredNetwork> run();

private:
  LogicalResult describe();
  LogicalResult describeLayer(const NetworkNode &node);
  LogicalResult describeSum(const NetworkNode &node);
  LogicalResult checkSizes() const;
  void addSharedTensors();
  void addOptimizerScalars();
  void addLayerTensors(int32_t layer);
  void addOptimizerStates(int32_t layer, const LayerDescription &description);
  void addGradients(int32_t layer, StringRef outputName);
  void emitForward(int32_t layer);
  void emitSumForward(int32_t layer);
  void emitBackward(int32_t layer);
  void findBackwardReads();
  void rebuild(int32_t value);
  int32_t addTwin(int32_t id, int32_t layer);
  static bool uses(ArrayRef<KernelCall> calls, int32_t index);
  static bool readsInput(const KernelCall &call) {
    return llvm::any_of(call.operands,
                        [](const TensorRef &ref) { return ref.kind == TensorRef::Input; });
  }
  void setUnusedShapes();

  int32_t addTensor(TensorRow row, int32_t layer) {
    result.tensors.push_back({std::move(row), layer});
    return static_cast<int32_t>(result.tensors.size() - 1);
  }
  int32_t addShared(StringRef name, plan::Region region, TensorDims dims = {1, 1, 1, 1}) {
    int32_t id = addTensor({name.str(), region, plan::getDType(region), dims}, /*layer=*/-1);
    shared[name] = id;
    return id;
  }
  int32_t gradientId(GradientRef ref) const { return gradientIds[ref.value][ref.part]; }
  int32_t resolve(int32_t layer, const TensorRef &ref, Phase phase) const;
  void emit(std::vector<TableCall> &calls, int32_t layer, const KernelCall &call, Phase phase);
  void emitSum(std::vector<TableCall> &calls, int32_t layer, int32_t a, int32_t b, int32_t y) {
    calls.push_back({Kernel::add_fwd, {a, b, y}, {static_cast<int64_t>(Activation::None)}, layer});
  }

  const Network &network;
  const Variant &variant;
  OptionsAttr options;
  std::vector<ValueInfo> values;
  std::vector<std::optional<LayerDescription>> descriptions; // none for a sum
  GradientRoutes routes;
  std::vector<SmallVector<int32_t, 1>> gradientIds;  // of each value's own gradient tensors
  std::vector<SmallVector<int32_t, 4>> ownIds;       // of each layer's tensors
  std::vector<SmallVector<int32_t, 4>> inferenceIds; // the same where inference has its own
  std::vector<bool> isRebuilt;                       // the value's copy is made already
  llvm::StringMap<int32_t> shared;
  uint32_t randomLayers = 0;
  bool training = false;
  LoweredNetwork result;
};

FailureOr<LoweredNetwork> Lowering::run() {
  if (failed(describe()) || failed(checkSizes()))
    return failure();
  std::vector<bool> needsGrad;
  for (const ValueInfo &value : values)
    needsGrad.push_back(value.needsGrad);
  routes = routeGradients(network, needsGrad);
  gradientIds.resize(network.valueCount);
  ownIds.resize(network.nodes.size());
  inferenceIds.resize(network.nodes.size());
  isRebuilt.resize(network.valueCount, false);
  findBackwardReads();
  addSharedTensors();
  if (result.countsFolds)
    addShared("folds", plan::Region::SScalarInt32);
  int32_t count = static_cast<int32_t>(network.nodes.size());
  for (int32_t layer = 0; layer < count; ++layer)
    addLayerTensors(layer);
  for (int32_t layer = 0; layer < count; ++layer)
    network.nodes[layer].layer ? emitForward(layer) : emitSumForward(layer);
  for (int32_t layer = count; layer-- > 0;)
    emitBackward(layer);
  // Kernels that keep what they made of folded values see that it is no longer true.
  if (result.countsFolds)
    result.fold.push_back({Kernel::counter_add, {shared.lookup("folds")}, {int64_t(1)}, -1});
  fuseJoins(result);
  setUnusedShapes();
  result.training = training;
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult Lowering::describe() {
  auto emitError = [&]() {
    return std::move(network.getPlan().emitOpError("under variant '") << variant.name << "': ");
  };
  if (failed(tr::detail::checkExtents(variant.input, emitError)))
    return failure();
  values[0].shape = values[0].features = variant.input;
  descriptions.reserve(network.nodes.size());
  for (const NetworkNode &node : network.nodes)
    if (failed(node.layer ? describeLayer(node) : describeSum(node)))
      return failure();
  ImageShape logits = values[network.logits].shape;
  if (logits.h != 1 || logits.w != 1)
    return network.nodes.back().op->emitOpError("under variant '")
           << variant.name << "': expected 1x1xC logits, but got " << toString(logits)
           << "; --tr-arch-normalize-flatten puts a flatten before";
  return success();
}

LogicalResult Lowering::describeLayer(const NetworkNode &node) {
  const ValueInfo &in = values[node.inputs[0]];
  LayerOpInterface layer = node.layer;
  auto emitError = [&]() {
    return std::move(node.op->emitOpError("under variant '") << variant.name << "': ");
  };
  FailureOr<ImageShape> output = layer.inferOutputShape(in.shape, emitError);
  if (failed(output) || failed(tr::detail::checkExtents(*output, emitError)))
    return failure();
  LayerContext context;
  context.batch = variant.batch;
  context.input = in.shape;
  context.output = *output;
  context.features = in.features;
  context.first = node.inputs[0] == 0;
  context.training = training;
  auto parts = node.op->getAttrOfType<ArrayAttr>("parts");
  context.partCount = parts ? parts.size() : 0;
  context.inputNeedsGrad = in.needsGrad;
  context.zeroGamma = options.getZeroGamma();
  context.endsResidualStem = node.endsResidualStem;
  context.index = randomLayers;
  LayerDescription &description = *descriptions.emplace_back(std::in_place, context);
  // Extents survive a flatten for as long as layers keep the shape.
  description.features = in.shape == *output ? in.features : *output;
  layer.describe(description);
  if (description.expectedParts != context.partCount)
    return node.op->emitOpError("expected ")
           << description.expectedParts << " parts, but got " << context.partCount;
  ValueInfo &out = values[node.output];
  out.shape = *output;
  out.features = description.features;
  out.needsGrad = training && (in.needsGrad || !description.params.empty());
  randomLayers += description.random;
  result.random |= description.random;
  for (const KernelCall &call : description.inferenceCalls)
    result.countsFolds |= llvm::any_of(call.operands, [](const TensorRef &ref) {
      return ref.kind == TensorRef::Named && ref.name == "folds";
    });
  result.fused.push_back(description.fused);
  return success();
}

LogicalResult Lowering::describeSum(const NetworkNode &node) {
  const ValueInfo &stem = values[node.inputs[0]], &shortcut = values[node.inputs[1]];
  if (stem.shape != shortcut.shape) {
    InFlightDiagnostic diag = node.op->emitOpError("under variant '") << variant.name << "': ";
    return diag << "expected branches of equal extents, but got " << toString(shortcut.shape)
                << " from the shortcut and " << toString(stem.shape) << " from the stem";
  }
  ValueInfo &out = values[node.output];
  out.shape = stem.shape;
  out.features = stem.features == shortcut.features ? stem.features : stem.shape;
  out.needsGrad = stem.needsGrad || shortcut.needsGrad;
  descriptions.emplace_back();
  result.fused.push_back(false);
  return success();
}

LogicalResult Lowering::checkSizes() const {
  auto fits = [](const TensorDims &dims) {
    int64_t elements = 1;
    for (int64_t dim : dims)
      if (llvm::MulOverflow(elements, dim, elements) || elements > kMaxElements)
        return false;
    return true;
  };
  for (const NetworkNode &node : network.nodes) {
    ImageShape shape = values[node.output].shape;
    if (!fits({variant.batch, shape.h, shape.w, shape.c}))
      return node.op->emitOpError("under variant '")
             << variant.name << "': expected at most " << kMaxElements
             << " elements, but got batch " << variant.batch << " of " << toString(shape);
  }
  for (auto [node, description] : llvm::zip_equal(network.nodes, descriptions))
    if (description)
      for (const TensorRow &row : description->tensors)
        if (!fits(row.dims))
          return node.op->emitOpError("under variant '")
                 << variant.name << "': expected at most " << kMaxElements
                 << " elements in tensor '" << row.name << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor table
//===----------------------------------------------------------------------===//

void Lowering::addSharedTensors() {
  ImageShape image = variant.input, logits = values[network.logits].shape;
  int64_t n = variant.batch;
  for (StringRef half : {"a", "b"}) {
    bool isA = half == "a";
    plan::Region labels = isA ? plan::Region::IALabel : plan::Region::IBLabel;
    addShared(("label_" + half).str(), labels, {n, 1, 1, 1});
    addShared(("valid_" + half).str(), labels);
    addShared(("data_" + half).str(), isA ? plan::Region::IAData : plan::Region::IBData,
              {n, image.h, image.w, image.c});
  }
  addShared("label", plan::Region::TTempInt32, {n, 1, 1, 1});
  addShared("valid", plan::Region::SScalarInt32);
  addShared("logits", plan::Region::FFeatureFp32, {n, logits.h, logits.w, logits.c});
  addShared("probs", plan::Region::TTempFp32, {n, logits.h, logits.w, logits.c});
  addShared("predicted", plan::Region::RPredictedLabel, {n, 1, 1, 1});
  for (StringRef name : {"loss", "top1", "top5"})
    addShared(name, plan::Region::RResult);
  for (StringRef name : {"accum_loss", "accum_top1", "accum_top5"})
    addShared(name, plan::Region::RResultAccumulated);
  addShared("label_smoothing", plan::Region::SScalarFp32);
  if (!training)
    return;
  addOptimizerScalars();
  if (result.random) {
    addShared("seed", plan::Region::SScalarInt32, {1, 1, 1, 2});
    addShared("step", plan::Region::SScalarInt32);
  }
}

void Lowering::addOptimizerScalars() {
  addShared("nonfinite", plan::Region::SScalarInt32);
  for (StringRef name : {"lr", "weight_decay", "bias_weight_decay"})
    addShared(name, plan::Region::SScalarFp32);
  switch (options.getOptimizer()) {
  case Optimizer::SGD:
    addShared("momentum", plan::Region::SScalarFp32);
    return;
  case Optimizer::AdamW:
    for (StringRef name : {"beta1", "beta2", "adam_eps", "bias_correction1", "bias_correction2"})
      addShared(name, plan::Region::SScalarFp32);
    addShared("adam_step", plan::Region::SScalarInt32);
    return;
  }
}

void Lowering::addLayerTensors(int32_t layer) {
  const NetworkNode &node = network.nodes[layer];
  ValueInfo &out = values[node.output];
  bool isLogits = node.output == network.logits;
  if (!node.layer) {
    std::string name = (node.getPath() + ".output").str();
    int32_t id = isLogits ? shared.lookup("logits")
                          : addTensor({name,
                                       plan::Region::FFeatureFp32,
                                       DType::F32,
                                       {variant.batch, out.shape.h, out.shape.w, out.shape.c}},
                                      layer);
    out.training = out.backward = out.inference = id;
    if (training && !isLogits)
      out.inference = addTwin(id, layer);
    addGradients(layer, name);
    return;
  }
  const LayerDescription &description = *descriptions[layer];
  const std::optional<KernelCall> &rebuild = description.rebuildCall;
  int32_t copy = rebuild ? rebuild->operands.back().index : -1;
  for (auto [position, row] : llvm::enumerate(description.tensors)) {
    int32_t index = static_cast<int32_t>(position), id = -1;
    bool shares =
        isLogits && description.output.kind == TensorRef::Own && description.output.index == index;
    if (shares)
      id = shared.lookup("logits");
    else if (index != copy || out.readInBackward)
      id = addTensor(row, layer);
    ownIds[layer].push_back(id);
    bool twin = !shares && plan::isPooled(row.region) && uses(description.inferenceCalls, index) &&
                (uses(description.forwardCalls, index) || uses(description.backwardCalls, index));
    inferenceIds[layer].push_back(twin ? addTwin(id, layer) : id);
  }
  for (ParamRow param : description.params) {
    param.tensor = ownIds[layer][param.tensor];
    param.grad = param.grad < 0 ? -1 : ownIds[layer][param.grad];
    result.params.push_back(param);
  }
  addOptimizerStates(layer, description);
  out.training = resolve(layer, description.output, Phase::Forward);
  out.inference = resolve(layer, description.inferenceOutput, Phase::Inference);
  out.backward = description.output.kind == TensorRef::Own
                     ? out.training
                     : resolve(layer, description.output, Phase::Backward);
  if (rebuild && out.readInBackward)
    out.backward = ownIds[layer][copy]; // also for the layer itself
  if (description.output.kind == TensorRef::Own)
    addGradients(layer, description.tensors[description.output.index].name);
}

// Inference has activations of its own, so that each schedule is packed for itself.
int32_t Lowering::addTwin(int32_t id, int32_t layer) {
  TensorRow row = result.tensors[id].row;
  row.name += ".inference";
  return addTensor(std::move(row), layer);
}

bool Lowering::uses(ArrayRef<KernelCall> calls, int32_t index) {
  return llvm::any_of(calls, [&](const KernelCall &call) {
    return llvm::any_of(call.operands, [&](const TensorRef &ref) {
      return ref.kind == TensorRef::Own && ref.index == index;
    });
  });
}

void Lowering::findBackwardReads() {
  for (auto [node, description] : llvm::zip_equal(network.nodes, descriptions)) {
    if (!description)
      continue;
    values[node.inputs[0]].readInBackward |= llvm::any_of(description->backwardCalls, readsInput);
    if (description->rebuildCall)
      values[node.inputs[0]].readInBackward |= readsInput(*description->rebuildCall);
  }
}

// A variant has no use for the activations of the other kind of step.
void Lowering::setUnusedShapes() {
  std::vector<bool> used(result.tensors.size(), false);
  auto mark = [&](ArrayRef<TableCall> calls) {
    for (const TableCall &call : calls)
      for (int32_t id : call.tensors)
        if (id >= 0)
          used[id] = true;
  };
  if (variant.training) {
    mark(result.firstForward);
    mark(result.deepForward);
    mark(result.deepBackward);
    mark(result.firstBackward);
  } else {
    mark(result.inference);
  }
  for (auto [id, tensor] : llvm::enumerate(result.tensors))
    if (tensor.layer >= 0 && !used[id] && plan::isPooled(tensor.row.region))
      tensor.row.dims = {0, 0, 0, 0};
}

// First and second moments, in the order of the parameters.
void Lowering::addOptimizerStates(int32_t layer, const LayerDescription &description) {
  auto add = [&](const ParamRow &param, StringRef suffix, plan::Region first) {
    TensorRow row = description.tensors[param.tensor];
    row.name += suffix;
    row.region =
        static_cast<plan::Region>(static_cast<uint32_t>(first) + static_cast<uint32_t>(row.region) -
                                  static_cast<uint32_t>(plan::Region::WBnBias));
    addTensor(std::move(row), layer);
  };
  for (const ParamRow &param : description.params) {
    if (param.grad < 0)
      continue;
    add(param, ".m", plan::Region::MBnBias);
    if (options.getOptimizer() == Optimizer::AdamW)
      add(param, ".v", plan::Region::VBnBias);
  }
}

void Lowering::addGradients(int32_t layer, StringRef outputName) {
  int32_t value = network.nodes[layer].output;
  ImageShape shape = values[value].shape;
  for (int32_t part = 0; part < routes.values[value].ownCount; ++part) {
    std::string name = (outputName + ".grad").str();
    if (part > 0)
      name += "." + std::to_string(part);
    gradientIds[value].push_back(addTensor(
        {name, plan::Region::FGradSlotFp32, DType::F32, {variant.batch, shape.h, shape.w, shape.c}},
        layer));
  }
}

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

int32_t Lowering::resolve(int32_t layer, const TensorRef &ref, Phase phase) const {
  const NetworkNode &node = network.nodes[layer];
  switch (ref.kind) {
  case TensorRef::Absent:
    return -1;
  case TensorRef::Own: {
    const TensorRef &output = descriptions[layer]->output;
    bool isOutput = output.kind == TensorRef::Own && output.index == ref.index;
    if (phase == Phase::Backward && isOutput)
      return values[node.output].backward;
    return (phase == Phase::Inference ? inferenceIds : ownIds)[layer][ref.index];
  }
  case TensorRef::Input: {
    const ValueInfo &value = values[node.inputs[0]];
    switch (phase) {
    case Phase::Forward:
      return value.training;
    case Phase::Backward:
      return value.backward;
    case Phase::Inference:
      return value.inference;
    }
    llvm_unreachable("all phases are handled");
  }
  case TensorRef::InputGrad:
    return gradientId(routes.inputs[layer]);
  case TensorRef::OutputGrad:
    return gradientId(routes.values[node.output].total);
  case TensorRef::Named: {
    auto found = shared.find(ref.name);
    assert(found != shared.end() && "no tensor of this name");
    return found->second;
  }
  }
  llvm_unreachable("all kinds are handled");
}

void Lowering::emit(std::vector<TableCall> &calls, int32_t layer, const KernelCall &call,
                    Phase phase) {
  TableCall &entry = calls.emplace_back();
  entry.kernel = call.kernel;
  entry.attrs = call.attrs;
  entry.layer = layer;
  for (const TensorRef &ref : call.operands)
    entry.tensors.push_back(resolve(layer, ref, phase));
}

void Lowering::emitForward(int32_t layer) {
  const NetworkNode &node = network.nodes[layer];
  const LayerDescription &description = *descriptions[layer];
  ValueInfo &in = values[node.inputs[0]];
  // What is called logits must be where the logits are, behind a dropout too.
  int32_t logits = shared.lookup("logits");
  if (node.inputs[0] == network.logits && in.inference != logits) {
    result.inference.push_back({Kernel::copy, {in.inference, logits}, {}, layer});
    in.inference = logits;
  }
  std::vector<TableCall> &forward = node.inputs[0] == 0 ? result.firstForward : result.deepForward;
  for (const KernelCall &call : description.forwardCalls)
    emit(forward, layer, call, Phase::Forward);
  for (const KernelCall &call : description.inferenceCalls)
    emit(result.inference, layer, call, Phase::Inference);
  for (const KernelCall &call : description.foldCalls)
    emit(result.fold, layer, call, Phase::Forward);
}

void Lowering::emitSumForward(int32_t layer) {
  const NetworkNode &node = network.nodes[layer];
  const ValueInfo &a = values[node.inputs[0]], &b = values[node.inputs[1]];
  const ValueInfo &y = values[node.output];
  if (training)
    emitSum(result.deepForward, layer, a.training, b.training, y.training);
  emitSum(result.inference, layer, a.inference, b.inference, y.inference);
}

// Makes the copies that backward reads instead of a value, before their first reader. A copy may
// be made from another one, so producers are followed until one is there.
void Lowering::rebuild(int32_t value) {
  SmallVector<int32_t, 4> layers; // from the reader to the images
  while (value != 0 && !isRebuilt[value]) {
    isRebuilt[value] = true;
    int32_t layer = value - 1; // every node makes one value
    const std::optional<LayerDescription> &description = descriptions[layer];
    if (!description || !description->rebuildCall)
      break;
    layers.push_back(layer);
    if (!readsInput(*description->rebuildCall))
      break;
    value = network.nodes[layer].inputs[0];
  }
  for (int32_t layer : llvm::reverse(layers)) {
    // The copy of the layer behind the images needs the input half.
    bool first =
        network.nodes[layer].inputs[0] == 0 && readsInput(*descriptions[layer]->rebuildCall);
    assert(!first && "a copy made from the images");
    (void)first;
    emit(result.deepBackward, layer, *descriptions[layer]->rebuildCall, Phase::Backward);
  }
}

// The sum of a value's gradients belongs to the layer that made the value.
void Lowering::emitBackward(int32_t layer) {
  const NetworkNode &node = network.nodes[layer];
  const ValueGradient &gradient = routes.values[node.output];
  int32_t sum = gradient.parts.size() < 2 ? -1 : gradientId(gradient.total);
  for (auto [a, b] : gradient.sums)
    emitSum(result.deepBackward, layer, gradientId(a), gradientId(b), sum);
  if (!node.layer)
    return;
  bool first = node.inputs[0] == 0;
  std::vector<TableCall> &calls = first ? result.firstBackward : result.deepBackward;
  const LayerDescription &description = *descriptions[layer];
  for (const KernelCall &call : description.backwardCalls) {
    if (readsInput(call))
      rebuild(node.inputs[0]);
    emit(calls, layer, call, Phase::Backward);
  }
}

} // namespace

int32_t LoweredNetwork::find(StringRef name) const {
  for (auto [id, tensor] : llvm::enumerate(tensors)) {
    if (tensor.layer >= 0)
      break;
    if (tensor.row.name == name)
      return static_cast<int32_t>(id);
  }
  return -1;
}

FailureOr<LoweredNetwork> tr::lowerNetwork(const Network &network, const Variant &variant,
                                           OptionsAttr options) {
  return Lowering(network, variant, options).run();
}
