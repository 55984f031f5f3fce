// SPDX-License-Identifier: Apache-2.0
//
// Small questions about layers that several passes of `tr.arch` ask.
#include "Layers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tr::arch {

PlanOp planOf(Operation *op) { return op->getParentOfType<PlanOp>(); }

Value imagesOf(PlanOp plan) { return plan.getBody().front().getArgument(0); }

YieldOp yieldOf(Region &region) { return cast<YieldOp>(region.front().getTerminator()); }

StringRef kindOf(Operation *op) { return op->getName().getStringRef().rsplit('.').second; }

StringRef pathOf(Operation *op) {
  auto parts = op->getAttrOfType<ArrayAttr>("parts");
  if (!parts || parts.empty())
    return "";
  return cast<StringAttr>(parts[0]).getValue();
}

InFlightDiagnostic emitLayerError(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitError();
  diagnostic << kindOf(op) << " layer '" << pathOf(op) << "': ";
  return diagnostic;
}

std::string uniquePath(PlanOp plan, StringRef base) {
  llvm::StringSet<> taken; // a path is taken by each of its parts
  plan.walk([&](Operation *op) {
    auto parts = op->getAttrOfType<ArrayAttr>("parts");
    if (parts)
      for (auto part : parts.getAsRange<StringAttr>())
        if (part.getValue().starts_with(base))
          taken.insert(part.getValue());
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
  // The arguments of branches have the type of the add2's input.
  SmallVector<Value> values = {input};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers())
      if (auto add2 = dyn_cast<Add2Op>(user))
        for (Region *branch : {&add2.getShortcut(), &add2.getStem()}) {
          Value argument = branch->front().getArgument(0);
          if (argument.getType() == input.getType())
            continue;
          argument.setType(input.getType());
          values.push_back(argument);
        }
}

bool canBeFirst(Operation *op) {
  return isa<LayerOpInterface>(op) && !isa<SoftmaxCeOp>(op) && isa<PlanOp>(op->getParentOp());
}

} // namespace tr::arch
