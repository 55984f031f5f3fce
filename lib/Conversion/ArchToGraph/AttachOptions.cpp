// SPDX-License-Identifier: Apache-2.0
//
// --tr-attach-options: command-line values become `#tr.options` on the module.
#include "renaissance/Conversion/Passes.h"
#include "renaissance/Conversion/VariantSpecs.h"

#include "mlir/IR/Builders.h"

namespace tr {
#define GEN_PASS_DEF_ATTACHOPTIONS
#include "renaissance/Conversion/Passes.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

struct AttachOptionsPass : tr::impl::AttachOptionsBase<AttachOptionsPass> {
  using AttachOptionsBase::AttachOptionsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto emitError = [&] { return module.emitError(); };
    std::optional<trf::Optimizer> kind = trf::symbolize<trf::Optimizer>(std::string(optimizer));
    if (!kind) {
      emitError() << "expected optimizer sgd or adamw, but got '" << optimizer << "'";
      return signalPassFailure();
    }
    std::optional<trf::Target> known = trf::symbolizeTarget(std::string(target));
    if (!known) {
      emitError() << "expected target any, x86-64-v3 or x86-64-v4, but got '" << target << "'";
      return signalPassFailure();
    }
    VariantRequest request;
    request.batch = batch;
    request.valBatch = valBatch;
    request.trainSamples = trainSamples;
    request.valSamples = valSamples;
    request.dropLast = dropLast;
    OptionsAttr options = getOptionsAttr(&getContext(), *kind, int64_t(slices), bool(zeroGamma),
                                         *known, request, emitError);
    if (!options)
      return signalPassFailure();
    module->setAttr(TRDialect::getOptionsAttrName(), options);
  }
};

} // namespace
