// SPDX-License-Identifier: Apache-2.0
//
// Kernel libraries: tables of kernels for one kind of device. libraries.cpp lists them all.
#ifndef TRK_LIBRARY_H
#define TRK_LIBRARY_H

#include "trk/kernel.h"

namespace trk {

struct Library {
  std::string_view name; // "cpu"
  trf::DeviceKind device;
  // Adds the library's kernels to an empty table.
  void (*fill)(KernelTable &table);
  // The most that a plan may ask for where the library runs now.
  trf::Target (*target)();
};

// The first one is the default.
trf::Rows<Library> libraries();
// Null: no library of this name.
const Library *findLibrary(std::string_view name);

} // namespace trk

#endif // TRK_LIBRARY_H
