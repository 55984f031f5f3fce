// SPDX-License-Identifier: Apache-2.0
//
// The interface between the runtime and a kernel library: one table row per
// kernel op. Kernels see pointers, shapes and attributes; they know nothing of
// plans or sessions, allocate nothing in run() and keep no global state.
#ifndef TRK_KERNEL_H
#define TRK_KERNEL_H

#include "trf/kernel_ops.h"

#include <string>
#include <type_traits>

namespace trk {

namespace ops = trf::ops;
using trf::Act;
using trf::Activation;
using trf::Attr;
using trf::ConvAlgorithm;
using trf::DType;
using trf::Instance;
using trf::Opcode;

// An NHWC tensor, or a run of regions as (1, 1, 1, elements). Dense, but for operands whose
// row takes a pitch: those may be some channels of a wider tensor, from `data` on.
struct Tensor {
  void *data = nullptr; // null: absent optional operand
  int64_t dims[4] = {0, 0, 0, 0};
  int64_t pitch = 0; // elements from one (n, h, w) to the next; c where dense
  DType dtype = DType::F32;

  int64_t n() const { return dims[0]; }
  int64_t h() const { return dims[1]; }
  int64_t w() const { return dims[2]; }
  int64_t c() const { return dims[3]; }
  bool isDense() const { return pitch == dims[3]; }
  int64_t pixels() const { return dims[0] * dims[1] * dims[2]; }
  int64_t elements() const { return pixels() * dims[3]; }
  int64_t bytes() const { return elements() * trf::bytesOf(dtype); }
  explicit operator bool() const { return data != nullptr; }
  float *f32() const { return static_cast<float *>(data); }
  int32_t *i32() const { return static_cast<int32_t *>(data); }
  uint8_t *u8() const { return static_cast<uint8_t *>(data); }
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

// One bound kernel op. Operands and attributes are in the order of the op's row; kernels name
// them by ops::NAME: `namespace op = ops::bn_apply`, then call[op::x], call.attrs<op::Attrs>().
struct Call {
  Opcode op{};
  Instance instance{};
  const Tensor *operands = nullptr;
  const Attr *attrValues = nullptr;
  void *scratch = nullptr; // 64-byte aligned, at least scratch(call) bytes, shared by all calls
  void *state = nullptr;   // what prepare() made
  Parallel *parallel = nullptr;
  SharedMemory *shared = nullptr; // for prepare(); null: the state keeps what it needs
  ConvAlgorithm algorithm = ConvAlgorithm::Auto; // of a convolution
  int slices = 1; // every sum is split into this many parts, whatever the thread count

  const Tensor &operator[](int operand) const { return operands[operand]; }
  template <typename Attrs> Attrs attrs() const { return trf::readAttrs<Attrs>(attrValues); }
};

// A library's implementation of one kernel op for one instance. run == null: none.
struct Kernel {
  // Bytes of scratch that run() needs; null: none. `call.state` is set already.
  int64_t (*scratch)(const Call &call) = nullptr;
  // Builds state for these shapes, for example library primitives, into *state.
  // Returns an empty string, or why these operands are not supported.
  std::string (*prepare)(const Call &call, void **state) = nullptr;
  void (*run)(const Call &call) = nullptr;
  void (*release)(void *state) = nullptr;
  // Name of the implementation that `call.state` stands for, for benchmarks; null: the op has one.
  std::string (*describe)(const Call &call) = nullptr;
  // Why that implementation is a slow one for its shapes, or an empty string; null: it never is.
  std::string (*slowness)(const Call &call) = nullptr;
};

// A kernel for each op and instance. Ops of stream Transfer have none: devices do them.
class KernelTable {
public:
  Kernel &at(Opcode op, Instance instance) {
    return kernels[trf::positionOf(op)][static_cast<int>(instance)];
  }
  const Kernel &at(Opcode op, Instance instance) const {
    return kernels[trf::positionOf(op)][static_cast<int>(instance)];
  }

private:
  Kernel kernels[trf::kOpCount][trf::kCount<Instance>];
};

} // namespace trk

#endif // TRK_KERNEL_H
