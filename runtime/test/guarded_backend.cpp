// SPDX-License-Identifier: Apache-2.0
//
// Every call is a captured list of its own, so that the guard can change between
// two calls.
#include "guarded_backend.h"

#include "base/status.h"

#include "base/poison.h"

namespace trrt::test {

namespace {

class GuardedBackend final : public Backend {
public:
  ~GuardedBackend() override { ASAN_UNPOISON_MEMORY_REGION(arena, arenaBytes); }

  const char *name() const override { return inner->name(); }
  int threads() const override { return 1; }
  uint64_t memoryBytes() const override { return inner->memoryBytes(); }
  uint8_t *allocateArena(uint64_t bytes) override {
    arena = inner->allocateArena(bytes);
    arenaBytes = bytes;
    return arena;
  }
  uint8_t *allocateStaging(uint64_t bytes) override { return inner->allocateStaging(bytes); }
  void upload(void *device, const void *host, uint64_t bytes) override {
    inner->upload(device, host, bytes);
  }
  void download(void *host, const void *device, uint64_t bytes) const override {
    inner->download(host, device, bytes);
  }
  bool hasKernel(trk::Opcode op) const override { return inner->hasKernel(op); }

  CallId bind(const CallSpec &spec, std::string &error) override {
    const CallId id = inner->bind(spec, error);
    guards.resize(id + 1);
    for (const trk::Tensor &tensor : spec.operands)
      if (tensor.data)
        guards[id].operands.push_back({static_cast<const uint8_t *>(tensor.data), bytesOf(tensor)});
    return id;
  }
  void finishBinding() override {
    inner->finishBinding();
    for (CallId id = 0; id < guards.size(); ++id)
      guards[id].capture = inner->capture({id});
  }
  uint64_t scratchBytes() const override { return inner->scratchBytes(); }

  CaptureId capture(const std::vector<CallId> &calls) override {
    captures.push_back(calls);
    return static_cast<CaptureId>(captures.size() - 1);
  }
  void replay(CaptureId capture) override {
    for (const CallId id : captures.at(capture)) {
      ASAN_POISON_MEMORY_REGION(arena, arenaBytes);
      for (const Span &span : guards.at(id).operands)
        ASAN_UNPOISON_MEMORY_REGION(span.data, span.bytes);
      inner->replay(guards[id].capture);
    }
    ASAN_UNPOISON_MEMORY_REGION(arena, arenaBytes);
  }
  void replay(CaptureId, CallObserver &) override {
    throw Error(TRRT_UNSUPPORTED, "a guarded backend has no observed replay");
  }
  std::string implementation(CallId call) const override { return inner->implementation(call); }
  void synchronise() override { inner->synchronise(); }

private:
  struct Span {
    const uint8_t *data;
    uint64_t bytes;
  };
  struct Guard {
    std::vector<Span> operands;
    CaptureId capture = 0;
  };

  static uint64_t bytesOf(const trk::Tensor &tensor) {
    uint64_t bytes = static_cast<uint64_t>(trk::dtypeBytes(tensor.dtype));
    for (const int64_t extent : tensor.dims)
      bytes *= static_cast<uint64_t>(extent);
    return bytes;
  }

  std::unique_ptr<Backend> inner = createBackend("reference", 1, uint64_t{1} << 30);
  uint8_t *arena = nullptr;
  uint64_t arenaBytes = 0;
  std::vector<Guard> guards; // by call
  std::vector<std::vector<CallId>> captures;
};

} // namespace

std::unique_ptr<Backend> guardedBackend() { return std::make_unique<GuardedBackend>(); }

} // namespace trrt::test
