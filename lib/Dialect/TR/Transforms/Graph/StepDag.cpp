// SPDX-License-Identifier: Apache-2.0
//
// Dependencies from reads and writes, and their transitive reduction.
//
// The reduction keeps an edge p -> v unless another predecessor of v can be
// reached from p. Three answers come without a search: the spanning tree of each
// op's deepest predecessor holds most paths; every op before a barrier (an op
// that all earlier ones lead to, such as the loss) reaches what follows it; and a
// search never looks at ops before p. Ops with many predecessors, such as the
// check of all gradients, mark what their predecessors reach in one walk.
#include "StepDag.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <utility>

using namespace tr;

namespace {

using Edges = StepEdges;
constexpr uint32_t kNone = ~0u;

// Which tensor was written last at each byte of the arena, as runs of bytes.
class Places {
public:
  // Calls `evicted(other)` for each other tensor whose bytes `tensor` now takes, at least once.
  template <typename Fn> void write(uint32_t tensor, Extent extent, Fn evicted) {
    if (extent.bytes <= 0)
      return;
    int64_t begin = extent.offset, end = begin + extent.bytes;
    auto it = runs.upper_bound(begin);
    if (it != runs.begin())
      --it;
    while (it != runs.end() && it->first < end) {
      int64_t runEnd = it->second.end;
      uint32_t owner = it->second.tensor;
      if (runEnd <= begin) {
        ++it;
        continue;
      }
      if (owner == tensor && it->first == begin && runEnd == end)
        return;
      if (owner != tensor)
        evicted(owner);
      int64_t runBegin = it->first;
      it = runs.erase(it);
      if (runBegin < begin)
        runs.emplace(runBegin, Run{begin, owner});
      if (runEnd > end)
        it = runs.emplace(end, Run{runEnd, owner}).first;
    }
    runs[begin] = {end, tensor};
  }

private:
  struct Run {
    int64_t end;
    uint32_t tensor;
  };
  std::map<int64_t, Run> runs; // by first byte
};

// Calls fn(piece) for the pieces of some tensors.
template <typename Fn>
void forEachPiece(const Pieces &pieces, llvm::ArrayRef<uint32_t> tensors, Fn fn) {
  for (uint32_t id : tensors)
    for (uint32_t piece = pieces.spans[id].first; piece < pieces.spans[id].end; ++piece)
      fn(piece);
}

void sortUnique(llvm::SmallVectorImpl<uint32_t> &ops) {
  llvm::sort(ops);
  ops.erase(llvm::unique(ops), ops.end());
}

// Everything an op conflicts with, sorted, without duplicates.
Edges findConflicts(llvm::ArrayRef<const Accesses *> ops, llvm::ArrayRef<Extent> extents,
                    const Pieces &pieces) {
  Places places;
  struct State {
    uint32_t writer = kNone;
    llvm::SmallVector<uint32_t, 2> readers; // since the last write
  };
  std::vector<State> states(pieces.roots.size());
  Edges edges(ops.size());
  for (uint32_t op = 0; op < ops.size(); ++op) {
    llvm::SmallVector<uint32_t, 2> &before = edges[op];
    auto waitForWriter = [&](uint32_t piece) {
      if (states[piece].writer != kNone)
        before.push_back(states[piece].writer);
    };
    auto waitForAll = [&](uint32_t piece) {
      before.append(states[piece].readers.begin(), states[piece].readers.end());
      waitForWriter(piece);
    };
    forEachPiece(pieces, ops[op]->reads, waitForWriter);
    forEachPiece(pieces, ops[op]->writes, waitForAll);
    for (uint32_t id : ops[op]->writes) {
      uint32_t root = pieces.getRoot(id);
      llvm::SmallVector<uint32_t, 2> own = std::exchange(before, {});
      places.write(root, extents[root],
                   [&](uint32_t other) { forEachPiece(pieces, other, waitForAll); });
      sortUnique(before);
      // The first write of another run will find the bytes taken, but waits for these ops too.
      forEachPiece(pieces, root,
                   [&](uint32_t piece) { llvm::append_range(states[piece].readers, before); });
      llvm::append_range(before, own);
    }
    forEachPiece(pieces, ops[op]->reads,
                 [&](uint32_t piece) { states[piece].readers.push_back(op); });
    forEachPiece(pieces, ops[op]->writes, [&](uint32_t piece) {
      states[piece].writer = op;
      states[piece].readers.clear();
    });
    // An op that reads and writes a tensor is not its own predecessor.
    sortUnique(before);
    while (!before.empty() && before.back() >= op)
      before.pop_back();
  }
  return edges;
}

class Reduction {
public:
  explicit Reduction(Edges &edges)
      : edges(edges), stamps(edges.size(), 0), barriers(edges.size(), kNone) {
    buildTree();
    findBarriers();
  }

  void run() {
    for (uint32_t op = 0; op < edges.size(); ++op) {
      if (edges[op].size() > kMany)
        reduceMany(op);
      else if (edges[op].size() > 1)
        reduceFew(op);
    }
  }

private:
  static constexpr size_t kMany = 16;

  void buildTree();
  void findBarriers();
  void reduceFew(uint32_t op);
  void reduceMany(uint32_t op);
  bool reaches(uint32_t from, uint32_t to);

  bool treeReaches(uint32_t from, uint32_t to) const {
    return enter[from] <= enter[to] && leave[to] <= leave[from];
  }

  Edges &edges; // edges[v] is reduced for all v before the current op
  std::vector<uint32_t> enter, leave;
  std::vector<uint32_t> stamps;
  std::vector<uint32_t> barriers; // latest barrier that leads to the op or is it
  std::vector<uint32_t> stack;
  uint32_t stamp = 0;
};

// Preorder intervals of the tree in which an op hangs below its deepest predecessor.
void Reduction::buildTree() {
  uint32_t count = static_cast<uint32_t>(edges.size());
  std::vector<uint32_t> depth(count, 0), size(count, 1), parent(count, kNone);
  for (uint32_t op = 0; op < count; ++op)
    for (uint32_t before : edges[op])
      if (parent[op] == kNone || depth[before] + 1 >= depth[op]) {
        depth[op] = depth[before] + 1;
        parent[op] = before;
      }
  for (uint32_t op = count; op-- > 0;)
    if (parent[op] != kNone)
      size[parent[op]] += size[op];
  enter.resize(count);
  leave.resize(count);
  std::vector<uint32_t> next(count); // where the next child's interval starts
  uint32_t roots = 0;
  for (uint32_t op = 0; op < count; ++op) {
    uint32_t &place = parent[op] == kNone ? roots : next[parent[op]];
    enter[op] = place;
    leave[op] = place + size[op];
    next[op] = place + 1;
    place += size[op];
  }
}

// An op is a barrier when it is the only one without a successor so far.
void Reduction::findBarriers() {
  std::vector<bool> hasSuccessor(edges.size(), false);
  uint32_t sinks = 0;
  for (uint32_t op = 0; op < edges.size(); ++op) {
    for (uint32_t before : edges[op]) {
      sinks -= !hasSuccessor[before];
      hasSuccessor[before] = true;
      if (barriers[before] != kNone && (barriers[op] == kNone || barriers[before] > barriers[op]))
        barriers[op] = barriers[before];
    }
    if (++sinks == 1)
      barriers[op] = op;
  }
}

bool Reduction::reaches(uint32_t from, uint32_t to) {
  ++stamp;
  stack.assign(1, to);
  while (!stack.empty()) {
    uint32_t op = stack.back();
    stack.pop_back();
    if (op == from || treeReaches(from, op) || (barriers[op] != kNone && from <= barriers[op]))
      return true;
    for (uint32_t before : edges[op])
      if (before >= from && stamps[before] != stamp) {
        stamps[before] = stamp;
        stack.push_back(before);
      }
  }
  return false;
}

void Reduction::reduceFew(uint32_t op) {
  llvm::SmallVector<uint32_t, 2> kept;
  for (uint32_t before : llvm::reverse(edges[op]))
    if (llvm::none_of(kept, [&](uint32_t later) { return reaches(before, later); }))
      kept.push_back(before);
  edges[op].assign(kept.rbegin(), kept.rend());
}

void Reduction::reduceMany(uint32_t op) {
  ++stamp;
  stack.clear();
  uint32_t first = edges[op].front();
  auto visit = [&](uint32_t reached) {
    if (reached >= first && stamps[reached] != stamp) {
      stamps[reached] = stamp;
      stack.push_back(reached);
    }
  };
  for (uint32_t before : edges[op])
    llvm::for_each(edges[before], visit);
  while (!stack.empty()) {
    uint32_t reached = stack.back();
    stack.pop_back();
    llvm::for_each(edges[reached], visit);
  }
  llvm::erase_if(edges[op], [&](uint32_t before) { return stamps[before] == stamp; });
}

} // namespace

StepEdges tr::buildStepDag(llvm::ArrayRef<const Accesses *> ops, llvm::ArrayRef<Extent> extents,
                           const Pieces &pieces) {
  Edges edges = findConflicts(ops, extents, pieces);
  Reduction(edges).run();
  return edges;
}
