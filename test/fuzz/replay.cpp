// SPDX-License-Identifier: Apache-2.0
//
// Stands in for libFuzzer where the compiler has none: runs a target on the files of a folder, then
// on inputs that its own mutator makes of them, each number of them always the same.
// usage: TARGET FOLDER [number of mutated inputs, default 0 [first seed]]
#include "fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t) {
  static fuzz::Random random(1);
  for (size_t rounds = 1 + random.below(4); rounds > 0 && size > 0; --rounds)
    data[random.below(size)] = static_cast<uint8_t>(random.below(256));
  return size;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "error: expected a folder with inputs\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(argv[1]))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::vector<uint8_t>> inputs;
  for (const std::filesystem::path &path : files) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    std::fprintf(stderr, "%s\n", path.c_str()); // the last one is the one that ended the program
    LLVMFuzzerTestOneInput(inputs.back().data(), inputs.back().size());
  }
  const unsigned count = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
  const unsigned first = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
  constexpr size_t kMaxSize = 1 << 17;
  for (unsigned seed = first; seed < first + count; ++seed) {
    fuzz::Random random(seed * 2654435761U | 1U);
    std::vector<uint8_t> input = inputs[random.below(inputs.size())];
    for (size_t rounds = 1 + random.below(3); rounds > 0; --rounds) {
      size_t size = input.size();
      input.resize(kMaxSize);
      input.resize(LLVMFuzzerCustomMutator(input.data(), size, kMaxSize,
                                           static_cast<unsigned>(random.below(1U << 30))));
    }
    std::ofstream("last-input", std::ios::binary)
        .write(reinterpret_cast<const char *>(input.data()),
               static_cast<std::streamsize>(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::fprintf(stderr, "%zu files and %u mutated inputs: no finding\n", files.size(), count);
  return 0;
}
