// SPDX-License-Identifier: Apache-2.0
//
// A folder that goes away with the test, and files in it.
#ifndef TRS_TEST_SCRATCH_H
#define TRS_TEST_SCRATCH_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace trs {

class Scratch {
public:
  Scratch() {
    std::string text = (std::filesystem::temp_directory_path() / "trs-XXXXXX").string();
    folder = mkdtemp(text.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder); }

  std::string operator/(const std::string &name) const { return folder + "/" + name; }
  std::string write(const std::string &name, const std::string &content) const {
    std::ofstream(*this / name) << content;
    return *this / name;
  }
  std::string read(const std::string &name) const {
    std::ifstream file(*this / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t countFiles() const {
    const std::filesystem::directory_iterator files(folder);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  std::string folder;
};

} // namespace trs

#endif // TRS_TEST_SCRATCH_H
