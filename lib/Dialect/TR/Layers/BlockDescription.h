// SPDX-License-Identifier: Apache-2.0
//
// Tensors and kernel ops of a residual block: its convolutions, shortcut and last activation.
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_BLOCKDESCRIPTION_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_BLOCKDESCRIPTION_H

#include "Units.h"

#include "renaissance/Dialect/TR/IR/BlockSpec.h"

namespace tr::units {

class BlockDescription {
public:
  BlockDescription(LayerDescription &d, mlir::ArrayAttr parts, BlockAttr block, double eps,
                   double momentum);
  void describeForward();
  void describeBackward();

private:
  ConvBn makeUnit(unsigned index, ImageShape input, const BlockStage &stage, bool zeroGamma) {
    return ConvBn(d, partOf(parts, 2 * index), partOf(parts, 2 * index + 1), input, stage.geometry,
                  eps, momentum, zeroGamma);
  }
  Act actAfter(unsigned index) const {
    return stages[index].row->activated ? block.getAct() : Act();
  }
  void describeJoin();
  KernelCall makeJoin(Act act, TensorRef y) const;
  TensorRef describeSumGradient();
  bool canRecomputeJoin() const {
    // The first layer's input is gone when backward begins.
    return !projection.empty() || !d.getContext().first;
  }
  void describeShortcutGradient(TensorRef sumGrad);
  std::string outputName(unsigned index) const {
    return (partOf(parts, 2 * index + 1) + ".output").str();
  }
  // Backward's own copy of what stage `index` gave to the next one.
  TensorRef recompute(unsigned index) {
    return stem[index].bn.recompute(stem[index].conv.y, actAfter(index),
                                    outputName(index) + ".rebuilt", stem[index].conv.shape);
  }

  LayerDescription &d;
  mlir::ArrayAttr parts;
  BlockAttr block;
  double eps, momentum;
  llvm::SmallVector<BlockStage, 3> stages;
  llvm::SmallVector<ConvBn, 3> stem;
  llvm::SmallVector<ConvBn, 1> projection;
  TensorRef shortcutInput;                   // of the projection
  llvm::SmallVector<TensorRef, 4> values;    // input of each stage
  llvm::SmallVector<TensorRef, 3> gradients; // of the output of each stage but the last
  TensorRef output;
  TensorRef sum; // before the last activation, where backward needs it
};

} // namespace tr::units

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_BLOCKDESCRIPTION_H
