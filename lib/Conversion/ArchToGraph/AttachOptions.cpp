// SPDX-License-Identifier: Apache-2.0
//
// --tr-attach-options: command-line values become `#tr.options` on the module.
#include "renaissance/Conversion/Passes.h"

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
    std::optional<Optimizer> kind = symbolizeOptimizer(optimizer);
    if (!kind) {
      emitError() << "expected optimizer sgd or adamw, but got '" << optimizer << "'";
      return signalPassFailure();
    }
    MLIRContext *context = &getContext();
    int64_t validationBatch = valBatch == 0 ? int64_t(batch) : int64_t(valBatch);
    auto spec = [&](StringRef name, bool training, int64_t size) {
      return CompileSpecAttr::getChecked(emitError, context, name, training, size, Dims2{});
    };
    CompileSpecAttr train = spec("train_base", true, batch);
    CompileSpecAttr val = spec("val_base", false, validationBatch);
    if (!train || !val)
      return signalPassFailure();
    auto options = OptionsAttr::getChecked(emitError, context, *kind, int64_t(slices),
                                           bool(zeroGamma), ArrayAttr::get(context, {train, val}));
    if (!options)
      return signalPassFailure();
    module->setAttr(TRDialect::getOptionsAttrName(), options);
  }
};

} // namespace
