// SPDX-License-Identifier: Apache-2.0
//
// Statuses at the C ABI: messages fit, exceptions stop.
#include "base/status.h"
#include "trrt/version.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

using namespace trrt;

extern "C" int trrt_headers_are_c(void); // in c_abi_test.c

TEST(Status, TheHeadersAreStrictC99) { EXPECT_EQ(trrt_headers_are_c(), 0); }

TEST(Status, GuardTurnsExceptionsIntoCodes) {
  EXPECT_EQ(guard([] {}).code, TRRT_OK);
  EXPECT_STREQ(guard([] {}).message, "");
  trrt_status_t status = guard([] { throw Error(TRRT_NOT_FOUND, "no such variant 'x'"); });
  EXPECT_EQ(status.code, TRRT_NOT_FOUND);
  EXPECT_STREQ(status.message, "no such variant 'x'");
  EXPECT_EQ(guard([] { throw std::bad_alloc(); }).code, TRRT_OUT_OF_MEMORY);
  status = guard([] { throw std::runtime_error("odd"); });
  EXPECT_EQ(status.code, TRRT_INTERNAL);
  EXPECT_STREQ(status.message, "odd");
  EXPECT_EQ(guard([] { throw 1; }).code, TRRT_INTERNAL);
}

TEST(Status, LongMessageIsCutBetweenCharacters) {
  trrt_status_t status = makeStatus(TRRT_IO_ERROR, std::string(TRRT_STATUS_MESSAGE_BYTES - 1, 'a'));
  EXPECT_EQ(std::strlen(status.message), size_t{TRRT_STATUS_MESSAGE_BYTES - 1});
  EXPECT_EQ(std::strstr(status.message, "..."), nullptr);
  for (size_t lead = 0; lead < 3; ++lead) {
    std::string text(lead, 'a');
    while (text.size() < 2 * TRRT_STATUS_MESSAGE_BYTES)
      text += "\xe2\x82\xac"; // one character of three bytes
    std::string got = makeStatus(TRRT_IO_ERROR, text).message;
    ASSERT_LT(got.size(), size_t{TRRT_STATUS_MESSAGE_BYTES});
    ASSERT_EQ(got.substr(got.size() - 3), "...");
    EXPECT_EQ((got.size() - 3 - lead) % 3, 0u);
  }
}

TEST(Status, MessageIsOneLine) {
  EXPECT_STREQ(makeStatus(TRRT_IO_ERROR, "a\nb\r").message, "a b ");
}

TEST(Status, NamesAndVersion) {
  EXPECT_STREQ(trrt_status_code_name(TRRT_INVALID_FILE), "invalid_file");
  EXPECT_STREQ(trrt_status_code_name(static_cast<trrt_status_code_t>(99)), "unknown");
  EXPECT_EQ(trrt_version_number(), uint32_t{TRRT_VERSION_NUMBER});
  EXPECT_STREQ(trrt_version_string(), "0.1.0");
}
