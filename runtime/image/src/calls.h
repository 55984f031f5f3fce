// SPDX-License-Identifier: Apache-2.0
//
// calls.def as rows, and what a call works on.
#ifndef TRI_SRC_CALLS_H
#define TRI_SRC_CALLS_H

#include "tri/decode.h"
#include "tri/pipeline.h"
#include "tri/transforms.h"

namespace tri {

// Defaults that are no number of their own.
inline constexpr double kTarget = -1; // what the network reads
inline constexpr double kSame = -2;   // as the parameter before
inline constexpr double kNeeded = -3; // must be given
inline constexpr double kMean = -4;   // the mean of normalize

struct ParamInfo {
  std::string_view name;
  double otherwise, low, high;
  std::string_view words; // of a choice

  bool isChoice() const { return !words.empty(); }
};

// One call at work. `memory.current` is the picture, `memory.next` room.
struct Step {
  const PipelineCall &call;
  Draws &draws;
  PipelineMemory &memory;
  Size target;
  std::array<uint8_t, 3> mean;

  double value(size_t i) const { return call.values[i]; }
  int64_t integer(size_t i) const { return static_cast<int64_t>(call.values[i]); }
  uint8_t byte(size_t i) const { return static_cast<uint8_t>(call.values[i]); }
  // Parameters i and i + 1 as height and width.
  Size size(size_t i) const;
  Border border(size_t i) const { return static_cast<Border>(integer(i)); }
  // Parameter i as a filling, by channel.
  std::array<uint8_t, 3> fill(size_t i) const;
  Image &image() { return memory.current; }
  void swap() { std::swap(memory.current, memory.next); }
};

struct CallInfo {
  std::string_view name;
  const ParamInfo *params;
  size_t paramCount;
  void (*run)(Step &);
  std::string_view doc;
};

extern const CallInfo kCalls[];
extern const size_t kCallCount;

// The part of a picture of `size` that random_resized_crop takes.
Box drawResizedCrop(const PipelineCall &call, Size size, Draws &draws);
// What `call` makes of a picture of `size` where it is a plain resize, or `otherwise`.
Size resizedSize(Size size, int64_t shortSide);

void rand_augment(Step &step);

} // namespace tri

#endif // TRI_SRC_CALLS_H
