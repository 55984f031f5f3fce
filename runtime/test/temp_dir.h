// SPDX-License-Identifier: Apache-2.0
//
// A folder that is gone when the test ends.
#ifndef TRRT_TEST_TEMP_DIR_H
#define TRRT_TEST_TEMP_DIR_H

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace trrt_test {

class TempDir {
public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "trrt-test-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a temporary folder");
    folder = name;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder, ignored);
  }
  TempDir(const TempDir &) = delete;
  TempDir &operator=(const TempDir &) = delete;

  const std::string &path() const { return folder; }
  std::string file(const std::string &name) const { return folder + "/" + name; }
  std::string write(const std::string &name, const std::vector<uint8_t> &bytes) const {
    std::ofstream out(file(name), std::ios::binary);
    out.write(reinterpret_cast<const char *>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    return file(name);
  }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    return names;
  }

private:
  std::string folder;
};

// The message of the exception that `body` throws; empty: it throws none.
template <typename F> std::string errorOf(F &&body) {
  try {
    body();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

} // namespace trrt_test

#endif // TRRT_TEST_TEMP_DIR_H
