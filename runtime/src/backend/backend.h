// SPDX-License-Identifier: Apache-2.0
//
// What a session needs of a device. A backend owns the arena, the bound kernel
// calls and the captured lists of them; everything is made before the first
// step, and replay() allocates nothing.
#ifndef TRRT_BACKEND_BACKEND_H
#define TRRT_BACKEND_BACKEND_H

#include "trk/kernel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trrt {

// A kernel op with its operands resolved to device addresses.
struct CallSpec {
  trk::Opcode op{};
  std::vector<trk::Tensor> operands;
  std::vector<trk::Attr> attrs;
  trk::ConvAlgorithm algorithm = trk::ConvAlgorithm::Auto; // of a convolution
  int slices = 1;
  const void *staging = nullptr; // range_h2d only
};

inline constexpr trk::Isa kEveryIsa = trk::Isa::V4; // the last one

using CallId = uint32_t;
using CaptureId = uint32_t;

// Is told of each call of a replay, with the clock around it.
class CallObserver {
public:
  virtual ~CallObserver() = default;
  virtual void called(size_t position, uint64_t beginNs, uint64_t endNs) = 0;
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual const char *name() const = 0;
  virtual int threads() const = 0;
  // Plans that need more than this are refused. A backend that does not say runs them all.
  virtual trk::Isa isa() const { return kEveryIsa; }
  // What arena, staging and scratch of a session may take together.
  virtual uint64_t memoryBytes() const = 0;

  // The arena: one zeroed block for the life of the backend. Called once.
  virtual uint8_t *allocateArena(uint64_t bytes) = 0;
  // Zeroed host memory that range_h2d may copy from; freed with the backend.
  virtual uint8_t *allocateStaging(uint64_t bytes) = 0;
  virtual void upload(void *device, const void *host, uint64_t bytes) = 0;
  virtual void download(void *host, const void *device, uint64_t bytes) const = 0;

  virtual bool hasKernel(trk::Opcode op) const = 0;
  // Prepares the kernel for these operands. On failure returns why in `error`.
  virtual CallId bind(const CallSpec &spec, std::string &error) = 0;
  // After the last bind(): allocates the scratch block that all calls share.
  virtual void finishBinding() = 0;
  virtual uint64_t scratchBytes() const = 0;
  // What calls keep between runs, such as packed weights.
  virtual uint64_t sharedBytes() const { return 0; }

  // A list of calls to be run in this order, as one unit.
  virtual CaptureId capture(const std::vector<CallId> &calls) = 0;
  virtual void replay(CaptureId capture) = 0;
  virtual void replay(CaptureId capture, CallObserver &observer) = 0;
  // The implementation that a bound call uses; empty where the op has only one.
  virtual std::string implementation(CallId call) const = 0;
  // Returns when all replays are done.
  virtual void synchronise() = 0;
};

// Names that createBackend() accepts.
std::vector<std::string> backendNames();

// Throws Error for an unknown name. `threads` <= 0: all CPUs of the process.
// `memoryBytes` 0: the memory that is available now. `machine`: what the CPU has.
std::unique_ptr<Backend> createBackend(const std::string &name, int threads,
                                       uint64_t memoryBytes = 0,
                                       trk::Isa machine = trk::machineIsa());

} // namespace trrt

#endif // TRRT_BACKEND_BACKEND_H
