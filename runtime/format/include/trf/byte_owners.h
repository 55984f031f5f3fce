// SPDX-License-Identifier: Apache-2.0
//
// Which tensor was written last at each byte of the pool, as runs of bytes.
#ifndef TRF_BYTE_OWNERS_H
#define TRF_BYTE_OWNERS_H

#include <cstdint>
#include <map>

namespace trf {

class ByteOwners {
public:
  // Gives bytes [begin, end) to `owner`. `lost(other)` is called for each run of
  // another tensor that loses bytes.
  template <typename Fn> void take(uint64_t begin, uint64_t end, uint32_t owner, Fn lost) {
    if (begin >= end)
      return;
    auto at = splitBefore(begin);
    while (at != runs.end() && at->first < end) {
      if (at->second.end > end)
        split(at, end);
      if (at->second.owner != owner)
        lost(at->second.owner);
      at = runs.erase(at);
    }
    runs.emplace_hint(at, begin, Run{end, owner});
  }

  // Calls `each(begin, end)` for the runs inside [begin, end) that `owner` still has.
  template <typename Fn> void held(uint64_t begin, uint64_t end, uint32_t owner, Fn each) const {
    for (auto at = runs.lower_bound(begin); at != runs.end() && at->first < end; ++at)
      if (at->second.owner == owner)
        each(at->first, at->second.end);
  }

private:
  struct Run {
    uint64_t end;
    uint32_t owner;
  };
  using Runs = std::map<uint64_t, Run>; // by first byte

  // The first run that does not begin before `begin`, after a run across it was split.
  Runs::iterator splitBefore(uint64_t begin) {
    auto at = runs.lower_bound(begin);
    if (at != runs.begin() && std::prev(at)->second.end > begin)
      return split(std::prev(at), begin);
    return at;
  }
  // Returns the part that begins at `middle`.
  Runs::iterator split(Runs::iterator at, uint64_t middle) {
    const Run back = at->second;
    at->second.end = middle;
    return runs.emplace_hint(std::next(at), middle, back);
  }

  Runs runs;
};

} // namespace trf

#endif // TRF_BYTE_OWNERS_H
