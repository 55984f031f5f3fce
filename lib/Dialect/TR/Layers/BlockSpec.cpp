// SPDX-License-Identifier: Apache-2.0
//
// #tr.block to convolutions.
#include "renaissance/Dialect/TR/IR/BlockSpec.h"

using namespace mlir;

namespace tr {
namespace {

constexpr StageRow kStages[] = {
#define X(family, conv, bn, act, kernel, channels, strided, groups, activated)                     \
  {BlockFamily::family, conv,     bn, act, kernel, StageChannels::channels, strided,               \
   StageGroups::groups, activated},
    TR_BLOCK_STAGES(X)
#undef X
};

// Of no family in particular.
constexpr StageRow kProjection = {BlockFamily{},      "proj.conv", "proj.bn",        "proj.act", 1,
                                  StageChannels::Out, true,        StageGroups::One, false};

ConvAttr square(MLIRContext *context, int64_t out, int64_t kernel, int64_t stride, int64_t groups) {
  int64_t pad = kernel / 2;
  return ConvAttr::get(context, out, {kernel, kernel}, {stride, stride}, {pad, pad}, {1, 1}, groups,
                       /*bias=*/false, /*more=*/Dims2{0, 0});
}

int64_t getGroups(BlockAttr block, StageGroups groups, int64_t out) {
  switch (groups) {
  case StageGroups::One:
    return 1;
  case StageGroups::Block:
    return block.getGroups();
  case StageGroups::Depthwise:
    return out;
  }
  llvm_unreachable("all kinds of groups handled");
}

} // namespace

ArrayRef<StageRow> getStageRows(BlockFamily family, bool hasInner) {
  auto isOfFamily = [&](const StageRow &row) { return row.family == family; };
  const StageRow *first = llvm::find_if(kStages, isOfFamily);
  const StageRow *last = std::find_if_not(first, std::end(kStages), isOfFamily);
  // Only where nothing changes the channels there is no stage that does.
  bool isSkipped = !hasInner && family == BlockFamily::InvResidual;
  return {first + isSkipped, last};
}

const StageRow &getProjectionRow() { return kProjection; }

SmallVector<BlockStage, 3> getStem(BlockAttr block, int64_t in) {
  SmallVector<BlockStage, 3> stem;
  int64_t inner = block.getInner() == 0 ? in : block.getInner();
  for (const StageRow &row : getStageRows(block.getFamily(), block.getInner() != 0)) {
    int64_t out = row.channels == StageChannels::Inner ? inner : block.getOut();
    stem.push_back(
        {&row, square(block.getContext(), out, row.kernel, row.strided ? block.getStride() : 1,
                      getGroups(block, row.groups, out))});
  }
  return stem;
}

std::optional<BlockStage> getProjection(BlockAttr block) {
  bool pooled = block.getShortcut() == BlockShortcut::PooledProjection;
  if (block.getShortcut() != BlockShortcut::Projection && !pooled)
    return std::nullopt;
  return BlockStage{&kProjection, square(block.getContext(), block.getOut(), 1,
                                         pooled ? 1 : block.getStride(), /*groups=*/1)};
}

PoolAttr getShortcutPool(BlockAttr block) {
  if (block.getShortcut() != BlockShortcut::PooledProjection)
    return {};
  Dims2 size{block.getStride(), block.getStride()};
  return PoolAttr::get(block.getContext(), size, size, /*pad=*/{0, 0}, /*ceil=*/true,
                       /*more=*/Dims2{0, 0}, /*dilation=*/Dims2{1, 1}, /*count_pad=*/false);
}

Act getFinalAct(BlockAttr block) {
  return getRow(block.getFamily()).activatesSum ? block.getAct() : Act();
}

std::string getBlockKind(BlockAttr block) {
  return (spell(block.getFamily()) + "_" + spell(block.getShortcut())).str();
}

SmallVector<StringRef, 8> getBlockParts(BlockAttr block) {
  SmallVector<StringRef, 8> parts;
  for (const StageRow &row : getStageRows(block.getFamily(), block.getInner() != 0))
    parts.append({row.conv, row.bn});
  if (getProjection(block))
    parts.append({kProjection.conv, kProjection.bn});
  return parts;
}

BlockAttr makeBlock(MLIRContext *context, const BlockRequest &request, int64_t in,
                    function_ref<InFlightDiagnostic()> emitError) {
  const BlockStyleRow &style = getRow(request.style);
  const BlockFamilyRow &family = getRow(style.family);
  bool fits = style.stride == 1 && in == request.out;
  BlockShortcut shortcut = fits ? BlockShortcut::Identity : style.shortcut;
  int64_t groups = request.groups != 0 ? request.groups : style.groups;
  return BlockAttr::getChecked(emitError, context, style.family,
                               request.mid != 0 ? request.mid : style.factor * in, request.out,
                               style.stride, groups, shortcut, request.act.value_or(family.act));
}

LogicalResult BlockAttr::verify(function_ref<InFlightDiagnostic()> emitError, BlockFamily family,
                                int64_t inner, int64_t out, int64_t stride, int64_t groups,
                                BlockShortcut shortcut, Act) {
  auto check = [&](StringRef what, int64_t value, int64_t least) -> LogicalResult {
    if (value >= least && value <= kMostExtent)
      return success();
    return emitError() << "expected " << what << " in [" << least << ", " << kMostExtent
                       << "], but got " << value;
  };
  bool needsInner = family == BlockFamily::Bottleneck;
  if (failed(check("inner", inner, needsInner ? 1 : 0)) || failed(check("out", out, 1)) ||
      failed(check("stride", stride, 1)) || failed(check("groups", groups, 1)))
    return failure();
  if (groups != 1 && family != BlockFamily::Bottleneck)
    return emitError() << "expected groups 1 in " << spell(family) << ", but got " << groups;
  if (inner % groups != 0)
    return emitError() << "expected inner channels divisible by groups " << groups << ", but got "
                       << inner;
  if (family == BlockFamily::BasicBlock && inner != 0)
    return emitError() << "expected inner 0 in basic_block, but got " << inner;
  bool inverted = family == BlockFamily::InvResidual;
  if (shortcut != BlockShortcut::Identity && inverted != (shortcut == BlockShortcut::None))
    return emitError() << "expected another shortcut than " << spell(shortcut) << " in "
                       << spell(family);
  if (shortcut == BlockShortcut::Identity && stride != 1)
    return emitError() << "expected stride 1 beside an identity shortcut, but got " << stride;
  return success();
}

} // namespace tr
