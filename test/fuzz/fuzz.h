// SPDX-License-Identifier: Apache-2.0
//
// What all fuzz targets share: the entry points of libFuzzer, and numbers that a
// mutator may draw.
#ifndef RENAISSANCE_TEST_FUZZ_FUZZ_H
#define RENAISSANCE_TEST_FUZZ_FUZZ_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed);
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t sizeA, const uint8_t *b,
                                            size_t sizeB, uint8_t *out, size_t maxSize,
                                            unsigned seed);
// Defined by libFuzzer.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace fuzz {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  size_t below(size_t limit) { return limit == 0 ? 0 : engine() % limit; }

private:
  std::minstd_rand engine;
};

// A claim about the code under test that has turned out to be false.
[[noreturn]] inline void finding(const char *claim, const char *detail) {
  std::fprintf(stderr, "finding: expected %s, but got: %s\n", claim, detail);
  std::abort();
}

// Hands `bytes` to libFuzzer where they fit.
inline size_t give(const std::vector<uint8_t> &bytes, uint8_t *out, size_t maxSize) {
  if (bytes.empty() || bytes.size() > maxSize)
    return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

} // namespace fuzz

#endif // RENAISSANCE_TEST_FUZZ_FUZZ_H
