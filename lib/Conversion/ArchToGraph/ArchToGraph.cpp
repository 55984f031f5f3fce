// SPDX-License-Identifier: Apache-2.0
//
// --tr-arch-to-graph: layers become tensors and kernel ops. Every distinct variant is lowered
// once; the tables must agree in all but shapes.
#include "ProgramWriter.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/IR/Levels.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace tr {
#define GEN_PASS_DEF_ARCHTOGRAPH
#include "renaissance/Conversion/Passes.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

// The images have one reader, the first layer, which exists for both input halves.
void ensureFirstLayer(arch::NetworkOp network) {
  Block &body = network.getBody().front();
  Value images = body.getArgument(0);
  if (images.hasOneUse() && isa<LayerOpInterface>(*images.user_begin()) &&
      !isa<arch::SoftmaxCeOp, JoinOpInterface>(*images.user_begin()))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto identity = arch::IdentityOp::create(builder, body.front().getLoc(), images.getType(), images,
                                           builder.getStrArrayAttr({"input"}), /*first=*/true);
  images.replaceAllUsesExcept(identity, identity);
}

// Lowers each distinct variant of a network.
class VariantLowering {
public:
  VariantLowering(const Network &network, OptionsAttr options, StringRef flag)
      : network(network), options(options), flag(flag) {}

  LogicalResult run();

  SmallVector<VariantTable> variants;
  std::vector<LoweredNetwork> tables;

private:
  LogicalResult lower(const Variant &variant);

  const Network &network;
  OptionsAttr options;
  StringRef flag;
};

LogicalResult VariantLowering::run() {
  llvm::StringSet<> names;
  for (const Variant &variant : getVariants(options, network.input)) {
    if (!names.insert(variant.name).second)
      return network.emitError(LayerId::None, "")
             << "expected different variant names, but got '" << variant.name << "' twice";
    auto same = llvm::find_if(
        variants, [&](const VariantTable &known) { return known.variant.coincides(variant); });
    if (same == variants.end()) {
      if (failed(lower(variant)))
        return failure();
      continue;
    }
    trace(network.getLoc(LayerId::None), flag,
          [&] { return llvm::formatv("{0}: as {1}", variant.name, same->variant.name); });
    size_t table = same->table;
    variants.push_back({variant, table});
  }
  return success();
}

LogicalResult VariantLowering::lower(const Variant &variant) {
  FailureOr<LoweredNetwork> lowered = lowerNetwork(network, variant, options);
  if (failed(lowered))
    return failure();
  variants.push_back({variant, tables.size()});
  tables.push_back(std::move(*lowered));
  const TensorTable &table = tables.back().table;
  trace(network.getLoc(LayerId::None), flag, [&] {
    return llvm::formatv("{0}: batch {1} of {2}, {3} layers, {4} tensors, {5} parameters",
                         variant.name, variant.batch, toString(variant.input), network.nodes.size(),
                         table.tensors.size(), table.params.size());
  });
  return checkAgreement(network, variants.front().variant, tables.front(), variant, tables.back());
}

// Tells whoever listens to remarks which copies stand.
void reportCopies(const Network &network, const LoweredNetwork &lowered, StringRef flag) {
  for (const RemainingCopy &copy : lowered.copies) {
    LayerOpInterface layer = network.nodes[copy.layer].layer;
    remark::missed(layer.getLoc(), remark::RemarkOpts::name("copy").category(flag))
        << remark::metric("Reason", (layer.getLayerKind() + " '" + layer.getPath() + "' copies '" +
                                     copy.tensor + "': " + copy.reason)
                                        .str());
  }
}

// Kernel ops would be those of FP32, whatever the program says of itself.
LogicalResult checkPrecision(arch::NetworkOp network, trf::Precision precision) {
  if (trf::row(precision).findInstance())
    return success();
  return network.emitError("network '")
         << network.getSymName() << "': expected a precision that kernels have, but got "
         << spell(precision) << "; --tr-arch-check-kernels names the first layer without";
}

struct ArchToGraphPass : tr::impl::ArchToGraphBase<ArchToGraphPass> {
  void runOnOperation() override {
    tensors = kernelOps = 0;
    if (failed(checkLevels(getOperation())))
      return signalPassFailure();
    for (arch::NetworkOp network : llvm::to_vector(getOperation().getOps<arch::NetworkOp>()))
      if (failed(convert(network)))
        return signalPassFailure();
    addCount(numTensors, getArgumentName(), "num-tensors", tensors, getOperation());
    addCount(numKernelOps, getArgumentName(), "num-kernel-ops", kernelOps, getOperation());
  }

private:
  // Programs that are there already are for the passes after this one.
  LogicalResult checkLevels(ModuleOp module) const {
    for (StringRef level :
         {arch::NetworkOp::getOperationName(), graph::ProgramOp::getOperationName()})
      if (failed(requireAtTop(module, level)))
        return failure();
    if (!module.getOps<arch::NetworkOp>().empty())
      return success();
    if (module.getOps<graph::ProgramOp>().empty())
      return reportNoneOf(module, arch::NetworkOp::getOperationName());
    reportNothingToDo(module, getArgumentName(), "the module has programs and no tr.arch.network");
    return success();
  }

  LogicalResult convert(arch::NetworkOp op) {
    OptionsAttr options = getOptions(op);
    if (failed(requireOnlyLayers(op)) || failed(checkPrecision(op, options.getValues().precision)))
      return failure();
    ensureFirstLayer(op);
    FailureOr<Network> network = Network::read(op);
    if (failed(network))
      return failure();
    VariantLowering lowering(*network, options, getArgumentName());
    if (failed(lowering.run()))
      return failure();
    reportCopies(*network, lowering.tables.front(), getArgumentName());
    graph::ProgramOp program = writeProgram(*network, lowering.variants, lowering.tables);
    writeSubgraphs(*network, lowering.tables.front(), options, program);
    tensors += static_cast<int64_t>(lowering.tables.front().table.tensors.size());
    program.walk(
        [&](Operation *made) { kernelOps += isa<graph::ComputeOp, graph::RangeOp>(made); });
    op.erase();
    return success();
  }

  int64_t tensors = 0, kernelOps = 0; // of one run
};

} // namespace
