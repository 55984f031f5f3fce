// SPDX-License-Identifier: Apache-2.0
//
// Matching of convolution sequences against the layers that a fused block stands
// for. A mismatch says which condition failed and at which layer.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H

#include "MergeSupport.h"

#include "renaissance/Dialect/TR/IR/BlockSpec.h"

namespace tr::arch {

/// The geometry and input channels of a convolution, alone or in a cbr.
struct ConvView {
  ConvAttr geometry;
  int64_t inChannels;
};
std::optional<ConvView> getConv(mlir::Operation *op);

/// Groups, input channels and output channels agree.
bool isDepthwise(const ConvView &conv);

/// The layers of a branch in order. Fails when they are no chain from the branch's
/// input to its yield with one use of each value.
mlir::FailureOr<llvm::SmallVector<mlir::Operation *>> collectChain(mlir::Block &branch,
                                                                   std::string &reason);

/// Matches stages one by one and keeps what the fused layer needs.
class BlockMatcher {
public:
  /// All of `layers` must match `stages`, nothing before, between or after. The
  /// layers are the whole branch `where`.
  bool match(mlir::ArrayRef<StageRow> stages, mlir::ArrayRef<mlir::Operation *> layers,
             llvm::StringRef where);

  /// The pool at the start of a shortcut averages the windows of the block's stride, and the rest
  /// is the projection at stride 1.
  bool matchPooledProjection(AvgPoolOp pool, mlir::ArrayRef<mlir::Operation *> rest);

  /// `op` has the activation of the block after a stage that has one; the first one decides.
  bool checkActivation(const StageRow &row, mlir::Operation *op, Act actual);

  /// Notes why the block does not match; returns false.
  bool fail(const llvm::Twine &text);

  /// Stages i and j have equal output channels.
  bool checkEqualOut(size_t i, size_t j);
  /// Stage i gives back the channels of the block's input.
  bool checkIdentity(size_t i);

  int64_t getOut(size_t stage) const { return matched[stage].geometry.getOut(); }
  int64_t getInChannels() const { return matched.front().inChannels; }

  std::string reason;
  mlir::FloatAttr eps, momentum;
  int64_t stride = 1, groups = 1;
  Act act = Activation::None; ///< of the whole block, once one was seen
  llvm::SmallVector<mlir::Attribute> parts;
  llvm::SmallVector<mlir::Operation *> layers;

private:
  struct Matched : ConvView {
    llvm::StringRef role;
  };

  bool matchStage(const StageRow &spec, mlir::ArrayRef<mlir::Operation *> &rest,
                  llvm::StringRef where);
  bool matchSeparate(const StageRow &spec, mlir::ArrayRef<mlir::Operation *> rest);
  bool checkGeometry(const StageRow &spec, mlir::Operation *op, const ConvView &conv);
  bool checkStride(const StageRow &spec, mlir::Operation *op, Dims2 actual);
  bool checkGroups(const StageRow &spec, mlir::Operation *op, const ConvView &conv);
  bool checkNormalisation(mlir::Operation *op, mlir::FloatAttr newEps, mlir::FloatAttr newMomentum);
  bool expected(const llvm::Twine &what, const llvm::Twine &actual, mlir::Operation *at);

  llvm::SmallVector<Matched> matched;
  bool strideKnown = false;
};

} // namespace tr::arch

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H
