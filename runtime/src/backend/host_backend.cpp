// SPDX-License-Identifier: Apache-2.0
//
// Host memory, a thread pool and a list of function calls.
#include "backend/host_backend.h"

#include "base/float_mode.h"
#include "base/status.h"
#include "base/text.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace trrt {

HostBackend::HostBackend(std::string name, void (*fill)(trk::KernelTable &table), int threads,
                         uint64_t memoryBytes, trk::Isa isa)
    : backendName(std::move(name)), memoryLimit(memoryBytes ? memoryBytes : availableMemory()),
      mostIsa(isa), pool(threads > 0 ? threads : ThreadPool::availableThreads()) {
  fill(kernels);
}

HostBackend::~HostBackend() {
  for (Bound &b : bound) {
    const trk::Kernel &kernel = kernels[static_cast<uint32_t>(b.call.op)];
    if (kernel.release && b.call.state)
      kernel.release(b.call.state);
  }
}

void *HostBackend::Blocks::block(const std::string &name, int64_t size) {
  const auto [found, isNew] = blocks.try_emplace(name);
  if (isNew) {
    found->second = HostMemory(static_cast<uint64_t>(size));
    bytes += static_cast<uint64_t>(size);
  }
  return found->second.data();
}

uint8_t *HostBackend::allocateArena(uint64_t bytes) { return allocateStaging(bytes); }

uint8_t *HostBackend::allocateStaging(uint64_t bytes) {
  blocks.emplace_back(bytes);
  return blocks.back().data();
}

void HostBackend::upload(void *device, const void *host, uint64_t bytes) {
  std::memcpy(device, host, bytes);
}

void HostBackend::download(void *host, const void *device, uint64_t bytes) const {
  std::memcpy(host, device, bytes);
}

bool HostBackend::hasKernel(trk::Opcode op) const {
  return kernels[static_cast<uint32_t>(op)].run != nullptr;
}

CallId HostBackend::bind(const CallSpec &spec, std::string &error) {
  const trk::Kernel &kernel = kernels[static_cast<uint32_t>(spec.op)];
  Bound &b = bound.emplace_back();
  b.operands = spec.operands;
  b.attrs = spec.attrs;
  b.call.op = spec.op;
  b.call.operands = b.operands.data();
  b.call.attrs = b.attrs.data();
  b.call.parallel = &pool;
  b.call.shared = &shared;
  b.call.algorithm = spec.algorithm;
  b.call.slices = spec.slices;
  b.call.staging = spec.staging;
  const FlushDenormals flush;
  if (kernel.prepare)
    error = kernel.prepare(b.call, &b.call.state);
  if (error.empty() && kernel.scratch)
    scratchSize = std::max(scratchSize, static_cast<uint64_t>(kernel.scratch(b.call)));
  return static_cast<CallId>(bound.size() - 1);
}

void HostBackend::finishBinding() {
  scratch = HostMemory(scratchSize);
  for (Bound &b : bound)
    b.call.scratch = scratch.data();
}

CaptureId HostBackend::capture(const std::vector<CallId> &calls) {
  std::vector<Entry> &entries = captures.emplace_back();
  entries.reserve(calls.size());
  for (const CallId id : calls) {
    const trk::Call &call = bound.at(id).call;
    entries.push_back({kernels[static_cast<uint32_t>(call.op)].run, &call});
  }
  return static_cast<CaptureId>(captures.size() - 1);
}

void HostBackend::replay(CaptureId capture) {
  const FlushDenormals flush;
  for (const Entry &entry : captures[capture])
    entry.run(*entry.call);
}

static uint64_t nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

void HostBackend::replay(CaptureId capture, CallObserver &observer) {
  const FlushDenormals flush;
  for (size_t i = 0; i < captures[capture].size(); ++i) {
    const Entry &entry = captures[capture][i];
    const uint64_t begin = nanoseconds();
    entry.run(*entry.call);
    observer.called(i, begin, nanoseconds());
  }
}

std::string HostBackend::implementation(CallId id) const {
  const trk::Call &call = bound.at(id).call;
  const trk::Kernel &kernel = kernels[static_cast<uint32_t>(call.op)];
  return kernel.describe ? kernel.describe(call) : std::string();
}

namespace {

struct HostBackendInfo {
  const char *name;
  void (*fill)(trk::KernelTable &table);
  bool plainLoops; // runs any plan on any CPU
};

} // namespace

// The first is the default of tools.
static constexpr HostBackendInfo kHostBackends[] = {
    {"cpu", trk::fillCpuKernels, false},
    {"reference", trk::fillReferenceKernels, true},
};

std::vector<std::string> backendNames() {
  std::vector<std::string> names;
  for (const HostBackendInfo &info : kHostBackends)
    names.push_back(info.name);
  return names;
}

std::unique_ptr<Backend> createBackend(const std::string &name, int threads, uint64_t memoryBytes,
                                       trk::Isa machine) {
  for (const HostBackendInfo &info : kHostBackends)
    if (name == info.name)
      return std::make_unique<HostBackend>(name, info.fill, threads, memoryBytes,
                                           info.plainLoops ? kEveryIsa : machine);
  std::string known;
  for (const HostBackendInfo &info : kHostBackends)
    known += std::string(known.empty() ? "" : " or ") + info.name;
  throw Error(TRRT_INVALID_ARGUMENT,
              "unknown backend '" + printable(name) + "'; expected " + known);
}

} // namespace trrt
