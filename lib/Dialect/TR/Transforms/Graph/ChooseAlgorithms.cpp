// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-choose-algorithms: the algorithm of each convolution, never by a clock.
#include "../LevelPass.h"
#include "ConvCosts.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"
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
using trf::ConvAlgorithm;
using trf::Opcode;

namespace {

// Windows of 3x3 that touch each other, and of 1x1 without a pad; the pads of both ends are equal.
bool hasChoice(graph::ComputeOp op) {
  auto both = [&](StringRef name, int64_t expected) {
    auto value = [&](const Twine &axis) { return graph::getInt(op, (name + axis).str()); };
    return value("_h") == expected && value("_w") == expected;
  };
  if (graph::getInt(op, "groups") != 1 || !both("pad_more", 0))
    return false;
  return both("kernel", 3) ? both("stride", 1) && both("dilation", 1)
                           : both("kernel", 1) && both("pad", 0);
}

struct Operands {
  ConvDirection direction = ConvDirection::Forward;
  int64_t x = -1, y = -1; // tensors with the extents of input and output
};

Operands getOperands(graph::ComputeOp op) {
  namespace fwd = trf::ops::conv_fwd;
  namespace stats = trf::ops::conv_stats_fwd;
  namespace data = trf::ops::conv_bwd_data;
  namespace weight = trf::ops::conv_bwd_weight;
  namespace inf = trf::ops::conv_inf;
  ArrayRef<int64_t> ids = op.getTensors();
  switch (op.getKernel()) {
  case Opcode::conv_fwd:
    return {ConvDirection::Forward, ids[fwd::x], ids[fwd::y]};
  case Opcode::conv_stats_fwd:
    return {ConvDirection::Forward, ids[stats::x], ids[stats::y]};
  case Opcode::conv_bwd_data:
    return {ConvDirection::BackwardData, ids[data::dx], ids[data::dy]};
  case Opcode::conv_bwd_weight:
    return {ConvDirection::BackwardWeight, ids[weight::x], ids[weight::dy]};
  case Opcode::conv_inf:
    return {ConvDirection::Inference, ids[inf::x], ids[inf::y]};
  default:
    llvm_unreachable("a convolution without a direction");
  }
}

class Chooser {
public:
  explicit Chooser(graph::ProgramOp program)
      : target(getOptions(program).getValues().target),
        tensors(llvm::to_vector(program.getOps<graph::TensorOp>())) {}

  ConvAlgorithm choose(graph::ComputeOp op) const {
    Operands operands = getOperands(op);
    return chooseAlgorithm(target, operands.direction, getShape(op, operands));
  }

  std::string describe(graph::ComputeOp op) const {
    ConvShape s = getShape(op, getOperands(op));
    return llvm::formatv("{0}x{0}, stride {1}, from {2}x{3}x{4}x{5} to {6} channels", s.kernel,
                         s.stride, s.batch, s.height, s.width, s.in, s.out);
  }

private:
  ConvShape getShape(graph::ComputeOp op, const Operands &operands) const {
    ConvShape shape = getLargest(operands);
    shape.kernel = graph::getInt(op, "kernel_h");
    shape.stride = graph::getInt(op, "stride_h");
    return shape;
  }

  // The shape under the variant with the most input elements, of those that have the output.
  ConvShape getLargest(const Operands &operands) const {
    ConvShape largest{};
    double most = 0; // extents may be anything below 2^31
    graph::TensorOp x = tensors[operands.x], y = tensors[operands.y];
    auto inputs = x.getShapes().getAsRange<DenseI64ArrayAttr>();
    auto outputs = y.getShapes().getAsRange<DenseI64ArrayAttr>();
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

  trf::Target target;
  SmallVector<graph::TensorOp> tensors;
};

struct GraphChooseAlgorithmsPass
    : LevelPass<tr::impl::GraphChooseAlgorithmsBase<GraphChooseAlgorithmsPass>, graph::ProgramOp> {
  LogicalResult runOn(graph::ProgramOp program) override {
    const CompileOptions &options = getOptions(program).getValues();
    Counts counts;
    if (trf::row(options.target).rank == 0)
      reportNothingToDo(program, getArgumentName(), "the target asks for no feature of the CPU");
    else
      chooseAll(program, options, counts);
    addCount(numWinograd, getArgumentName(), "num-winograd", counts.winograd, program);
    addCount(numPointwise, getArgumentName(), "num-pointwise", counts.pointwise, program);
    addCount(numDirect, getArgumentName(), "num-direct", counts.direct, program);
    return success();
  }

private:
  struct Counts {
    int64_t winograd = 0, pointwise = 0, direct = 0;
  };

  void chooseAll(graph::ProgramOp program, const CompileOptions &options, Counts &counts) {
    Chooser chooser(program);
    for (auto subgraph : program.getOps<graph::SubgraphOp>())
      for (auto op : subgraph.getOps<graph::ComputeOp>()) {
        if (!trf::info(op.getKernel()).isConv() || !hasChoice(op))
          continue;
        ConvAlgorithm algorithm = chooser.choose(op);
        if (algorithm == ConvAlgorithm::Winograd && !options.winograd)
          algorithm = ConvAlgorithm::Direct;
        op.setAlgorithm(algorithm);
        trace(op.getLoc(), getArgumentName(), [&] {
          return llvm::formatv("{0} {1}: {2}", spell(op.getKernel()), chooser.describe(op),
                               spell(algorithm));
        });
        ++(algorithm == ConvAlgorithm::Winograd    ? counts.winograd
           : algorithm == ConvAlgorithm::Pointwise ? counts.pointwise
                                                   : counts.direct);
      }
  }
};

} // namespace
