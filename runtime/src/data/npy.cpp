// SPDX-License-Identifier: Apache-2.0
//
// A magic number, a version, and a dictionary as Python writes it, of which three keys matter.
#include "data/npy.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "io/safetensors_header.h"
#include "trs/number.h"

#include <string_view>

namespace trrt {

namespace {

[[noreturn]] void fail(const std::string &path, const std::string &what) {
  throw Error(TRRT_INVALID_FILE, printable(path) + ": not a valid .npy file: " + what);
}

// The text behind 'key': up to the comma or bracket that ends its value.
std::string_view valueOf(std::string_view header, std::string_view key, const std::string &path) {
  const std::string quoted = "'" + std::string(key) + "':";
  const size_t at = header.find(quoted);
  if (at == std::string_view::npos)
    fail(path, "its header has no '" + std::string(key) + "'");
  std::string_view rest = header.substr(at + quoted.size());
  while (!rest.empty() && rest.front() == ' ')
    rest.remove_prefix(1);
  const bool isTuple = !rest.empty() && rest.front() == '(';
  const size_t end = rest.find(isTuple ? ')' : ',');
  if (end == std::string_view::npos)
    fail(path, "its header ends early");
  return rest.substr(0, isTuple ? end + 1 : end);
}

std::string typeOf(std::string_view text, const std::string &path) {
  struct Row {
    std::string_view numpy, name;
  };
  constexpr Row kRows[] = {{"|u1", "U8"},  {"|i1", "I8"},  {"|b1", "BOOL"}, {"<u2", "U16"},
                           {"<i2", "I16"}, {"<u4", "U32"}, {"<i4", "I32"},  {"<u8", "U64"},
                           {"<i8", "I64"}, {"<f2", "F16"}, {"<f4", "F32"},  {"<f8", "F64"}};
  for (const Row &row : kRows)
    if (text == "'" + std::string(row.numpy) + "'")
      return std::string(row.name);
  fail(path, "expected numbers in little-endian order, but got type " + printable(text));
}

std::vector<int64_t> shapeOf(std::string_view text, const std::string &path) {
  std::vector<int64_t> shape;
  if (text.size() < 2 || text.front() != '(')
    fail(path, "its shape is no tuple");
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    while (!word.empty() && word.front() == ' ')
      word.remove_prefix(1);
    if (word.empty() && text.empty())
      break;
    int64_t extent = 0;
    if (!trs::parseInteger(word, extent).empty() || extent < 0)
      fail(path, "its shape is no tuple of extents");
    shape.push_back(extent);
  }
  return shape;
}

uint64_t bytesOf(const NpyArray &array, const std::string &path) {
  uint64_t bits = dtypeBits(array.dtype);
  for (const int64_t extent : array.shape)
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(extent), &bits))
      fail(path, "its shape is too large");
  return bits / 8;
}

} // namespace

NpyArray parseNpy(std::vector<uint8_t> bytes, const std::string &path) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.substr(0, 6) != "\x93NUMPY" || text.size() < 10)
    fail(path, "it does not begin with NumPy's magic number");
  const size_t lengthBytes = bytes[6] == 1 ? 2 : 4;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes.size() < 8 + lengthBytes)
    fail(path, "its version is not known");
  size_t length = 0;
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | bytes[8 + i];
  const size_t begin = 8 + lengthBytes;
  if (length > bytes.size() - begin)
    fail(path, "its header ends early");
  const std::string_view header = text.substr(begin, length);
  NpyArray array;
  array.dtype = typeOf(valueOf(header, "descr", path), path);
  if (valueOf(header, "fortran_order", path) != "False")
    fail(path, "the array is in Fortran order; save numpy.ascontiguousarray of it");
  array.shape = shapeOf(valueOf(header, "shape", path), path);
  const uint64_t expected = bytesOf(array, path), got = bytes.size() - begin - length;
  if (expected != got)
    fail(path,
         "expected " + std::to_string(expected) + " bytes of data, but got " + std::to_string(got));
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin + length));
  array.data = std::move(bytes);
  return array;
}

NpyArray readNpy(const std::string &path) { return parseNpy(readRegularFile(path, ".npy"), path); }

} // namespace trrt
