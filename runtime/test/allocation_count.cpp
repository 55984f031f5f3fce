// SPDX-License-Identifier: Apache-2.0
//
// Replaces operator new and, where nothing else does, malloc and its relatives. A file of its own,
// so that the compiler does not see through the pairs of new and delete in tests.
#include "allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <new>

static std::atomic<bool> counting{false};
static std::atomic<int64_t> allocations{0};

static void count() {
  if (counting.load(std::memory_order_relaxed))
    allocations.fetch_add(1, std::memory_order_relaxed);
}

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define TRRT_NO_MALLOC_HOOK
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRRT_NO_MALLOC_HOOK
#endif
#endif

#if defined(TRRT_NO_MALLOC_HOOK)
static void *allocate(std::size_t size) { return std::malloc(size); }
#else
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);
}

// Where oneDNN lies, which allocates as it likes.
static std::atomic<const char *> libraryBegin{nullptr}, libraryEnd{nullptr};

static int findLibrary(dl_phdr_info *object, std::size_t, void *) {
  if (!std::strstr(object->dlpi_name, "/libdnnl.so"))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
      continue;
    const char *begin = reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr);
    libraryBegin.store(begin);
    libraryEnd.store(begin + segment.p_memsz);
  }
  return 1;
}

static void countOurs(const void *caller) {
  const char *at = static_cast<const char *>(caller);
  if (at < libraryBegin.load() || at >= libraryEnd.load())
    count();
}

extern "C" {
void *malloc(std::size_t size) {
  countOurs(__builtin_return_address(0));
  return __libc_malloc(size);
}
void *calloc(std::size_t number, std::size_t size) {
  countOurs(__builtin_return_address(0));
  return __libc_calloc(number, size);
}
void *realloc(void *memory, std::size_t size) {
  countOurs(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}
void *aligned_alloc(std::size_t alignment, std::size_t size) {
  countOurs(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
void *memalign(std::size_t alignment, std::size_t size) {
  countOurs(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, std::size_t alignment, std::size_t size) {
  countOurs(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory || !size ? 0 : ENOMEM;
}
}

static void *allocate(std::size_t size) { return __libc_malloc(size); }
#endif

void *operator new(std::size_t size) {
#if defined(TRRT_NO_MALLOC_HOOK)
  count();
#else
  countOurs(__builtin_return_address(0));
#endif
  if (void *memory = allocate(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace trrt::test {

void startCounting() {
#if !defined(TRRT_NO_MALLOC_HOOK)
  dl_iterate_phdr(findLibrary, nullptr);
#endif
  allocations.store(0);
  counting.store(true);
}

int64_t stopCounting() {
  counting.store(false);
  return allocations.load();
}

bool countsMalloc() {
#if defined(TRRT_NO_MALLOC_HOOK)
  return false;
#else
  return true;
#endif
}

} // namespace trrt::test
