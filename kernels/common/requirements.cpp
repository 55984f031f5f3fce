// SPDX-License-Identifier: Apache-2.0
//
// What calls must fulfil beyond their row of kernel_ops.def.
#include "common/requirements.h"

#include "trk/activation.h"

#include <algorithm>

namespace trk {

static std::string extentText(int64_t h, int64_t w) {
  return std::to_string(h) + "x" + std::to_string(w);
}

std::string checkPads(const Window &w, const Tensor &x) {
  const int64_t padH = std::max(w.padH, w.padH + w.moreH),
                padW = std::max(w.padW, w.padW + w.moreW);
  if (padH >= w.spanH() || padW >= w.spanW())
    return "expected a pad smaller than the kernel, but got pad " + extentText(padH, padW) +
           " for kernel " + extentText(w.spanH(), w.spanW());
  // Else one cell of a window may lie before the input and the next one behind it.
  if ((w.padH > 0 && w.dilationH > x.h()) || (w.padW > 0 && w.dilationW > x.w()))
    return "expected a dilation no larger than the padded input, but got " +
           extentText(w.dilationH, w.dilationW) + " for " + extentText(x.h(), x.w());
  return std::string();
}

static std::string dimsText(const Tensor &t) {
  return extentText(t.n(), t.h()) + "x" + extentText(t.w(), t.c());
}

// The pixels of a run are apart, so that others than those of an equal shape would cross gaps.
std::string requireCopyOperands(const Call &call, void **) {
  namespace op = ops::copy;
  const Tensor &x = call[op::x], &y = call[op::y];
  if ((x.isDense() && y.isDense()) || std::equal(x.dims, x.dims + 4, y.dims))
    return std::string();
  return "expected equal shapes, because one is a run of channels, but got " + dimsText(x) +
         " and " + dimsText(y);
}

std::string requireWholeGroups(const Call &call, void **) {
  namespace op = ops::channel_shuffle;
  const int64_t groups = call.attrs<op::Attrs>().groups, c = call[op::x].c();
  if (c % groups == 0)
    return std::string();
  return "expected groups that divide the " + std::to_string(c) + " channels, but got " +
         std::to_string(groups);
}

std::string requireGradientFromOutput(const Call &call, void **) {
  namespace op = ops::act_bwd_out;
  const Act act = call.attrs<op::Attrs>().act;
  if (hasGradientFromOutput(act))
    return std::string();
  return "expected act relu or relu6, but got " + std::string(name(act));
}

std::string requireMaskOfPixels(const Call &call, void **) {
  const Tensor &mask = call[ops::drop_mask::mask];
  if (mask.h() == 1 && mask.w() == 1)
    return std::string();
  return "expected a mask of one pixel a sample, but got " + dimsText(mask);
}

std::string requireJoinOperands(const Call &call, void **) {
  namespace op = ops::join_bwd_reduce;
  const Act act = call.attrs<op::Attrs>().act;
  if (act != Activation::None && !hasGradientFromOutput(act))
    return "expected act none, relu or relu6, but got " + std::string(name(act));
  if (act != Activation::None && !call[op::y])
    return "expected y, because act is not none";
  for (const Tensor *operand : {&call[op::shortcut_mean], &call[op::shortcut_inv_std],
                                &call[op::shortcut_dgamma], &call[op::shortcut_dbeta]})
    if (bool(*operand) != bool(call[op::shortcut_x]))
      return "expected all operands of the shortcut or none";
  return std::string();
}

} // namespace trk
