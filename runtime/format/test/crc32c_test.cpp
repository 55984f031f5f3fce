// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C against published values, and its two implementations against each other.
#include "trf/crc32c.h"

#include <gtest/gtest.h>

#include <vector>

using namespace trf;

TEST(Crc32c, KnownValuesAndBothImplementationsAgree) {
  EXPECT_EQ(crc32cPortable("123456789", 9), 0xe3069283u);
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283u);
  EXPECT_EQ(crc32cPortable("", 0), 0u);
  const std::vector<uint8_t> zeros(32, 0), ones(32, 0xff); // RFC 3720, B.4
  EXPECT_EQ(crc32cPortable(zeros.data(), 32), 0x8a9136aau);
  EXPECT_EQ(crc32cPortable(ones.data(), 32), 0x62a8ab43u);
  std::vector<uint8_t> data(301);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<uint8_t>(i * 37 + 11);
  for (size_t offset = 0; offset < 9; ++offset)
    for (size_t size = 0; offset + size <= data.size(); ++size)
      ASSERT_EQ(crc32c(data.data() + offset, size), crc32cPortable(data.data() + offset, size));
}
