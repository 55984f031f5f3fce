// SPDX-License-Identifier: Apache-2.0
//
// Phase 4, --tr-graph-build: the 33 subgraphs from the descriptions of the layers
// and from the options. A subgraph that stays empty says why.
#include "Network.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_GRAPHBUILD
#include "renaissance/Conversion/Passes.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using plan::Kernel;
using plan::Subgraph;

namespace {

// What only a training step runs and would hold kernel ops for.
bool isTrainingOnly(Subgraph id) {
  switch (id) {
  case Subgraph::FirstLayerFwdA:
  case Subgraph::FirstLayerFwdB:
  case Subgraph::DeepFwdBwd:
  case Subgraph::ZeroGrad:
  case Subgraph::FirstLayerBwdA:
  case Subgraph::FirstLayerBwdB:
  case Subgraph::NanCheckAndGradScaling:
  case Subgraph::UpdateStats:
  case Subgraph::Optimizer:
  case Subgraph::AccumMetrics:
    return true;
  default:
    return false;
  }
}

class SubgraphWriter {
public:
  SubgraphWriter(const Network &network, const LoweredNetwork &lowered, OptionsAttr options,
                 graph::ProgramOp program)
      : network(network), lowered(lowered), options(options), program(program),
        builder(OpBuilder::atBlockEnd(&program.getBody().front())) {}

  void write();

private:
  using Region = plan::Region;
  struct RegionRange {
    Region first, last;
  };

  void fill(Subgraph id);
  StringRef whyEmpty(Subgraph id) const;

  void copyLabels(StringRef half);
  void calls(ArrayRef<TableCall> list, StringRef images);
  void compute(Kernel kernel, ArrayRef<int64_t> tensors, ArrayRef<KernelAttr> attrs, int64_t layer);
  void compute(Kernel kernel, std::initializer_list<StringRef> names,
               ArrayRef<KernelAttr> attrs = {});
  DictionaryAttr getValues(Kernel kernel, ArrayRef<KernelAttr> attrs);
  void range(Kernel kernel, ArrayRef<RegionRange> ranges,
             std::initializer_list<StringRef> tensorNames = {});
  void checkFinite();
  void optimizer();
  void update(Region first, Region last, StringRef decay);

  bool hasParams(Region first, Region last) const {
    return llvm::any_of(lowered.params, [&](const ParamRow &param) {
      Region region = lowered.tensors[param.tensor].row.region;
      return param.grad >= 0 && region >= first && region <= last;
    });
  }
  int64_t id(StringRef name) const {
    int32_t found = lowered.find(name);
    assert(found >= 0 && "a tensor that phase 1 must have made");
    return found;
  }
  Location locOf(int64_t layer) {
    return layer < 0 ? program.getLoc() : network.nodes[layer].op->getLoc();
  }

  const Network &network;
  const LoweredNetwork &lowered;
  OptionsAttr options;
  struct LastValues {
    std::vector<KernelAttr> attrs;
    DictionaryAttr values;
  };

  graph::ProgramOp program;
  OpBuilder builder;
  std::array<LastValues, plan::kKernelCount> lastValues;
};

void SubgraphWriter::write() {
  for (uint32_t i = 0; i < plan::kSubgraphCount; ++i) {
    auto id = static_cast<Subgraph>(i);
    auto subgraph = graph::SubgraphOp::create(builder, program.getLoc(), plan::stringify(id),
                                              /*graph=*/int64_t{0}, /*reason=*/StringAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&subgraph.getBody().emplaceBlock());
    fill(id);
    Block &body = subgraph.getBody().front();
    if (body.empty())
      subgraph.setReason(whyEmpty(id));
    trace(program.getLoc(), "tr-graph-build", [&] {
      return llvm::formatv("{0}: {1}", subgraph.getName(),
                           body.empty()
                               ? "empty, " + subgraph.getReason()->str()
                               : std::to_string(body.getOperations().size()) + " kernel ops");
    });
  }
}

void SubgraphWriter::fill(Subgraph id) {
  if (!lowered.training && isTrainingOnly(id))
    return;
  switch (id) {
  case Subgraph::TransferA:
    return range(Kernel::range_h2d, {{Region::IALabel, Region::IAData}});
  case Subgraph::TransferB:
    return range(Kernel::range_h2d, {{Region::IBLabel, Region::IBData}});
  case Subgraph::FirstLayerFwdA:
    copyLabels("a");
    return calls(lowered.firstForward, "data_a");
  case Subgraph::FirstLayerFwdB:
    copyLabels("b");
    return calls(lowered.firstForward, "data_b");
  case Subgraph::DeepFwdBwd:
    calls(lowered.deepForward, {});
    return calls(lowered.deepBackward, {});
  case Subgraph::ZeroGrad: // Gradients are written whole; only the results are cleared.
    return range(Kernel::range_clear, {{Region::RResult, Region::RResult}});
  case Subgraph::FirstLayerBwdA:
    return calls(lowered.firstBackward, "data_a");
  case Subgraph::FirstLayerBwdB:
    return calls(lowered.firstBackward, "data_b");
  case Subgraph::NanCheckAndGradScaling:
    return checkFinite();
  case Subgraph::UpdateStats:
    if (!lowered.fold.empty())
      range(Kernel::range_commit,
            {{Region::BNextMean, Region::BNextVar}, {Region::BPrevMean, Region::BPrevVar}},
            {"nonfinite"});
    return;
  case Subgraph::Optimizer:
    return optimizer();
  case Subgraph::InfMainA:
    copyLabels("a");
    return calls(lowered.inference, "data_a");
  case Subgraph::InfMainB:
    copyLabels("b");
    return calls(lowered.inference, "data_b");
  case Subgraph::AccumMetrics:
  case Subgraph::AccumMetricsValLast:
    return compute(Kernel::accum_metrics,
                   {"loss", "top1", "top5", "valid", "accum_loss", "accum_top1", "accum_top5"});
  case Subgraph::ClearMetrics:
    return range(Kernel::range_clear, {{Region::RResultAccumulated, Region::RResultAccumulated}});
  case Subgraph::UpdateBnInfParams:
    return calls(lowered.fold, {});
  default:
    return;
  }
}

StringRef SubgraphWriter::whyEmpty(Subgraph id) const {
  if (!lowered.training && isTrainingOnly(id))
    return "no variant trains";
  switch (id) {
  case Subgraph::FirstLayerBwdA:
  case Subgraph::FirstLayerBwdB:
    return "the first layer has no parameters";
  case Subgraph::FirstComm:
  case Subgraph::DeepComm:
  case Subgraph::StatsComm:
  case Subgraph::ValResultComm:
    return "no communicator: one rank";
  case Subgraph::CastDeepGradFp16ToFp32:
  case Subgraph::CastFirstGradFp16ToFp32:
  case Subgraph::CastMainFp32ToFp16:
    return "precision is fp32";
  case Subgraph::EmaUpdate:
  case Subgraph::InfEmaA:
  case Subgraph::InfEmaB:
  case Subgraph::CastEmaFp32ToFp16:
    return "no EMA";
  case Subgraph::AccumMetricsTrainLast:
    return "accum_metrics reads the number of valid samples on the device";
  case Subgraph::NanCheckAndGradScaling:
  case Subgraph::Optimizer:
    return "no parameters";
  case Subgraph::UpdateStats:
  case Subgraph::UpdateBnInfParams:
    return "no batch normalisation";
  case Subgraph::UserGraph:
    return "no user graph";
  case Subgraph::LarsFcOpt:
  case Subgraph::LarsFirstConvOpt:
  case Subgraph::LarsDeepConvOpt:
    return "the optimizer is not LARS";
  default:
    return "no kernel ops";
  }
}

void SubgraphWriter::copyLabels(StringRef half) {
  std::string label = ("label_" + half).str(), valid = ("valid_" + half).str();
  compute(Kernel::copy, {label, "label"});
  compute(Kernel::copy, {valid, "valid"});
}

void SubgraphWriter::calls(ArrayRef<TableCall> list, StringRef images) {
  int64_t imagesId = images.empty() ? -1 : id(images);
  SmallVector<int64_t, 10> tensors;
  for (const TableCall &call : list) {
    tensors.clear();
    for (int32_t tensor : call.tensors)
      tensors.push_back(tensor == TableCall::kImages ? imagesId : tensor);
    compute(call.kernel, tensors, call.attrs, call.layer);
  }
}

void SubgraphWriter::compute(Kernel kernel, ArrayRef<int64_t> tensors, ArrayRef<KernelAttr> attrs,
                             int64_t layer) {
  graph::ComputeOp::create(builder, locOf(layer), plan::getInfo(kernel).name, tensors,
                           getValues(kernel, attrs), layer, /*algorithm=*/StringAttr());
}

// Layers of one kind mostly have equal attributes, so the last ones of each kernel are kept.
DictionaryAttr SubgraphWriter::getValues(Kernel kernel, ArrayRef<KernelAttr> attrs) {
  LastValues &last = lastValues[static_cast<uint32_t>(kernel)];
  if (last.values && ArrayRef<KernelAttr>(last.attrs) == attrs)
    return last.values;
  SmallVector<NamedAttribute, 12> values;
  for (auto [attr, value] : llvm::zip_equal(plan::getInfo(kernel).attrs, attrs)) {
    Attribute typed;
    if (attr.isFloat)
      typed = builder.getF64FloatAttr(std::get<double>(value));
    else
      typed = builder.getI64IntegerAttr(std::get<int64_t>(value));
    values.push_back(builder.getNamedAttr(attr.name, typed));
  }
  last.attrs.assign(attrs.begin(), attrs.end());
  return last.values = builder.getDictionaryAttr(values);
}

void SubgraphWriter::compute(Kernel kernel, std::initializer_list<StringRef> names,
                             ArrayRef<KernelAttr> attrs) {
  SmallVector<int64_t, 10> tensors;
  for (StringRef name : names)
    tensors.push_back(id(name));
  compute(kernel, tensors, attrs, /*layer=*/-1);
}

void SubgraphWriter::range(Kernel kernel, ArrayRef<RegionRange> ranges,
                           std::initializer_list<StringRef> tensorNames) {
  SmallVector<Attribute, 4> rows;
  for (RegionRange r : ranges)
    rows.push_back(builder.getStrArrayAttr({plan::stringify(r.first), plan::stringify(r.last)}));
  SmallVector<int64_t, 8> tensors;
  for (StringRef name : tensorNames)
    tensors.push_back(id(name));
  graph::RangeOp::create(builder, program.getLoc(), plan::getInfo(kernel).name,
                         builder.getArrayAttr(rows), tensors);
}

void SubgraphWriter::checkFinite() {
  if (hasParams(Region::WBnBias, Region::WDeepConv))
    range(Kernel::range_check_finite, {{Region::GBnBias, Region::GDeepConv}}, {"nonfinite"});
}

void SubgraphWriter::optimizer() {
  bool adam = options.getOptimizer() == Optimizer::AdamW;
  if (adam && hasParams(Region::WBnBias, Region::WDeepConv))
    compute(Kernel::adam_step,
            {"adam_step", "beta1", "beta2", "nonfinite", "bias_correction1", "bias_correction2"});
  update(Region::WFcWeight, Region::WDeepConv, "weight_decay");
  update(Region::WBnBias, Region::WFcBias, "bias_weight_decay");
  if (lowered.random)
    compute(Kernel::counter_add, {"step"}, {int64_t{1}});
}

void SubgraphWriter::update(Region first, Region last, StringRef decay) {
  if (!hasParams(first, last))
    return;
  // G, M and V hold the kinds of W in the same order.
  auto beside = [&](Region start) {
    auto shift = [&](Region region) {
      return static_cast<Region>(static_cast<uint32_t>(region) -
                                 static_cast<uint32_t>(Region::WBnBias) +
                                 static_cast<uint32_t>(start));
    };
    return RegionRange{shift(first), shift(last)};
  };
  RegionRange w{first, last}, g = beside(Region::GBnBias), m = beside(Region::MBnBias);
  if (options.getOptimizer() == Optimizer::SGD)
    return range(Kernel::range_sgd, {w, g, m}, {"lr", "momentum", decay, "nonfinite"});
  range(Kernel::range_adamw, {w, g, m, beside(Region::VBnBias)},
        {"lr", "beta1", "beta2", "adam_eps", decay, "bias_correction1", "bias_correction2",
         "nonfinite"});
}

struct GraphBuildPass : tr::impl::GraphBuildBase<GraphBuildPass> {
  void runOnOperation() override {
    for (graph::ProgramOp program : llvm::to_vector(getOperation().getOps<graph::ProgramOp>()))
      if (failed(build(program)))
        return signalPassFailure();
  }

  // The plan that phase 1 read, or null for a program that is complete already.
  arch::PlanOp findPlan(graph::ProgramOp program) {
    StringRef name = program.getSymName();
    if (!name.consume_back("_graph"))
      return {};
    return SymbolTable::lookupNearestSymbolFrom<arch::PlanOp>(
        program, StringAttr::get(program.getContext(), name));
  }

  LogicalResult checkTable(graph::ProgramOp program, const LoweredNetwork &lowered) {
    size_t id = 0;
    for (auto tensor : program.getOps<graph::TensorOp>()) {
      if (id >= lowered.tensors.size() || tensor.getName() != lowered.tensors[id].row.name)
        return tensor.emitOpError("expected the tensor table of --tr-graph-derive-shapes, but '")
               << tensor.getName() << "' is not tensor " << id << " of it";
      ++id;
    }
    if (id == lowered.tensors.size())
      return success();
    return program.emitOpError("expected ")
           << lowered.tensors.size() << " tensors as in --tr-graph-derive-shapes, but got " << id;
  }

  LogicalResult build(graph::ProgramOp program) {
    arch::PlanOp plan = findPlan(program);
    if (!plan) {
      if (!program.getOps<graph::SubgraphOp>().empty())
        return success();
      return program.emitOpError("expected the tr.arch.plan that the program was derived from");
    }
    FailureOr<Network> network = Network::read(plan);
    if (failed(network))
      return failure();
    auto variants = program.getOps<graph::VariantOp>();
    if (variants.empty())
      return program.emitOpError("expected at least one variant, but got none");
    graph::VariantOp base = *variants.begin();
    ArrayRef<int64_t> input = base.getInput();
    Variant variant{base.getName().str(), base.getTraining(), static_cast<int64_t>(base.getBatch()),
                    ImageShape{input[0], input[1], input[2]}};
    OptionsAttr options = getOptions(program);
    FailureOr<LoweredNetwork> lowered = lowerNetwork(*network, variant, options);
    if (failed(lowered) || failed(checkTable(program, *lowered)))
      return failure();
    SubgraphWriter(*network, *lowered, options, program).write();
    program.walk([&](Operation *op) { numKernelOps += isa<graph::ComputeOp, graph::RangeOp>(op); });
    StringAttr name = plan.getSymNameAttr();
    plan.erase();
    program.setSymNameAttr(name);
    return success();
  }
};

} // namespace
