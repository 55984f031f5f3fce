// SPDX-License-Identifier: Apache-2.0
//
// What several passes of `tr.arch` ask about layers.
#include "Layers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tr::arch {

NetworkOp networkOf(Operation *op) { return op->getParentOfType<NetworkOp>(); }

Value imagesOf(NetworkOp network) { return network.getBody().front().getArgument(0); }

YieldOp yieldOf(Region &region) { return cast<YieldOp>(region.front().getTerminator()); }

std::string uniquePath(NetworkOp network, StringRef base) {
  llvm::StringSet<> taken; // a path is taken by each of its parts
  network.walk([&](LayerOpInterface layer) {
    for (StringRef part : layer.getParts().getAsValueRange<StringAttr>())
      if (part.starts_with(base))
        taken.insert(part);
  });
  std::string path = base.str();
  auto isTaken = [&](StringRef candidate) {
    return llvm::any_of(taken.keys(), [&](StringRef part) {
      return part == candidate || (part.starts_with(candidate) && part[candidate.size()] == '.');
    });
  };
  for (int suffix = 2; isTaken(path); ++suffix)
    path = (base + "_" + Twine(suffix)).str();
  return path;
}

FailureOr<ImageShape> shapeOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return failure();
  return getImageShape(type);
}

RankedTensorType tensorOf(MLIRContext *context, ImageShape shape) {
  return RankedTensorType::get({ShapedType::kDynamic, shape.h, shape.w, shape.c},
                               Float32Type::get(context));
}

void replaceByInput(RewriterBase &rewriter, Operation *layer) {
  Value input = layer->getOperand(0);
  rewriter.replaceOp(layer, input);
  // The arguments of branches have the type of what they read.
  SmallVector<Value> values = {input};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers())
      if (auto branches = dyn_cast<JoinOpInterface>(user))
        for (Region *branch : branches.getBranches()) {
          Value argument = branch->front().getArgument(0);
          if (argument.getType() == input.getType())
            continue;
          argument.setType(input.getType());
          values.push_back(argument);
        }
}

bool canBeFirst(Operation *op) {
  return isa<LayerOpInterface>(op) && !isa<SoftmaxCeOp, JoinOpInterface>(op) &&
         isa<NetworkOp>(op->getParentOp());
}

} // namespace tr::arch
