// SPDX-License-Identifier: Apache-2.0
//
// Threads take the rows of a batch one by one; whoever does the last row closes the batch.
#include "data/batch_loader.h"

#include "base/status.h"

#include <algorithm>

namespace trrt {

using namespace trf;

static int64_t channelsOf(const Session &session, const DataSet &data) {
  int64_t channels = data.channels;
  for (const Variant &v : session.plan().variants) {
    if (channels != 0 && v.channels != channels)
      throw Error(TRRT_INVALID_ARGUMENT, "expected images of " + std::to_string(v.channels) +
                                             " channels, but got " + std::to_string(channels));
    channels = v.channels;
  }
  return channels;
}

BatchLoader::BatchLoader(const Session &session, const DataSet &data, const ImageOptions &options)
    : session(session), reader(data, channelsOf(session, data), options) {
  int64_t most = 0;
  for (const Variant &v : session.plan().variants)
    most = std::max(most, v.batch);
  rows.reserve(static_cast<size_t>(most));
  delivered.reserve(static_cast<size_t>(most));
  for (int i = 0; i < std::max(1, reader.threads()); ++i)
    workers.emplace_back([this] { work(); });
}

BatchLoader::~BatchLoader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    nextRow = filling.valid; // what nobody has begun is not read any more
  }
  changed.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void BatchLoader::begin(const Pass &newPass, const std::optional<Permutation> &newOrder,
                        uint64_t newEpoch, int64_t done) {
  waitIdle();
  pass = newPass;
  order = newOrder;
  epoch = newEpoch;
  given = done;
  if (given < pass.steps())
    request(given);
}

BatchLoader::Batch BatchLoader::batchAt(int64_t index) const {
  Batch batch;
  batch.variant = index < pass.whole ? pass.variant : pass.lastVariant;
  batch.half = halfOf(index);
  batch.valid = index < pass.whole ? session.plan().variants[pass.variant].batch : pass.rest;
  return batch;
}

int64_t BatchLoader::sampleAt(int64_t position) const {
  return order ? static_cast<int64_t>((*order)(static_cast<uint64_t>(position))) : position;
}

BatchLoader::Batch BatchLoader::next() {
  if (given >= pass.steps())
    return {};
  waitIdle();
  if (failure)
    std::rethrow_exception(std::exchange(failure, nullptr));
  const Batch batch = filling;
  if (batch.valid == 0)
    throw Error(TRRT_INVALID_FILE, "none of the images of a batch can be read");
  delivered = rows;
  if (++given < pass.steps())
    request(given);
  return batch;
}

void BatchLoader::request(int64_t batchIndex) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    filling = batchAt(batchIndex);
    firstSample = batchIndex * session.plan().variants[pass.variant].batch;
    rows.assign(static_cast<size_t>(filling.valid), -1);
    nextRow = rowsAtWork = 0;
    failure = nullptr;
    busy = true;
  }
  changed.notify_all();
}

void BatchLoader::waitIdle() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !busy; });
}

void BatchLoader::work() {
  ImageReader::Memory memory;
  std::vector<tri::Size> sizes;
  for (const Variant &v : session.plan().variants)
    sizes.push_back({v.height, v.width});
  reader.reserve(sizes, memory);
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stopping || (busy && nextRow < filling.valid); });
    if (stopping)
      return;
    const int64_t row = nextRow++;
    ++rowsAtWork;
    const Variant &variant = session.plan().variants[filling.variant];
    const InputHalf &input = session.input(filling.half);
    const int64_t sample = sampleAt(firstSample + row);
    lock.unlock();
    int64_t read = -1;
    std::exception_ptr problem;
    try {
      const tri::Size size = {variant.height, variant.width};
      read = reader.readGood(sample, epoch, size,
                             input.images + row * size.pixels() * variant.channels, memory);
    } catch (...) {
      problem = std::current_exception();
    }
    lock.lock();
    rows[static_cast<size_t>(row)] = read;
    if (problem && !failure) {
      failure = problem;
      nextRow = filling.valid;
    }
    if (--rowsAtWork == 0 && nextRow == filling.valid)
      finishBatch();
  }
}

// Rows that were left out close up; labels follow.
void BatchLoader::finishBatch() {
  const Variant &variant = session.plan().variants[filling.variant];
  const InputHalf &input = session.input(filling.half);
  const int64_t pixels = variant.height * variant.width * variant.channels;
  int64_t kept = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] < 0)
      continue;
    if (static_cast<int64_t>(row) != kept)
      std::copy_n(input.images + static_cast<int64_t>(row) * pixels, pixels,
                  input.images + kept * pixels);
    rows[static_cast<size_t>(kept)] = rows[row];
    input.labels[kept++] = reader.data().label(rows[row]);
  }
  rows.resize(static_cast<size_t>(kept));
  filling.valid = kept;
  nextRow = kept;
  input.pad(variant, kept);
  busy = false;
  changed.notify_all();
}

} // namespace trrt
