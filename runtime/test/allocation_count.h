// SPDX-License-Identifier: Apache-2.0
//
// Counts calls of operator new in the whole test program, all threads together.
#ifndef TRRT_TEST_ALLOCATION_COUNT_H
#define TRRT_TEST_ALLOCATION_COUNT_H

#include <cstdint>

namespace trrt::test {

void startCounting();
int64_t stopCounting(); // the number since startCounting()

} // namespace trrt::test

#endif // TRRT_TEST_ALLOCATION_COUNT_H
