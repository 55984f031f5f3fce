// SPDX-License-Identifier: Apache-2.0
//
// One kernel call on memory of its own, timed, for kernel_bench and conv_costs.
#ifndef RENAISSANCE_TOOLS_BENCH_KERNEL_RUN_H
#define RENAISSANCE_TOOLS_BENCH_KERNEL_RUN_H

#include "common/attr_list.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace bench {

using Dims = std::array<int64_t, 4>;

// What is timed: extents of operands by their names, {{op::x, x}, {op::y, y}}; others are absent.
struct KernelCall {
  trk::Opcode op{};
  std::vector<std::pair<int, Dims>> operands;
  std::vector<trk::Attr> attrs;
  trk::ConvAlgorithm algorithm = trk::ConvAlgorithm::Auto;

  template <typename Attrs>
  KernelCall(trk::Opcode opcode, std::vector<std::pair<int, Dims>> dims, const Attrs &values)
      : op(opcode), operands(std::move(dims)), attrs(trk::attrList(values)) {}
};

class KernelRun {
public:
  // Ends the program where the kernel refuses the call.
  KernelRun(const trk::KernelTable &kernels, KernelCall what, trk::Parallel &parallel, int slices);
  ~KernelRun();
  KernelRun(const KernelRun &) = delete;
  KernelRun &operator=(const KernelRun &) = delete;

  void once();
  double bestMs() const { return best; }
  double totalMs() const { return total; }
  // Empty: the op has one implementation only.
  std::string implementation() const;

private:
  struct Free {
    void operator()(void *p) const;
  };

  // With one thread processor time, which a busy machine disturbs less.
  double nowMs() const;
  void addOperand(int operand, const Dims &dims);

  const trk::Kernel &kernel;
  KernelCall request;
  std::vector<std::vector<float>> memory;
  std::vector<trk::Tensor> tensors;
  std::unique_ptr<void, Free> scratch;
  trk::Call call;
  double best = 1e30, total = 0;
};

} // namespace bench

#endif // RENAISSANCE_TOOLS_BENCH_KERNEL_RUN_H
