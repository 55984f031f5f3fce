// SPDX-License-Identifier: Apache-2.0
//
// The subgraphs from the kernel ops of the layers and from the options. A subgraph that stays
// empty says why.
#include "ProgramWriter.h"

#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace mlir;
using namespace tr;
using trf::Half;
using trf::Opcode;
using trf::Role;
using trf::SharedTensor;
using trf::Subgraph;

namespace {

class SubgraphWriter {
public:
  SubgraphWriter(const Network &network, const LoweredNetwork &lowered, OptionsAttr options,
                 graph::ProgramOp program)
      : network(network), lowered(lowered), options(options), program(program),
        builder(OpBuilder::atBlockEnd(&program.getBody().front())) {}

  void write();

private:
  using Regions = SmallVector<trf::TypedRegion, 6>;
  struct LastValues {
    AttrList attrs;
    DictionaryAttr values;
  };

  void fill(const trf::SubgraphRow &row);
  void addTransfer(Half half);
  void copyLabels(Half half);
  void addCalls(ArrayRef<TableCall> calls, Half half);
  void addCompute(Opcode kernel, ArrayRef<int64_t> tensors, ArrayRef<trf::Attr> attrs,
                  LayerId layer);
  void addCompute(Opcode kernel, ArrayRef<std::pair<int, SharedTensor>> operands,
                  ArrayRef<trf::Attr> attrs = {});
  void addRange(Opcode kernel, ArrayRef<Regions> ranges,
                ArrayRef<std::pair<int, SharedTensor>> operands = {});
  DictionaryAttr getValues(Opcode kernel, ArrayRef<trf::Attr> attrs);
  void addFiniteCheck();
  void addStatisticsUpdate();
  void addMetrics();
  void addOptimizer();
  void addUpdate(bool decayed);

  // Regions of a role, of the groups of parameters that are decayed or not.
  Regions regionsOf(Role role, std::optional<bool> decayed) const;
  bool hasParams(std::optional<bool> decayed) const;
  Regions single(Role role) const { return {{{role}, trf::row(role).home}}; }
  int64_t idOf(SharedTensor tensor) const {
    TensorId id = lowered.table.getShared(tensor);
    assert(id != TensorId::None && "a shared tensor that the network must have");
    return toNumber(id);
  }

  const Network &network;
  const LoweredNetwork &lowered;
  OptionsAttr options;
  graph::ProgramOp program;
  OpBuilder builder;
  std::array<LastValues, trf::kOpCount> lastValues;
};

void SubgraphWriter::write() {
  for (const trf::SubgraphRow &row : trf::kSubgraphs) {
    auto subgraph = graph::SubgraphOp::create(builder, program.getLoc(), row.value,
                                              /*graph=*/int64_t{0}, /*reason=*/StringAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&subgraph.getBody().emplaceBlock());
    bool leftOut = row.runsIn == trf::RunsIn::Train && !lowered.trains;
    if (!leftOut)
      fill(row);
    Block &body = subgraph.getBody().front();
    if (body.empty())
      subgraph.setReason(leftOut ? StringRef("no variant trains") : toRef(row.reason));
    trace(program.getLoc(), "tr-arch-to-graph", [&] {
      return llvm::formatv("{0}: {1}", toRef(row.name),
                           body.empty()
                               ? "empty, " + subgraph.getReason()->str()
                               : std::to_string(body.getOperations().size()) + " kernel ops");
    });
  }
}

void SubgraphWriter::fill(const trf::SubgraphRow &row) {
  switch (row.value) {
  case Subgraph::TransferA:
  case Subgraph::TransferB:
    return addTransfer(row.half);
  case Subgraph::FirstLayerFwdA:
  case Subgraph::FirstLayerFwdB:
    copyLabels(row.half);
    return addCalls(lowered.firstForward, row.half);
  case Subgraph::DeepFwdBwd:
    addCalls(lowered.deepForward, Half::Both);
    return addCalls(lowered.deepBackward, Half::Both);
  case Subgraph::ZeroGrad: // Gradients are written whole; only the results are cleared.
    return addRange(Opcode::range_clear, {single(Role::Result)});
  case Subgraph::FirstLayerBwdA:
  case Subgraph::FirstLayerBwdB:
    return addCalls(lowered.firstBackward, row.half);
  case Subgraph::NanCheckAndGradScaling:
    return addFiniteCheck();
  case Subgraph::UpdateStats:
    return addStatisticsUpdate();
  case Subgraph::Optimizer:
    return addOptimizer();
  case Subgraph::InfMainA:
  case Subgraph::InfMainB:
    copyLabels(row.half);
    return addCalls(lowered.inference, row.half);
  case Subgraph::AccumMetrics:
  case Subgraph::AccumMetricsValLast:
    return addMetrics();
  case Subgraph::ClearMetrics:
    return addRange(Opcode::range_clear, {single(Role::Accumulated)});
  case Subgraph::UpdateBnInfParams:
    return addCalls(lowered.fold, Half::Both);
  // What no option asks for yet; the table says why they are empty.
  case Subgraph::FirstComm:
  case Subgraph::DeepComm:
  case Subgraph::CastDeepGradFp16ToFp32:
  case Subgraph::CastFirstGradFp16ToFp32:
  case Subgraph::StatsComm:
  case Subgraph::EmaUpdate:
  case Subgraph::InfEmaA:
  case Subgraph::InfEmaB:
  case Subgraph::CastMainFp32ToFp16:
  case Subgraph::CastEmaFp32ToFp16:
  case Subgraph::AccumMetricsTrainLast:
  case Subgraph::ValResultComm:
  case Subgraph::UserGraph:
  case Subgraph::LarsFcOpt:
  case Subgraph::LarsFirstConvOpt:
  case Subgraph::LarsDeepConvOpt:
    return;
  }
}

//===----------------------------------------------------------------------===//
// What is in the subgraphs
//===----------------------------------------------------------------------===//

// Labels and images of a half lie side by side, so one copy fills them.
void SubgraphWriter::addTransfer(Half half) {
  Regions regions;
  for (const trf::RoleRow &role : trf::kRoles)
    if (role.half == half)
      regions.push_back({{role.value}, role.home});
  addRange(Opcode::range_h2d, {regions});
}

void SubgraphWriter::copyLabels(Half half) {
  namespace op = trf::ops::copy;
  trf::HalfTensors tensors = trf::tensorsOf(half);
  addCompute(op::kOpcode, {{op::x, tensors.labels}, {op::y, SharedTensor::Label}});
  addCompute(op::kOpcode, {{op::x, tensors.valid}, {op::y, SharedTensor::Valid}});
}

void SubgraphWriter::addFiniteCheck() {
  namespace op = trf::ops::range_check_finite;
  if (hasParams(std::nullopt))
    addRange(op::kOpcode, {regionsOf(Role::Gradient, std::nullopt)},
             {{op::nonfinite, SharedTensor::NonFinite}});
}

void SubgraphWriter::addStatisticsUpdate() {
  namespace op = trf::ops::range_commit;
  auto both = [&](Role mean, Role variance) {
    Regions regions = single(mean);
    llvm::append_range(regions, single(variance));
    return regions;
  };
  bool hasStatistics =
      llvm::any_of(lowered.table.params, [](const ParamRow &param) { return param.grad < 0; });
  if (hasStatistics)
    addRange(op::kOpcode,
             {both(Role::NextMean, Role::NextVar), both(Role::PrevMean, Role::PrevVar)},
             {{op::nonfinite, SharedTensor::NonFinite}});
}

void SubgraphWriter::addMetrics() {
  namespace op = trf::ops::accum_metrics;
  addCompute(op::kOpcode, {{op::loss, SharedTensor::Loss},
                           {op::top1, SharedTensor::Top1},
                           {op::top5, SharedTensor::Top5},
                           {op::valid, SharedTensor::Valid},
                           {op::accum_loss, SharedTensor::AccumLoss},
                           {op::accum_top1, SharedTensor::AccumTop1},
                           {op::accum_top5, SharedTensor::AccumTop5}});
}

void SubgraphWriter::addOptimizer() {
  namespace op = trf::ops::adam_step;
  if (options.getValues().optimizer == trf::Optimizer::AdamW && hasParams(std::nullopt))
    addCompute(op::kOpcode, {{op::adam_step, SharedTensor::AdamStep},
                             {op::beta1, SharedTensor::Beta1},
                             {op::beta2, SharedTensor::Beta2},
                             {op::nonfinite, SharedTensor::NonFinite},
                             {op::bias_correction1, SharedTensor::BiasCorrection1},
                             {op::bias_correction2, SharedTensor::BiasCorrection2}});
  addUpdate(/*decayed=*/true);
  addUpdate(/*decayed=*/false);
  namespace count = trf::ops::counter_add;
  if (lowered.table.getShared(SharedTensor::Step) != TensorId::None)
    addCompute(count::kOpcode, {{count::counter, SharedTensor::Step}}, toAttrList(count::Attrs{1}));
}

void SubgraphWriter::addUpdate(bool decayed) {
  if (!hasParams(decayed))
    return;
  SharedTensor decay = decayed ? SharedTensor::WeightDecay : SharedTensor::BiasWeightDecay;
  Regions w = regionsOf(Role::Weight, decayed), g = regionsOf(Role::Gradient, decayed),
          m = regionsOf(Role::Moment1, decayed), v = regionsOf(Role::Moment2, decayed);
  switch (options.getValues().optimizer) {
  case trf::Optimizer::SGD: {
    namespace op = trf::ops::range_sgd;
    return addRange(op::kOpcode, {w, g, m},
                    {{op::lr, SharedTensor::Lr},
                     {op::momentum, SharedTensor::Momentum},
                     {op::weight_decay, decay},
                     {op::nonfinite, SharedTensor::NonFinite}});
  }
  case trf::Optimizer::AdamW: {
    namespace op = trf::ops::range_adamw;
    return addRange(op::kOpcode, {w, g, m, v},
                    {{op::lr, SharedTensor::Lr},
                     {op::beta1, SharedTensor::Beta1},
                     {op::beta2, SharedTensor::Beta2},
                     {op::eps, SharedTensor::AdamEps},
                     {op::weight_decay, decay},
                     {op::bias_correction1, SharedTensor::BiasCorrection1},
                     {op::bias_correction2, SharedTensor::BiasCorrection2},
                     {op::nonfinite, SharedTensor::NonFinite}});
  }
  }
}

SubgraphWriter::Regions SubgraphWriter::regionsOf(Role role, std::optional<bool> decayed) const {
  Regions regions;
  for (const trf::GroupRow &group : trf::kGroups)
    if (group.value != trf::Group::None && (!decayed || group.decayed == *decayed))
      regions.push_back({{role, group.value}, trf::row(role).home});
  return regions;
}

bool SubgraphWriter::hasParams(std::optional<bool> decayed) const {
  return llvm::any_of(lowered.table.params, [&](const ParamRow &param) {
    trf::Region region = lowered.table.tensors[static_cast<TensorId>(param.tensor)].row.region;
    return param.grad >= 0 && (!decayed || trf::row(region.group).decayed == *decayed);
  });
}

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

void SubgraphWriter::addCalls(ArrayRef<TableCall> calls, Half half) {
  int64_t images = half == Half::Both ? -1 : idOf(trf::tensorsOf(half).images);
  SmallVector<int64_t, 10> tensors;
  for (const TableCall &call : calls) {
    tensors.clear();
    for (TensorId tensor : call.tensors)
      tensors.push_back(tensor == TensorId::Images ? images : toNumber(tensor));
    addCompute(call.kernel, tensors, call.attrs, call.layer);
  }
}

void SubgraphWriter::addCompute(Opcode kernel, ArrayRef<int64_t> tensors, ArrayRef<trf::Attr> attrs,
                                LayerId layer) {
  graph::ComputeOp::create(builder, network.getLoc(layer), kernel, tensors,
                           getValues(kernel, attrs), toNumber(layer),
                           /*algorithm=*/ConvAlgorithmAttr());
}

void SubgraphWriter::addCompute(Opcode kernel, ArrayRef<std::pair<int, SharedTensor>> operands,
                                ArrayRef<trf::Attr> attrs) {
  SmallVector<int64_t, 10> tensors(trf::info(kernel).operands.size(), -1);
  for (auto [operand, tensor] : operands)
    tensors[operand] = idOf(tensor);
  addCompute(kernel, tensors, attrs, LayerId::None);
}

// Layers of one kind mostly have equal attributes, so the last ones of each kernel op are kept.
DictionaryAttr SubgraphWriter::getValues(Opcode kernel, ArrayRef<trf::Attr> attrs) {
  LastValues &last = lastValues[trf::positionOf(kernel)];
  auto isSame = [](trf::Attr a, trf::Attr b) { return a.i == b.i; };
  if (last.values && llvm::equal(last.attrs, attrs, isSame))
    return last.values;
  last.attrs.assign(attrs.begin(), attrs.end());
  return last.values = graph::makeValues(builder, trf::info(kernel), attrs);
}

void SubgraphWriter::addRange(Opcode kernel, ArrayRef<Regions> ranges,
                              ArrayRef<std::pair<int, SharedTensor>> operands) {
  SmallVector<Attribute, 4> lists;
  for (const Regions &regions : ranges) {
    SmallVector<Attribute, 6> list;
    for (const trf::TypedRegion &region : regions)
      list.push_back(TypedRegionAttr::get(builder.getContext(), region));
    lists.push_back(builder.getArrayAttr(list));
  }
  const trf::OpInfo &info = trf::info(kernel);
  SmallVector<int64_t, 8> byPosition(info.operands.size(), -1), tensors;
  for (auto [operand, tensor] : operands)
    byPosition[operand] = idOf(tensor);
  for (auto [operand, tensor] : llvm::zip_equal(info.operands, byPosition))
    if (!operand.isRun())
      tensors.push_back(tensor);
  graph::RangeOp::create(builder, program.getLoc(), kernel, builder.getArrayAttr(lists), tensors);
}

} // namespace

void tr::writeSubgraphs(const Network &network, const LoweredNetwork &lowered, OptionsAttr options,
                        graph::ProgramOp program) {
  SubgraphWriter(network, lowered, options, program).write();
}
