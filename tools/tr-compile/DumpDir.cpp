// SPDX-License-Identifier: Apache-2.0
//
// Records the module after passes and writes it.
#include "DumpDir.h"

#include "trs/output_file.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr {
namespace {

class Instrumentation final : public PassInstrumentation {
public:
  explicit Instrumentation(DumpRecorder &recorder) : recorder(recorder) {}
  void runAfterPass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty()) // the adaptors of nested pipelines have none
      recorder.record(pass->getArgument());
  }

private:
  DumpRecorder &recorder;
};

} // namespace

std::unique_ptr<PassInstrumentation> DumpRecorder::createInstrumentation() {
  return std::make_unique<Instrumentation>(*this);
}

void DumpRecorder::record(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().assumeVerified());
  if (!steps.empty() && steps.back().text == text)
    return;
  std::string number = std::to_string(steps.size());
  if (number.size() < 2)
    number.insert(0, "0");
  steps.push_back({name.str(), number + "-" + name.str() + ".mlir", std::move(text)});
}

std::string DumpRecorder::write(const std::string &folder) const {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return "cannot make folder '" + folder + "': " + code.message();
  auto inside = [&](StringRef name) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  for (const DumpStep &step : steps)
    if (std::string error = trs::writeWholeFile(inside(step.file), step.text + "\n");
        !error.empty())
      return error;
  return trs::writeWholeFile(inside("index.html"), renderSteps(steps));
}

} // namespace tr
