// SPDX-License-Identifier: Apache-2.0
//
// --memory: regions, schedules and who is alive where memory is fullest.
#include "Report.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tr {
namespace {

void printLine(raw_ostream &os, StringRef name, int64_t bytes, const Twine &rest = "") {
  os << llvm::left_justify(name, 26) << llvm::right_justify(grouped(bytes), 18)
     << llvm::formatv("{0,12:F6} GB", double(bytes) * 1e-9).str() << rest << '\n';
}

struct LayerBytes {
  int64_t bytes = 0;
  SmallVector<StringRef, 4> tensors;
};

// Names repeat their layer's path, which the line begins with.
std::string shortNames(StringRef path, ArrayRef<StringRef> names) {
  std::string text;
  for (StringRef name : names) {
    if (name.consume_front(path))
      name.consume_front(".");
    text += (text.empty() ? "  " : ", ") + name.str();
  }
  return text;
}

void printAlive(raw_ostream &os, graph::ProgramOp program, const ScheduleMemory &schedule) {
  auto layers = llvm::to_vector(program.getOps<graph::LayerOp>());
  llvm::MapVector<int64_t, LayerBytes> byLayer;
  for (const PooledTensor &pooled : schedule.tensors) {
    if (!isAliveAtBound(schedule, pooled))
      continue;
    graph::TensorOp tensor = pooled.tensor;
    LayerBytes &entry = byLayer[tensor.getLayer()];
    entry.bytes += pooled.bytes;
    entry.tensors.push_back(tensor.getName());
  }
  auto rows = byLayer.takeVector();
  llvm::stable_sort(rows, [](auto &a, auto &b) { return a.second.bytes > b.second.bytes; });
  for (auto &[layer, entry] : rows) {
    StringRef path = layer < 0 ? "(no layer)" : layers[layer].getPath();
    printLine(os, ("  " + path).str(), entry.bytes, shortNames(path, entry.tensors));
  }
}

void printSchedule(raw_ostream &os, graph::ProgramOp program, const ScheduleMemory &schedule) {
  os << (schedule.training ? "\ntraining\n" : "\nvalidation and inference\n");
  double ratio =
      schedule.boundBytes == 0 ? 1.0 : double(schedule.peakBytes) / double(schedule.boundBytes);
  printLine(os, "  peak", schedule.peakBytes, llvm::formatv("  {0:F4} of the bound", ratio).str());
  printLine(os, "  bound", schedule.boundBytes);
  printLine(os, "  without reuse", schedule.noReuseBytes);
  if (!schedule.fullest)
    return;
  StringRef kernel;
  int64_t layer = -1;
  if (auto compute = dyn_cast<graph::ComputeOp>(schedule.fullest)) {
    kernel = spell(compute.getKernel());
    layer = compute.getLayer();
  } else {
    kernel = spell(cast<graph::RangeOp>(schedule.fullest).getKernel());
  }
  auto layers = llvm::to_vector(program.getOps<graph::LayerOp>());
  os << "  alive at " << kernel;
  if (layer >= 0)
    os << " of layer " << layers[layer].getPath();
  os << ", where the bound is\n";
  printAlive(os, program, schedule);
}

} // namespace

void printMemory(raw_ostream &os, graph::ProgramOp program, const MemoryUse &use) {
  os << "memory of " << program.getSymName() << " in slot bytes\n";
  for (auto region : program.getBody().front().getOps<graph::RegionOp>())
    if (!region.getRegion().region.isPooled())
      printLine(os, spell(region.getRegion()), region.getBytes());
  printLine(os, "persistent", use.getPersistentBytes());
  printLine(os, use.reuse ? "pool" : "pool (no reuse)", use.poolBytes);
  printLine(os, "arena", use.arenaBytes);
  for (const ScheduleMemory &schedule : use.schedules)
    printSchedule(os, program, schedule);
}

} // namespace tr
