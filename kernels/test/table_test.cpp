// SPDX-License-Identifier: Apache-2.0
//
// The kernel tables are complete.
#include "run_kernel.h"

#include <gtest/gtest.h>

using namespace trk;
using namespace trk::test;

TEST(TableTest, ReferenceHasEveryOp) {
  KernelTable table;
  fillReferenceKernels(table);
  for (uint32_t op = 0; op < kOpCount; ++op)
    EXPECT_NE(table[op].run, nullptr) << kOps[op].name;
}
