// SPDX-License-Identifier: Apache-2.0
//
// ASAN_POISON_MEMORY_REGION and its opposite, which do nothing in builds without
// AddressSanitizer. Shadow memory has 8-byte granules: ends are exact, starts of
// poison are rounded up.
#ifndef TRRT_BASE_POISON_H
#define TRRT_BASE_POISON_H

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

#endif // TRRT_BASE_POISON_H
