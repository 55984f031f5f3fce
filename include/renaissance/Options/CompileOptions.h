// SPDX-License-Identifier: Apache-2.0
//
// What one can ask the compiler for, whichever way one comes in. No header of LLVM is needed.
#ifndef RENAISSANCE_OPTIONS_COMPILEOPTIONS_H
#define RENAISSANCE_OPTIONS_COMPILEOPTIONS_H

#include "renaissance/Options/CompileOptions.def"

#include "trf/enums.h"

#include <string>
#include <string_view>
#include <vector>

namespace tr {

/// No extent of an image, kernel or batch and no count of elements of a sample is larger, which
/// keeps products of a few of them far from overflow.
inline constexpr int64_t kMostExtent = (int64_t(1) << 31) - 1;

/// Height and width of images; 0x0: those of the network's input.
struct Resolution {
  int64_t h = 0, w = 0;
  friend bool operator==(Resolution a, Resolution b) { return a.h == b.h && a.w == b.w; }
};

/// Resolutions of training images: `low` from epoch `lowEpoch` (0-based) on.
struct TrainResolution {
  Resolution base, low;
  int64_t lowEpoch = -1; ///< -1: never
  friend bool operator==(const TrainResolution &a, const TrainResolution &b) {
    return a.base == b.base && a.low == b.low && a.lowEpoch == b.lowEpoch;
  }
};

/// The help of a member is in CompileOptions.def.
struct CompileOptions {
#define X(use, type, member, name, value, range, help) type member = value;
  TR_COMPILE_OPTIONS(X)
#undef X
  friend bool operator==(const CompileOptions &a, const CompileOptions &b);
};

enum class OptionUse { Variants, Passes };

/// A row of the list.
struct OptionRow {
  OptionUse use;
  std::string_view name;
  std::string_view help;
  std::string_view type; ///< INT, BOOL, NAME (one of a table) or TEXT
  std::string values;    ///< "sgd or adamw", "an integer in [1, 1024]"
  bool isBool() const { return type == "BOOL"; }
};
const std::vector<OptionRow> &getOptionRows();

/// Sets the option of this name from text. Returns an empty string, or what is wrong:
/// "expected an integer in [1, 1024], but got '0'".
std::string setOption(CompileOptions &options, std::string_view name, std::string_view text);

/// The value of the option of this name as text that setOption() takes; empty for none.
std::string getOption(const CompileOptions &options, std::string_view name);

/// Gives the option of this name its default again.
void resetOption(CompileOptions &options, std::string_view name);

} // namespace tr

#endif // RENAISSANCE_OPTIONS_COMPILEOPTIONS_H
