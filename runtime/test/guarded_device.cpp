// SPDX-License-Identifier: Apache-2.0
//
// Guards by AddressSanitizer and by the rights of pages.
#include "guarded_device.h"

#include "base/poison.h"
#include "base/status.h"
#include "device/cpu_device.h"
#include "test_libraries.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace trrt::test {

namespace {

// Every call is a captured graph of its own, so that the guard can change between two calls.
class GuardedDevice final : public CpuDevice {
public:
  GuardedDevice() : CpuDevice(libraryOf("reference"), 1, uint64_t{1} << 30) {}
  ~GuardedDevice() override {
    if (arenaBytes != 0)
      ASAN_UNPOISON_MEMORY_REGION(addressOf(0), arenaBytes);
  }

  void allocateArena(uint64_t bytes) override {
    CpuDevice::allocateArena(bytes);
    arenaBytes = bytes;
  }
  CallId bind(const CallSpec &spec, std::string &error) override {
    const CallId id = CpuDevice::bind(spec, error);
    guards.resize(id + 1);
    for (const OperandSpec &operand : spec.operands)
      if (operand.offset)
        guards[id].operands.push_back({*operand.offset, bytesOf(operand)});
    return id;
  }
  void finishBinding() override {
    CpuDevice::finishBinding();
    for (CallId id = 0; id < guards.size(); ++id)
      guards[id].capture = CpuDevice::capture({{{id, {}}}, {}});
  }
  CaptureId capture(const Graph &graph) override {
    captures.push_back(graph.nodes);
    return static_cast<CaptureId>(captures.size() - 1);
  }
  void replay(CaptureId capture) override {
    for (const GraphNode &node : captures.at(capture)) {
      ASAN_POISON_MEMORY_REGION(addressOf(0), arenaBytes);
      for (const Span &span : guards.at(node.call).operands)
        ASAN_UNPOISON_MEMORY_REGION(addressOf(span.offset), span.bytes);
      CpuDevice::replay(guards[node.call].capture);
    }
    ASAN_UNPOISON_MEMORY_REGION(addressOf(0), arenaBytes);
  }
  void replay(CaptureId, CallObserver &) override {
    throw Error(TRRT_UNSUPPORTED, "a guarded device has no observed replay");
  }

private:
  struct Span {
    uint64_t offset, bytes;
  };
  struct Guard {
    std::vector<Span> operands;
    CaptureId capture = 0;
  };

  // Channels of others between those of a run are within reach.
  static uint64_t bytesOf(const OperandSpec &operand) {
    const trf::Dims &d = operand.dims;
    const int64_t elements = (d[0] * d[1] * d[2] - 1) * operand.pitch + d[3];
    return static_cast<uint64_t>(elements * trf::bytesOf(operand.dtype));
  }

  uint64_t arenaBytes = 0;
  std::vector<Guard> guards; // by call
  std::vector<std::vector<GraphNode>> captures;
};

class RemoteDevice final : public CpuDevice {
public:
  explicit RemoteDevice(const std::string &library) : CpuDevice(libraryOf(library), 2) {}
  ~RemoteDevice() override { setReach(true); }

  void allocateArena(uint64_t bytes) override {
    // Whole pages, so that nothing else lies beside the arena.
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    arenaBytes = (bytes + page - 1) / page * page;
    CpuDevice::allocateArena(arenaBytes);
    setReach(false);
  }
  void upload(uint64_t offset, const void *host, uint64_t bytes) override {
    const Reach reach(*this);
    CpuDevice::upload(offset, host, bytes);
  }
  void download(void *host, uint64_t offset, uint64_t bytes) const override {
    const Reach reach(*this);
    CpuDevice::download(host, offset, bytes);
  }
  void fill(uint64_t offset, uint64_t bytes, uint32_t word) override {
    const Reach reach(*this);
    CpuDevice::fill(offset, bytes, word);
  }
  void replay(CaptureId capture) override {
    const Reach reach(*this);
    CpuDevice::replay(capture);
  }
  void replay(CaptureId capture, CallObserver &observer) override {
    const Reach reach(*this);
    CpuDevice::replay(capture, observer);
  }

  uint32_t readFirstWord() const {
    return *reinterpret_cast<volatile const uint32_t *>(addressOf(0));
  }

private:
  void setReach(bool open) const {
    if (arenaBytes != 0 &&
        mprotect(addressOf(0), arenaBytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
      throw Error(TRRT_INTERNAL, std::strerror(errno));
  }
  // The arena within reach for as long as the object lives.
  class Reach {
  public:
    explicit Reach(const RemoteDevice &device) : device(device) { device.setReach(true); }
    ~Reach() { device.setReach(false); }
    Reach(const Reach &) = delete;
    Reach &operator=(const Reach &) = delete;

  private:
    const RemoteDevice &device;
  };

  uint64_t arenaBytes = 0;
};

} // namespace

std::unique_ptr<Device> guardedDevice() { return std::make_unique<GuardedDevice>(); }

std::unique_ptr<Device> remoteDevice(const std::string &library) {
  return std::make_unique<RemoteDevice>(library);
}

uint32_t readRemoteArena(const Device &device) {
  return static_cast<const RemoteDevice &>(device).readFirstWord();
}

} // namespace trrt::test
