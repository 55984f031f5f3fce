// SPDX-License-Identifier: Apache-2.0
//
// Several listeners to remarks: each hears its kinds and categories alone; counts add up.
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Statistics.h"

#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

void say(MLIRContext &context, StringRef category, bool passed, StringRef name = "x") {
  Location loc = UnknownLoc::get(&context);
  auto options = remark::RemarkOpts::name(name).category(category);
  if (passed)
    remark::passed(loc, options) << remark::metric("value", 1);
  else
    remark::analysis(loc, options) << remark::metric("value", 2);
}

TEST(RemarkListeners, EachHearsWhatItWants) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::vector<std::string> first, second;
  auto into = [](std::vector<std::string> &heard) {
    return [&heard](const remark::detail::Remark &remark) {
      heard.push_back(remark.getCategoryName().str());
    };
  };
  tr::RemarkListener passes, all;
  passes.categories.passed = "pass-a|pass-b";
  passes.hear = into(first);
  all.categories.passed = all.categories.analysis = "pass-.*";
  all.hear = into(second);
  ASSERT_TRUE(succeeded(tr::listenToRemarks(context, {passes, all})));
  say(context, "pass-a", true);
  say(context, "pass-a", false);
  say(context, "pass-ab", true);
  say(context, "my-pass-a", true);
  say(context, "pass-b", true);
  EXPECT_EQ(first, (std::vector<std::string>{"pass-a", "pass-b"}));
  EXPECT_EQ(second, (std::vector<std::string>{"pass-a", "pass-a", "pass-ab", "pass-b"}));
}

TEST(RemarkListeners, AnExpressionThatIsNone) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  tr::RemarkListener broken;
  broken.categories.failed = "a(";
  EXPECT_TRUE(failed(tr::listenToRemarks(context, {broken})));
  EXPECT_EQ(error.find("expected a regular expression of categories of remarks, but got a(: "), 0u)
      << error;
  EXPECT_EQ(context.getRemarkEngine(), nullptr);
}

TEST(Statistics, AddsUpAndLeavesOtherRemarksOut) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  tr::Statistics statistics;
  ASSERT_TRUE(succeeded(tr::listenToRemarks(context, {statistics.listen()})));
  say(context, "pass-b", false, tr::kCountRemark);
  say(context, "pass-a", false, tr::kCountRemark);
  say(context, "pass-a", false);
  say(context, "pass-b", false, tr::kCountRemark);
  std::string text, json;
  llvm::raw_string_ostream textStream(text), jsonStream(json);
  statistics.printText(textStream);
  statistics.printJson(jsonStream);
  EXPECT_EQ(text, "pass-b             4  value\npass-a             2  value\n");
  EXPECT_NE(json.find("\"pass\": \"pass-b\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"value\": 4"), std::string::npos) << json;
}

} // namespace
