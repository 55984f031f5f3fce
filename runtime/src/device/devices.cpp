// SPDX-License-Identifier: Apache-2.0
//
// From names to devices, over the list of kernel libraries.
#include "device/devices.h"

#include "base/status.h"
#include "base/text.h"
#include "device/cpu_device.h"

namespace trrt {

static constexpr const char *kAuto = "auto";

std::vector<std::string> deviceNames() {
  std::vector<std::string> names = {kAuto};
  for (const trk::Library &library : trk::libraries())
    names.emplace_back(library.name);
  return names;
}

std::unique_ptr<Device> createDevice(const std::string &name, int threads, uint64_t memoryBytes) {
  const trk::Library *library = name == kAuto ? trk::libraries().begin() : trk::findLibrary(name);
  if (!library)
    throw Error(TRRT_INVALID_ARGUMENT, "unknown device '" + printable(name) + "'; expected " +
                                           joined(deviceNames(), " or ") +
                                           didYouMean(name, deviceNames()));
  return createDevice(*library, threads, memoryBytes);
}

std::unique_ptr<Device> createDevice(const trk::Library &library, int threads,
                                     uint64_t memoryBytes) {
  // Each library is for one kind of device, and CPUs are the only kind.
  static_assert(trf::kCount<trf::DeviceKind> == 1);
  return std::make_unique<CpuDevice>(library, threads, memoryBytes);
}

} // namespace trrt
