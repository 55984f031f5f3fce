// SPDX-License-Identifier: Apache-2.0
//
// A CPU device that counts what it is asked to prepare.
#ifndef TRRT_TEST_COUNTING_DEVICE_H
#define TRRT_TEST_COUNTING_DEVICE_H

#include "device/cpu_device.h"

namespace trrt::test {

class CountingDevice final : public CpuDevice {
public:
  using CpuDevice::CpuDevice;

  // Blocks, bound calls and captures so far.
  int64_t prepared() const { return count; }
  int64_t captures() const { return captureCount; }

  void allocateArena(uint64_t bytes) override {
    ++count;
    CpuDevice::allocateArena(bytes);
  }
  uint8_t *allocateStaging(uint64_t bytes) override {
    ++count;
    return CpuDevice::allocateStaging(bytes);
  }
  CallId bind(const CallSpec &spec, std::string &error) override {
    ++count;
    return CpuDevice::bind(spec, error);
  }
  void finishBinding() override {
    ++count;
    CpuDevice::finishBinding();
  }
  CaptureId capture(const Graph &graph) override {
    ++count;
    ++captureCount;
    return CpuDevice::capture(graph);
  }

private:
  int64_t count = 0, captureCount = 0;
};

} // namespace trrt::test

#endif // TRRT_TEST_COUNTING_DEVICE_H
