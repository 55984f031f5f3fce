// SPDX-License-Identifier: Apache-2.0
//
// Operands of join_bwd_reduce and join_bwd_apply, and what the former must have.
#ifndef TRK_JOIN_H
#define TRK_JOIN_H

#include "trk/activation.h"
#include "trk/kernel.h"

namespace trk::join {

// clang-format off
enum Reduce {
  kDy, kDy2, kY, kX, kMean, kInvStd, kShortcutX, kShortcutMean, kShortcutInvStd, // read
  kG, kDgamma, kDbeta, kShortcutDgamma, kShortcutDbeta                           // written
};
// clang-format on

// join_bwd_apply: g, two groups of x, mean, inv_std, gamma, dgamma, dbeta, and two results.
inline constexpr int kFirstGroup = 1, kGroup = 6, kResult = kFirstGroup + 2 * kGroup;

// Why join_bwd_reduce cannot run on these operands, or an empty string.
inline std::string reduceError(const Call &call) {
  Activation act = static_cast<Activation>(call.attrs[0].i);
  if (act != Activation::None && !hasGradientFromOutput(act))
    return "expected act none, relu or relu6, but got " + std::to_string(call.attrs[0].i);
  if (act != Activation::None && !call.operand(kY))
    return "expected y, because act is not none";
  for (int operand : {kShortcutMean, kShortcutInvStd, kShortcutDgamma, kShortcutDbeta})
    if (bool(call.operand(operand)) != bool(call.operand(kShortcutX)))
      return "expected all operands of the shortcut or none";
  return std::string();
}

} // namespace trk::join

#endif // TRK_JOIN_H
