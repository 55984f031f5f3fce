// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a plan: read, verified, and where accepted shown by `tr-run inspect` and run
// on guarded memory. The mutator takes the file apart, changes fields or records, and makes every
// checksum fit again.
#include "fuzz.h"

#include "inspect.h"
#include "plan_file.h"
#include "run_plan.h"
#include "trf/plan_records.h"

#include <algorithm>

using trf::test::PlanFile;
using FileSection = PlanFile::Section;

static void inspect(const uint8_t *data, size_t size) {
  trf::Plan plan;
  std::string error;
  if (!trf::readPlan(data, size, plan, error))
    fuzz::finding("a plan to be accepted twice", error.c_str());
  const trrun::InspectOptions all = {true, true};
  trrun::inspectText(plan, all);
  trrun::inspectJson(plan, all);
  for (const trrun::MemorySummary &summary : trrun::summarizeMemory(plan))
    trrun::memoryCsv(summary);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string error;
  try {
    if (trrt::test::readAndRun(data, size, error) != trrt::test::PlanFate::Rejected)
      inspect(data, size);
  } catch (const std::exception &failure) {
    fuzz::finding("a status or a run", failure.what());
  }
  return 0;
}

namespace {

uint32_t loadWord(const uint8_t *at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

void storeWord(uint8_t *at, uint32_t word) { std::memcpy(at, &word, sizeof(word)); }

class Mutator {
public:
  Mutator(PlanFile &file, unsigned seed) : file(file), random(seed) {}

  void mutate() {
    for (size_t i = random.below(3) + 1; i != 0; --i)
      mutateOnce();
  }

  // Damage outside the sections, with fitting checksums; or anywhere without.
  void damage(std::vector<uint8_t> &bytes) {
    const size_t table = TRF_HEADER_BYTES + file.sections.size() * sizeof(trf_section);
    switch (random.below(32)) {
    case 0:
      changeWord(bytes.data() + 4 * random.below(table / 4), nullptr, 0);
      return sealHeaderAndTable(bytes);
    case 1:
      bytes[random.below(bytes.size())] ^= static_cast<uint8_t>(1 << random.below(8));
      return;
    case 2:
      bytes.resize(random.below(bytes.size()) + 1);
      return;
    default:
      return;
    }
  }

private:
  static void sealHeaderAndTable(std::vector<uint8_t> &bytes) {
    const size_t count = loadWord(bytes.data() + offsetof(trf_header, section_count));
    if (count <= TRF_MAX_SECTIONS && TRF_HEADER_BYTES + count * sizeof(trf_section) <= bytes.size())
      trf::test::sealTable(bytes);
  }

  // A small step, an extreme, or the value of another word of the same section.
  void changeWord(uint8_t *at, const FileSection *section, size_t sameField) {
    static constexpr uint32_t kSteps[] = {1, 2, 4, 16, 64, 256, 4096};
    static constexpr uint32_t kValues[] = {
        0, 1, 2, 3, 7, 16, 255, 256, 65536, 0x7fffffff, 0x80000000u, 0xfffffffeu, ~0u};
    uint32_t word = loadWord(at);
    switch (random.below(section ? 8 : 4)) {
    case 0:
      word += kSteps[random.below(7)];
      break;
    case 1:
      word -= kSteps[random.below(7)];
      break;
    case 2:
      word = kValues[random.below(13)];
      break;
    case 3:
      word ^= 1u << random.below(32);
      break;
    case 4:
    case 5:
    case 6: // the same field of another record
      if (section->recordBytes % 4 == 0)
        word = loadWord(section->bytes.data() +
                        random.below(section->records()) * section->recordBytes + sameField);
      break;
    default:
      word = static_cast<uint32_t>(random.below(section->records() + 1));
    }
    storeWord(at, word);
  }

  FileSection &pick() {
    std::vector<FileSection *> full;
    for (FileSection &section : file.sections)
      if (section.bytes.size() >= 4)
        full.push_back(&section);
    return full.empty() ? file.sections[0] : *full[random.below(full.size())];
  }

  void mutateOnce() {
    FileSection &section = pick();
    if (section.bytes.size() < 4)
      return;
    switch (random.below(12)) {
    case 0:
      return mutateBytes(section);
    case 1:
      return copyRecord(section);
    case 2:
      return removeRecord(section);
    case 3:
      return swapRecords(section);
    case 4:
      return replaceEverywhere();
    default:
      const size_t record = random.below(section.records());
      const size_t fields = section.recordBytes / 4;
      const size_t field = 4 * random.below(std::max<size_t>(fields, 1));
      const size_t at = record * section.recordBytes + field;
      if (at + 4 <= section.bytes.size())
        changeWord(section.bytes.data() + at, &section, fields == 0 ? 0 : field);
    }
  }

  void mutateBytes(FileSection &section) {
    const size_t room = section.bytes.size() + 4 * section.recordBytes;
    const size_t used = section.bytes.size();
    section.bytes.resize(room);
    const size_t size = LLVMFuzzerMutate(section.bytes.data(), used, room);
    section.bytes.resize(size / section.recordBytes * section.recordBytes);
  }

  void copyRecord(FileSection &section) {
    const size_t from = random.below(section.records()) * section.recordBytes;
    const size_t to = random.below(section.records() + 1) * section.recordBytes;
    const std::vector<uint8_t> record(section.bytes.begin() + from,
                                      section.bytes.begin() + from + section.recordBytes);
    section.bytes.insert(section.bytes.begin() + to, record.begin(), record.end());
  }

  void removeRecord(FileSection &section) {
    const size_t at = random.below(section.records()) * section.recordBytes;
    section.bytes.erase(section.bytes.begin() + at,
                        section.bytes.begin() + at + section.recordBytes);
  }

  void swapRecords(FileSection &section) {
    uint8_t *a = section.bytes.data() + random.below(section.records()) * section.recordBytes;
    uint8_t *b = section.bytes.data() + random.below(section.records()) * section.recordBytes;
    std::swap_ranges(a, a + section.recordBytes, b);
  }

  // One value by another in all variants, shapes, attributes and parameters: the way
  // to another batch or extent that still fits.
  void replaceEverywhere() {
    const uint32_t from = static_cast<uint32_t>(random.below(12)) + 1;
    const uint32_t to = static_cast<uint32_t>(random.below(12)) + 1;
    const uint32_t kinds = static_cast<uint32_t>(random.below(15)) + 1;
    for (FileSection &section : file.sections) {
      const auto kind = static_cast<trf::Section>(section.kind);
      const bool chosen = (kind == trf::Section::Variants && (kinds & 1)) ||
                          (kind == trf::Section::Shapes && (kinds & 2)) ||
                          (kind == trf::Section::Attrs && (kinds & 4)) ||
                          (kind == trf::Section::Params && (kinds & 8));
      for (size_t at = 0; chosen && at + 4 <= section.bytes.size(); at += 4)
        if (loadWord(section.bytes.data() + at) == from)
          storeWord(section.bytes.data() + at, to);
    }
  }

  PlanFile &file;
  fuzz::Random random;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  PlanFile file;
  if (!PlanFile::split(data, size, file) || file.sections.empty())
    return LLVMFuzzerMutate(data, size, maxSize);
  Mutator mutator(file, seed);
  mutator.mutate();
  std::vector<uint8_t> bytes = file.join();
  mutator.damage(bytes);
  const size_t given = fuzz::give(bytes, data, maxSize);
  return given != 0 ? given : LLVMFuzzerMutate(data, size, maxSize);
}

// Some sections of the second plan replace those of the first.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t sizeA, const uint8_t *b,
                                            size_t sizeB, uint8_t *out, size_t maxSize,
                                            unsigned seed) {
  PlanFile first, second;
  if (!PlanFile::split(a, sizeA, first) || !PlanFile::split(b, sizeB, second))
    return 0;
  fuzz::Random random(seed);
  for (FileSection &section : first.sections)
    for (const FileSection &other : second.sections)
      if (section.kind == other.kind && random.below(8) == 0)
        section = other;
  return fuzz::give(first.join(), out, maxSize);
}
