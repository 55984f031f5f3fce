// SPDX-License-Identifier: Apache-2.0
//
// Replaces the global operator new. A file of its own, so that the compiler does
// not see through the pairs of new and delete in tests.
#include "allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<bool> counting{false};
static std::atomic<int64_t> allocations{0};

void *operator new(std::size_t size) {
  if (counting.load(std::memory_order_relaxed))
    allocations.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace trrt::test {

void startCounting() {
  allocations.store(0);
  counting.store(true);
}

int64_t stopCounting() {
  counting.store(false);
  return allocations.load();
}

} // namespace trrt::test
