// SPDX-License-Identifier: Apache-2.0
//
// Binds a kernel call and times its runs.
#include "kernel_run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace bench {

using namespace trk;

KernelRun::KernelRun(const KernelTable &kernels, KernelCall what, Parallel &parallel, int slices)
    : kernel(kernels.at(what.op, Instance::F32)), request(std::move(what)) {
  const trf::OpInfo &op = trf::info(request.op);
  tensors.resize(op.operands.size());
  for (const auto &[operand, dims] : request.operands)
    addOperand(operand, dims);
  call.op = request.op;
  call.operands = tensors.data();
  call.attrValues = request.attrs.data();
  call.parallel = &parallel;
  call.slices = slices;
  call.algorithm = request.algorithm;
  const std::string error = kernel.prepare ? kernel.prepare(call, &call.state) : std::string();
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s: %s\n", op.name.data(), error.c_str());
    std::exit(1);
  }
  const int64_t bytes = kernel.scratch ? kernel.scratch(call) : 0;
  scratch.reset(std::aligned_alloc(64, size_t(bytes + 64) / 64 * 64));
  call.scratch = scratch.get();
}

KernelRun::~KernelRun() {
  if (kernel.release && call.state)
    kernel.release(call.state);
}

void KernelRun::Free::operator()(void *p) const { std::free(p); }

// Floats get small values, all else zeros.
void KernelRun::addOperand(int operand, const Dims &dims) {
  const trf::OperandType type = trf::info(request.op).operands[size_t(operand)].type;
  Tensor tensor;
  // An index is a byte for the windows of the networks; memory is enough for a float each.
  tensor.dtype = type == trf::OperandType::I
                     ? DType::U8
                     : trf::typeOf(type, Instance::F32).value_or(DType::F32);
  std::copy(dims.begin(), dims.end(), tensor.dims);
  tensor.pitch = dims[3];
  std::vector<float> &values = memory.emplace_back(size_t(tensor.elements()));
  for (size_t k = 0; k < values.size() && tensor.dtype == DType::F32; ++k)
    values[k] = float(int(k * 2654435761u >> 20 & 1023) - 400) * 1e-3f;
  tensor.data = values.data();
  tensors[size_t(operand)] = tensor;
}

double KernelRun::nowMs() const {
  timespec t;
  clock_gettime(call.parallel->threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

void KernelRun::once() {
  const double start = nowMs();
  kernel.run(call);
  const double took = nowMs() - start;
  best = std::min(best, took);
  total += took;
}

std::string KernelRun::implementation() const {
  return kernel.describe ? kernel.describe(call) : std::string();
}

} // namespace bench
