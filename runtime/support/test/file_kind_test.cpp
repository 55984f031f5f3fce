// SPDX-License-Identifier: Apache-2.0
//
// Files by their first bytes.
#include "trs/file_kind.h"

#include <gtest/gtest.h>

namespace trs {
namespace {

using namespace std::string_view_literals;

TEST(FileKind, IsKnownByItsFirstBytes) {
  const std::pair<std::string_view, FileKind> cases[] = {
      {"TRPLAN\r\n\2\0\0\0"sv, FileKind::Plan},
      {"\x10\0\0\0\0\0\0\0{\"a\":{}}"sv, FileKind::Safetensors},
      {"\x93NUMPY\1\0v\0{'descr'"sv, FileKind::Numpy},
      {"PK\3\4\0\0"sv, FileKind::Zip},
      {"\x80\2}q\0"sv, FileKind::Pickle},
      {"\x80\4\x95\x12\0"sv, FileKind::Pickle},
      {"\x1f\x8b\x08"sv, FileKind::Gzip},
      {"\0\0\x08\3\0\0"sv, FileKind::Idx},
      {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv, FileKind::Png},
      {"\xff\xd8\xff\xe0"sv, FileKind::Jpeg},
      {"\x89HDF\r\n\x1a\n"sv, FileKind::Hdf5},
      {"\x7f"
       "ELF\2"sv,
       FileKind::Elf},
      {"ML\xefR\6"sv, FileKind::MlirBytecode},
      {"model m(input = 1x1x1"sv, FileKind::Text},
      {""sv, FileKind::Unknown},
      {"\1\2\3\4"sv, FileKind::Unknown},
  };
  for (const auto &[begin, kind] : cases) {
    EXPECT_EQ(recognise(begin), kind) << begin;
    // A part of a signature is none.
    EXPECT_NE(recognise(begin.substr(0, 1)), FileKind::Plan);
    EXPECT_EQ(explainWrongKind(begin).empty(), kind == FileKind::Unknown) << begin;
  }
}

TEST(FileKind, SaysTheWayThatWorks) {
  EXPECT_EQ(explainWrongKind("\x93NUMPY\1\0"sv),
            "it is a NumPy array; save it as safetensors: safetensors.numpy.save_file({'input': "
            "array}, 'x.safetensors') in Python");
  EXPECT_EQ(explainWrongKind("model m("), "it is text");
}

} // namespace
} // namespace trs
