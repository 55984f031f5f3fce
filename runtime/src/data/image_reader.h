// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a data set as the numbers that a network reads.
#ifndef TRRT_DATA_IMAGE_READER_H
#define TRRT_DATA_IMAGE_READER_H

#include "data/data_set.h"

#include <array>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace trrt {

// What is done about a picture that cannot be read: the run ends, the picture is left out of its
// batch, which is that much smaller, or the next one of the data set takes its place.
enum class BadFiles { Stop, Skip, Replace };

struct ImageOptions {
  tri::Pipeline pipeline;
  tri::Normalisation normal; // where the pipeline says none; empty: the data set's
  uint64_t seed = 0;         // of what the pipeline draws
  int threads = 1;           // that read
  BadFiles badFiles = BadFiles::Stop;
  std::function<void(const std::string &)> onMessage; // a line for each bad file, from any thread
};

class ImageReader {
public:
  // What one thread keeps from picture to picture.
  struct Memory {
    tri::PipelineMemory pipeline;
    tri::Image image;
    std::vector<uint8_t> buffer;
  };

  ImageReader(const DataSet &data, int64_t channels, ImageOptions options);

  // Takes what reading into these sizes takes, as far as the shape of the pictures is known.
  void reserve(const std::vector<tri::Size> &sizes, Memory &memory) const;

  // Sample `index` as height x width x channels numbers. From any thread. Throws Error with the
  // picture's name where it cannot be read.
  void read(int64_t index, uint64_t epoch, tri::Size size, float *out, Memory &memory) const;

  // As read(), with what the options say about bad files: the sample that was read instead of
  // `index`, or -1 where it is to be left out.
  int64_t readGood(int64_t index, uint64_t epoch, tri::Size size, float *out, Memory &memory);

  const DataSet &data() const { return set; }
  int threads() const { return options.threads; }
  // Different pictures that could not be read so far.
  int64_t badFiles() const;

private:
  void report(int64_t index, const std::string &text);

  const DataSet &set;
  int64_t channels;
  ImageOptions options;
  std::vector<std::array<float, 256>> tables; // by channel
  mutable std::mutex mutex;
  std::set<int64_t> bad;
};

} // namespace trrt

#endif // TRRT_DATA_IMAGE_READER_H
