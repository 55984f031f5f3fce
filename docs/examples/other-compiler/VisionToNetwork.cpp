// SPDX-License-Identifier: Apache-2.0
//
// Classifiers to networks. Extents stay open (`?`): the passes of Renaissance infer and check them,
// put the loss, merge what they have kernels for, and report at the location that a layer was
// given here, which is that of the step in the user's file.
#include "Vision.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using tr::Dims2;

namespace {

class NetworkWriter {
public:
  NetworkWriter(OpBuilder &builder, bool plain)
      : builder(builder),
        map(tensor(ShapedType::kDynamic, ShapedType::kDynamic, ShapedType::kDynamic)),
        plain(plain) {}

  void write(vision::ClassifierOp op) {
    auto network =
        tr::arch::NetworkOp::create(builder, op.getLoc(), op.getSymName(), op.getClasses());
    ArrayRef<int64_t> image = op.getImage();
    Block &body = network.getBody().emplaceBlock();
    values.map(op.getBody().getArgument(0),
               body.addArgument(tensor(image[0], image[1], image[2]), op.getLoc()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    for (Operation &step : op.getBody().front())
      writeStep(step, op.getClasses());
  }

private:
  RankedTensorType tensor(int64_t h, int64_t w, int64_t c) {
    return RankedTensorType::get({ShapedType::kDynamic, h, w, c}, builder.getF32Type());
  }

  // A layer is made of an input, its parts (what parameters are called by) and its attributes.
  template <typename LayerOp, typename... Args>
  Value layer(Location loc, Value input, const Twine &part, Args... args) {
    return LayerOp::create(builder, loc, map, input, builder.getStrArrayAttr({part.str()}),
                           args...);
  }

  void writeStep(Operation &step, int64_t classes) {
    Location loc = step.getLoc();
    Value input = values.lookup(step.getOperand(0));
    llvm::TypeSwitch<Operation &>(step)
        .Case([&](vision::FilterOp op) {
          Value filtered = filter(loc, input, op.getName(), op.getChannels());
          values.map(op, relu(loc, filtered, op.getName()));
        })
        .Case([&](vision::HalveOp op) {
          auto window =
              tr::PoolAttr::get(op.getContext(), Dims2{2, 2}, Dims2{2, 2}, Dims2{}, false,
                                /*more=*/Dims2{}, /*dilation=*/Dims2{1, 1}, /*count_pad=*/false);
          values.map(op, layer<tr::arch::MaxPoolOp>(loc, input, op.getName(), window));
        })
        .Case([&](vision::RefineOp op) { values.map(op, refine(op, input)); })
        .Case([&](vision::DecideOp op) {
          Value mean = layer<tr::arch::GapOp>(loc, input, op.getName() + ".mean");
          Value scores = layer<tr::arch::FcOp>(loc, mean, op.getName() + ".fc", uint64_t(classes),
                                               /*bias=*/true);
          tr::arch::YieldOp::create(builder, loc, scores); // the loss is a pass' work
        });
  }

  Value filter(Location loc, Value input, StringRef name, int64_t channels) {
    auto geometry = tr::ConvAttr::get(builder.getContext(), channels, /*kernel=*/Dims2{3, 3},
                                      /*stride=*/Dims2{1, 1}, /*pad=*/Dims2{1, 1},
                                      /*dilation=*/Dims2{1, 1}, /*groups=*/1, /*bias=*/false,
                                      /*more=*/Dims2{});
    Value conv = layer<tr::arch::ConvOp>(loc, input, name + ".conv", geometry);
    return layer<tr::arch::BnOp>(loc, conv, name + ".bn", /*eps=*/APFloat(1e-5),
                                 /*momentum=*/APFloat(0.1));
  }

  Value relu(Location loc, Value input, StringRef name) {
    return layer<tr::arch::ActOp>(loc, input, name + ".relu", trf::Activation::ReLU);
  }

  // Both sums have their branches as regions. A branch without a layer is its input.
  Value refine(vision::RefineOp op, Value input) {
    Location loc = op.getLoc();
    if (!plain) {
      Value sum = layer<vision::SumReluOp>(loc, input, op.getName());
      fillBranches(sum.getDefiningOp(), op);
      return sum;
    }
    Value sum = layer<tr::arch::Add2Op>(loc, input, op.getName());
    fillBranches(sum.getDefiningOp(), op);
    return relu(loc, sum, op.getName());
  }

  void fillBranches(Operation *sum, vision::RefineOp op) {
    OpBuilder::InsertionGuard guard(builder);
    for (Region &branch : sum->getRegions()) {
      Block &block = branch.emplaceBlock();
      Value value = block.addArgument(sum->getOperand(0).getType(), op.getLoc());
      builder.setInsertionPointToEnd(&block);
      if (branch.getRegionNumber() == 1)
        value = filter(op.getLoc(), value, op.getName(), op.getChannels());
      tr::arch::YieldOp::create(builder, op.getLoc(), value);
    }
  }

  OpBuilder &builder;
  RankedTensorType map;
  bool plain;
  IRMapping values;
};

struct ToNetworkPass : PassWrapper<ToNetworkPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToNetworkPass)
  explicit ToNetworkPass(bool plain) : plain(plain) {}
  StringRef getArgument() const override { return "vision-to-network"; }
  StringRef getDescription() const override { return "classifiers to networks of Renaissance"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tr::TRDialect>();
  }
  void runOnOperation() override {
    for (auto op : llvm::make_early_inc_range(getOperation().getOps<vision::ClassifierOp>())) {
      OpBuilder builder(op);
      NetworkWriter(builder, plain).write(op);
      op.erase();
    }
  }
  bool plain;
};

} // namespace

std::unique_ptr<Pass> vision::createToNetworkPass(bool plain) {
  return std::make_unique<ToNetworkPass>(plain);
}
