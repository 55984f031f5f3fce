// SPDX-License-Identifier: Apache-2.0
//
// Each task runs exactly once, whatever the number of threads and calls.
#include "base/thread_pool.h"
#include "trk/float_mode.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <numeric>
#include <set>

using trrt::ThreadPool;

TEST(ThreadPool, RunsEachTaskOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int count : {0, 1, 2, 5, 64, 1001}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      pool.each(count, [&](int i) { hits[static_cast<size_t>(i)].fetch_add(1); });
      for (const auto &hit : hits)
        EXPECT_EQ(hit.load(), 1);
    }
  }
}

TEST(ThreadPool, ManyShortCallsDoNotMixTheirTasks) {
  ThreadPool pool(4);
  for (int call = 0; call < 20000; ++call) {
    const int count = 1 + call % 5;
    std::atomic<int> sum{0};
    pool.each(count, [&](int i) { sum.fetch_add(call + i); });
    ASSERT_EQ(sum.load(), call * count + count * (count - 1) / 2);
  }
}

TEST(ThreadPool, NestedCallRunsOnTheCallingThread) {
  ThreadPool pool(3);
  std::atomic<int> total{0};
  pool.each(6, [&](int) {
    const std::thread::id self = std::this_thread::get_id();
    pool.each(5, [&](int) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      total.fetch_add(1);
    });
  });
  EXPECT_EQ(total.load(), 30);
}

// Adding two denormals gives zero on every thread that runs tasks.
TEST(ThreadPool, WorkersFlushDenormals) {
#if defined(__x86_64__)
  ThreadPool pool(2);
  const trk::FlushDenormals flush;
  volatile float denormal = 1e-40f;
  std::atomic<bool> release{false};
  std::atomic<int> started{0}, flushed{0};
  std::mutex mutex;
  std::set<std::thread::id> seen;
  pool.each(2, [&](int) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    // Both tasks wait for each other, so two threads must take part.
    if (started.fetch_add(1) == 1)
      release.store(true);
    while (!release.load())
      std::this_thread::yield();
    if (denormal + denormal == 0.0f)
      flushed.fetch_add(1);
  });
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(flushed.load(), 2);
#endif
}

TEST(FloatMode, IsRestored) {
#if defined(__x86_64__)
  volatile float denormal = 1e-40f;
  {
    const trk::FlushDenormals flush;
    EXPECT_EQ(denormal + denormal, 0.0f);
  }
  EXPECT_NE(denormal + denormal, 0.0f);
#endif
}

// A child of fork() has no workers: calls run on its own thread, and nothing waits for them.
TEST(ThreadPool, AChildOfForkEnds) {
  auto pool = std::make_unique<ThreadPool>(3);
  std::atomic<int> warm{0};
  pool->each(64, [&](int) { warm.fetch_add(1); });
  for (const bool asleep : {false, true}) {
    if (asleep)
      std::this_thread::sleep_for(std::chrono::milliseconds(20)); // long past the spinning
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::atomic<int> sum{0};
      pool->each(10, [&](int i) { sum.fetch_add(i); });
      pool.reset();
      _exit(sum.load() == 45 ? 0 : 1);
    }
    int status = -1;
    for (int tries = 0; tries < 1000 && waitpid(child, &status, WNOHANG) == 0; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!WIFEXITED(status))
      kill(child, SIGKILL);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  std::atomic<int> after{0};
  pool->each(64, [&](int) { after.fetch_add(1); });
  EXPECT_EQ(after.load(), 64);
}
