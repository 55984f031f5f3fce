// SPDX-License-Identifier: Apache-2.0
//
// Strings of a plan (check V10 of docs/plan-format.md).
#include "check.h"
#include "structure.h"

namespace trf {

namespace {

// Length of the well-formed UTF-8 character at `text`, or 0. Control characters
// are not well-formed here: names go to terminals and one-line messages.
size_t characterLength(const uint8_t *text, size_t size) {
  const uint8_t lead = text[0];
  if (lead < 0x80)
    return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || size < length)
    return 0;
  // The second byte rules out overlong forms, surrogates and values past U+10FFFF.
  const uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (text[1] < low || text[1] > high)
    return 0;
  for (size_t i = 2; i < length; ++i)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  // U+0080 to U+009F are control characters too.
  return lead == 0xc2 && text[1] < 0xa0 ? 0 : length;
}

bool isPlainText(const uint8_t *text, size_t size) {
  while (size != 0) {
    const size_t length = characterLength(text, size);
    if (length == 0)
      return false;
    text += length;
    size -= length;
  }
  return true;
}

} // namespace

void verifyStrings(const PlanRecords &records) {
  const std::vector<uint8_t> &text = records.stringBytes;
  if (text.size() > UINT32_MAX)
    rejectSection(Section::StringBytes, "expected at most " + std::to_string(UINT32_MAX) +
                                            " bytes, but got " + std::to_string(text.size()));
  uint64_t end = 0;
  for (size_t i = 0; i < records.strings.size(); ++i) {
    const trf_string &s = records.strings[i];
    const Field offset{Section::Strings, i, "offset"}, bytes{Section::Strings, i, "bytes"};
    offset.require(s.offset == end, "the strings do not follow each other without gaps");
    bytes.within(s.bytes, 0, TRF_MAX_STRING_BYTES);
    bytes.span(s.offset, s.bytes, text.size());
    if (!isPlainText(text.data() + s.offset, s.bytes))
      throw FormatError({Section::Strings, static_cast<uint32_t>(i)}, "",
                        "expected UTF-8 text without control characters");
    end += s.bytes;
  }
  if (records.strings.empty() || records.strings[0].bytes != 0)
    throw FormatError({Section::Strings, 0}, "", "expected the empty string");
  if (end != text.size())
    rejectSection(Section::StringBytes, "expected " + std::to_string(end) + " bytes, but got " +
                                            std::to_string(text.size()));
}

} // namespace trf
