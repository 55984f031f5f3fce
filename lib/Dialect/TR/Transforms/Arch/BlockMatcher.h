// SPDX-License-Identifier: Apache-2.0
//
// Matching of convolution sequences against the layers that a fused block stands
// for. A mismatch says which condition failed and at which layer.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H

#include "MergeSupport.h"

namespace tr::arch {

/// One convolution of a fused block with its batch normalisation and activation.
struct StageSpec {
  llvm::StringLiteral role;
  int64_t kernel;
  /// Has the block's stride; other stages have stride 1.
  bool strided;
  bool depthwise;
  /// None: no activation follows.
  Activation act;
};

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
  bool match(mlir::ArrayRef<StageSpec> stages, mlir::ArrayRef<mlir::Operation *> layers,
             llvm::StringRef where);

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
  int64_t stride = 1;
  llvm::SmallVector<mlir::Attribute> parts;
  llvm::SmallVector<mlir::Operation *> layers;

private:
  struct Matched : ConvView {
    llvm::StringRef role;
  };

  bool matchStage(const StageSpec &spec, mlir::ArrayRef<mlir::Operation *> &rest,
                  llvm::StringRef where);
  bool matchSeparate(const StageSpec &spec, mlir::ArrayRef<mlir::Operation *> rest);
  bool checkGeometry(const StageSpec &spec, mlir::Operation *op, const ConvView &conv);
  bool checkStride(const StageSpec &spec, mlir::Operation *op, Dims2 actual);
  bool checkGroups(const StageSpec &spec, mlir::Operation *op, const ConvView &conv);
  bool checkNormalisation(mlir::Operation *op, mlir::FloatAttr newEps, mlir::FloatAttr newMomentum);
  bool checkActivation(const StageSpec &spec, mlir::Operation *op, Activation act);
  bool expected(const llvm::Twine &what, const llvm::Twine &actual, mlir::Operation *at);

  llvm::SmallVector<Matched> matched;
  bool strideKnown = false;
};

} // namespace tr::arch

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_BLOCKMATCHER_H
