// SPDX-License-Identifier: Apache-2.0
//
// Kernel ops of a subgraph while some are replaced: positions stay, what is removed goes at the
// end.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLLIST_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLLIST_H

#include "LoweredNetwork.h"

#include <optional>

namespace tr {

/// A call of `kernel` whose operands are all absent.
TableCall makeCall(trf::Opcode kernel, AttrList attrs, LayerId layer);

class CallList {
public:
  explicit CallList(std::vector<TableCall> &calls) : calls(calls), removed(calls.size(), false) {}
  ~CallList();
  CallList(const CallList &) = delete;
  CallList &operator=(const CallList &) = delete;

  size_t size() const { return calls.size(); }
  TableCall &operator[](size_t i) { return calls[i]; }
  const TableCall &operator[](size_t i) const { return calls[i]; }
  bool isThere(size_t i) const { return !removed[i]; }
  bool is(size_t i, trf::Opcode kernel) const { return !removed[i] && calls[i].kernel == kernel; }
  void remove(size_t i) { removed[i] = true; }
  /// `call` at `i`, also where the one before was removed.
  void replace(size_t i, TableCall call) {
    calls[i] = std::move(call);
    removed[i] = false;
  }

  /// Whether a call of [from, to) writes one of the tensors; absent ones do not count.
  bool isWritten(size_t from, size_t to, llvm::ArrayRef<TensorId> tensors) const;
  /// The only reader of what a tensor holds at `from`, or none.
  std::optional<size_t> findOnlyReader(TensorId tensor, size_t from) const;

private:
  std::vector<TableCall> &calls;
  std::vector<bool> removed;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLLIST_H
