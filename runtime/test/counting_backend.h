// SPDX-License-Identifier: Apache-2.0
//
// A backend that counts what another one is asked to prepare.
#ifndef TRRT_TEST_COUNTING_BACKEND_H
#define TRRT_TEST_COUNTING_BACKEND_H

#include "backend/backend.h"

#include <memory>
#include <utility>

namespace trrt::test {

class CountingBackend final : public Backend {
public:
  explicit CountingBackend(std::unique_ptr<Backend> backend) : inner(std::move(backend)) {}

  // Blocks, bound calls and captures so far.
  int64_t prepared() const { return count; }
  int64_t captures() const { return captureCount; }

  const char *name() const override { return inner->name(); }
  int threads() const override { return inner->threads(); }
  uint64_t memoryBytes() const override { return inner->memoryBytes(); }
  uint8_t *allocateArena(uint64_t bytes) override { return ++count, inner->allocateArena(bytes); }
  uint8_t *allocateStaging(uint64_t bytes) override {
    return ++count, inner->allocateStaging(bytes);
  }
  void upload(void *device, const void *host, uint64_t bytes) override {
    inner->upload(device, host, bytes);
  }
  void download(void *host, const void *device, uint64_t bytes) const override {
    inner->download(host, device, bytes);
  }
  bool hasKernel(trk::Opcode op) const override { return inner->hasKernel(op); }
  CallId bind(const CallSpec &spec, std::string &error) override {
    return ++count, inner->bind(spec, error);
  }
  void finishBinding() override { ++count, inner->finishBinding(); }
  uint64_t scratchBytes() const override { return inner->scratchBytes(); }
  CaptureId capture(const std::vector<CallId> &calls) override {
    return ++count, ++captureCount, inner->capture(calls);
  }
  void replay(CaptureId capture) override { inner->replay(capture); }
  void replay(CaptureId capture, CallObserver &observer) override {
    inner->replay(capture, observer);
  }
  std::string implementation(CallId call) const override { return inner->implementation(call); }
  void synchronise() override { inner->synchronise(); }

private:
  std::unique_ptr<Backend> inner;
  int64_t count = 0, captureCount = 0;
};

} // namespace trrt::test

#endif // TRRT_TEST_COUNTING_BACKEND_H
