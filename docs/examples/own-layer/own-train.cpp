// SPDX-License-Identifier: Apache-2.0
//
// From a BluePrint through the own pass to a plan, and 60 steps of training on images whose class
// is where they are bright, once with the kernels of Renaissance and once with an own one among
// them. Prints the loss before and after.
#include "Own.h"
#include "OwnKernels.h"

#include "renaissance/InitAll.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "trrt/library.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>
#include <random>

static const char *const kModel = R"(model net(input = 6x6x1, classes = 3) {
  seq(conv(8, kernel = 3, pad = 1), bn(), relu(), conv(8, kernel = 3, pad = 1), bn(), relu(),
      gap(), fc(classes, bias = true))
})";
static constexpr int kBatch = 16, kPixels = 36;

static std::vector<uint8_t> compile() {
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  registry.insert<own::OwnDialect>();
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(kModel, "net.bp"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = tr::importBlueprint(sources, &context);
  if (!module)
    return {};
  mlir::PassManager passes(&context);
  tr::CompileOptions options;
  options.batch = kBatch;
  options.fuse = false; // so that activations stand alone
  passes.addPass(tr::createAttachOptions(options));
  tr::buildArchPipeline(passes);
  passes.nest<tr::arch::NetworkOp>().addPass(own::createReplaceReluPass());
  passes.nest<tr::arch::NetworkOp>().addPass(tr::createVerifyArch());
  tr::buildGraphPipeline(passes);
  if (failed(passes.run(*module)))
    return {};
  mlir::FailureOr<tr::graph::ProgramOp> program = tr::findProgram(*module);
  if (failed(program))
    return {};
  mlir::FailureOr<trf::PlanRecords> records = tr::exportPlan(*program);
  return failed(records) ? std::vector<uint8_t>() : trf::writeRecords(*records);
}

static bool ok(trrt_status_t status) {
  if (status.code != TRRT_OK)
    std::fprintf(stderr, "error: %s\n", status.message);
  return status.code == TRRT_OK;
}

// Trains for 60 steps from the same start and destroys the session. Returns the last loss, or a
// negative number after an error.
static float train(trrt_session_t *session) {
  float weight[64], trained[64]; // of the first own layer
  if (!ok(trrt_session_init(session, 1)) || !ok(trrt_session_set_scalar(session, "lr", 0.05)) ||
      !ok(trrt_session_read_param(session, "2.weight", weight, 64)))
    return -1;
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0.0f, 0.5f);
  trrt_step_result_t result = {};
  for (int step = 0; step < 60; ++step) {
    float images[kBatch * kPixels];
    int32_t labels[kBatch];
    for (int i = 0; i < kBatch; ++i) {
      labels[i] = i % 3;
      for (int p = 0; p < kPixels; ++p)
        images[i * kPixels + p] = noise(random) + (p / 12 == labels[i] ? 1.5f : 0.0f);
    }
    if (!ok(trrt_session_train_step(session, "train_base", images, labels, kBatch, &result)))
      return -1;
    if (step == 0 || step == 59)
      std::printf("step %d: loss %.4f, %d of %d right\n", step, double(result.loss),
                  int(result.top1), kBatch);
  }
  if (!ok(trrt_session_read_param(session, "2.weight", trained, 64)))
    return -1;
  std::printf("the own layer's weight moved by %.4f\n", double(trained[0] - weight[0]));
  trrt_session_destroy(session);
  return result.loss;
}

int main() {
  const std::vector<uint8_t> bytes = compile();
  trrt_plan_t *plan = nullptr;
  trrt_session_t *session = nullptr, *ours = nullptr;
  if (bytes.empty() || !ok(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan)) ||
      !ok(trrt_session_create(plan, nullptr, &session)) ||
      !ok(trrt::createSession(plan, own::kernelLibrary(), nullptr, &ours)))
    return 1;
  trrt_plan_destroy(plan);
  const float loss = train(session);
  if (loss < 0 || own::activationRuns() != 0)
    return 1;
  std::printf("again, on the own kernel library\n");
  const float difference = train(ours) - loss;
  std::printf("the own kernel ran %ld times, the loss differs by %.1e\n", own::activationRuns(),
              double(difference));
  return own::activationRuns() > 0 && difference == 0 ? 0 : 1; // a relu has one right answer
}
