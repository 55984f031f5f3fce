// SPDX-License-Identifier: Apache-2.0
//
// Bytes through the pipeline, then through a table by channel.
#include "data/image_reader.h"

#include "base/status.h"

namespace trrt {

// The division in FP32, as the network would do it.
static std::vector<std::array<float, 256>> makeTables(const tri::Normalisation &normal,
                                                      int64_t channels) {
  std::vector<std::array<float, 256>> tables(static_cast<size_t>(channels));
  for (size_t c = 0; c < tables.size(); ++c) {
    const float mean = static_cast<float>(normal.mean[c % normal.mean.size()]),
                std = static_cast<float>(normal.std[c % normal.std.size()]);
    for (size_t byte = 0; byte < 256; ++byte)
      tables[c][byte] = (static_cast<float>(byte) / 255.0f - mean) / std;
  }
  return tables;
}

// One number of a normalisation for colours serves a grey network by its mean.
static tri::Normalisation fitted(const tri::Normalisation &normal, int64_t channels) {
  if (normal.mean.size() == 1 || static_cast<int64_t>(normal.mean.size()) == channels)
    return normal;
  double mean = 0, std = 0;
  for (size_t c = 0; c < normal.mean.size(); ++c) {
    mean += normal.mean[c] / static_cast<double>(normal.mean.size());
    std += normal.std[c] / static_cast<double>(normal.std.size());
  }
  return {{mean}, {std}};
}

ImageReader::ImageReader(const DataSet &data, int64_t channels, ImageOptions given)
    : set(data), channels(channels), options(std::move(given)) {
  // Pictures of many shapes keep theirs: the short side fits, the middle is taken.
  if (options.pipeline.isEmpty() && data.shape == tri::Size())
    options.pipeline.setCalls("resize(), centre_crop()");
  const tri::Normalisation *asked = options.pipeline.normalisation();
  const tri::Normalisation &normal = asked                         ? *asked
                                     : options.normal.mean.empty() ? data.normal
                                                                   : options.normal;
  tables = makeTables(fitted(normal.mean.empty() ? tri::Normalisation{{0}, {1}} : normal, channels),
                      channels);
}

void ImageReader::reserve(const std::vector<tri::Size> &sizes, Memory &memory) const {
  if (set.shape == tri::Size())
    return;
  const int64_t count = set.channels == 0 ? channels : set.channels;
  memory.buffer.assign(static_cast<size_t>(set.shape.pixels() * count), 0);
  const std::vector<uint8_t> &blank = memory.buffer;
  const tri::Picture picture = tri::Picture::ofPixels(blank.data(), set.shape, count);
  for (const tri::Size size : sizes) {
    tri::Draws draws(0, 0, 0);
    options.pipeline.run(picture, channels, size, draws, memory.pipeline, memory.image);
  }
}

void ImageReader::read(int64_t index, uint64_t epoch, tri::Size size, float *out,
                       Memory &memory) const {
  tri::Draws draws(options.seed, epoch, static_cast<uint64_t>(index));
  std::string error;
  try {
    error = options.pipeline.run(set.picture(index, memory.buffer), channels, size, draws,
                                 memory.pipeline, memory.image);
  } catch (const Error &failure) {
    error = failure.what();
  }
  if (!error.empty())
    throw Error(TRRT_INVALID_FILE, set.describe(index) + ": " + error);
  const uint8_t *in = memory.image.bytes.data();
  for (int64_t pixel = 0; pixel < size.pixels(); ++pixel)
    for (int64_t c = 0; c < channels; ++c)
      *out++ = tables[static_cast<size_t>(c)][*in++];
}

int64_t ImageReader::readGood(int64_t index, uint64_t epoch, tri::Size size, float *out,
                              Memory &memory) {
  constexpr int64_t kAttempts = 100;
  for (int64_t attempt = 0;; ++attempt) {
    const int64_t sample = (index + attempt) % set.size();
    try {
      read(sample, epoch, size, out, memory);
      return sample;
    } catch (const Error &error) {
      if (options.badFiles == BadFiles::Stop || attempt == kAttempts)
        throw;
      report(sample, error.what());
    }
    if (options.badFiles == BadFiles::Skip)
      return -1;
  }
}

void ImageReader::report(int64_t index, const std::string &text) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (bad.insert(index).second && options.onMessage)
    options.onMessage("warning: " + text);
}

int64_t ImageReader::badFiles() const {
  const std::lock_guard<std::mutex> lock(mutex);
  return static_cast<int64_t>(bad.size());
}

} // namespace trrt
