// SPDX-License-Identifier: Apache-2.0
//
// Workers spin for a moment between kernels, then sleep.
#include "base/thread_pool.h"

#include "trk/float_mode.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trrt {

// About 20 microseconds: longer than the gap between two kernels of a step.
static constexpr int kSpins = 1000;

static void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

static uint32_t generationOf(uint64_t ticket) { return static_cast<uint32_t>(ticket >> 32); }

ThreadPool::ThreadPool(int threads) {
  crew->workers.reserve(static_cast<size_t>(std::max(0, threads - 1)));
  for (int i = 1; i < threads; ++i)
    crew->workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  if (!mark.isOwner()) {
    // Nobody to wait for, and destroying the condition variable would wait for sleepers.
    crew.release();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(crew->sleepMutex);
    crew->stopping.store(true);
  }
  crew->wake.notify_all();
  for (std::thread &worker : crew->workers)
    worker.join();
}

void ThreadPool::run(int count, void (*task)(void *context, int index), void *context) {
  if (count <= 0)
    return;
  if (crew->workers.empty() || count == 1 || !mark.isOwner() ||
      busy.exchange(true, std::memory_order_acquire)) {
    for (int i = 0; i < count; ++i)
      task(context, i);
    return;
  }
  const uint64_t generation = (ticket.load() >> 32) + 1;
  ticket.store(generation << 32 | kClosed);
  currentTask.store(task, std::memory_order_relaxed);
  currentContext.store(context, std::memory_order_relaxed);
  currentCount.store(static_cast<uint32_t>(count), std::memory_order_relaxed);
  finished.store(0, std::memory_order_relaxed);
  ticket.store(generation << 32); // publishes the fields
  if (crew->sleepers.load() > 0) {
    std::lock_guard<std::mutex> lock(crew->sleepMutex);
    crew->wake.notify_all();
  }
  runTasks(generation);
  int spins = 0;
  while (finished.load(std::memory_order_acquire) != static_cast<uint32_t>(count)) {
    if (++spins < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
  busy.store(false, std::memory_order_release);
}

// Takes tasks of call `generation` until none is left.
void ThreadPool::runTasks(uint64_t generation) {
  uint64_t seen = ticket.load();
  while (generationOf(seen) == static_cast<uint32_t>(generation) && (seen & kClosed) != kClosed) {
    const uint32_t index = static_cast<uint32_t>(seen);
    const Task task = currentTask.load(std::memory_order_relaxed);
    void *context = currentContext.load(std::memory_order_relaxed);
    if (index >= currentCount.load(std::memory_order_relaxed))
      return;
    if (!ticket.compare_exchange_weak(seen, seen + 1))
      continue;
    task(context, static_cast<int>(index));
    finished.fetch_add(1, std::memory_order_release);
    seen = ticket.load();
  }
}

// Returns true with the generation of a new call in `seen`, false when the pool ends.
bool ThreadPool::waitForWork(uint32_t &seen) {
  const uint32_t last = seen;
  const auto changed = [&] {
    const uint64_t now = ticket.load();
    seen = generationOf(now);
    return seen != last && (now & kClosed) != kClosed;
  };
  for (int spins = 0; spins < kSpins; ++spins) {
    if (crew->stopping.load(std::memory_order_relaxed))
      return false;
    if (changed())
      return true;
    pause();
  }
  std::unique_lock<std::mutex> lock(crew->sleepMutex);
  crew->sleepers.fetch_add(1);
  crew->wake.wait(lock, [&] { return crew->stopping.load() || changed(); });
  crew->sleepers.fetch_sub(1);
  return !crew->stopping.load();
}

void ThreadPool::work() {
  const trk::FlushDenormals flush;
  uint32_t seen = 0;
  while (waitForWork(seen))
    runTasks(seen);
}

} // namespace trrt
