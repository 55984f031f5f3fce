// SPDX-License-Identifier: Apache-2.0
//
// The list of libraries, and that their kernel tables are complete.
#include "run_kernel.h"
#include "trk/cpu_targets.h"

#include <gtest/gtest.h>

#include <set>

using namespace trk;
using namespace trk::test;

// Ops without a type variable exist in the first instance only; devices transfer.
TEST(LibrariesTest, HaveEveryKernel) {
  for (const Library &library : libraries()) {
    KernelTable table;
    library.fill(table);
    for (const trf::OpInfo &op : trf::kOps)
      for (const trf::InstanceRow &instance : trf::kInstances) {
        const bool exists = op.stream != trf::Stream::Transfer &&
                            (trf::hasInstances(op) || instance.value == Instance{});
        EXPECT_EQ(table.at(op.opcode, instance.value).run != nullptr, exists)
            << library.name << ": " << op.name << " " << instance.name;
      }
  }
}

TEST(LibrariesTest, AreFoundByName) {
  std::set<std::string_view> names;
  for (const Library &library : libraries()) {
    EXPECT_TRUE(names.insert(library.name).second) << library.name;
    EXPECT_EQ(findLibrary(library.name), &library);
  }
  EXPECT_NE(findLibrary("reference"), nullptr);
  EXPECT_EQ(findLibrary("cp"), nullptr);
}

// Whatever a plan asks for of a CPU, the reference library runs it; `cpu` says what is there.
TEST(LibrariesTest, TargetsAreOfTheirDevice) {
  for (const Library &library : libraries())
    EXPECT_EQ(trf::row(library.target()).device, library.device) << library.name;
  const int most = trf::row(findLibrary("reference")->target()).rank;
  for (const trf::TargetRow &row : trf::kTargets)
    if (row.device == trf::DeviceKind::Cpu) {
      EXPECT_LE(row.rank, most) << row.name;
    }
  if (const Library *cpu = findLibrary("cpu")) {
    EXPECT_EQ(cpu, libraries().begin()) << "the default";
    EXPECT_EQ(cpu->target(), cpuTarget());
  }
}
