// SPDX-License-Identifier: Apache-2.0
//
// Guarded buffers and the thread team of the kernel tests.
#include "run_kernel.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <thread>

namespace trk::test {
namespace {

constexpr int64_t kGuard = 256;
constexpr uint8_t kGuardByte = 0x5C;

// A 64-byte aligned buffer between two guard zones.
class Guarded {
public:
  explicit Guarded(int64_t bytes) : size(bytes) {
    int64_t total = (2 * kGuard + bytes + 63) / 64 * 64;
    memory.reset(static_cast<uint8_t *>(std::aligned_alloc(64, size_t(total))));
    std::memset(memory.get(), kGuardByte, size_t(2 * kGuard + bytes));
  }
  uint8_t *data() const { return memory.get() + kGuard; }
  bool intact() const {
    for (int64_t i = 0; i < kGuard; ++i)
      if (memory.get()[i] != kGuardByte || data()[size + i] != kGuardByte)
        return false;
    return true;
  }
  const int64_t size;

private:
  struct Free {
    void operator()(uint8_t *p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> memory;
};

// Threads that live for one run(); the order of tasks differs from call to call.
class Team : public Parallel {
public:
  explicit Team(int threads) : size(threads) {}
  int threads() const override { return size; }
  void run(int count, void (*task)(void *, int), void *context) override {
    std::atomic<int> next{0};
    auto work = [&] {
      for (int i = next++; i < count; i = next++)
        task(context, i);
    };
    std::vector<std::thread> others;
    for (int t = 1; t < size; ++t)
      others.emplace_back(work);
    work();
    for (std::thread &other : others)
      other.join();
  }

private:
  int size;
};

// All operands of one call in guarded memory.
struct Bound {
  std::vector<std::unique_ptr<Guarded>> buffers;
  std::vector<Tensor> tensors;
};

void bindOperands(const OpInfo &op, const std::vector<Host> &operands, const RunOptions &options,
                  Bound &bound) {
  for (size_t i = 0; i < operands.size(); ++i) {
    const Host &host = operands[i];
    Tensor tensor;
    tensor.dtype = host.dtype;
    std::copy(host.dims.begin(), host.dims.end(), tensor.dims);
    bound.buffers.emplace_back();
    if (int(i) == options.alias_out) {
      tensor.data = bound.tensors[size_t(options.alias_in)].data;
    } else if (host.present()) {
      bound.buffers.back() = std::make_unique<Guarded>(int64_t(host.bytes.size()));
      tensor.data = bound.buffers.back()->data();
      if (op.operands[i].access == Access::Write)
        std::memset(tensor.data, options.poison, host.bytes.size());
      else
        std::memcpy(tensor.data, host.bytes.data(), host.bytes.size());
    }
    bound.tensors.push_back(tensor);
  }
}

// Guards hold, and what is only read is unchanged.
std::string checkBuffers(const OpInfo &op, const std::vector<Host> &operands, const Bound &bound,
                         const RunOptions &options) {
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string where = std::string(op.name) + ": operand " + op.operands[i].name;
    if (!bound.buffers[i])
      continue;
    if (!bound.buffers[i]->intact())
      return where + ": wrote outside the buffer";
    if (op.operands[i].access == Access::Read && int(i) != options.alias_in &&
        std::memcmp(bound.buffers[i]->data(), operands[i].bytes.data(), operands[i].bytes.size()))
      return where + ": wrote to an input";
  }
  return std::string();
}

} // namespace

Host Host::f32(const Dims &shape, const std::vector<float> &values) {
  Host h(DType::F32, shape);
  std::memcpy(h.bytes.data(), values.data(), h.bytes.size());
  return h;
}
Host Host::i32(const Dims &shape, const std::vector<int32_t> &values) {
  Host h(DType::I32, shape);
  std::memcpy(h.bytes.data(), values.data(), h.bytes.size());
  return h;
}
Host Host::vec(const std::vector<float> &values) {
  return f32({1, 1, 1, int64_t(values.size())}, values);
}

void PrintTo(const Backend &backend, std::ostream *os) {
  *os << backend.name << " with " << backend.threads << " threads, " << backend.slices << " slices";
}

Backend referenceBackend() { return {"reference", fillReferenceKernels, 1, 1}; }

namespace {

// Other values than those of `operands`; a count of folds says so.
std::vector<Host> halved(const OpInfo &table, std::vector<Host> operands) {
  for (size_t o = 0; o < operands.size(); ++o) {
    Host &h = operands[o];
    if (std::strcmp(table.operands[o].name, "folds") == 0)
      h.i()[0] -= 1;
    if (h.dtype == DType::F32)
      for (int64_t i = 0; h.present() && i < h.elements(); ++i)
        h.f()[i] *= 0.5f;
  }
  return operands;
}

// One run in fresh memory; the results go back to `operands`.
std::string runOnce(const Kernel &kernel, Call call, std::vector<Host> &operands, int64_t scratch,
                    const RunOptions &options) {
  const OpInfo &table = info(call.op);
  Bound bound;
  bindOperands(table, operands, options, bound);
  Guarded block(scratch);
  std::memset(block.data(), options.poison, size_t(scratch));
  call.operands = bound.tensors.data();
  call.scratch = block.data();
  if (options.observe)
    options.observe(bound.tensors);
  kernel.run(call);
  if (!block.intact())
    return std::string(table.name) + ": wrote outside the scratch block";
  std::string error = checkBuffers(table, operands, bound, options);
  for (size_t i = 0; i < operands.size(); ++i)
    if (table.operands[i].access != Access::Read && operands[i].present())
      std::memcpy(operands[i].bytes.data(), bound.tensors[i].data, operands[i].bytes.size());
  return error;
}

} // namespace

std::string runKernel(const Backend &backend, Opcode op, std::vector<Host> &operands,
                      const std::vector<Attr> &attrs, const RunOptions &options) {
  const OpInfo &table = info(op);
  if (operands.size() != table.operand_count || attrs.size() != table.attr_count)
    return std::string(table.name) + ": the test passes a wrong number of operands or attributes";
  auto kernels = std::make_unique<Kernel[]>(kOpCount);
  backend.fill(*reinterpret_cast<KernelTable *>(kernels.get()));
  const Kernel &kernel = kernels[static_cast<uint32_t>(op)];
  if (!kernel.run)
    return std::string(table.name) + ": no kernel in backend " + backend.name;

  Bound shapes; // prepare() and scratch() see tensors whose content must not matter
  bindOperands(table, operands, options, shapes);
  Team team(backend.threads);
  Call call;
  call.op = op;
  call.operands = shapes.tensors.data();
  call.attrs = attrs.data();
  call.parallel = &team;
  call.slices = backend.slices;
  call.algorithm = backend.algorithm;
  call.staging = options.staging;
  std::string error = kernel.prepare ? kernel.prepare(call, &call.state) : std::string();
  if (!error.empty())
    return error;
  int64_t scratch = kernel.scratch ? kernel.scratch(call) : 0;
  std::vector<Host> before = halved(table, operands);
  if (options.used_state)
    error = runOnce(kernel, call, before, scratch, options);
  if (error.empty())
    error = runOnce(kernel, call, operands, scratch, options);
  if (kernel.release && call.state)
    kernel.release(call.state);
  return error;
}

std::vector<Attr> convAttrList(const Window &w) {
  return {attr(w.kernel_h), attr(w.kernel_w),   attr(w.stride_h),   attr(w.stride_w), attr(w.pad_h),
          attr(w.pad_w),    attr(w.dilation_h), attr(w.dilation_w), attr(w.groups)};
}
std::vector<Attr> poolAttrList(const Window &w) {
  return {attr(w.kernel_h), attr(w.kernel_w), attr(w.stride_h),
          attr(w.stride_w), attr(w.pad_h),    attr(w.pad_w)};
}
int64_t outputExtent(int64_t in, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation) {
  return (in + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
}

} // namespace trk::test
