// SPDX-License-Identifier: Apache-2.0
//
// Texts from outside in messages.
#include "trs/text.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace trs {

static constexpr size_t kLongest = 120;

static void appendEscaped(std::string &out, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\x";
  out += kHex[c >> 4];
  out += kHex[c & 15];
}

// Bytes of the character that begins at `at`, or 0 where it is none: shortest forms only, no
// surrogates, nothing beyond U+10FFFF (Unicode 15, table 3-7).
static size_t utf8Length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  const unsigned second = byte(1);
  const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (out.size() >= kLongest)
      return out + "...";
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const size_t length = utf8Length(text, at);
    // U+0080 to U+009F are control characters too.
    const bool control =
        c < 0x20 || c == 0x7f ||
        (length == 2 && c == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0);
    if (length == 0 || control) {
      for (size_t end = at + (length ? length : 1); at < end; ++at)
        appendEscaped(out, static_cast<unsigned char>(text[at]));
      continue;
    }
    out.append(text, at, length);
    at += length;
  }
  return out;
}

bool hasColour(int descriptor) {
  const char *none = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  return isatty(descriptor) && !(none && *none) && term && std::strcmp(term, "dumb") != 0;
}

} // namespace trs
