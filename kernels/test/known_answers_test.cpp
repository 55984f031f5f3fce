// SPDX-License-Identifier: Apache-2.0
//
// Results worked out by hand from the definition of each op.
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
