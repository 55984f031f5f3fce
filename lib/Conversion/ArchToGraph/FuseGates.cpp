// SPDX-License-Identifier: Apache-2.0
//
// Squeeze-and-excitation: a map is multiplied by a gate that is made of its mean. Alone, forward
// reads the map once more for the mean; backward writes the gradients of the product and of the
// mean as maps of their own and adds them. bn_apply_gap takes the mean where the map is made,
// gate_bwd makes the sum in one pass.
#include "LoweredNetwork.h"

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

TableCall makeCall(Opcode kernel, AttrList attrs, LayerId layer) {
  TableCall call{kernel, {}, std::move(attrs), layer};
  call.tensors.resize(trf::info(kernel).operands.size(), TensorId::None);
  return call;
}

// Positions of calls in a list of which some are removed.
class Calls {
public:
  explicit Calls(std::vector<TableCall> &calls) : calls(calls), removed(calls.size(), false) {}
  ~Calls() {
    std::vector<TableCall> kept;
    for (size_t i = 0; i < calls.size(); ++i)
      if (!removed[i])
        kept.push_back(std::move(calls[i]));
    calls = std::move(kept);
  }

  size_t size() const { return calls.size(); }
  TableCall &operator[](size_t i) { return calls[i]; }
  bool is(size_t i, Opcode kernel) const { return !removed[i] && calls[i].kernel == kernel; }
  void remove(size_t i) { removed[i] = true; }

  bool isWritten(size_t from, size_t to, ArrayRef<TensorId> tensors) const {
    for (size_t i = from; i < to; ++i)
      for (TensorId tensor : tensors)
        if (!removed[i] && tensor != TensorId::None && calls[i].writes(tensor))
          return true;
    return false;
  }
  // The only reader of what a tensor holds at `from`, or none.
  std::optional<size_t> findOnlyReader(TensorId tensor, size_t from) const {
    std::optional<size_t> found;
    for (size_t i = from; i < calls.size(); ++i) {
      if (removed[i])
        continue;
      if (calls[i].reads(tensor)) {
        if (found)
          return std::nullopt;
        found = i;
      }
      if (calls[i].writes(tensor))
        break;
    }
    return found;
  }

private:
  std::vector<TableCall> &calls;
  std::vector<bool> removed;
};

// The normalised map that gap_fwd at `at` averages, made without a residual sum.
void fuseAverage(Calls &calls, size_t at) {
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
    calls[i] = std::move(both);
    calls.remove(at);
    return;
  }
}

// mul_bwd at `at` of a map and a spread gate, where the gradient of the map is added to that of its
// mean and read by nothing else.
void fuseGradient(Calls &calls, size_t at, const TensorTable &table) {
  const SmallVector<TensorId, 10> product = calls[at].tensors;
  auto isSpread = [&](TensorId id) {
    const TensorDims &dims = table.tensors[id].row.dims,
                     &whole = table.tensors[product[mul_back::dy]].row.dims;
    return dims != whole;
  };
  bool firstIsGate = isSpread(product[mul_back::a]);
  if (firstIsGate == isSpread(product[mul_back::b]))
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
    calls[*added] = std::move(made);
    calls[at].tensors[toMap] = TensorId::None;
    calls.remove(i);
    return;
  }
}

} // namespace

void tr::fuseGates(LoweredNetwork &network) {
  Calls forward(network.deepForward), backward(network.deepBackward);
  for (size_t i = 0; i < forward.size(); ++i)
    if (forward.is(i, Opcode::gap_fwd))
      fuseAverage(forward, i);
  for (size_t i = 0; i < backward.size(); ++i)
    if (backward.is(i, Opcode::mul_bwd))
      fuseGradient(backward, i, network.table);
}
