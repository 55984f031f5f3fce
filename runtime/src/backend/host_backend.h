// SPDX-License-Identifier: Apache-2.0
//
// The backend of every kernel table that runs in this process' memory.
#ifndef TRRT_BACKEND_HOST_BACKEND_H
#define TRRT_BACKEND_HOST_BACKEND_H

#include "backend/backend.h"
#include "base/host_memory.h"
#include "base/thread_pool.h"

#include <deque>
#include <map>

namespace trrt {

class HostBackend final : public Backend {
public:
  // `fill` sets the entries of a zeroed kernel table.
  HostBackend(std::string name, void (*fill)(trk::KernelTable &table), int threads,
              uint64_t memoryBytes = 0, trk::Isa isa = kEveryIsa);
  ~HostBackend() override;

  const char *name() const override { return backendName.c_str(); }
  int threads() const override { return pool.threads(); }
  trk::Isa isa() const override { return mostIsa; }
  uint64_t memoryBytes() const override { return memoryLimit; }
  uint8_t *allocateArena(uint64_t bytes) override;
  uint8_t *allocateStaging(uint64_t bytes) override;
  void upload(void *device, const void *host, uint64_t bytes) override;
  void download(void *host, const void *device, uint64_t bytes) const override;
  bool hasKernel(trk::Opcode op) const override;
  CallId bind(const CallSpec &spec, std::string &error) override;
  void finishBinding() override;
  uint64_t scratchBytes() const override { return scratchSize; }
  uint64_t sharedBytes() const override { return shared.bytes; }
  CaptureId capture(const std::vector<CallId> &calls) override;
  void replay(CaptureId capture) override;
  void replay(CaptureId capture, CallObserver &observer) override;
  std::string implementation(CallId call) const override;
  void synchronise() override {}

private:
  // Owns what a trk::Call points to.
  struct Bound {
    std::vector<trk::Tensor> operands;
    std::vector<trk::Attr> attrs;
    trk::Call call;
  };
  // Blocks by name, and their bytes.
  class Blocks final : public trk::SharedMemory {
  public:
    void *block(const std::string &name, int64_t bytes) override;
    uint64_t bytes = 0;

  private:
    std::map<std::string, HostMemory> blocks;
  };
  // A resolved step: what replay() walks.
  struct Entry {
    void (*run)(const trk::Call &call);
    const trk::Call *call;
  };

  std::string backendName;
  uint64_t memoryLimit;
  trk::Isa mostIsa;
  ThreadPool pool;
  trk::KernelTable kernels = {};
  std::vector<HostMemory> blocks;
  std::deque<Bound> bound; // a deque: calls are pointed to
  std::vector<std::vector<Entry>> captures;
  Blocks shared;
  HostMemory scratch;
  uint64_t scratchSize = 0;
};

} // namespace trrt

#endif // TRRT_BACKEND_HOST_BACKEND_H
