// SPDX-License-Identifier: Apache-2.0
//
// One thread, two halves.
#include "data/batch_loader.h"

#include <algorithm>

namespace trrt {

BatchLoader::BatchLoader(const Session &session, const DataSet &data, uint32_t variant)
    : session(session), data(data), batchSize(session.plan().variants[variant].batch),
      pixels(data.height * data.width * data.channels), worker([this] { work(); }) {}

BatchLoader::~BatchLoader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  worker.join();
}

void BatchLoader::beginTraining(const Permutation &permutation) {
  waitIdle();
  order.emplace(permutation);
  begin(data.size() / batchSize);
}

void BatchLoader::beginEvaluation() {
  waitIdle();
  order.reset();
  begin((data.size() + batchSize - 1) / batchSize);
}

void BatchLoader::begin(int64_t count) {
  batches = count;
  delivered = 0;
  if (batches > 0)
    request(0);
}

BatchLoader::Batch BatchLoader::next() {
  if (delivered == batches)
    return {};
  waitIdle();
  Batch batch;
  batch.half = static_cast<int>(delivered % 2);
  batch.valid = std::min(batchSize, data.size() - delivered * batchSize);
  if (++delivered < batches)
    request(delivered);
  return batch;
}

void BatchLoader::request(int64_t batchIndex) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    requested = batchIndex;
  }
  changed.notify_all();
}

void BatchLoader::waitIdle() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return requested < 0; });
}

void BatchLoader::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stopping || requested >= 0; });
    if (stopping)
      return;
    const int64_t batchIndex = requested;
    lock.unlock();
    fill(batchIndex, static_cast<int>(batchIndex % 2));
    lock.lock();
    requested = -1;
    changed.notify_all();
  }
}

void BatchLoader::fill(int64_t batchIndex, int half) {
  const InputHalf &input = session.input(half);
  const int64_t first = batchIndex * batchSize;
  const int64_t valid = std::min(batchSize, data.size() - first);
  for (int64_t i = 0; i < valid; ++i) {
    int64_t sample = first + i;
    if (order)
      sample = static_cast<int64_t>((*order)(static_cast<uint64_t>(sample)));
    data.image(sample, input.images + i * pixels);
    input.labels[i] = data.label(sample);
  }
  std::fill(input.images + valid * pixels, input.images + batchSize * pixels, 0.0f);
  std::fill(input.labels + valid, input.labels + batchSize, 0);
  *input.valid = static_cast<int32_t>(valid);
}

} // namespace trrt
