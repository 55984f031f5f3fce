// SPDX-License-Identifier: Apache-2.0
//
// Lower plans than the portfolio's: short runs of the exact search, then a local search
// that changes the order of a first-fit run where the peak comes from.
#include "GreedyDetail.h"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace tr::planner {
namespace {

// Comparisons of blocks that the local search may cost; a try costs about half a square.
constexpr int64_t kLargestWork = int64_t(1) << 28;
// Visits of buffers that the exact search may cost; a node visits each once.
constexpr int64_t kLargestVisits = int64_t(1) << 26;

// SplitMix64: the same numbers on every platform.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  size_t below(size_t count) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<size_t>((z ^ (z >> 31)) % count);
  }

private:
  uint64_t state;
};

bool overlap(const Buffer &a, const Buffer &b) { return a.lower < b.upper && b.lower < a.upper; }

class LocalSearch {
public:
  LocalSearch(const std::vector<Buffer> &buffers, const Placement &start, uint64_t seed);

  int64_t getPeak() const { return peak; }
  const std::vector<int64_t> &getOffsets() const { return offsets; }
  void attempt();

private:
  // Places all in the given order; false where the peak would exceed the limit.
  bool decode(const std::vector<uint32_t> &trial, int64_t limit);
  void accept();

  const std::vector<Buffer> &buffers;
  Random random;
  GreedyArena fixed;
  std::vector<uint32_t> order;    // of the plan that is kept; no fixed buffers
  std::vector<int64_t> offsets;   // of that plan
  std::vector<int64_t> candidate; // of the last decoded order
  std::vector<size_t> highest;    // places in the order whose buffers reach the peak
  int64_t peak;
  int64_t candidatePeak = 0;
};

LocalSearch::LocalSearch(const std::vector<Buffer> &buffers, const Placement &start, uint64_t seed)
    : buffers(buffers), random(seed), offsets(start.offsets), peak(start.peak) {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].offset >= 0)
      fixed.insert(buffers[i], buffers[i].offset);
    else if (buffers[i].size > 0)
      order.push_back(static_cast<uint32_t>(i));
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (offsets[a] != offsets[b])
      return offsets[a] < offsets[b];
    return buffers[a].lower != buffers[b].lower ? buffers[a].lower < buffers[b].lower : a < b;
  });
  candidate = offsets;
  // First fit in order of the offsets moves no buffer up.
  if (decode(order, peak))
    accept();
}

bool LocalSearch::decode(const std::vector<uint32_t> &trial, int64_t limit) {
  GreedyArena arena = fixed;
  for (uint32_t index : trial) {
    candidate[index] = arena.place(buffers[index], Fit::First);
    if (arena.getPeak() > limit)
      return false;
  }
  candidatePeak = arena.getPeak();
  return true;
}

void LocalSearch::accept() {
  offsets = candidate;
  peak = candidatePeak;
  highest.clear();
  for (size_t i = 0; i < order.size(); ++i)
    if (offsets[order[i]] + buffers[order[i]].size == peak)
      highest.push_back(i);
}

// One buffer at the peak goes before, or changes places with, one that is placed earlier
// and alive at the same time, or alive together with such a one.
void LocalSearch::attempt() {
  if (highest.empty())
    return;
  const size_t from = highest[random.below(highest.size())];
  std::vector<size_t> earlier;
  uint32_t pivot = order[from];
  for (int step = 0; step < 2; ++step) {
    earlier.clear();
    for (size_t i = 0; i < from; ++i)
      if (order[i] != pivot && overlap(buffers[order[i]], buffers[pivot]))
        earlier.push_back(i);
    if (earlier.empty())
      return;
    pivot = order[earlier[random.below(earlier.size())]];
    if (random.below(2) == 0)
      break;
  }
  const size_t to =
      static_cast<size_t>(std::find(order.begin(), order.end(), pivot) - order.begin());
  std::vector<uint32_t> trial = order;
  if (random.below(2) == 0)
    std::swap(trial[from], trial[to]);
  else
    std::rotate(trial.begin() + to, trial.begin() + from, trial.begin() + from + 1);
  if (!decode(trial, peak))
    return;
  order = std::move(trial);
  accept();
}

// The highest peak that needs no search.
int64_t getGoodEnough(int64_t bound, const SearchOptions &options) {
  const double slack = (options.goodEnough - 1) * static_cast<double>(bound);
  return bound + (slack > 0 ? static_cast<int64_t>(std::min(slack, 0x1p61)) : 0);
}

// The exact search finds most plans at the bound within a few thousand nodes. Where the
// bound is out of reach, a bisection by capacity finds how low it gets.
void improveExactly(const std::vector<Buffer> &buffers, int64_t bound, const SearchOptions &options,
                    Placement &best) {
  int64_t left = std::min(options.nodes, kLargestVisits / static_cast<int64_t>(buffers.size()));
  int64_t low = std::min(best.peak - 1, getGoodEnough(bound, options));
  const int64_t goal = low;
  for (int64_t capacity = low; left > 0 && best.peak > goal;
       capacity = low + (best.peak - low) / 2) {
    ExactOptions exact{capacity, ExactOptions::kUnlimited, (left + 1) / 2};
    ExactResult result = solveExact(buffers, exact);
    left -= std::max<int64_t>(result.nodes, 1);
    if (result.status == ExactStatus::Solved)
      best = std::move(result.placement);
    else
      low = capacity;
    if (best.peak - low <= std::max<int64_t>(bound / 2000, 1))
      return;
  }
}

void improveLocally(const std::vector<Buffer> &buffers, int64_t bound, const SearchOptions &options,
                    Placement &best) {
  const int64_t count = static_cast<int64_t>(buffers.size());
  const int64_t tries = std::min(options.tries, 2 * (kLargestWork / (count * count)));
  const int64_t goal = getGoodEnough(bound, options);
  LocalSearch search(buffers, best, options.seed);
  for (int64_t i = 0; i < tries && search.getPeak() > goal; ++i)
    search.attempt();
  if (search.getPeak() >= best.peak)
    return;
  best.offsets = search.getOffsets();
  best.peak = search.getPeak();
  best.rule += ", then local search";
}

} // namespace

Placement improve(const std::vector<Buffer> &buffers, Placement start,
                  const SearchOptions &options) {
  if (buffers.empty() || buffers.size() > kLargestPortfolio)
    return start;
  const int64_t bound = lowerBound(buffers);
  if (start.peak > getGoodEnough(bound, options))
    improveExactly(buffers, bound, options, start);
  if (start.peak > getGoodEnough(bound, options))
    improveLocally(buffers, bound, options, start);
  return start;
}

double getProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

PlanResult plan(const std::vector<Buffer> &buffers, const SearchOptions &options) {
  PlanResult result;
  result.error = checkBuffers(buffers);
  if (result.error)
    return result;
  const double start = getProcessorSeconds();
  result.bound = lowerBound(buffers);
  result.placement = placePortfolio(buffers);
  result.greedySeconds = getProcessorSeconds() - start;
  if (result.placement.peak <= getGoodEnough(result.bound, options) ||
      buffers.size() > kLargestPortfolio)
    return result;
  const double searchStart = getProcessorSeconds();
  result.placement = improve(buffers, std::move(result.placement), options);
  result.searchSeconds = getProcessorSeconds() - searchStart;
  return result;
}

} // namespace tr::planner
