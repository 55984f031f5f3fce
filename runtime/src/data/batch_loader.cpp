// SPDX-License-Identifier: Apache-2.0
//
// One thread, two halves.
#include "data/batch_loader.h"

#include "base/status.h"

namespace trrt {

using namespace trf;

BatchLoader::BatchLoader(const Session &session, const DataSet &data)
    : session(session), data(data) {
  for (const Variant &v : session.plan().variants) {
    if (v.channels != data.channels)
      throw Error(TRRT_INVALID_ARGUMENT, "expected images of " + std::to_string(v.channels) +
                                             " channels, but got " + std::to_string(data.channels));
    const Resampler::Size from = {data.height, data.width}, to = {v.height, v.width};
    resamplers.emplace_back();
    if (from == to)
      continue;
    resamplers.back().emplace(from, to, data.channels);
    original.resize(static_cast<size_t>(data.height * data.width * data.channels));
  }
  worker = std::thread([this] { work(); });
}

BatchLoader::~BatchLoader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  worker.join();
}

void BatchLoader::begin(const Pass &newPass, const std::optional<Permutation> &newOrder) {
  waitIdle();
  pass = newPass;
  order = newOrder;
  delivered = 0;
  if (pass.steps() > 0)
    request(0);
}

BatchLoader::Batch BatchLoader::batchAt(int64_t index) const {
  Batch batch;
  batch.variant = index < pass.whole ? pass.variant : pass.lastVariant;
  batch.half = halfOf(index);
  batch.valid = index < pass.whole ? session.plan().variants[pass.variant].batch : pass.rest;
  return batch;
}

BatchLoader::Batch BatchLoader::next() {
  if (delivered == pass.steps())
    return {};
  waitIdle();
  const Batch batch = batchAt(delivered);
  if (++delivered < pass.steps())
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
    fill(batchIndex);
    lock.lock();
    requested = -1;
    changed.notify_all();
  }
}

void BatchLoader::image(int64_t sample, uint32_t variant, float *out) {
  if (!resamplers[variant])
    return data.image(sample, out);
  data.image(sample, original.data());
  resamplers[variant]->run(original.data(), out);
}

void BatchLoader::fill(int64_t index) {
  const Batch batch = batchAt(index);
  const std::vector<Variant> &variants = session.plan().variants;
  const Variant &variant = variants[batch.variant];
  const int64_t pixels = variant.height * variant.width * variant.channels;
  const int64_t first = index * variants[pass.variant].batch;
  const InputHalf &input = session.input(batch.half);
  for (int64_t i = 0; i < batch.valid; ++i) {
    int64_t sample = first + i;
    if (order)
      sample = static_cast<int64_t>((*order)(static_cast<uint64_t>(sample)));
    image(sample, batch.variant, input.images + i * pixels);
    input.labels[i] = data.label(sample);
  }
  input.pad(variant, batch.valid);
}

} // namespace trrt
