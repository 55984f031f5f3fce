// SPDX-License-Identifier: Apache-2.0
//
// Fills the two input halves of a session in turn, one batch ahead of the step
// that reads them, with images of the size of the batch's variant.
#ifndef TRRT_DATA_BATCH_LOADER_H
#define TRRT_DATA_BATCH_LOADER_H

#include "data/image_reader.h"
#include "data/permutation.h"
#include "session/session.h"

#include <condition_variable>
#include <exception>
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

  BatchLoader(const Session &session, const DataSet &data, const ImageOptions &options = {});
  ~BatchLoader();
  BatchLoader(const BatchLoader &) = delete;
  BatchLoader &operator=(const BatchLoader &) = delete;

  // Begins a pass in the order of a permutation, or of the data set without one. `epoch` is what
  // random transforms are drawn for. A batch that is not full is padded with zeros. Ends a pass
  // that is under way. The first `done` batches are not read: they were given in a run before.
  void begin(const Pass &pass, const std::optional<Permutation> &order = std::nullopt,
             uint64_t epoch = 0, int64_t done = 0);

  // The next batch, ready in its half. The step that read the batch before must be
  // done: its half is filled next. Throws what went wrong while it was filled.
  Batch next();

  // Of the samples of the last batch that next() gave: which they are, by row.
  const std::vector<int64_t> &samples() const { return delivered; }
  int64_t badFiles() const { return reader.badFiles(); }

private:
  Batch batchAt(int64_t index) const;
  int64_t sampleAt(int64_t index) const;
  void work();
  void fillRows(ImageReader::Memory &memory);
  void finishBatch();
  void request(int64_t batchIndex);
  void waitIdle();

  const Session &session;
  ImageReader reader;
  Pass pass;
  std::optional<Permutation> order;
  uint64_t epoch = 0;
  int64_t given = 0; // batches of this pass so far
  std::vector<int64_t> delivered;

  std::mutex mutex;
  std::condition_variable changed;
  Batch filling;           // the batch being filled; its count when done
  int64_t firstSample = 0; // position of its first sample in the pass
  int64_t nextRow = 0;     // that no thread has taken
  int64_t rowsAtWork = 0;  // taken and not done
  bool busy = false, stopping = false;
  std::vector<int64_t> rows; // sample of each row, -1: left out
  std::exception_ptr failure;
  std::vector<std::thread> workers;
};

} // namespace trrt

#endif // TRRT_DATA_BATCH_LOADER_H
