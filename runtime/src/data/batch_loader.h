// SPDX-License-Identifier: Apache-2.0
//
// Fills the two input halves of a session in turn, one batch ahead of the step
// that reads them.
#ifndef TRRT_DATA_BATCH_LOADER_H
#define TRRT_DATA_BATCH_LOADER_H

#include "data/data_set.h"
#include "data/permutation.h"
#include "session/session.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace trrt {

class BatchLoader {
public:
  struct Batch {
    int half = 0;
    int64_t valid = 0; // samples in it, 0: the pass is over
  };

  BatchLoader(const Session &session, const DataSet &data, uint32_t variant);
  ~BatchLoader();
  BatchLoader(const BatchLoader &) = delete;
  BatchLoader &operator=(const BatchLoader &) = delete;

  // Begin a pass: whole batches in the order of a permutation, or every sample in
  // its own order with a padded last batch. Ends a pass that is under way.
  void beginTraining(const Permutation &order);
  void beginEvaluation();

  // The next batch, ready in its half. The step that read the batch before must be
  // done: its half is filled next.
  Batch next();

private:
  void begin(int64_t batches);
  void work();
  void fill(int64_t batchIndex, int half);
  void request(int64_t batchIndex);
  void waitIdle();

  const Session &session;
  const DataSet &data;
  int64_t batchSize, pixels;
  std::optional<Permutation> order;
  int64_t batches = 0, delivered = 0;

  std::mutex mutex;
  std::condition_variable changed;
  int64_t requested = -1; // batch being filled; -1: idle
  bool stopping = false;
  std::thread worker;
};

} // namespace trrt

#endif // TRRT_DATA_BATCH_LOADER_H
