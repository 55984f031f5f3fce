// SPDX-License-Identifier: Apache-2.0
//
// After a residual sum, backward adds two gradients, passes them through the activation and
// reduces them for one or two normalisations. As kernel ops of their own each reads the whole
// gradient again; join_bwd_reduce and join_bwd_apply do it in one read.
#include "CallList.h"

using namespace mlir;
using namespace tr;
using trf::Opcode;
namespace sum = trf::ops::add_fwd;
namespace act = trf::ops::act_bwd_out;
namespace reduce = trf::ops::bn_bwd_reduce;
namespace apply = trf::ops::bn_bwd_apply;
namespace join = trf::ops::join_bwd_reduce;
namespace join_apply = trf::ops::join_bwd_apply;

namespace {

template <typename Attrs> Attrs attrsOf(const TableCall &call) {
  return trf::readAttrs<Attrs>(call.attrs.data());
}

// Kernel ops that only differ by what is in front of the sum have their activation as the one
// attribute.
bool hasNoActivation(const TableCall &call) {
  switch (call.kernel) {
  case Opcode::add_fwd:
    return attrsOf<sum::Attrs>(call).act == Activation::None;
  case Opcode::bn_bwd_reduce:
    return attrsOf<reduce::Attrs>(call).act == Activation::None;
  case Opcode::bn_bwd_apply:
    return attrsOf<apply::Attrs>(call).act == Activation::None;
  default:
    return false;
  }
}

class JoinFuser {
public:
  explicit JoinFuser(LoweredNetwork &network) : calls(network.deepBackward), fused(network.fused) {}

  void run() {
    for (size_t i = 0; i < calls.size(); ++i)
      if (calls.isThere(i) && calls[i].layer != LayerId::None && fused[calls[i].layer])
        fuse(i);
  }

private:
  // What a join is made of: positions of calls.
  struct Parts {
    size_t at; // the activation's backward, or the first reduction
    bool hasAct;
    TensorId gradient; // that the reductions read
    SmallVector<size_t, 2> reduces;
    std::optional<size_t> sum; // that made what comes in
  };

  void fuse(size_t at);
  std::optional<Parts> findParts(size_t at) const;
  TableCall makeJoin(const Parts &parts) const;
  void fuseApplies(TensorId gradient, size_t from);
  std::optional<size_t> findSum(TensorId gradient, size_t before, bool onlyReader) const;

  bool isPlain(size_t i, Opcode kernel) const { // without an activation
    return calls.is(i, kernel) && hasNoActivation(calls[i]);
  }
  // Calls from `from` on that are `kernel` without an activation, on this gradient.
  SmallVector<size_t, 2> findReaders(Opcode kernel, int dy, TensorId gradient, size_t from) const {
    SmallVector<size_t, 2> found;
    for (size_t i = from; i < calls.size(); ++i)
      if (isPlain(i, kernel) && calls[i].tensors[dy] == gradient)
        found.push_back(i);
    return found;
  }
  CallList calls;
  const IdVector<LayerId, char> &fused;
};

// The add_fwd that made the gradient, if its operands are still there at `before` and nobody reads
// the gradient sooner, or later either where asked for.
std::optional<size_t> JoinFuser::findSum(TensorId gradient, size_t before, bool onlyReader) const {
  for (size_t i = before; i-- > 0;) {
    if (!calls.isThere(i) || !calls[i].writes(gradient))
      continue;
    if (!isPlain(i, Opcode::add_fwd) ||
        calls.isWritten(i + 1, before, {calls[i].tensors[sum::a], calls[i].tensors[sum::b]}))
      return std::nullopt;
    for (size_t j = i + 1; j < (onlyReader ? calls.size() : before); ++j)
      if (j != before && calls.isThere(j) && calls[j].reads(gradient))
        return std::nullopt;
    return i;
  }
  return std::nullopt;
}

// A join begins with act_bwd_out, or where it has no activation with the reduction of a sum.
std::optional<JoinFuser::Parts> JoinFuser::findParts(size_t at) const {
  const TableCall &call = calls[at];
  Parts parts{at, call.kernel == Opcode::act_bwd_out, TensorId::None, {}, std::nullopt};
  if (!parts.hasAct && !isPlain(at, Opcode::bn_bwd_reduce))
    return std::nullopt;
  TensorId dy = parts.hasAct ? call.tensors[act::dy] : call.tensors[reduce::dy];
  parts.gradient = parts.hasAct ? call.tensors[act::dx] : dy;
  parts.reduces = findReaders(Opcode::bn_bwd_reduce, reduce::dy, parts.gradient, at);
  if (parts.reduces.empty() || parts.reduces.size() > 2)
    return std::nullopt;
  for (size_t i : parts.reduces) {
    const auto &tensors = calls[i].tensors;
    if (calls.isWritten(at, i,
                        {tensors[reduce::x], tensors[reduce::mean], tensors[reduce::inv_std]}))
      return std::nullopt;
  }
  parts.sum = findSum(dy, at, /*onlyReader=*/parts.hasAct);
  if (!parts.sum && !parts.hasAct)
    return std::nullopt;
  return parts;
}

TableCall JoinFuser::makeJoin(const Parts &parts) const {
  const TableCall &first = calls[parts.at];
  Act kind = parts.hasAct ? Act(attrsOf<act::Attrs>(first).act) : Act();
  TableCall made = makeCall(join::kOpcode, toAttrList(join::Attrs{kind}), first.layer);
  made.tensors[join::dy] = parts.hasAct ? first.tensors[act::dy] : first.tensors[reduce::dy];
  if (parts.hasAct)
    made.tensors[join::y] = first.tensors[act::y];
  if (parts.sum) {
    made.tensors[join::dy] = calls[*parts.sum].tensors[sum::a];
    made.tensors[join::dy2] = calls[*parts.sum].tensors[sum::b];
  }
  made.tensors[join::g] = parts.gradient;
  const auto &main = calls[parts.reduces[0]].tensors;
  made.tensors[join::x] = main[reduce::x];
  made.tensors[join::mean] = main[reduce::mean];
  made.tensors[join::inv_std] = main[reduce::inv_std];
  made.tensors[join::dgamma] = main[reduce::dgamma];
  made.tensors[join::dbeta] = main[reduce::dbeta];
  if (parts.reduces.size() == 2) {
    const auto &shortcut = calls[parts.reduces[1]].tensors;
    made.tensors[join::shortcut_x] = shortcut[reduce::x];
    made.tensors[join::shortcut_mean] = shortcut[reduce::mean];
    made.tensors[join::shortcut_inv_std] = shortcut[reduce::inv_std];
    made.tensors[join::shortcut_dgamma] = shortcut[reduce::dgamma];
    made.tensors[join::shortcut_dbeta] = shortcut[reduce::dbeta];
  }
  return made;
}

void JoinFuser::fuse(size_t at) {
  std::optional<Parts> parts = findParts(at);
  if (!parts)
    return;
  TableCall made = makeJoin(*parts);
  if (parts->sum)
    calls.remove(*parts->sum);
  for (size_t i : parts->reduces)
    calls.remove(i);
  calls.replace(at, std::move(made));
  if (parts->reduces.size() == 2)
    fuseApplies(parts->gradient, at + 1);
}

void JoinFuser::fuseApplies(TensorId gradient, size_t from) {
  SmallVector<size_t, 2> applies = findReaders(Opcode::bn_bwd_apply, apply::dy, gradient, from);
  if (applies.size() != 2)
    return;
  const TableCall &one = calls[applies[0]], &two = calls[applies[1]];
  if (calls.isWritten(applies[0], applies[1], two.tensors))
    return;
  TableCall made = makeCall(join_apply::kOpcode, {}, one.layer);
  made.tensors[join_apply::g] = gradient;
  made.tensors[join_apply::x] = one.tensors[apply::x];
  made.tensors[join_apply::mean] = one.tensors[apply::mean];
  made.tensors[join_apply::inv_std] = one.tensors[apply::inv_std];
  made.tensors[join_apply::gamma] = one.tensors[apply::gamma];
  made.tensors[join_apply::dgamma] = one.tensors[apply::dgamma];
  made.tensors[join_apply::dbeta] = one.tensors[apply::dbeta];
  made.tensors[join_apply::dx] = one.tensors[apply::dx];
  made.tensors[join_apply::shortcut_x] = two.tensors[apply::x];
  made.tensors[join_apply::shortcut_mean] = two.tensors[apply::mean];
  made.tensors[join_apply::shortcut_inv_std] = two.tensors[apply::inv_std];
  made.tensors[join_apply::shortcut_gamma] = two.tensors[apply::gamma];
  made.tensors[join_apply::shortcut_dgamma] = two.tensors[apply::dgamma];
  made.tensors[join_apply::shortcut_dbeta] = two.tensors[apply::dbeta];
  made.tensors[join_apply::shortcut_dx] = two.tensors[apply::dx];
  calls.remove(applies[1]);
  calls.replace(applies[0], std::move(made));
}

} // namespace

void tr::fuseJoins(LoweredNetwork &network) { JoinFuser(network).run(); }
