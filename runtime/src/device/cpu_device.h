// SPDX-License-Identifier: Apache-2.0
//
// A kernel library in this process' memory, on a pool of threads. Calls run one after the
// other in the order of the graph, each on all threads: edges and streams are not needed.
#ifndef TRRT_DEVICE_CPU_DEVICE_H
#define TRRT_DEVICE_CPU_DEVICE_H

#include "base/host_memory.h"
#include "base/thread_pool.h"
#include "device/device.h"
#include "trk/library.h"

#include <deque>
#include <map>

namespace trrt {

class CpuDevice : public Device {
public:
  // `threads` <= 0: all CPUs of the process. `memoryBytes` 0: the memory that is available now.
  explicit CpuDevice(const trk::Library &library, int threads = 0, uint64_t memoryBytes = 0);
  ~CpuDevice() override;

  std::string name() const override { return std::string(library.name); }
  int threads() const override { return pool.threads(); }
  trf::Target target() const override { return library.target(); }
  uint64_t memoryBytes() const override { return memoryLimit; }
  void allocateArena(uint64_t bytes) override;
  uint8_t *allocateStaging(uint64_t bytes) override;
  void upload(uint64_t offset, const void *host, uint64_t bytes) override;
  void download(void *host, uint64_t offset, uint64_t bytes) const override;
  void fill(uint64_t offset, uint64_t bytes, uint32_t word) override;
  bool hasKernel(trf::Opcode op, trf::Instance instance) const override;
  CallId bind(const CallSpec &spec, std::string &error) override;
  void finishBinding() override;
  uint64_t scratchBytes() const override { return scratchSize; }
  uint64_t sharedBytes() const override { return shared.bytes; }
  std::string implementation(CallId call) const override;
  std::string slowness(CallId call) const override;
  CaptureId capture(const Graph &graph) override;
  void replay(CaptureId capture) override;
  void replay(CaptureId capture, CallObserver &observer) override;
  void synchronise() override {}

protected:
  uint8_t *addressOf(uint64_t offset) const { return arena.data() + offset; }

private:
  // Owns what a trk::Call points to.
  struct Bound {
    std::vector<trk::Tensor> operands;
    std::vector<trf::Attr> attrs;
    trk::Call call;
    void (*run)(const trk::Call &call) = nullptr;
  };
  // Blocks by name, and their bytes.
  class Blocks final : public trk::SharedMemory {
  public:
    void *block(const std::string &name, int64_t bytes) override;
    uint64_t bytes = 0;

  private:
    std::map<std::string, HostMemory> blocks;
  };
  // A resolved node: what replay() walks.
  struct Entry {
    void (*run)(const trk::Call &call);
    const trk::Call *call;
  };

  const trk::Kernel &kernelOf(const trk::Call &call) const {
    return kernels.at(call.op, call.instance);
  }
  Bound &addBound(const CallSpec &spec);
  trk::Tensor resolve(const OperandSpec &operand) const;

  trk::Library library;
  uint64_t memoryLimit;
  ThreadPool pool;
  trk::KernelTable kernels;
  HostMemory arena;
  std::vector<HostMemory> staging;
  std::deque<Bound> bound; // a deque: calls are pointed to
  std::vector<std::vector<Entry>> captures;
  Blocks shared;
  HostMemory scratch;
  uint64_t scratchSize = 0;
};

} // namespace trrt

#endif // TRRT_DEVICE_CPU_DEVICE_H
