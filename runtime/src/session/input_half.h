// SPDX-License-Identifier: Apache-2.0
//
// The two input halves: while a step reads one, the host fills the other.
#ifndef TRRT_SESSION_INPUT_HALF_H
#define TRRT_SESSION_INPUT_HALF_H

#include "device/device.h"

#include <array>

namespace trrt {

inline constexpr trf::Half kHalves[] = {trf::Half::A, trf::Half::B};
// Steps take the halves in turn.
constexpr trf::Half halfOf(int64_t step) { return step % 2 == 0 ? trf::Half::A : trf::Half::B; }
constexpr trf::Half otherHalf(trf::Half half) {
  return half == trf::Half::A ? trf::Half::B : trf::Half::A;
}

// Where the regions of a half lie in the arena.
struct HalfExtent {
  uint64_t offset = 0, bytes = 0;
};
// Throws Error where regions of others lie between them.
HalfExtent findHalf(const trf::Plan &plan, trf::Half half);

// The host side of a half: what the next step on it will read. Rows are images in H, W, C
// order; `valid` counts the samples that are real. A block of host memory has the bytes of the
// half's regions, so that one copy moves everything.
struct InputHalf {
  InputHalf() = default;
  InputHalf(const trf::Plan &plan, trf::Half half, Device &device);

  float *images = nullptr;
  int32_t *labels = nullptr;
  int32_t *valid = nullptr;

  // The first `count` samples of a batch of this variant; without labels they are of class 0.
  void fill(const trf::Variant &variant, const float *samples, const int32_t *classes,
            int64_t count) const;
  // After the first `count` samples: the rest of the batch is zero and does not count.
  void pad(const trf::Variant &variant, int64_t count) const;

  // The bytes that a transfer to these regions copies. Throws where they leave the half.
  const uint8_t *stagingOf(const trf::Plan &plan, const trf::Range &range) const;

private:
  HalfExtent extent;
  uint8_t *staging = nullptr;
};

// By half.
struct InputHalves {
  std::array<InputHalf, 2> halves;

  InputHalf &operator[](trf::Half half) { return halves[half == trf::Half::B]; }
  const InputHalf &operator[](trf::Half half) const { return halves[half == trf::Half::B]; }
};

} // namespace trrt

#endif // TRRT_SESSION_INPUT_HALF_H
