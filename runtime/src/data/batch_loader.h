// SPDX-License-Identifier: Apache-2.0
//
// Fills the two input halves of a session in turn, one batch ahead of the step
// that reads them, with images of the size of the batch's variant.
#ifndef TRRT_DATA_BATCH_LOADER_H
#define TRRT_DATA_BATCH_LOADER_H

#include "data/data_set.h"
#include "data/permutation.h"
#include "data/resampler.h"
#include "session/session.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace trrt {

// What a pass over a data set runs: `whole` full batches of one variant, then, where
// `rest` is not 0, one batch of that many samples on another or the same variant.
struct Pass {
  uint32_t variant = 0, lastVariant = 0;
  int64_t whole = 0, rest = 0;

  int64_t steps() const { return whole + (rest > 0); }
};

class BatchLoader {
public:
  struct Batch {
    uint32_t variant = 0;
    trf::Half half = trf::Half::A;
    int64_t valid = 0; // samples in it, 0: the pass is over
  };

  // Prepares for every variant of the plan: no pass allocates.
  BatchLoader(const Session &session, const DataSet &data);
  ~BatchLoader();
  BatchLoader(const BatchLoader &) = delete;
  BatchLoader &operator=(const BatchLoader &) = delete;

  // Begins a pass in the order of a permutation, or of the data set without one.
  // A batch that is not full is padded with zeros. Ends a pass that is under way.
  void begin(const Pass &pass, const std::optional<Permutation> &order = std::nullopt);

  // The next batch, ready in its half. The step that read the batch before must be
  // done: its half is filled next.
  Batch next();

private:
  Batch batchAt(int64_t index) const;
  void work();
  void fill(int64_t index);
  void image(int64_t sample, uint32_t variant, float *out);
  void request(int64_t batchIndex);
  void waitIdle();

  const Session &session;
  const DataSet &data;
  std::vector<std::optional<Resampler>> resamplers; // by variant; none: the data set's size
  std::vector<float> original;                      // one image before resampling
  Pass pass;
  std::optional<Permutation> order;
  int64_t delivered = 0;

  std::mutex mutex;
  std::condition_variable changed;
  int64_t requested = -1; // batch being filled; -1: idle
  bool stopping = false;
  std::thread worker;
};

} // namespace trrt

#endif // TRRT_DATA_BATCH_LOADER_H
