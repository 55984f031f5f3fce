// SPDX-License-Identifier: Apache-2.0
//
// Kernel ops of a plan with their operands as places in the arena.
#ifndef TRRT_SESSION_CALL_SPEC_H
#define TRRT_SESSION_CALL_SPEC_H

#include "device/device.h"
#include "session/input_half.h"

namespace trrt {

// The place of a tensor with the extents that it has in a variant.
OperandSpec placeOf(const trf::Plan &plan, uint32_t tensor, uint32_t variant);

// An op as a variant runs it; a transfer copies from one of the halves.
CallSpec resolveCall(const trf::Plan &plan, const trf::Op &op, uint32_t variant,
                     const InputHalves &halves);

} // namespace trrt

#endif // TRRT_SESSION_CALL_SPEC_H
