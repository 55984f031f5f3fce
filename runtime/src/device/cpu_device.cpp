// SPDX-License-Identifier: Apache-2.0
//
// Host memory, a thread pool and lists of function calls.
#include "device/cpu_device.h"

#include "base/process_limits.h"

#include "trk/float_mode.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace trrt {

using trf::Opcode;

namespace {

bool isTransfer(Opcode op) { return trf::info(op).stream == trf::Stream::Transfer; }

// A transfer has no kernel; its state is the staging block.
void copyStaging(const trk::Call &call) {
  constexpr int64_t kSmall = 1 << 16, kLine = 64;
  const trk::Tensor &dst = call[trf::ops::range_h2d::dst];
  const auto *src = static_cast<const uint8_t *>(call.state);
  const int64_t bytes = dst.bytes();
  const int parts = bytes < kSmall ? 1 : std::max(call.slices, 1);
  const int64_t part = (bytes / parts + kLine) / kLine * kLine;
  call.parallel->each(parts, [&](int i) {
    const int64_t begin = std::min(bytes, i * part), end = std::min(bytes, begin + part);
    std::memcpy(dst.u8() + begin, src + begin, static_cast<size_t>(end - begin));
  });
}

uint64_t nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

} // namespace

CpuDevice::CpuDevice(const trk::Library &library, int threads, uint64_t memoryBytes)
    : library(library), memoryLimit(memoryBytes ? memoryBytes : availableMemory()),
      pool(threads > 0 ? threads : availableCpus()) {
  library.fill(kernels);
}

CpuDevice::~CpuDevice() {
  for (Bound &b : bound)
    if (const trk::Kernel &kernel = kernelOf(b.call); kernel.release && b.call.state)
      kernel.release(b.call.state);
}

void *CpuDevice::Blocks::block(const std::string &name, int64_t size) {
  const auto [found, isNew] = blocks.try_emplace(name);
  if (isNew) {
    found->second = HostMemory(static_cast<uint64_t>(size));
    bytes += static_cast<uint64_t>(size);
  }
  return found->second.data();
}

void CpuDevice::allocateArena(uint64_t bytes) { arena = HostMemory(bytes); }

uint8_t *CpuDevice::allocateStaging(uint64_t bytes) { return staging.emplace_back(bytes).data(); }

void CpuDevice::upload(uint64_t offset, const void *host, uint64_t bytes) {
  std::memcpy(addressOf(offset), host, bytes);
}

void CpuDevice::download(void *host, uint64_t offset, uint64_t bytes) const {
  std::memcpy(host, addressOf(offset), bytes);
}

void CpuDevice::fill(uint64_t offset, uint64_t bytes, uint32_t word) {
  std::fill_n(reinterpret_cast<uint32_t *>(addressOf(offset)), bytes / sizeof(word), word);
}

bool CpuDevice::hasKernel(Opcode op, trf::Instance instance) const {
  return isTransfer(op) || kernels.at(op, instance).run != nullptr;
}

trk::Tensor CpuDevice::resolve(const OperandSpec &operand) const {
  trk::Tensor tensor;
  if (operand.offset)
    tensor.data = addressOf(*operand.offset);
  std::copy(operand.dims.begin(), operand.dims.end(), tensor.dims);
  tensor.pitch = operand.pitch;
  tensor.dtype = operand.dtype;
  return tensor;
}

CpuDevice::Bound &CpuDevice::addBound(const CallSpec &spec) {
  Bound &b = bound.emplace_back();
  for (const OperandSpec &operand : spec.operands)
    b.operands.push_back(resolve(operand));
  b.attrs = spec.attrs;
  b.call.op = spec.op;
  b.call.instance = spec.instance;
  b.call.operands = b.operands.data();
  b.call.attrValues = b.attrs.data();
  b.call.parallel = &pool;
  b.call.shared = &shared;
  b.call.algorithm = spec.algorithm;
  b.call.slices = spec.slices;
  return b;
}

CallId CpuDevice::bind(const CallSpec &spec, std::string &error) {
  Bound &b = addBound(spec);
  if (isTransfer(spec.op)) {
    b.call.state = const_cast<uint8_t *>(spec.staging); // only read
    b.run = copyStaging;
    return static_cast<CallId>(bound.size() - 1);
  }
  const trk::Kernel &kernel = kernelOf(b.call);
  b.run = kernel.run;
  const trk::FlushDenormals flush;
  if (kernel.prepare)
    error = kernel.prepare(b.call, &b.call.state);
  if (error.empty() && kernel.scratch)
    scratchSize = std::max(scratchSize, static_cast<uint64_t>(kernel.scratch(b.call)));
  return static_cast<CallId>(bound.size() - 1);
}

void CpuDevice::finishBinding() {
  scratch = HostMemory(scratchSize);
  for (Bound &b : bound)
    b.call.scratch = scratch.data();
}

std::string CpuDevice::implementation(CallId id) const {
  const trk::Call &call = bound.at(id).call;
  const trk::Kernel &kernel = kernelOf(call);
  return kernel.describe ? kernel.describe(call) : std::string();
}

std::string CpuDevice::slowness(CallId id) const {
  const trk::Call &call = bound.at(id).call;
  const trk::Kernel &kernel = kernelOf(call);
  return kernel.slowness ? kernel.slowness(call) : std::string();
}

CaptureId CpuDevice::capture(const Graph &graph) {
  std::vector<Entry> &entries = captures.emplace_back();
  entries.reserve(graph.nodes.size());
  for (const GraphNode &node : graph.nodes) {
    const Bound &b = bound.at(node.call);
    entries.push_back({b.run, &b.call});
  }
  return static_cast<CaptureId>(captures.size() - 1);
}

void CpuDevice::replay(CaptureId capture) {
  const trk::FlushDenormals flush;
  for (const Entry &entry : captures[capture])
    entry.run(*entry.call);
}

void CpuDevice::replay(CaptureId capture, CallObserver &observer) {
  const trk::FlushDenormals flush;
  for (size_t i = 0; i < captures[capture].size(); ++i) {
    const Entry &entry = captures[capture][i];
    const uint64_t begin = nanoseconds();
    entry.run(*entry.call);
    observer.called(i, begin, nanoseconds());
  }
}

} // namespace trrt
