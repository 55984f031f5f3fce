// SPDX-License-Identifier: Apache-2.0
//
// --tr-arch-to-linalg: one function for each network. Its arguments are known only when all layers
// are lowered, so the body is built first and the function's type is set last.
#include "LinalgBuilder.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/IR/Levels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace tr {
#define GEN_PASS_DEF_ARCHTOLINALG
#include "renaissance/Conversion/Passes.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

class NetworkLowering {
public:
  NetworkLowering(arch::NetworkOp network, int64_t batch) : network(network), batch(batch) {}

  LogicalResult run() {
    ImplicitLocOpBuilder builder(network.getLoc(), network);
    Value images = network.getBody().getArgument(0);
    FailureOr<RankedTensorType> type = staticType(network, images);
    if (failed(type))
      return failure();
    auto function =
        func::FuncOp::create(builder, network.getSymName(), builder.getFunctionType({*type}, {}));
    entry = function.addEntryBlock();
    values[images] = entry->getArgument(0);
    builder.setInsertionPointToEnd(entry);
    FailureOr<Value> result = lowerBlock(network.getBody().front(), builder);
    if (failed(result)) {
      function.erase();
      return failure();
    }
    func::ReturnOp::create(builder, *result);
    function.setType(builder.getFunctionType(entry->getArgumentTypes(), (*result).getType()));
    for (auto [index, name] : llvm::enumerate(names))
      function.setArgAttr(index + 1, "tr.param", builder.getStringAttr(name));
    network.erase();
    return success();
  }

private:
  FailureOr<RankedTensorType> staticType(Operation *op, Value value) const {
    auto type = cast<RankedTensorType>(value.getType());
    if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
      return op->emitOpError("expected inferred shapes, but got ")
             << type << "; --tr-arch-infer-shapes finds them";
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = batch;
    return RankedTensorType::get(shape, type.getElementType());
  }

  FailureOr<Value> lowerBlock(Block &block, ImplicitLocOpBuilder &builder) {
    LinalgBuilder pieces(builder, [&](const Twine &name, ArrayRef<int64_t> shape) -> Value {
      names.push_back(name.str());
      return entry->addArgument(RankedTensorType::get(shape, builder.getF32Type()),
                                builder.getLoc());
    });
    for (Operation &op : block) {
      if (auto yield = dyn_cast<arch::YieldOp>(op))
        return values.lookup(yield.getValue());
      if (failed(staticType(&op, op.getResult(0))) || failed(lowerBranches(&op, builder)))
        return failure();
      auto layer = cast<LayerOpInterface>(op);
      SmallVector<Value, 2> inputs;
      for (Value input : getLayerInputs(layer))
        inputs.push_back(values.lookup(input));
      builder.setLoc(op.getLoc());
      FailureOr<Value> result = layer.lower(pieces, inputs);
      if (failed(result))
        return emitLayerError(layer) << "expected a layer that can be lowered to linalg";
      values[op.getResult(0)] = *result;
    }
    return failure(); // the verifier promises a yield
  }

  LogicalResult lowerBranches(Operation *op, ImplicitLocOpBuilder &builder) {
    auto join = dyn_cast<JoinOpInterface>(op);
    if (!join)
      return success();
    for (Region *branch : join.getBranches()) {
      Block &block = branch->front();
      values[block.getArgument(0)] = values.lookup(op->getOperand(0));
      if (failed(lowerBlock(block, builder)))
        return failure();
    }
    return success();
  }

  arch::NetworkOp network;
  int64_t batch;
  Block *entry = nullptr;
  SmallVector<std::string> names;
  llvm::DenseMap<Value, Value> values;
};

struct ArchToLinalgPass : tr::impl::ArchToLinalgBase<ArchToLinalgPass> {
  using ArchToLinalgBase::ArchToLinalgBase;

  void runOnOperation() override {
    if (batch < 1) {
      getOperation().emitError("expected a batch of at least 1, but got ") << batch.getValue();
      return signalPassFailure();
    }
    ModuleOp module = getOperation();
    StringRef level = arch::NetworkOp::getOperationName();
    if (failed(requireAtTop(module, level)) ||
        (module.getOps<arch::NetworkOp>().empty() && failed(reportNoneOf(module, level))))
      return signalPassFailure();
    for (auto network : llvm::make_early_inc_range(module.getOps<arch::NetworkOp>()))
      if (failed(requireOnlyLayers(network)) || failed(checkPrecision(network)) ||
          failed(NetworkLowering(network, batch).run()))
        return signalPassFailure();
  }

private:
  static LogicalResult checkPrecision(arch::NetworkOp network) {
    trf::Precision precision = getOptions(network).getValues().precision;
    if (precision == trf::Precision::FP32)
      return success();
    return network.emitError("network '")
           << network.getSymName()
           << "': expected precision fp32, in which this lowering computes, "
           << "but got " << spell(precision);
  }
};

} // namespace
