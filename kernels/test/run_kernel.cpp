// SPDX-License-Identifier: Apache-2.0
//
// Guarded buffers and the thread team of the kernel tests.
#include "run_kernel.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <thread>

namespace trk::test {
namespace {

constexpr int64_t kGuard = 256;
constexpr uint8_t kGuardByte = 0x5C, kMarginByte = 0xFF; // the latter makes NaNs

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

// The pixels of an operand in its buffer, with margins between them.
class Lines {
public:
  Lines(const Host &host, const Margin &m)
      : size(trf::bytesOf(host.dtype)), margin(m), dense(m.before + m.after == 0),
        count(dense ? 1 : host.elements() / host.dims[3]),
        bytes(dense ? int64_t(host.bytes.size()) : host.dims[3] * size),
        step(bytes + (m.before + m.after) * size) {}
  int64_t bufferBytes() const { return count * step; }
  int64_t offset() const { return margin.before * size; }

  void fill(uint8_t *buffer, uint8_t poison) const {
    each([&](int64_t at, int64_t) { std::memset(buffer + at, poison, size_t(bytes)); });
  }
  void write(uint8_t *buffer, const Host &host) const {
    each([&](int64_t at, int64_t from) {
      std::memcpy(buffer + at, host.bytes.data() + from, size_t(bytes));
    });
  }
  void read(const uint8_t *buffer, Host &host) const {
    each([&](int64_t at, int64_t to) {
      std::memcpy(host.bytes.data() + to, buffer + at, size_t(bytes));
    });
  }
  bool holds(const uint8_t *buffer, const Host &host) const {
    bool same = true;
    each([&](int64_t at, int64_t from) {
      same &= std::memcmp(buffer + at, host.bytes.data() + from, size_t(bytes)) == 0;
    });
    return same;
  }
  bool marginsHold(const uint8_t *buffer) const {
    const auto isUntouched = [](uint8_t byte) { return byte == kMarginByte; };
    bool untouched = true;
    each([&](int64_t at, int64_t) {
      const uint8_t *run = buffer + at, *end = run + bytes;
      untouched &= std::all_of(run - margin.before * size, run, isUntouched) &&
                   std::all_of(end, end + margin.after * size, isUntouched);
    });
    return untouched;
  }

private:
  // body(place in the buffer, place in a host copy) of each line.
  template <typename Body> void each(Body body) const {
    for (int64_t i = 0; i < count; ++i)
      body(i * step + offset(), i * bytes);
  }

  int64_t size;
  Margin margin;
  bool dense;
  int64_t count, bytes, step;
};

// All operands of one call in guarded memory.
struct Bound {
  std::vector<std::unique_ptr<Guarded>> buffers;
  std::vector<Tensor> tensors;

  Bound(const Invocation &invocation, const RunOptions &options) {
    for (size_t i = 0; i < invocation.operands.size(); ++i)
      bind(invocation, i, options);
  }

  // Guards and margins hold, and what is only read is unchanged.
  std::string check(const Invocation &invocation, const RunOptions &options) const;
  void readBack(Invocation &invocation, const RunOptions &options) const;

private:
  static Lines linesOf(const Invocation &invocation, size_t i, const RunOptions &options) {
    return {invocation.operands[i], options.margins.empty() ? Margin() : options.margins[i]};
  }
  void bind(const Invocation &invocation, size_t i, const RunOptions &options);
};

void Bound::bind(const Invocation &invocation, size_t i, const RunOptions &options) {
  const Host &host = invocation.operands[i];
  Tensor tensor;
  tensor.dtype = host.dtype;
  tensor.pitch = host.dims[3];
  if (!options.margins.empty())
    tensor.pitch += options.margins[i].before + options.margins[i].after;
  std::copy(host.dims.begin(), host.dims.end(), tensor.dims);
  buffers.emplace_back();
  if (int(i) == options.aliasOut) {
    tensor.data = tensors[size_t(options.aliasIn)].data;
  } else if (host.present()) {
    const Lines lines = linesOf(invocation, i, options);
    buffers.back() = std::make_unique<Guarded>(lines.bufferBytes());
    uint8_t *buffer = buffers.back()->data();
    tensor.data = buffer + lines.offset();
    std::memset(buffer, kMarginByte, size_t(lines.bufferBytes()));
    if (invocation.row(i).reads())
      lines.write(buffer, host);
    else
      lines.fill(buffer, options.poison);
  }
  tensors.push_back(tensor);
}

std::string Bound::check(const Invocation &invocation, const RunOptions &options) const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::string where =
        std::string(invocation.info().name) + ": operand " + std::string(invocation.row(i).name);
    if (!buffers[i])
      continue;
    const Lines lines = linesOf(invocation, i, options);
    if (!buffers[i]->intact())
      return where + ": wrote outside the buffer";
    if (!lines.marginsHold(buffers[i]->data()))
      return where + ": wrote to channels of others";
    if (!invocation.row(i).writes() && int(i) != options.aliasIn &&
        !lines.holds(buffers[i]->data(), invocation.operands[i]))
      return where + ": wrote to an input";
  }
  return std::string();
}

void Bound::readBack(Invocation &invocation, const RunOptions &options) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (invocation.writes(i)) {
      const size_t at = int(i) == options.aliasOut ? size_t(options.aliasIn) : i;
      linesOf(invocation, i, options).read(buffers[at]->data(), invocation.operands[i]);
    }
}

// A kernel with its state for the shapes of an invocation, whose content must not matter.
class Prepared {
public:
  Prepared(const LibrarySetup &setup, const Invocation &invocation, const RunOptions &options)
      : shapes(invocation, options), team(setup.threads) {
    KernelTable table;
    setup.library->fill(table);
    kernel = table.at(invocation.op, invocation.instance);
    call.op = invocation.op;
    call.instance = invocation.instance;
    call.operands = shapes.tensors.data();
    call.attrValues = invocation.attrs.data();
    call.parallel = &team;
    call.slices = setup.slices;
    call.algorithm = setup.algorithm;
    if (!kernel.run)
      fault = std::string(invocation.info().name) + ": no kernel in library " + setup.name();
    else if (kernel.prepare)
      fault = kernel.prepare(call, &call.state);
  }
  ~Prepared() {
    if (kernel.release && call.state)
      kernel.release(call.state);
  }
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  // Why there is no such call, or an empty string.
  const std::string &error() const { return fault; }
  std::string slowness() const { return kernel.slowness ? kernel.slowness(call) : std::string(); }

  // One run in fresh memory; the results go back to the invocation.
  std::string run(Invocation &invocation, const RunOptions &options) const {
    const int64_t scratch = kernel.scratch ? kernel.scratch(call) : 0;
    Bound bound(invocation, options);
    Guarded block(scratch);
    std::memset(block.data(), options.poison, size_t(scratch));
    Call mine = call;
    mine.operands = bound.tensors.data();
    mine.scratch = block.data();
    if (options.observe)
      options.observe(bound.tensors);
    kernel.run(mine);
    if (!block.intact())
      return std::string(invocation.info().name) + ": wrote outside the scratch block";
    std::string error = bound.check(invocation, options);
    bound.readBack(invocation, options);
    return error;
  }

private:
  Bound shapes;
  Team team;
  Kernel kernel;
  Call call;
  std::string fault;
};

// Why an operand cannot have its margin, or an empty string.
std::string findPitchFault(const Invocation &invocation, const RunOptions &options) {
  for (size_t i = 0; i < options.margins.size(); ++i)
    if (options.margins[i].before + options.margins[i].after > 0 &&
        !(invocation.row(i).takesPitch() && invocation.operands[i].present()))
      return "the test gives a pitch to " + std::string(invocation.info().name) + "'s " +
             std::string(invocation.row(i).name);
  return std::string();
}

// Other values than those of the invocation; a count of folds says so.
Invocation halved(Invocation invocation) {
  if (invocation.op == ops::conv_inf::kOpcode)
    invocation[ops::conv_inf::folds].i()[0] -= 1;
  for (Host &h : invocation.operands)
    for (int64_t i = 0; h.dtype == DType::F32 && h.present() && i < h.elements(); ++i)
      h.f()[i] *= 0.5f;
  return invocation;
}

} // namespace

std::string LibrarySetup::name() const {
  std::string text(library->name);
  if (algorithm != ConvAlgorithm::Auto)
    text.append("_").append(trf::name(algorithm));
  return text;
}

LibrarySetup referenceSetup() { return {findLibrary("reference"), 1, 1}; }

void PrintTo(const LibrarySetup &setup, std::ostream *os) {
  *os << setup.name() << " with " << setup.threads << " threads, " << setup.slices << " slices";
}

std::string runKernel(const LibrarySetup &setup, Invocation &invocation,
                      const RunOptions &options) {
  invocation.makeOutputs();
  std::string error = invocation.findFault();
  if (error.empty())
    error = findPitchFault(invocation, options);
  if (!error.empty())
    return error;
  const Prepared prepared(setup, invocation, options);
  error = prepared.error();
  if (error.empty() && options.usedState) {
    Invocation before = halved(invocation);
    error = prepared.run(before, options);
  }
  return error.empty() ? prepared.run(invocation, options) : error;
}

std::string slownessOf(const LibrarySetup &setup, Invocation invocation) {
  invocation.makeOutputs();
  const Prepared prepared(setup, invocation, {});
  return prepared.error().empty() ? prepared.slowness() : prepared.error();
}

} // namespace trk::test
