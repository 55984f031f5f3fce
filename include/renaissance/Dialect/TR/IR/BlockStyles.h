// SPDX-License-Identifier: Apache-2.0
//
// BlockStyles.def as enumerations with their spellings.
#ifndef RENAISSANCE_DIALECT_TR_IR_BLOCKSTYLES_H
#define RENAISSANCE_DIALECT_TR_IR_BLOCKSTYLES_H

#include "renaissance/Dialect/TR/IR/BlockStyles.def"
#include "renaissance/Dialect/TR/IR/TableAttrs.h"

namespace tr {

enum class BlockFamily : uint8_t {
#define X(family, name, act, activatesSum) family,
  TR_BLOCK_FAMILIES(X)
#undef X
};
struct BlockFamilyRow {
  BlockFamily value;
  llvm::StringLiteral name;
  trf::Activation act;
  bool activatesSum;
};
inline constexpr BlockFamilyRow kBlockFamilies[] = {
#define X(family, name, act, activatesSum)                                                         \
  {BlockFamily::family, name, trf::Activation::act, activatesSum},
    TR_BLOCK_FAMILIES(X)
#undef X
};

enum class BlockShortcut : uint8_t {
#define X(shortcut, name) shortcut,
  TR_BLOCK_SHORTCUTS(X)
#undef X
};
struct BlockShortcutRow {
  BlockShortcut value;
  llvm::StringLiteral name;
};
inline constexpr BlockShortcutRow kBlockShortcuts[] = {
#define X(shortcut, name) {BlockShortcut::shortcut, name},
    TR_BLOCK_SHORTCUTS(X)
#undef X
};

enum class BlockStyle : uint8_t {
#define X(style, family, stride, factor, groups, shortcut) style,
  TR_BLOCK_STYLES(X)
#undef X
};
struct BlockStyleRow {
  BlockStyle value;
  llvm::StringLiteral name;
  BlockFamily family;
  int64_t stride, factor, groups;
  BlockShortcut shortcut;
};
inline constexpr BlockStyleRow kBlockStyles[] = {
#define X(style, family, stride, factor, groups, shortcut)                                         \
  {BlockStyle::style, #style, BlockFamily::family, stride, factor, groups, BlockShortcut::shortcut},
    TR_BLOCK_STYLES(X)
#undef X
};

constexpr const BlockFamilyRow &getRow(BlockFamily value) {
  return kBlockFamilies[static_cast<size_t>(value)];
}
constexpr const BlockShortcutRow &getRow(BlockShortcut value) {
  return kBlockShortcuts[static_cast<size_t>(value)];
}
constexpr const BlockStyleRow &getRow(BlockStyle value) {
  return kBlockStyles[static_cast<size_t>(value)];
}

inline llvm::StringRef spell(BlockFamily value) { return getRow(value).name; }
inline llvm::StringRef spell(BlockShortcut value) { return getRow(value).name; }
inline llvm::StringRef spell(BlockStyle value) { return getRow(value).name; }

namespace detail {
template <typename E, typename Rows>
std::optional<E> findByName(const Rows &rows, llvm::StringRef text) {
  for (const auto &row : rows)
    if (row.name == text)
      return row.value;
  return std::nullopt;
}
} // namespace detail

template <> struct Spelling<BlockFamily> {
  static constexpr const char *noun = "families of blocks";
  static std::optional<BlockFamily> find(llvm::StringRef text) {
    return detail::findByName<BlockFamily>(kBlockFamilies, text);
  }
};
template <> struct Spelling<BlockShortcut> {
  static constexpr const char *noun = "shortcuts of blocks";
  static std::optional<BlockShortcut> find(llvm::StringRef text) {
    return detail::findByName<BlockShortcut>(kBlockShortcuts, text);
  }
};
template <> struct Spelling<BlockStyle> {
  static constexpr const char *noun = "styles of blocks";
  static std::optional<BlockStyle> find(llvm::StringRef text) {
    return detail::findByName<BlockStyle>(kBlockStyles, text);
  }
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_BLOCKSTYLES_H
