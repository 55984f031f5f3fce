// SPDX-License-Identifier: Apache-2.0
//
// Two schedules have one DAG when their accesses are equal, as they are or with the
// tensors of the two input halves swapped.
#include "ScheduleDags.h"

#include <numeric>

using namespace mlir;
using namespace tr;

ScheduleDags::ScheduleDags(graph::ProgramOp program, ArrayRef<StepOp> ops)
    : ops(ops), pieces(getPieces(program)) {
  SmallVector<uint32_t> halves[2];
  bool placed = true;
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    const trf::RoleRow &role = tensor.getRegion().region.row();
    if (role.half != trf::Half::Both)
      halves[role.half == trf::Half::B].push_back(static_cast<uint32_t>(pool.size()));
    placed &= tensor.getOffset() && tensor.getSlot();
    bool pooled = placed && role.isPooled();
    pool.push_back(pooled ? Extent{static_cast<int64_t>(*tensor.getOffset()),
                                   static_cast<int64_t>(*tensor.getSlot())}
                          : Extent{0, 0});
  }
  partners.resize(pool.size());
  std::iota(partners.begin(), partners.end(), 0);
  if (halves[0].size() == halves[1].size())
    for (auto [a, b] : llvm::zip_equal(halves[0], halves[1])) {
      partners[a] = b;
      partners[b] = a;
    }
  auto isOfHalf = [&](uint32_t id) { return partners[id] != id; };
  for (const StepOp &op : ops)
    readsHalf.push_back(llvm::any_of(op.accesses.reads, isOfHalf) ||
                        llvm::any_of(op.accesses.writes, isOfHalf));
}

std::vector<const Accesses *> ScheduleDags::getAccesses(ArrayRef<int64_t> nodes) const {
  std::vector<const Accesses *> accesses;
  accesses.reserve(nodes.size());
  for (int64_t node : nodes)
    accesses.push_back(&ops[node].accesses);
  return accesses;
}

bool ScheduleDags::isSame(int64_t a, int64_t b, bool swapHalves) const {
  if (a == b)
    return !swapHalves || !readsHalf[a];
  auto equal = [&](ArrayRef<uint32_t> x, ArrayRef<uint32_t> y) {
    return x.size() == y.size() && llvm::all_of(llvm::zip_equal(x, y), [&](auto pair) {
             auto [left, right] = pair;
             return left == (swapHalves ? partners[right] : right);
           });
  };
  return equal(ops[a].accesses.reads, ops[b].accesses.reads) &&
         equal(ops[a].accesses.writes, ops[b].accesses.writes);
}

bool ScheduleDags::begins(const Known &entry, ArrayRef<int64_t> nodes, bool swapHalves) const {
  if (entry.nodes.size() < nodes.size())
    return false;
  for (auto [a, b] : llvm::zip(nodes, entry.nodes))
    if (!isSame(a, b, swapHalves))
      return false;
  return true;
}

ArrayRef<SmallVector<uint32_t, 2>> ScheduleDags::getEdges(ArrayRef<int64_t> nodes) {
  for (const Known &entry : known)
    for (bool swapHalves : {false, true})
      if (begins(entry, nodes, swapHalves))
        return ArrayRef(entry.edges).take_front(nodes.size());
  known.push_back({SmallVector<int64_t>(nodes), buildStepDag(getAccesses(nodes), pool, pieces)});
  return known.back().edges;
}
