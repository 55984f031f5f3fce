// SPDX-License-Identifier: Apache-2.0
//
// --tr-attach-options, whose options are the rows of CompileOptions.def.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Options/RowOptions.h"

namespace tr {
#define GEN_PASS_DEF_ATTACHOPTIONS
#include "renaissance/Dialect/TR/Transforms/OptionsPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

bool RowParser::parse(llvm::cl::Option &option, StringRef name, StringRef text,
                      std::string &value) {
  CompileOptions scratch;
  bool isFlag = option.getValueExpectedFlag() == llvm::cl::ValueOptional;
  value = isFlag && text.empty() ? "true" : text.str();
  std::string fault = setOption(scratch, toView(option.ArgStr), value);
  return !fault.empty() && option.error(fault, name);
}

namespace {

struct AttachOptionsPass : tr::impl::AttachOptionsBase<AttachOptionsPass> {
  AttachOptionsPass() = default;
  AttachOptionsPass(const AttachOptionsPass &other) : AttachOptionsBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string fault;
    CompileOptions options = rows.get(fault);
    OptionsAttr attr;
    if (fault.empty())
      attr = getOptionsAttr(&getContext(), options, [&] { return module.emitError(); });
    else
      module.emitError() << fault;
    if (!attr || failed(checkNotCompiled(module, attr)))
      return signalPassFailure();
    module->setAttr(TRDialect::getOptionsAttrName(), attr);
  }

  RowOptions<Option> rows{*this};

private:
  // A program is what its options have made of it; others come too late. One without options was
  // written by hand, and the passes over it read some.
  static LogicalResult checkNotCompiled(ModuleOp module, OptionsAttr attr) {
    Attribute old = module->getAttr(TRDialect::getOptionsAttrName());
    if (!old || old == attr)
      return success();
    for (auto program : module.getOps<graph::ProgramOp>())
      return program.emitError("program '")
             << program.getSymName() << "': expected a network that is not compiled yet, but got a "
             << "program, which other options do not change; compile its network again";
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> tr::createAttachOptions(const CompileOptions &options) {
  auto pass = std::make_unique<AttachOptionsPass>();
  pass->rows.set(options);
  return pass;
}
