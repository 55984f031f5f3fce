// SPDX-License-Identifier: Apache-2.0
//
// Kernel libraries of this build, for tests that make devices of them.
#ifndef TRRT_TEST_TEST_LIBRARIES_H
#define TRRT_TEST_TEST_LIBRARIES_H

#include "trk/library.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace trrt::test {

inline const trk::Library &libraryOf(std::string_view name) {
  if (const trk::Library *library = trk::findLibrary(name))
    return *library;
  throw std::logic_error("no library of this name");
}

inline std::vector<std::string> libraryNames() {
  std::vector<std::string> names;
  for (const trk::Library &library : trk::libraries())
    names.emplace_back(library.name);
  return names;
}

} // namespace trrt::test

#endif // TRRT_TEST_TEST_LIBRARIES_H
