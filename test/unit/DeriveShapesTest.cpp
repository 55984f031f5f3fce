// SPDX-License-Identifier: Apache-2.0
//
// Phase 1 with layers that break the promise to declare the same tensors under every
// variant. No layer of ours does, so the test brings its own: an op of another
// dialect that gets the layer interface from outside.
#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

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
  FailureOr<ImageShape> inferOutputShape(Operation *, ImageShape input,
                                         function_ref<InFlightDiagnostic()>) const {
    return input;
  }
  StringRef getPath(Operation *) const { return "odd"; }
  void describe(Operation *op, LayerDescription &d) const {
    d.expectParts(0);
    bool other = d.getContext().batch == 2;
    StringRef odd = cast<StringAttr>(op->getAttr("odd")).getValue();
    TensorDims dims = {1, 1, 1, 3};
    TensorRef y = d.feature("odd.output", d.getContext().output);
    d.setOutput(y);
    d.both(plan::Kernel::copy, {d.input(), y});
    bool name = other && odd == "name", region = other && odd == "region",
         type = other && odd == "type";
    d.tensor(name ? "odd.b" : "odd.a", region ? plan::Region::TTempInt8 : plan::Region::SMask,
             type ? plan::DType::I32 : plan::DType::U8, dims);
    if (other && odd == "count")
      d.tensor("odd.c", plan::Region::SMask, plan::DType::U8, dims);
    if (odd == "parameter")
      d.parameter("odd", "weight", plan::Region::WFcBias, {1, 1, 1, other ? 4 : 3},
                  plan::ParamLayout::Vector, plan::Init::Ones, 0.0);
  }
};

// The message of phase 1, empty when it succeeds.
std::string derive(StringRef odd) {
  std::string source = (R"mlir(
    module attributes {tr.options = #tr.options<specs = [
        #tr.compile_spec<name = "one", training = true, batch = 1>,
        #tr.compile_spec<name = "two", training = false, batch = 2>]>} {
      tr.arch.plan @net classes 3 {
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
  pm.addPass(createGraphDeriveShapes());
  bool passed = succeeded(pm.run(*module));
  EXPECT_EQ(passed, message.empty());
  return message;
}

testing::AssertionResult endsWith(const std::string &text, StringRef end) {
  if (StringRef(text).ends_with(end))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got: " << text;
}

TEST(DeriveShapes, AcceptsLayersOfOtherDialects) { EXPECT_EQ(derive("nothing"), ""); }

TEST(DeriveShapes, ReportsAnotherName) {
  EXPECT_TRUE(endsWith(derive("name"), "of layer 'odd': expected tensor 'odd.a' as under variant "
                                       "'one', but got 'odd.b' under variant 'two'"));
}

TEST(DeriveShapes, ReportsAnotherRegion) {
  EXPECT_TRUE(endsWith(derive("region"),
                       "of layer 'odd': expected region of tensor 'odd.a' 's_mask' as under "
                       "variant 'one', but got 't_temp_int8' under variant 'two'"));
}

TEST(DeriveShapes, ReportsAnotherType) {
  EXPECT_TRUE(endsWith(derive("type"), "of layer 'odd': expected type of tensor 'odd.a' 'u8' as "
                                       "under variant 'one', but got 'i32' under variant 'two'"));
}

TEST(DeriveShapes, ReportsAnotherCount) {
  EXPECT_TRUE(endsWith(derive("count"),
                       "of layer 'odd': expected 26 tensors as under variant 'one', but got 27 "
                       "under variant 'two', which part over 'odd.c'"));
}

TEST(DeriveShapes, ReportsAnotherParameterShape) {
  EXPECT_TRUE(endsWith(derive("parameter"),
                       "of layer 'odd': expected parameter 'odd.weight' of shape 1x1x1x3 as under "
                       "variant 'one', but got shape 1x1x1x4 under variant 'two'"));
}

} // namespace
