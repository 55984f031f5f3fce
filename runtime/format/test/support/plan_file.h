// SPDX-License-Identifier: Apache-2.0
//
// A plan file taken apart into its sections and put together again, so that what is
// changed in between meets the checks of meaning and not those of checksums.
#ifndef TRF_TEST_PLAN_FILE_H
#define TRF_TEST_PLAN_FILE_H

#include "trf/plan_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trf::test {

struct PlanFile {
  struct Section {
    uint32_t kind = 0, flags = 0, recordBytes = 1, alignLog2 = 6;
    std::vector<uint8_t> bytes; // a multiple of recordBytes

    size_t records() const { return bytes.size() / recordBytes; }
  };

  trf_header header{};
  std::vector<Section> sections;

  // Never reads outside `bytes`. False where the header or the section table does
  // not describe them; the checksums may be wrong.
  static bool split(const uint8_t *bytes, size_t size, PlanFile &file);

  // The file, with places, sizes, checksums and content id that fit the sections.
  std::vector<uint8_t> join() const;
};

// Makes the checksums of the section table and of the header fit, for damage to
// these two. The header must hold its real size of the table.
void sealTable(std::vector<uint8_t> &bytes);

} // namespace trf::test

#endif // TRF_TEST_PLAN_FILE_H
