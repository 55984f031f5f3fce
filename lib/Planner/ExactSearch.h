// SPDX-License-Identifier: Apache-2.0
//
// Branch and bound over canonical plans; docs/memory.md gives the rules and why they lose
// no solution.
#ifndef RENAISSANCE_LIB_PLANNER_EXACTSEARCH_H
#define RENAISSANCE_LIB_PLANNER_EXACTSEARCH_H

#include "renaissance/Planner/Planner.h"

#include <chrono>

namespace tr::planner {

// Failed states by a 128-bit hash: one state for a slot, the newest wins. The slots double
// up to a limit, as most searches are short.
class FailedStates {
public:
  struct Key {
    uint64_t low = 0, high = 0;
    bool operator==(const Key &other) const { return low == other.low && high == other.high; }
  };
  bool contains(Key key) const { return slots[key.low % slots.size()] == key; }
  void insert(Key key);

private:
  std::vector<Key> slots = std::vector<Key>(256);
  size_t inserted = 0;
};

class ExactSearch {
public:
  enum class Outcome { Found, Failed, Stopped, Open };
  using Clock = std::chrono::steady_clock;

  ExactSearch(const std::vector<Buffer> &buffers, int64_t capacity);

  void setDeadline(Clock::time_point time) { deadline = time; }
  bool isLate() const { return Clock::now() >= deadline; }

  // Searches up to so many nodes with buffers ranked by the keys: T: bytes alive at the
  // worst step of the buffer, W: steps, A: steps times bytes, N: sections, S: bytes.
  // Failed states are kept from run to run.
  Outcome run(const char *keys, int64_t nodes);
  int64_t getNodes() const { return allNodes; }
  const std::vector<int64_t> &getOffsets() const { return offsets; }

private:
  // An unplaced buffer in a node.
  struct Item {
    uint32_t buffer;
    bool excluded;  // passed over at its lowest place; something must push it up
    int64_t lowest; // place above what is placed
  };
  struct Part {
    size_t first, count; // in items; buffers of two parts never live together
  };
  struct Candidate {
    int64_t lowest;
    uint32_t rank, item;
    bool operator<(const Candidate &other) const { // comes later
      return lowest != other.lowest ? lowest > other.lowest : rank > other.rank;
    }
  };
  // An open node, and what is left when its last candidate is placed.
  struct Frame {
    const Item *node = nullptr; // in the frame above
    size_t count = 0;
    FailedStates::Key key;
    int64_t floor = 0;       // offset of the candidate
    std::vector<Item> items; // in order of the first section
    std::vector<Candidate> candidates;
    std::vector<Part> parts;
    size_t nextPart = 0;
  };
  struct Span {
    uint32_t first, last; // sections
  };

  void buildSections();
  void collectObstacles();
  void rankBuffers(const char *keys);
  bool meets(uint32_t a, uint32_t b) const {
    return spans[a].first <= spans[b].last && spans[b].first <= spans[a].last;
  }
  int64_t lift(uint32_t buffer, int64_t offset) const;

  void enterRoot();
  Outcome search();
  Outcome open(const Item *items, size_t count, int64_t floor, Frame &frame);
  bool placeNext(Frame &frame);
  bool boundItems(const Item *items, size_t count, int64_t floor);
  using Entries = std::vector<std::pair<int64_t, uint32_t>>; // bound and buffer
  int64_t addLoads(Entries::const_iterator group, Entries::const_iterator end, Span range);
  // The highest offset at which a buffer may be placed next; -1: the node fails.
  int64_t findCeiling(const Item *items, size_t count);
  void collectCandidates(const Item *items, size_t count, int64_t ceiling,
                         std::vector<Candidate> &candidates) const;
  void enterChild(const Item *items, size_t count, uint32_t chosen, Frame &child) const;
  static FailedStates::Key hashItems(const Item *items, size_t count);

  const std::vector<Buffer> &buffers;
  const int64_t capacity;
  // Sections are the maximal sets of buffers alive together, in order of the steps: two
  // buffers overlap in time where they share a section.
  size_t numSections = 0;
  std::vector<Span> spans;
  std::vector<uint32_t> fixed;                  // by falling offset
  std::vector<std::vector<uint32_t>> obstacles; // fixed ones that a buffer meets, by offset
  std::vector<uint32_t> ranks;
  std::vector<int64_t> offsets;
  std::vector<Frame> frames;
  std::vector<int64_t> bounds; // of the items of a node: no canonical completion has them lower
  std::vector<int64_t> load;   // per section, of the buffers looked at so far
  std::vector<int64_t> change; // zero between uses; one more than sections
  Entries byBound;
  FailedStates failed;
  Clock::time_point deadline = Clock::time_point::max();
  int64_t nodes = 0, largestNodes = 0, allNodes = 0;
};

} // namespace tr::planner

#endif // RENAISSANCE_LIB_PLANNER_EXACTSEARCH_H
