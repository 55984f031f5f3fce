// SPDX-License-Identifier: Apache-2.0
//
// One call of one op, with operands and attributes under the names of the op's row:
//   namespace op = ops::gap_fwd;
//   Invocation call(op::kOpcode, {{op::x, x}});
#ifndef TRK_TEST_INVOCATION_H
#define TRK_TEST_INVOCATION_H

#include "common/attr_list.h"
#include "common/window.h"
#include "host.h"

#include <string>
#include <utility>

namespace trk::test {

// An operand at its position, op::NAME.
using Named = std::pair<int, Host>;

struct NoAttrs {};

struct Invocation {
  Opcode op{};
  Instance instance = Instance::F32;
  std::vector<Host> operands; // one for each of the row
  std::vector<Attr> attrs;

  template <typename Attrs = NoAttrs>
  Invocation(Opcode opcode, const std::vector<Named> &given, const Attrs &values = {})
      : op(opcode), operands(info().operands.size()), attrs(attrList(values)) {
    set(given);
  }
  void set(const std::vector<Named> &given) {
    for (const auto &[operand, host] : given)
      operands[size_t(operand)] = host;
  }

  const trf::OpInfo &info() const { return trf::info(op); }
  Host &operator[](int operand) { return operands[size_t(operand)]; }
  const Host &operator[](int operand) const { return operands[size_t(operand)]; }
  const trf::OperandInfo &row(size_t operand) const { return info().operands[operand]; }
  // Whether the call writes it.
  bool writes(size_t operand) const { return row(operand).writes() && operands[operand].present(); }

  // None where the op has no attribute `act`.
  Act activation() const;

  // Makes the outputs that are absent but must be there, where their rule names their extents.
  void makeOutputs();
  // Why this is no call of the op, or an empty string.
  std::string findFault() const;
};

// The operands of BN_INPUT in kernel_ops.def.
struct BnHosts {
  Host x, mean, invStd, gamma, beta;

  // At the positions that an op has for them.
  std::vector<Named> at(int xAt, int meanAt, int invStdAt, int gammaAt, int betaAt) const {
    return {{xAt, x}, {meanAt, mean}, {invStdAt, invStd}, {gammaAt, gamma}, {betaAt, beta}};
  }
};

// The same window, with extents that are rounded up, more of a pad at the end, cells that are
// apart, or the pad among what an average is of.
Window ceiled(Window w);
Window paddedMore(Window w, int64_t h, int64_t x);
Window dilated(Window w, int64_t h, int64_t x);
Window countingPad(Window w);
// Output of a window over x.
Dims windowDims(const Dims &x, const Window &w, int64_t channels);
// Of the place of a maximum in the window.
DType indexType(const Window &w);

} // namespace trk::test

#endif // TRK_TEST_INVOCATION_H
