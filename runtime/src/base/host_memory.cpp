// SPDX-License-Identifier: Apache-2.0
//
// Anonymous mappings: zero pages come from the kernel only where they are used.
#include "base/host_memory.h"

#include "base/poison.h"
#include "base/status.h"

#include <sys/mman.h>

#include <limits>
#include <string>
#include <utility>

namespace trrt {

static constexpr uint64_t kHugePage = uint64_t{2} << 20;

HostMemory::HostMemory(uint64_t bytes) {
  if (bytes == 0)
    bytes = 1; // a valid address even for an empty plan
  if (bytes <= std::numeric_limits<uint64_t>::max() - kHugePage)
    mappedBytes = static_cast<size_t>(bytes + kHugePage);
  if (mappedBytes != 0)
    mapping =
        mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mappedBytes == 0 || mapping == MAP_FAILED) {
    mapping = nullptr;
    throw Error(TRRT_OUT_OF_MEMORY,
                "cannot allocate " + std::to_string(bytes) + " bytes of memory");
  }
  const uintptr_t address = reinterpret_cast<uintptr_t>(mapping);
  aligned = reinterpret_cast<uint8_t *>((address + kHugePage - 1) / kHugePage * kHugePage);
#ifdef MADV_HUGEPAGE
  // Only a hint: without huge pages everything works, a little slower.
  if (bytes >= kHugePage)
    (void)madvise(aligned, static_cast<size_t>(bytes), MADV_HUGEPAGE);
#endif
  ASAN_POISON_MEMORY_REGION(mapping, mappedBytes);
  ASAN_UNPOISON_MEMORY_REGION(aligned, static_cast<size_t>(bytes));
}

HostMemory::~HostMemory() {
  if (!mapping)
    return;
  // The next owner of these addresses knows nothing of the poison.
  ASAN_UNPOISON_MEMORY_REGION(mapping, mappedBytes);
  munmap(mapping, mappedBytes);
}

HostMemory::HostMemory(HostMemory &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(std::exchange(other.mappedBytes, 0)),
      aligned(std::exchange(other.aligned, nullptr)) {}

HostMemory &HostMemory::operator=(HostMemory &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappedBytes, other.mappedBytes);
  std::swap(aligned, other.aligned);
  return *this;
}

} // namespace trrt
