// SPDX-License-Identifier: Apache-2.0
//
// Lists of calls of which some are removed.
#include "CallList.h"

using namespace tr;

TableCall tr::makeCall(trf::Opcode kernel, AttrList attrs, LayerId layer) {
  TableCall call{kernel, {}, std::move(attrs), layer};
  call.tensors.resize(trf::info(kernel).operands.size(), TensorId::None);
  return call;
}

CallList::~CallList() {
  std::vector<TableCall> kept;
  for (size_t i = 0; i < calls.size(); ++i)
    if (!removed[i])
      kept.push_back(std::move(calls[i]));
  calls = std::move(kept);
}

bool CallList::isWritten(size_t from, size_t to, llvm::ArrayRef<TensorId> tensors) const {
  for (size_t i = from; i < to; ++i)
    for (TensorId tensor : tensors)
      if (!removed[i] && tensor != TensorId::None && calls[i].writes(tensor))
        return true;
  return false;
}

std::optional<size_t> CallList::findOnlyReader(TensorId tensor, size_t from) const {
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
