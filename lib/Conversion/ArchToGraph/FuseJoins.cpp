// SPDX-License-Identifier: Apache-2.0
//
// Behind a residual sum, backward adds two gradients, passes them through the activation and
// reduces them for one or two normalisations. As kernel ops of their own each reads the whole
// gradient again; join_bwd_reduce and join_bwd_apply do it in one read.
#include "Network.h"

using namespace mlir;
using namespace tr;
using plan::Kernel;

namespace {

class JoinFuser {
public:
  explicit JoinFuser(LoweredNetwork &network)
      : calls(network.deepBackward), fused(network.fused), removed(calls.size(), false) {}

  void run() {
    for (size_t i = 0; i < calls.size(); ++i)
      if (!removed[i] && calls[i].layer >= 0 && fused[calls[i].layer])
        fuse(i);
    std::vector<TableCall> kept;
    for (size_t i = 0; i < calls.size(); ++i)
      if (!removed[i])
        kept.push_back(std::move(calls[i]));
    calls = std::move(kept);
  }

private:
  void fuse(size_t at);
  void fuseApplies(int32_t gradient, size_t from);

  bool isPlain(size_t i, Kernel kernel) const { // without an activation
    return !removed[i] && calls[i].kernel == kernel &&
           std::get<int64_t>(calls[i].attrs[0]) == static_cast<int64_t>(Activation::None);
  }
  // Calls from `from` on that are `kernel` without an activation on this gradient.
  SmallVector<size_t, 2> findReaders(Kernel kernel, int32_t gradient, size_t from) const {
    SmallVector<size_t, 2> found;
    for (size_t i = from; i < calls.size(); ++i)
      if (isPlain(i, kernel) && calls[i].tensors[0] == gradient)
        found.push_back(i);
    return found;
  }
  template <typename Touches> bool touches(size_t i, int32_t tensor, Touches role) const {
    for (auto [operand, id] :
         llvm::zip_equal(plan::getInfo(calls[i].kernel).operands, calls[i].tensors))
      if (id == tensor && role(operand))
        return true;
    return false;
  }
  bool writes(size_t i, int32_t tensor) const {
    return touches(i, tensor, [](const plan::OperandInfo &operand) { return operand.writes(); });
  }
  bool reads(size_t i, int32_t tensor) const {
    return touches(i, tensor, [](const plan::OperandInfo &operand) { return operand.reads(); });
  }
  bool isWritten(size_t from, size_t to, ArrayRef<int32_t> tensors) const {
    for (size_t i = from; i < to; ++i)
      for (int32_t tensor : tensors)
        if (!removed[i] && writes(i, tensor))
          return true;
    return false;
  }
  std::optional<size_t> findSum(int32_t gradient, size_t before, bool onlyReader) const;

  std::vector<TableCall> &calls;
  const std::vector<bool> &fused;
  std::vector<bool> removed;
};

// The add_fwd that made the gradient, if its operands are still there at `before` and nobody reads
// the gradient sooner, or later either where asked for.
std::optional<size_t> JoinFuser::findSum(int32_t gradient, size_t before, bool onlyReader) const {
  for (size_t i = before; i-- > 0;) {
    if (removed[i] || !writes(i, gradient))
      continue;
    if (!isPlain(i, Kernel::add_fwd) ||
        isWritten(i + 1, before, {calls[i].tensors[0], calls[i].tensors[1]}))
      return std::nullopt;
    for (size_t j = i + 1; j < (onlyReader ? calls.size() : before); ++j)
      if (j != before && !removed[j] && reads(j, gradient))
        return std::nullopt;
    return i;
  }
  return std::nullopt;
}

// A join begins with act_bwd_out, or where it has no activation with the reduction of a sum.
void JoinFuser::fuse(size_t at) {
  bool hasAct = calls[at].kernel == Kernel::act_bwd_out;
  if (!hasAct && !isPlain(at, Kernel::bn_bwd_reduce))
    return;
  int32_t dy = calls[at].tensors[0], dy2 = -1, y = hasAct ? calls[at].tensors[1] : -1;
  int32_t gradient = hasAct ? calls[at].tensors[2] : dy;
  SmallVector<size_t, 2> reduces = findReaders(Kernel::bn_bwd_reduce, gradient, at);
  if (reduces.empty() || reduces.size() > 2)
    return;
  for (size_t reduce : reduces)
    if (isWritten(at, reduce, ArrayRef<int32_t>(calls[reduce].tensors).slice(1, 3)))
      return;
  std::optional<size_t> sum = findSum(dy, at, /*onlyReader=*/hasAct);
  if (!sum && !hasAct)
    return;
  if (sum) {
    dy = calls[*sum].tensors[0];
    dy2 = calls[*sum].tensors[1];
    removed[*sum] = true;
  }
  TableCall join{Kernel::join_bwd_reduce, {dy, dy2, y}, {}, calls[at].layer};
  join.attrs = {hasAct ? calls[at].attrs[0] : KernelAttr(static_cast<int64_t>(Activation::None))};
  auto append = [&](size_t call, ArrayRef<int> positions) {
    for (int position : positions)
      join.tensors.push_back(call < calls.size() ? calls[call].tensors[position] : -1);
  };
  // Operands of bn_bwd_reduce: dy, x, mean, inv_std, gamma, beta, dgamma, dbeta.
  size_t first = reduces[0], second = reduces.size() > 1 ? reduces[1] : calls.size();
  append(first, {1, 2, 3});
  append(second, {1, 2, 3});
  join.tensors.push_back(gradient);
  append(first, {6, 7});
  append(second, {6, 7});
  for (size_t reduce : reduces)
    removed[reduce] = true;
  removed[at] = false;
  calls[at] = std::move(join);
  if (reduces.size() == 2)
    fuseApplies(gradient, at + 1);
}

// Operands of bn_bwd_apply: dy, x, mean, inv_std, gamma, beta, dgamma, dbeta, dx.
void JoinFuser::fuseApplies(int32_t gradient, size_t from) {
  SmallVector<size_t, 2> applies = findReaders(Kernel::bn_bwd_apply, gradient, from);
  if (applies.size() != 2)
    return;
  const TableCall &one = calls[applies[0]], &two = calls[applies[1]];
  if (isWritten(applies[0], applies[1], two.tensors))
    return;
  TableCall join{Kernel::join_bwd_apply, {gradient}, {}, one.layer};
  for (const TableCall *call : {&one, &two})
    for (int position : {1, 2, 3, 4, 6, 7})
      join.tensors.push_back(call->tensors[position]);
  join.tensors.append({one.tensors[8], two.tensors[8]});
  removed[applies[1]] = true;
  calls[applies[0]] = std::move(join);
}

} // namespace

void tr::fuseJoins(LoweredNetwork &network) { JoinFuser(network).run(); }
