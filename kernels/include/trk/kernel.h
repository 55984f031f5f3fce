// SPDX-License-Identifier: Apache-2.0
//
// The interface between the runtime and a kernel library: one table row per
// kernel op. Kernels see pointers, shapes and attributes; they know nothing of
// plans or sessions, allocate nothing in run() and keep no global state.
#ifndef TRK_KERNEL_H
#define TRK_KERNEL_H

#include "trk/op_table.h"

#include <string>
#include <type_traits>

namespace trk {

// A dense NHWC tensor, or a run of regions as (1, 1, 1, elements).
struct Tensor {
  void *data = nullptr; // null: absent optional operand
  int64_t dims[4] = {0, 0, 0, 0};
  DType dtype = DType::F32;

  int64_t n() const { return dims[0]; }
  int64_t h() const { return dims[1]; }
  int64_t w() const { return dims[2]; }
  int64_t c() const { return dims[3]; }
  int64_t elements() const { return dims[0] * dims[1] * dims[2] * dims[3]; }
  int64_t bytes() const { return elements() * dtypeBytes(dtype); }
  explicit operator bool() const { return data != nullptr; }
  float *f32() const { return static_cast<float *>(data); }
  int32_t *i32() const { return static_cast<int32_t *>(data); }
  uint8_t *u8() const { return static_cast<uint8_t *>(data); }
};

union Attr {
  int64_t i;
  double f;
};

// Runs `count` independent tasks and returns when all are done. Which thread
// takes which task is not defined, so tasks must not depend on it.
class Parallel {
public:
  virtual ~Parallel() = default;
  virtual void run(int count, void (*task)(void *context, int index), void *context) = 0;
  virtual int threads() const = 0;

  // parallel.each(n, [&](int i) { ... });
  template <typename F> void each(int count, F &&body) {
    using Body = std::remove_reference_t<F>;
    run(
        count, [](void *context, int index) { (*static_cast<Body *>(context))(index); },
        const_cast<void *>(static_cast<const void *>(&body)));
  }
};

// Memory of a session for what calls keep between runs and share, such as packed weights.
class SharedMemory {
public:
  virtual ~SharedMemory() = default;
  // The block of this name: 64-byte aligned, zero at first, alive as long as the calls.
  virtual void *block(const std::string &name, int64_t bytes) = 0;
};

// One bound kernel op. Operands and attributes are in the order of the table.
struct Call {
  Opcode op{};
  const Tensor *operands = nullptr;
  const Attr *attrs = nullptr;
  void *scratch = nullptr; // 64-byte aligned, at least scratch(call) bytes, shared by all calls
  void *state = nullptr;   // what prepare() made
  Parallel *parallel = nullptr;
  SharedMemory *shared = nullptr; // for prepare(); null: the state keeps what it needs
  ConvAlgorithm algorithm = ConvAlgorithm::Auto; // of a convolution
  int slices = 1; // every sum is split into this many parts, whatever the thread count
  const void *staging = nullptr; // range_h2d only: host block to copy from

  const Tensor &operand(int index) const { return operands[index]; }
};

// A backend's implementation of one kernel op. run == null: not implemented.
struct Kernel {
  // Bytes of scratch that run() needs; null: none. `call.state` is set already.
  int64_t (*scratch)(const Call &call) = nullptr;
  // Builds state for these shapes, for example library primitives, into *state.
  // Returns an empty string, or why these operands are not supported.
  std::string (*prepare)(const Call &call, void **state) = nullptr;
  void (*run)(const Call &call) = nullptr;
  void (*release)(void *state) = nullptr;
  // Name of the implementation behind `call.state`, for benchmarks; null: the op has one.
  std::string (*describe)(const Call &call) = nullptr;
};

// kernels[opcode] for every op of the table.
using KernelTable = Kernel[kOpCount];

// Plain loops, sums in double, any shape: the oracle of every other backend.
void fillReferenceKernels(KernelTable &table);
// Vectorised multi-threaded kernels and oneDNN; the default.
void fillCpuKernels(KernelTable &table);
// The most that this machine's CPU has; Any: less than the first one that plans name.
Isa machineIsa();

// Attribute groups, in the order of kernel_ops.def.
struct ConvAttrs {
  int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups;
};
struct PoolAttrs {
  int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
};
inline constexpr int kConvAttrCount = 9;
inline ConvAttrs convAttrs(const Call &call) {
  const Attr *a = call.attrs;
  return {a[0].i, a[1].i, a[2].i, a[3].i, a[4].i, a[5].i, a[6].i, a[7].i, a[8].i};
}
// `first` is the position of kernel_h among the op's attributes.
inline PoolAttrs poolAttrs(const Call &call, int first = 0) {
  const Attr *a = call.attrs + first;
  return {a[0].i, a[1].i, a[2].i, a[3].i, a[4].i, a[5].i};
}
inline Activation activationAttr(const Call &call) {
  return static_cast<Activation>(call.attrs[0].i);
}

} // namespace trk

#endif // TRK_KERNEL_H
