// SPDX-License-Identifier: Apache-2.0
//
// Adds a library's kernels of one instance to a table.
#ifndef TRK_COMMON_REGISTRAR_H
#define TRK_COMMON_REGISTRAR_H

#include "trk/kernel.h"

namespace trk {

class Registrar {
public:
  Registrar(KernelTable &kernels, Instance of) : table(kernels), instance(of) {}

  void add(Opcode op, const Kernel &kernel) const { table.at(op, instance) = kernel; }
  // A kernel that needs nothing before it runs.
  void add(Opcode op, void (*run)(const Call &)) const { table.at(op, instance).run = run; }

private:
  KernelTable &table;
  Instance instance;
};

} // namespace trk

#endif // TRK_COMMON_REGISTRAR_H
