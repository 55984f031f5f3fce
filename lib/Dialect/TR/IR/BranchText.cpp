// SPDX-License-Identifier: Apache-2.0
//
// The text of branches.
#include "BranchText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static ParseResult giveUp(ArrayRef<Region *> branches) {
  for (Region *branch : branches)
    for (Block &block : *branch)
      block.dropAllDefinedValueUses();
  return failure();
}

static ParseResult parseBranch(OpAsmParser &parser, StringRef keyword, Region &branch) {
  if (parser.parseKeyword(keyword) || parser.parseRegion(branch))
    return failure();
  if (branch.empty())
    branch.emplaceBlock();
  return success();
}

ParseResult tr::parseSumBranches(OpAsmParser &parser, Region &shortcut, Region &stem) {
  if (parseBranch(parser, "shortcut", shortcut) || parseBranch(parser, "stem", stem))
    return giveUp({&shortcut, &stem});
  return success();
}

void tr::printSumBranches(OpAsmPrinter &printer, Operation *, Region &shortcut, Region &stem) {
  printer << "shortcut ";
  printer.printRegion(shortcut);
  printer << " stem ";
  printer.printRegion(stem);
}

ParseResult tr::parseProductBranches(OpAsmParser &parser, Region &a, Region &b) {
  if (parseBranch(parser, "a", a) || parseBranch(parser, "b", b))
    return giveUp({&a, &b});
  return success();
}

void tr::printProductBranches(OpAsmPrinter &printer, Operation *, Region &a, Region &b) {
  printer << "a ";
  printer.printRegion(a);
  printer << " b ";
  printer.printRegion(b);
}

ParseResult tr::parsePieces(OpAsmParser &parser, SmallVectorImpl<std::unique_ptr<Region>> &pieces) {
  do {
    pieces.push_back(std::make_unique<Region>());
    OptionalParseResult piece = parser.parseOptionalRegion(*pieces.back());
    if (!piece.has_value() && pieces.size() == 1) {
      pieces.clear(); // the verifier's affair
      return success();
    }
    if (!piece.has_value() || failed(*piece))
      return giveUp(llvm::map_to_vector(pieces, [](auto &piece) { return piece.get(); }));
    if (pieces.back()->empty())
      pieces.back()->emplaceBlock();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

void tr::printPieces(OpAsmPrinter &printer, Operation *, MutableArrayRef<Region> pieces) {
  llvm::interleaveComma(pieces, printer, [&](Region &piece) { printer.printRegion(piece); });
}
