// SPDX-License-Identifier: Apache-2.0
//
// One line that says what is needed, what is there, and which regions are to blame.
#include "session/memory.h"

#include "base/status.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace trrt {

using namespace trf;

namespace {

// "4.40 TB", or all digits below 10 kB.
std::string bytesText(uint64_t bytes) {
  static constexpr const char *kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 10000)
    return std::to_string(bytes) + " bytes";
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit)
    value /= 1000;
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f %s", value, kUnits[unit]);
  return text;
}

struct NamedBytes {
  std::string name;
  uint64_t bytes;
};

// Pooled regions are the same bytes, and count once.
std::string largestRegions(const Plan &plan) {
  constexpr size_t kShown = 5;
  std::vector<NamedBytes> regions;
  bool pooled = false;
  for (const RegionInfo &region : plan.regions) {
    if (region.bytes != 0 && !(region.isPooled() && pooled))
      regions.push_back({region.isPooled() ? "transients" : region.name(), region.bytes});
    pooled = pooled || (region.isPooled() && region.bytes != 0);
  }
  std::sort(regions.begin(), regions.end(), [](const NamedBytes &a, const NamedBytes &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, regions.size()); ++i)
    text += (i == 0 ? "" : ", ") + regions[i].name + " " + bytesText(regions[i].bytes);
  if (regions.size() > kShown)
    text += ", and " + std::to_string(regions.size() - kShown) + " smaller";
  return text;
}

} // namespace

void requireMemory(const Plan &plan, const Device &device, uint64_t stagingBytes) {
  const uint64_t limit = device.memoryBytes(), scratch = device.scratchBytes(),
                 kept = device.sharedBytes();
  uint64_t need = plan.arena_bytes;
  const bool overflow = __builtin_add_overflow(need, stagingBytes, &need) ||
                        __builtin_add_overflow(need, scratch, &need) ||
                        __builtin_add_overflow(need, kept, &need);
  if (!overflow && need <= limit)
    return;
  throw Error(TRRT_OUT_OF_MEMORY,
              "the plan needs " + (overflow ? "more than 18 EB" : bytesText(need)) +
                  " of memory (arena " + bytesText(plan.arena_bytes) + ", input halves " +
                  bytesText(stagingBytes) + ", scratch " + bytesText(scratch) +
                  (kept ? ", packed weights " + bytesText(kept) : "") + "), but device '" +
                  device.name() + "' has " + bytesText(limit) +
                  "; largest regions: " + largestRegions(plan));
}

} // namespace trrt
