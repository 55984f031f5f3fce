// SPDX-License-Identifier: Apache-2.0
//
// A fixed set of workers for kernels. A kernel call hands out tasks through one
// atomic word, so that nothing is allocated or locked per call while the workers
// are awake. Which thread runs which task is not defined, hence kernels split
// work by the plan's slices and results do not depend on the number of threads.
#ifndef TRRT_BASE_THREAD_POOL_H
#define TRRT_BASE_THREAD_POOL_H

#include "base/fork_mark.h"

#include "trk/kernel.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace trrt {

class ThreadPool final : public trk::Parallel {
public:
  // `threads` counts the caller of run(), so threads - 1 workers are started.
  explicit ThreadPool(int threads);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  // The caller takes part. Tasks must not throw. A call from inside a task, or
  // from a second thread at the same time, runs its tasks on the calling thread; so does any call
  // in a child of fork(), which has no workers.
  void run(int count, void (*task)(void *context, int index), void *context) override;
  int threads() const override { return static_cast<int>(crew->workers.size()) + 1; }

private:
  using Task = void (*)(void *, int);

  void work();
  void runTasks(uint64_t generation);
  bool waitForWork(uint32_t &seen);

  // Upper half: generation of the call. Lower half: next task, or kClosed while
  // the fields below change. A worker claims a task by compare-and-swap, so one
  // that comes late can never take a task of the following call.
  static constexpr uint64_t kClosed = 0xffffffffu;
  std::atomic<uint64_t> ticket{kClosed};
  std::atomic<Task> currentTask{nullptr};
  std::atomic<void *> currentContext{nullptr};
  std::atomic<uint32_t> currentCount{0};
  std::atomic<uint32_t> finished{0};
  std::atomic<bool> busy{false};

  // What a child of fork() must not touch: locks that a thread held which is not there any more.
  struct Crew {
    std::mutex sleepMutex;
    std::condition_variable wake;
    std::atomic<int> sleepers{0};
    std::atomic<bool> stopping{false};
    std::vector<std::thread> workers;
  };

  ForkMark mark;
  std::unique_ptr<Crew> crew = std::make_unique<Crew>();
};

} // namespace trrt

#endif // TRRT_BASE_THREAD_POOL_H
