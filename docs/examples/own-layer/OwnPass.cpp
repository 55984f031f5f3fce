// SPDX-License-Identifier: Apache-2.0
//
// A pass that mixes an own pattern with a set of Renaissance.
#include "Own.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace {

struct ReplaceRelu : OpRewritePattern<tr::arch::ActOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tr::arch::ActOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() != trf::Activation::ReLU || op.getFirst())
      return failure();
    rewriter.replaceOpWithNewOp<own::ResidualUnitOp>(op, op.getType(), op.getInput(),
                                                     op.getPartsAttr());
    return success();
  }
};

struct ReplaceReluPass : PassWrapper<ReplaceReluPass, OperationPass<tr::arch::NetworkOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReplaceReluPass)
  StringRef getArgument() const override { return "own-replace-relu"; }
  StringRef getDescription() const override { return "a residual unit for each relu"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<own::OwnDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReplaceRelu>(&getContext());
    tr::populateArchNormalizeFlattenPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

std::unique_ptr<Pass> own::createReplaceReluPass() { return std::make_unique<ReplaceReluPass>(); }
void own::registerPasses() { PassRegistration<ReplaceReluPass>(); }
