// SPDX-License-Identifier: Apache-2.0
//
// --tr-arch-to-graph with layers that break the promise to declare the same tensors under
// every variant, and --tr-arch-to-linalg with one that says nothing of it. No layer of ours
// does, so the test brings its own: an op of another dialect that gets the layer interface
// from outside.
#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tr;

namespace {

// Declares something else where the batch is 2, as its attribute `odd` says.
struct OddLayer : LayerOpInterface::ExternalModel<OddLayer, UnrealizedConversionCastOp> {
  FailureOr<ImageShape> inferOutputShape(Operation *, ArrayRef<ImageShape> inputs,
                                         function_ref<InFlightDiagnostic()>) const {
    return inputs.front();
  }
  StringRef getPath(Operation *) const { return "odd"; }
  ArrayAttr getParts(Operation *op) const {
    return Builder(op->getContext()).getStrArrayAttr({"odd"});
  }
  void describe(Operation *op, LayerDescription &d) const {
    namespace copy = trf::ops::copy;
    bool other = d.getContext().batch == 2;
    StringRef odd = cast<StringAttr>(op->getAttr("odd")).getValue();
    TensorDims dims = {1, 1, 1, 3};
    TensorRef y = d.feature("odd.output", d.getOutput());
    d.setOutput(y);
    d.forwardAndInference(KernelCall(copy::kOpcode, {{copy::x, d.input()}, {copy::y, y}}));
    bool name = other && odd == "name", region = other && odd == "region",
         type = other && odd == "type";
    d.tensor(name ? "odd.b" : "odd.a", {region ? trf::Role::Temp : trf::Role::Mask},
             type ? trf::DType::I32 : trf::DType::U8, dims);
    if (other && odd == "count")
      d.tensor("odd.c", {trf::Role::Mask}, trf::DType::U8, dims);
    if (odd == "parameter")
      d.parameter("odd", "weight", trf::Group::FcBias, {1, 1, 1, other ? 4 : 3},
                  trf::ParamLayout::Vector, trf::Init::Ones, 0.0);
  }
};

// The message of the pass, empty when it succeeds.
std::string lower(StringRef odd, std::unique_ptr<Pass> pass = createArchToGraph()) {
  std::string source = (R"mlir(
    module attributes {tr.options = #tr.options<variants = [
        #tr.variant<name = "one", training = true, batch = 1>,
        #tr.variant<name = "two", training = false, batch = 2>]>} {
      tr.arch.network @net classes 3 {
      ^bb0(%x: tensor<?x1x1x3xf32>):
        %0 = builtin.unrealized_conversion_cast %x : tensor<?x1x1x3xf32> to tensor<?x1x1x3xf32> {odd = ")mlir" +
                        odd + R"mlir("}
        %1 = tr.arch.act %0 ["1"] <relu> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
        %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
        tr.arch.yield %2 : tensor<?x1x1x3xf32>
      }
    })mlir")
                           .str();
  MLIRContext context;
  context.loadDialect<TRDialect>();
  UnrealizedConversionCastOp::attachInterface<OddLayer>(context);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return "parse error: " + message;
  PassManager pm(&context);
  pm.addPass(std::move(pass));
  bool passed = succeeded(pm.run(*module));
  EXPECT_EQ(passed, message.empty());
  return message;
}

const std::string kLayer = "unrealized_conversion_cast layer 'odd': expected ";

TEST(ArchToGraph, AcceptsLayersOfOtherDialects) { EXPECT_EQ(lower("nothing"), ""); }

TEST(ArchToGraph, ReportsAnotherName) {
  EXPECT_EQ(lower("name"), kLayer + "tensor 'odd.a' as under variant 'one', but got 'odd.b' under "
                                    "variant 'two'");
}

TEST(ArchToGraph, ReportsAnotherRegion) {
  EXPECT_EQ(lower("region"), kLayer + "region of tensor 'odd.a' 's_mask' as under variant 'one', "
                                      "but got 't_temp' under variant 'two'");
}

TEST(ArchToGraph, ReportsAnotherType) {
  EXPECT_EQ(lower("type"), kLayer + "type of tensor 'odd.a' 'u8' as under variant 'one', but got "
                                    "'i32' under variant 'two'");
}

TEST(ArchToGraph, ReportsAnotherCount) {
  EXPECT_EQ(lower("count"), kLayer + "26 tensors as under variant 'one', but got 27 under variant "
                                     "'two'; they first differ at 'odd.c'");
}

TEST(ArchToGraph, ReportsAnotherParameterShape) {
  EXPECT_EQ(lower("parameter"),
            kLayer + "parameter 'odd.weight' of shape 1x1x1x3 as under variant 'one', but got "
                     "shape 1x1x1x4 under variant 'two'");
}

TEST(ArchToLinalg, ReportsALayerThatDoesNotSayHow) {
  EXPECT_EQ(
      lower("nothing", createArchToLinalg()),
      "unrealized_conversion_cast layer 'odd': expected a layer that can be lowered to linalg");
}

} // namespace
