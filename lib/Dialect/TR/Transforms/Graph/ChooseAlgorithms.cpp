// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-choose-algorithms: the algorithm of each convolution, never by a clock.
#include "ConvCosts.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

namespace tr {
#define GEN_PASS_DEF_GRAPHCHOOSEALGORITHMS
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using plan::ConvAlgorithm;

namespace {

// Windows of 3x3 that touch each other, and of 1x1 without a pad.
bool hasChoice(graph::ComputeOp op) {
  auto both = [&](StringRef name, int64_t expected) {
    auto value = [&](const Twine &axis) {
      return cast<IntegerAttr>(op.getValues().get((name + axis).str())).getInt();
    };
    return value("_h") == expected && value("_w") == expected;
  };
  if (cast<IntegerAttr>(op.getValues().get("groups")).getInt() != 1)
    return false;
  return both("kernel", 3) ? both("stride", 1) && both("dilation", 1)
                           : both("kernel", 1) && both("pad", 0);
}

struct Operands {
  ConvDirection direction = ConvDirection::Forward;
  int64_t x = -1, y = -1; // tensors with the extents of input and output
};

// By the names of the kernel-op table: what is written tells the direction.
Operands getOperands(graph::ComputeOp op, const plan::KernelInfo &info) {
  Operands found;
  for (auto [operand, id] : llvm::zip_equal(info.operands, op.getTensors())) {
    if (operand.name == "x" || operand.name == "dx")
      found.x = id;
    if (operand.name == "y" || operand.name == "dy")
      found.y = id;
    if (operand.name == "dx")
      found.direction = ConvDirection::BackwardData;
    if (operand.name == "dw")
      found.direction = ConvDirection::BackwardWeight;
    if (operand.name == "folds")
      found.direction = ConvDirection::Inference;
  }
  return found;
}

class Chooser {
public:
  explicit Chooser(graph::ProgramOp program)
      : isa(getOptions(program).getTarget()),
        tensors(llvm::to_vector(program.getOps<graph::TensorOp>())) {}

  FailureOr<ConvAlgorithm> choose(graph::ComputeOp op, const plan::KernelInfo &info) {
    Operands operands = getOperands(op, info);
    for (int64_t id : {operands.x, operands.y})
      if (id < 0 || id >= static_cast<int64_t>(tensors.size()))
        return op.emitOpError("expected tensor ids below ") << tensors.size() << ", but got " << id;
    return chooseAlgorithm(isa, operands.direction, getShape(op, operands));
  }

  std::string describe(graph::ComputeOp op, const plan::KernelInfo &info) {
    ConvShape s = getShape(op, getOperands(op, info));
    return llvm::formatv("{0}x{0}, stride {1}, from {2}x{3}x{4}x{5} to {6} channels", s.kernel,
                         s.stride, s.batch, s.height, s.width, s.in, s.out);
  }

private:
  ConvShape getShape(graph::ComputeOp op, const Operands &operands) {
    ConvShape shape = getLargest(operands);
    shape.kernel = cast<IntegerAttr>(op.getValues().get("kernel_h")).getInt();
    shape.stride = cast<IntegerAttr>(op.getValues().get("stride_h")).getInt();
    return shape;
  }

  // The shape under the variant with the most input elements, of those that have the output.
  ConvShape getLargest(const Operands &operands) {
    ConvShape largest{};
    double most = 0; // extents may be anything below 2^31
    auto inputs = tensors[operands.x].getShapes().getAsRange<DenseI64ArrayAttr>();
    auto outputs = tensors[operands.y].getShapes().getAsRange<DenseI64ArrayAttr>();
    for (auto [input, output] : llvm::zip(inputs, outputs)) {
      double elements = 1;
      for (int64_t extent : input.asArrayRef())
        elements *= static_cast<double>(extent);
      if (elements <= most || output[3] == 0)
        continue;
      most = elements;
      largest = {0, 0, input[0], input[1], input[2], input[3], output[3]};
    }
    return largest;
  }

  Isa isa;
  SmallVector<graph::TensorOp> tensors;
};

struct GraphChooseAlgorithmsPass : tr::impl::GraphChooseAlgorithmsBase<GraphChooseAlgorithmsPass> {
  using GraphChooseAlgorithmsBase::GraphChooseAlgorithmsBase;

  void runOnOperation() override {
    graph::ProgramOp program = getOperation();
    if (getOptions(program).getTarget() == Isa::Any)
      return;
    Chooser chooser(program);
    for (auto subgraph : program.getOps<graph::SubgraphOp>())
      for (auto op : subgraph.getOps<graph::ComputeOp>()) {
        const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(op.getKernel()));
        if (!info.isConv || !hasChoice(op))
          continue;
        FailureOr<ConvAlgorithm> algorithm = chooser.choose(op, info);
        if (failed(algorithm))
          return signalPassFailure();
        if (*algorithm == ConvAlgorithm::Winograd && !winograd)
          algorithm = ConvAlgorithm::Direct;
        op.setAlgorithm(plan::stringify(*algorithm));
        trace(op.getLoc(), getArgumentName(), [&] {
          return llvm::formatv("{0} {1}: {2}", op.getKernel(), chooser.describe(op, info),
                               *op.getAlgorithm());
        });
        ++(*algorithm == ConvAlgorithm::Winograd    ? numWinograd
           : *algorithm == ConvAlgorithm::Pointwise ? numPointwise
                                                    : numDirect);
      }
  }
};

} // namespace
