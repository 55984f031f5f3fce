// SPDX-License-Identifier: Apache-2.0
//
// The kernel libraries of this build. A new one is a row here.
#include "trk/library.h"

#include "cpu/cpu.h"
#include "reference/reference.h"
#include "trk/cpu_targets.h"

namespace trk {

// The reference library runs any plan of its kind of device.
static trf::Target greatestCpuTarget() {
  trf::Target greatest = trf::Target::CpuAny;
  for (const trf::TargetRow &row : trf::kTargets)
    if (row.device == trf::DeviceKind::Cpu && row.rank > trf::row(greatest).rank)
      greatest = row.value;
  return greatest;
}

static constexpr Library kLibraries[] = {
#if defined(TRK_HAVE_ONEDNN)
    {"cpu", trf::DeviceKind::Cpu, cpu::fillKernels, cpuTarget},
#endif
    {"reference", trf::DeviceKind::Cpu, reference::fillKernels, greatestCpuTarget},
};

trf::Rows<Library> libraries() { return {kLibraries, std::size(kLibraries)}; }

const Library *findLibrary(std::string_view name) {
  for (const Library &library : kLibraries)
    if (library.name == name)
      return &library;
  return nullptr;
}

} // namespace trk
