// SPDX-License-Identifier: Apache-2.0
//
// Squeeze-and-excitation: a map is multiplied by a gate that is made of its mean. Alone, forward
// reads the map once more for the mean; backward writes the gradients of the product and of the
// mean as maps of their own and adds them. bn_apply_gap takes the mean where the map is made,
// gate_bwd makes the sum in one pass.
#include "CallList.h"

using namespace mlir;
using namespace tr;
using trf::Opcode;
namespace apply = trf::ops::bn_apply;
namespace applied = trf::ops::bn_apply_gap;
namespace gap = trf::ops::gap_fwd;
namespace gap_back = trf::ops::gap_bwd;
namespace mul_back = trf::ops::mul_bwd;
namespace gate = trf::ops::gate_bwd;
namespace sum = trf::ops::add_fwd;

namespace {

// The normalised map that gap_fwd at `at` averages, made without a residual sum.
void fuseAverage(CallList &calls, size_t at) {
  TensorId map = calls[at].tensors[gap::x];
  for (size_t i = at; i-- > 0;) {
    if (!calls[i].writes(map))
      continue;
    if (!calls.is(i, Opcode::bn_apply) || calls.isWritten(i + 1, at, {map}))
      return;
    const TableCall &made = calls[i];
    TableCall both = makeCall(applied::kOpcode, made.attrs, made.layer);
    both.tensors[applied::x] = made.tensors[apply::x];
    both.tensors[applied::mean] = made.tensors[apply::mean];
    both.tensors[applied::inv_std] = made.tensors[apply::inv_std];
    both.tensors[applied::gamma] = made.tensors[apply::gamma];
    both.tensors[applied::beta] = made.tensors[apply::beta];
    both.tensors[applied::y] = map;
    both.tensors[applied::average] = calls[at].tensors[gap::y];
    calls.replace(i, std::move(both));
    calls.remove(at);
    return;
  }
}

// mul_bwd at `at` of a map and a spread gate, where the gradient of the map is added to that of its
// mean and read by nothing else. Which factor is the gate is asked of the network's own shapes: in
// a variant whose maps are single pixels both look alike, and all variants have the same kernel
// ops.
void fuseGradient(CallList &calls, size_t at, const Network &network) {
  const SmallVector<TensorId, 10> product = calls[at].tensors;
  const NetworkNode &node = network.nodes[calls[at].layer];
  auto isSpread = [&](size_t input) {
    return network.getShape(node.inputs[input]) != network.getShape(node.output);
  };
  bool firstIsGate = isSpread(0);
  if (firstIsGate == isSpread(1))
    return;
  int toMap = firstIsGate ? mul_back::db : mul_back::da;
  int toGate = firstIsGate ? mul_back::da : mul_back::db;
  TensorId factor = product[firstIsGate ? mul_back::a : mul_back::b], dy = product[mul_back::dy];
  if (product[toMap] == TensorId::None || product[toGate] == TensorId::None)
    return;
  std::optional<size_t> added = calls.findOnlyReader(product[toMap], at + 1);
  if (!added || !calls.is(*added, Opcode::add_fwd) ||
      !(trf::readAttrs<sum::Attrs>(calls[*added].attrs.data()).act == Activation::None))
    return;
  const auto &terms = calls[*added].tensors;
  TensorId other = terms[sum::a] == product[toMap] ? terms[sum::b] : terms[sum::a];
  for (size_t i = at + 1; i < *added; ++i) {
    if (!calls.is(i, Opcode::gap_bwd) || calls[i].tensors[gap_back::dx] != other)
      continue;
    TensorId average = calls[i].tensors[gap_back::dy];
    if (calls.findOnlyReader(other, i + 1) != added ||
        calls.isWritten(at + 1, *added, {dy, factor, product[toMap]}) ||
        calls.isWritten(i + 1, *added, {average, other}))
      return;
    TableCall made = makeCall(gate::kOpcode, {}, calls[*added].layer);
    made.tensors[gate::dy] = dy;
    made.tensors[gate::gate] = factor;
    made.tensors[gate::daverage] = average;
    made.tensors[gate::dx] = terms[sum::y];
    calls.replace(*added, std::move(made));
    calls[at].tensors[toMap] = TensorId::None;
    calls.remove(i);
    return;
  }
}

} // namespace

void tr::fuseGates(const Network &network, LoweredNetwork &lowered) {
  CallList forward(lowered.deepForward), backward(lowered.deepBackward);
  for (size_t i = 0; i < forward.size(); ++i)
    if (forward.is(i, Opcode::gap_fwd))
      fuseAverage(forward, i);
  for (size_t i = 0; i < backward.size(); ++i)
    if (backward.is(i, Opcode::mul_bwd))
      fuseGradient(backward, i, network);
}
