// SPDX-License-Identifier: Apache-2.0
//
// From a stored picture to what a network reads, as a text says:
// "random_resized_crop(224), flip(), normalize(imagenet)".
#ifndef TRI_PIPELINE_H
#define TRI_PIPELINE_H

#include "tri/draws.h"
#include "tri/image.h"
#include "tri/resize.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tri {

// A picture of a data set: the bytes of a file, or pixels.
struct Picture {
  std::string_view file;           // to be decoded; empty: `pixels` are
  const uint8_t *pixels = nullptr; // height x width x channels
  Size size;
  int64_t channels = 0;

  static Picture ofFile(std::string_view bytes) { return {bytes, nullptr, {}, 0}; }
  static Picture ofPixels(const uint8_t *pixels, Size size, int64_t channels) {
    return {{}, pixels, size, channels};
  }
};

// A network reads (byte / 255 - mean) / std, by channel; one value serves all.
struct Normalisation {
  std::vector<double> mean, std;

  bool operator==(const Normalisation &other) const {
    return mean == other.mean && std == other.std;
  }
};
Normalisation imagenetNormalisation();

struct CallInfo;

// One step with its numbers, in the order of its parameters.
struct PipelineCall {
  static constexpr size_t kMaxValues = 8;
  const CallInfo *info = nullptr;
  std::array<double, kMaxValues> values{};
};

// Memory of one thread, kept from picture to picture.
struct PipelineMemory {
  Image current, next;
  Resizer resizer;
};

class Pipeline {
public:
  // Returns an empty text or "column 14: expected ..., but got ...".
  static std::string parse(std::string_view text, Pipeline &pipeline);

  // The text in one spelling: all parameters that differ from their defaults.
  std::string text() const;
  bool isEmpty() const { return calls.empty(); } // no call but normalize
  bool isRandom() const;                         // whether epochs see a picture differently
  // Replaces all calls but normalize.
  void setCalls(std::string_view text);
  const Normalisation *normalisation() const { return hasNormalisation ? &normal : nullptr; }

  // The picture in `channels` channels and of size `target`: what the calls leave is resized to
  // it where they end elsewhere. Calls without a size take the target's. Returns an empty text, or
  // what is wrong with the picture.
  std::string run(const Picture &picture, int64_t channels, Size target, Draws &draws,
                  PipelineMemory &memory, Image &out) const;

private:
  std::vector<PipelineCall> calls;
  Normalisation normal;
  bool hasNormalisation = false;
};

// "flip(p = 0.5, vertical = 0)   mirrors ..." for each call, for help texts and documents.
std::vector<std::string> pipelineReference();

} // namespace tri

#endif // TRI_PIPELINE_H
