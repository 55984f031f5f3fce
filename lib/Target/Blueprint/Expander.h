// SPDX-License-Identifier: Apache-2.0
//
// The syntax tree of one model as `tr.bp`: lets and functions are replaced by what they stand for,
// calls become ops.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_EXPANDER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_EXPANDER_H

#include "Binder.h"
#include "ExtentTracker.h"

#include <deque>

namespace tr::blueprint {

/// Builds the ops of one model with a stack of the calls still to build. The layers that repeats
/// will make are counted here, so that one that asks for too many is found where it stands.
class Expander {
public:
  Expander(const Source &source, const File &file, const Model &model,
           std::optional<int64_t> mostLayers);

  llvm::LogicalResult expand(mlir::Block *block);

private:
  /// Where the names of numbers have their values: the model, or a function that is used.
  struct Frame {
    Source source;
    std::optional<llvm::SmallVector<int64_t, 4>> params;
    std::optional<int64_t> cin; // of a function: the channels where it is used
  };
  enum class Step { Build, OpenBranch, CloseJoin, Repeat };
  struct Item {
    Step step = Step::Build;
    NodeId node = kNoNode;
    Frame *frame = nullptr;
    mlir::Block *block = nullptr;
    unsigned depth = 1;
    int64_t copies = 1;            // that repeats make of it
    bool isIteration = false;      // of a repeat that is written out
    mlir::StringAttr name;         // that the use of a function gives
    std::string path;              // of the op around; kept where extents are
    mlir::Operation *op = nullptr; // of the other steps
    unsigned branch = 0;
  };

  llvm::LogicalResult run(Item &item);
  llvm::LogicalResult build(Item &item);
  llvm::LogicalResult resolve(Item &item);
  llvm::LogicalResult enterFunction(Item &item);
  llvm::LogicalResult countLayers(const Item &item, int64_t copies);
  llvm::LogicalResult unroll(const Item &item, const BoundLayers &call);
  mlir::Operation *place(const Item &item, const BoundLayers &call);
  llvm::LogicalResult track(mlir::Operation *op, llvm::StringRef path);
  void pushLayers(const Item &item, const BoundLayers &call, mlir::Operation *op,
                  const std::string &path);
  Binder makeBinder(const Frame &frame) const;
  std::string pathOf(mlir::Operation *op, llvm::StringRef around) const;

  const File &file;
  const Model &model;
  std::optional<int64_t> mostLayers;
  mlir::OpBuilder builder;
  std::deque<Frame> frames; // the first one is the model's
  std::optional<ExtentTracker> tracker;
  llvm::SmallVector<Item> pending;
  int64_t count = 0;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_EXPANDER_H
