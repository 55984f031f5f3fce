// SPDX-License-Identifier: Apache-2.0
//
// The memory planner: buffers with lifetimes and sizes get offsets in one arena. A
// library on plain structs without LLVM; docs/memory.md describes the methods.
//
// Lifetimes are half-open steps [lower, upper). Two buffers of size > 0 whose lifetimes
// overlap get disjoint ranges [offset, offset + size). There is no alignment parameter:
// every offset is zero, a fixed offset or the end of another buffer, so sizes (and fixed
// offsets) that are multiples of an alignment give offsets that are.
//
// Every function is a function of its arguments alone, except for what a time limit in
// seconds cuts short: equal input gives equal bytes. Ties go to the buffer that is born
// first, then to the lower index.
#ifndef RENAISSANCE_PLANNER_PLANNER_H
#define RENAISSANCE_PLANNER_PLANNER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tr::planner {

struct Buffer {
  int64_t lower = 0; // first step
  int64_t upper = 1; // step after the last
  int64_t size = 0;
  int64_t offset = -1; // >= 0: fixed there
};

// Largest size, fixed offset and magnitude of a step.
constexpr int64_t kLargestValue = int64_t(1) << 60;

// Up to this many buffers a portfolio of quadratic runs is affordable.
constexpr size_t kLargestPortfolio = 4000;

// Text of the first reason why the buffers cannot be planned: a value out of range, an
// empty lifetime, sizes whose sum overflows, fixed buffers that overlap each other.
// `where` gets the index of the buffer in question. Everything below that takes buffers,
// but for plan and findFault, expects that there is no such text.
std::optional<std::string> checkBuffers(const std::vector<Buffer> &buffers,
                                        size_t *where = nullptr);

// No plan can be lower: the largest sum of sizes alive at one step, or the end of the
// highest fixed buffer. O(n log n).
int64_t lowerBound(const std::vector<Buffer> &buffers);

struct Placement {
  std::vector<int64_t> offsets;
  int64_t peak = 0;
  std::string rule; // what found it, such as "size, best fit"
};

// Which buffer is placed next: the largest, the longest-lived, the one with the largest
// product of the two.
enum class Order { Size, Lifetime, Area };

// Where: in the smallest gap that is large enough, or in the lowest.
enum class Fit { Best, First };

// One greedy run, quadratic in the number of buffers.
Placement placeGreedy(const std::vector<Buffer> &buffers, Order order, Fit fit);

// Allocates and frees in order of the steps from a list of free blocks, best fit.
// O(n log n). Ranges of fixed buffers stay reserved in every step.
Placement placeInEventOrder(const std::vector<Buffer> &buffers);

// The lowest of the six greedy runs, ending at the first that meets the lower bound;
// above kLargestPortfolio buffers one run in event order instead.
Placement placePortfolio(const std::vector<Buffer> &buffers);

struct ExactOptions {
  static constexpr double kUnlimited = 1e9;
  int64_t capacity = 0;
  double seconds = kUnlimited;
  int64_t nodes = int64_t(1) << 62; // of the search; counted, so it keeps plans reproducible
};

enum class ExactStatus { Solved, Infeasible, Stopped };

struct ExactResult {
  ExactStatus status = ExactStatus::Stopped;
  Placement placement; // where solved
  int64_t nodes = 0;
};

// Finds a plan within the capacity or proves that there is none, by branch and bound over
// canonical plans. Stops at a limit, and at once above kLargestPortfolio buffers.
ExactResult solveExact(const std::vector<Buffer> &buffers, const ExactOptions &options);

// Lowers a plan until it is proved that no lower one exists: Solved. Stopped: the lowest
// plan found within the time.
ExactResult findLowest(const std::vector<Buffer> &buffers, Placement start, double seconds);

struct SearchOptions {
  int64_t nodes = 100000; // of exact searches
  int64_t tries = 2000;   // of the local search
  uint64_t seed = 1;
  double goodEnough = 1.0005; // stops at this multiple of the lower bound
};

// Exact searches at and above the bound, then local search on the order of a first-fit run,
// while the peak is above goodEnough times the bound. Work is counted, never timed, and the
// counts become smaller for thousands of buffers. Never returns a higher plan than it was
// given; returns that plan above kLargestPortfolio buffers.
Placement improve(const std::vector<Buffer> &buffers, Placement start,
                  const SearchOptions &options = {});

// Processor time of this thread: what plan reports, as it means the same on a busy machine.
double getProcessorSeconds();

struct PlanResult {
  std::optional<std::string> error; // checkBuffers; then the rest is empty
  Placement placement;
  int64_t bound = 0;
  double greedySeconds = 0;
  double searchSeconds = 0; // 0: the portfolio was good enough
};

// The portfolio, then improve where its peak is above goodEnough times the bound.
PlanResult plan(const std::vector<Buffer> &buffers, const SearchOptions &options = {});

// Text of the first fault of a plan: a wrong number of offsets, an offset out of range or
// not the fixed one, two buffers that overlap, a buffer that ends above the capacity.
// Shares no code with the planners. O(n log n).
std::optional<std::string> findFault(const std::vector<Buffer> &buffers,
                                     const std::vector<int64_t> &offsets,
                                     std::optional<int64_t> capacity = std::nullopt);

} // namespace tr::planner

#endif // RENAISSANCE_PLANNER_PLANNER_H
