// SPDX-License-Identifier: Apache-2.0
//
// Philox against the published known answers.
#include "trf/philox.h"

#include <gtest/gtest.h>

using namespace trf;

// Vectors of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformNumbersAreBelowOne) {
  EXPECT_EQ(philoxUniform(0), 0.0);
  EXPECT_EQ(philoxUniform(1u << 31), 0.5);
  EXPECT_LT(philoxUniform(0xffffffffu), 1.0);
}
