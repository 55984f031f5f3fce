// SPDX-License-Identifier: Apache-2.0
//
// The convolutions of a residual block, from its #tr.block. Expansion, merging, shapes, parts and
// description of blocks all read them here.
#ifndef RENAISSANCE_DIALECT_TR_IR_BLOCKSPEC_H
#define RENAISSANCE_DIALECT_TR_IR_BLOCKSPEC_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include <optional>

namespace tr {

enum class StageChannels : uint8_t { Inner, Out };
enum class StageGroups : uint8_t { One, Block, Depthwise };

/// A convolution of a stem with its normalisation, as a row of BlockStyles.def.
struct StageRow {
  BlockFamily family;
  llvm::StringLiteral conv, bn, act; ///< names of its parts
  int64_t kernel;
  StageChannels channels;
  bool strided; ///< has the block's stride; others have stride 1
  StageGroups groups;
  bool activated; ///< an activation follows
};

/// The rows of a family in order, without the one that an inverted residual lacks when `inner` is
/// 0.
llvm::ArrayRef<StageRow> getStageRows(BlockFamily family, bool hasInner = true);

/// The row of the shortcut's convolution.
const StageRow &getProjectionRow();
/// Name of the part that pools before it.
inline constexpr llvm::StringLiteral kShortcutPool = "proj.pool";

/// A stage of a block whose input has `in` channels.
struct BlockStage {
  const StageRow *row;
  ConvAttr geometry;
};

llvm::SmallVector<BlockStage, 3> getStem(BlockAttr block, int64_t in);
/// The convolution of the shortcut, if it has one.
std::optional<BlockStage> getProjection(BlockAttr block);
/// What pools the input before that, if anything does.
PoolAttr getShortcutPool(BlockAttr block);

inline bool hasShortcut(BlockAttr block) { return block.getShortcut() != BlockShortcut::None; }
/// The activation of the whole block: after the sum, or after the last stage where there is none.
Act getFinalAct(BlockAttr block);

/// "bottleneck_projection".
std::string getBlockKind(BlockAttr block);
/// "conv1", "bn1", ...: the parts with parameters, of the stem, then of the shortcut.
llvm::SmallVector<llvm::StringRef, 8> getBlockParts(BlockAttr block);

/// The block that a style makes of an input of `in` channels; 0, null or none where the style
/// decides.
struct BlockRequest {
  BlockStyle style{};
  int64_t mid = 0, out = 0, groups = 0;
  std::optional<Act> act;
};
BlockAttr makeBlock(mlir::MLIRContext *context, const BlockRequest &request, int64_t in,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_BLOCKSPEC_H
