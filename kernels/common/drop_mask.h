// SPDX-License-Identifier: Apache-2.0
//
// drop_mask: a number for each sample or channel, drawn by one thread whatever the library.
#ifndef TRK_COMMON_DROP_MASK_H
#define TRK_COMMON_DROP_MASK_H

#include "trf/philox.h"
#include "trk/kernel.h"

#include <cmath>

namespace trk {

inline void drawDropMask(const Call &call) {
  namespace op = ops::drop_mask;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  const int32_t *seed = call[op::seed].i32();
  const trf::PhiloxKey key = {uint32_t(seed[0]), uint32_t(seed[1])};
  const uint32_t step = uint32_t(call[op::step].i32()[0]), stream = uint32_t(attrs.stream);
  const Tensor &mask = call[op::mask];
  const float kept = float(1.0 / (1.0 - attrs.p));
  trf::PhiloxCounter words{};
  for (int64_t i = 0, drawn = 0; i < mask.elements(); ++i) {
    const int64_t e = attrs.per_channel ? i : i / mask.c();
    if (e == drawn && e % 4 == 0) {
      const uint64_t block = uint64_t(e) / 4;
      words = trf::philox4x32({uint32_t(block), uint32_t(block >> 32), stream, step}, key);
    }
    drawn = e + 1;
    mask.f32()[i] = trf::philoxUniform(words[size_t(e % 4)]) >= attrs.p ? kept : 0.0f;
  }
}

} // namespace trk

#endif // TRK_COMMON_DROP_MASK_H
