// SPDX-License-Identifier: Apache-2.0
//
// What calls must fulfil beyond their row of kernel_ops.def, the same in every library. Each
// function has the form of Kernel::prepare and makes no state.
#ifndef TRK_COMMON_REQUIREMENTS_H
#define TRK_COMMON_REQUIREMENTS_H

#include "common/window.h"
#include "trk/kernel.h"

namespace trk {

// Whether every window over `x` holds a cell of it.
std::string checkPads(const Window &window, const Tensor &x);
// Of a pooling op whose operand `x` has the windows' extents.
template <typename Attrs, int X> std::string requirePads(const Call &call, void **) {
  return checkPads(poolWindow(call.attrs<Attrs>()), call[X]);
}

// An op of pooling with these windows.
template <typename Attrs, int X>
Kernel pooling(void (*run)(const Call &), int64_t (*scratch)(const Call &) = nullptr) {
  return {scratch, requirePads<Attrs, X>, run};
}

std::string requireCopyOperands(const Call &call, void **);       // copy
std::string requireWholeGroups(const Call &call, void **);        // channel_shuffle
std::string requireGradientFromOutput(const Call &call, void **); // act_bwd_out
std::string requireMaskOfPixels(const Call &call, void **);       // drop_mask
std::string requireJoinOperands(const Call &call, void **);       // join_bwd_reduce

} // namespace trk

#endif // TRK_COMMON_REQUIREMENTS_H
