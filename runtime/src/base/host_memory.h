// SPDX-License-Identifier: Apache-2.0
//
// A zeroed block of host memory, 2 MiB aligned and on huge pages where it is
// large enough to profit. Under AddressSanitizer the bytes around it are poisoned.
#ifndef TRRT_BASE_HOST_MEMORY_H
#define TRRT_BASE_HOST_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace trrt {

class HostMemory {
public:
  HostMemory() = default;
  // Throws Error(TRRT_OUT_OF_MEMORY) with the size where the system has no such block.
  explicit HostMemory(uint64_t bytes);
  ~HostMemory();
  HostMemory(HostMemory &&other) noexcept;
  HostMemory &operator=(HostMemory &&other) noexcept;

  uint8_t *data() const { return aligned; }

private:
  void *mapping = nullptr;
  size_t mappedBytes = 0;
  uint8_t *aligned = nullptr;
};

} // namespace trrt

#endif // TRRT_BASE_HOST_MEMORY_H
