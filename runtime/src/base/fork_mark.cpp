// SPDX-License-Identifier: Apache-2.0
//
// MADV_WIPEONFORK, Linux 4.14 and later; else the number of the process.
#include "base/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

namespace trrt {

static size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

ForkMark::ForkMark() : process(static_cast<int>(getpid())) {
#ifdef MADV_WIPEONFORK
  void *block =
      mmap(nullptr, pageBytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return;
  if (madvise(block, pageBytes(), MADV_WIPEONFORK) != 0) {
    munmap(block, pageBytes());
    return;
  }
  page = static_cast<volatile int *>(block);
  *page = 1;
#endif
}

ForkMark::~ForkMark() {
  if (page)
    munmap(const_cast<int *>(page), pageBytes());
}

bool ForkMark::isOwner() const { return page ? *page == 1 : process == static_cast<int>(getpid()); }

} // namespace trrt
