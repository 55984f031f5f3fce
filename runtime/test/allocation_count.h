// SPDX-License-Identifier: Apache-2.0
//
// Counts allocations of the test program, all threads together: operator new, malloc and its
// relatives. What oneDNN's own code asks for does not count.
#ifndef TRRT_TEST_ALLOCATION_COUNT_H
#define TRRT_TEST_ALLOCATION_COUNT_H

#include <cstdint>

namespace trrt::test {

void startCounting();
int64_t stopCounting(); // the number since startCounting()
bool countsMalloc();    // not under AddressSanitizer, which has a malloc of its own

} // namespace trrt::test

#endif // TRRT_TEST_ALLOCATION_COUNT_H
