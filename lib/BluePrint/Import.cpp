// SPDX-License-Identifier: Apache-2.0
//
// Text of a network to tr.bp, and lines of that text to lines of the caller.
#include "Import.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tr::dsl {

static constexpr const char *kBuffer = "<BluePrint>";

FaultCollector::FaultCollector(MLIRContext &context, const BluePrint &network)
    : network(network), handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          add(diagnostic, "error");
          for (Diagnostic &note : diagnostic.getNotes())
            add(note, "note");
        }
        return success();
      }) {}

void FaultCollector::add(Diagnostic &diagnostic, const char *kind) {
  text += (text.empty() ? "" : "\n") + placeOf(diagnostic.getLocation()) + kind + ": " +
          diagnostic.str();
}

// "net.cpp:12: ", or the network's name where the text has no such line.
std::string FaultCollector::placeOf(Location loc) const {
  std::string place = network.name() + ": ";
  loc->walk([&](Location part) {
    auto line = dyn_cast<FileLineColLoc>(part);
    if (!line || line.getFilename() != kBuffer || line.getLine() == 0 ||
        line.getLine() > network.lines().size())
      return WalkResult::advance();
    const Site &site = network.lines()[line.getLine() - 1];
    place = std::string(site.file) + ":" + std::to_string(site.line) + ": ";
    return WalkResult::interrupt();
  });
  return place;
}

OwningOpRef<ModuleOp> importNetwork(const BluePrint &network, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(network.toText(), kBuffer),
                             llvm::SMLoc());
  context.loadDialect<TRDialect>();
  return importBlueprint(sources, &context);
}

} // namespace tr::dsl
