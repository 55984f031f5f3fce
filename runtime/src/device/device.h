// SPDX-License-Identifier: Apache-2.0
//
// What a session needs of a device: memory, bound kernel calls and captured steps. All of it
// is made before the first step, and replay() allocates nothing. The arena is the device's
// own: everybody else names a place in it by its offset, and reaches it through the device.
#ifndef TRRT_DEVICE_DEVICE_H
#define TRRT_DEVICE_DEVICE_H

#include "trf/plan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trrt {

// A tensor in the arena, some channels of a wider one, or a run of regions.
struct OperandSpec {
  std::optional<uint64_t> offset; // none: an optional operand that is absent
  trf::Dims dims{};
  int64_t pitch = 0; // elements from one (n, h, w) to the next
  trf::DType dtype{};
};

// A kernel op with its operands resolved to places in the arena.
struct CallSpec {
  trf::Opcode op{};
  trf::Instance instance{};
  std::vector<OperandSpec> operands;
  std::vector<trf::Attr> attrs;
  trf::ConvAlgorithm algorithm = trf::ConvAlgorithm::Auto; // of a convolution
  int slices = 1;
  const uint8_t *staging = nullptr; // of a transfer: the host block that it copies
};

using CallId = uint32_t;
using CaptureId = uint32_t;

struct GraphNode {
  CallId call = 0;
  trf::Stream stream{};
};

// Calls in an order that fits the edges. Calls that no path of edges connects may run at the
// same time; the class of a stream says which of them go well together.
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<std::array<uint32_t, 2>> edges; // from a node to one that waits for it
};

// Gets each call of a replay, with the clock around it.
class CallObserver {
public:
  virtual ~CallObserver() = default;
  virtual void called(size_t position, uint64_t beginNs, uint64_t endNs) = 0;
};

class Device {
public:
  virtual ~Device() = default;
  // As --device spells it.
  virtual std::string name() const = 0;
  virtual int threads() const = 0;
  // The most that plans may ask for.
  virtual trf::Target target() const = 0;
  // What arena, staging and scratch of a session may take together.
  virtual uint64_t memoryBytes() const = 0;

  // The arena: one zeroed block for the life of the device. Called once.
  virtual void allocateArena(uint64_t bytes) = 0;
  // Zeroed host memory that transfers may copy from; freed with the device.
  virtual uint8_t *allocateStaging(uint64_t bytes) = 0;
  virtual void upload(uint64_t offset, const void *host, uint64_t bytes) = 0;
  virtual void download(void *host, uint64_t offset, uint64_t bytes) const = 0;
  // With a word of 32 bits, over and over.
  virtual void fill(uint64_t offset, uint64_t bytes, uint32_t word) = 0;

  // Transfers are done by every device.
  virtual bool hasKernel(trf::Opcode op, trf::Instance instance) const = 0;
  // Prepares the kernel for these operands. On failure returns why in `error`.
  virtual CallId bind(const CallSpec &spec, std::string &error) = 0;
  // After the last bind(): allocates the scratch block that all calls share.
  virtual void finishBinding() = 0;
  virtual uint64_t scratchBytes() const = 0;
  // What calls keep between runs, such as packed weights.
  virtual uint64_t sharedBytes() const = 0;
  // The implementation that a bound call uses; empty where the op has only one.
  virtual std::string implementation(CallId call) const = 0;
  // Why that is a slow one for its shapes, as the end of a sentence on the op; else empty.
  virtual std::string slowness(CallId call) const = 0;

  // A graph to be run as one unit.
  virtual CaptureId capture(const Graph &graph) = 0;
  virtual void replay(CaptureId capture) = 0;
  virtual void replay(CaptureId capture, CallObserver &observer) = 0;
  // Returns when all replays are done.
  virtual void synchronise() = 0;
};

} // namespace trrt

#endif // TRRT_DEVICE_DEVICE_H
