// SPDX-License-Identifier: Apache-2.0
//
// Noise around one fixed random picture per class: of any shape, and learnable.
#include "data/sources.h"
#include "trf/philox.h"

#include <algorithm>

namespace trrt {

using namespace trf;

namespace {

// Drawn in the size of the plan's first variant; other variants see the same pictures resized.
class SyntheticSet final : public DataSet {
public:
  SyntheticSet(Split split, const Variant &variant, uint32_t classes)
      : split(split), classes(classes) {
    shape = {variant.height, variant.width};
    channels = variant.channels;
    normal = {{0.5}, {0.25}}; // from -2 to 2, as noise and picture lie in [-1, 1)
  }
  int64_t size() const override { return split == Split::Train ? 2048 : 512; }
  int32_t label(int64_t index) const override {
    return static_cast<int32_t>(index % static_cast<int64_t>(classes));
  }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    const uint32_t average = static_cast<uint32_t>(label(index));
    const uint32_t noise = static_cast<uint32_t>(index) + 1;
    const uint32_t stream = split == Split::Train ? 1 : 2;
    const int64_t count = shape.pixels() * channels;
    buffer.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; i += 4) {
      const PhiloxCounter a = words(i / 4, average, 0), b = words(i / 4, noise, stream);
      for (int64_t k = 0; k < std::min<int64_t>(4, count - i); ++k) {
        const size_t word = static_cast<size_t>(k);
        buffer[static_cast<size_t>(i + k)] =
            static_cast<uint8_t>(((a[word] >> 8) + (b[word] >> 8)) >> 17);
      }
    }
    return tri::Picture::ofPixels(buffer.data(), shape, channels);
  }

private:
  static PhiloxCounter words(int64_t block, uint32_t id, uint32_t stream) {
    return philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), id,
                       static_cast<uint32_t>(PhiloxPurpose::Synthetic)},
                      {stream, 0});
  }

  Split split;
  uint32_t classes;
};

} // namespace

std::unique_ptr<DataSet> makeSynthetic(Split split, const Variant &variant, uint32_t classes) {
  return std::make_unique<SyntheticSet>(split, variant, classes);
}

} // namespace trrt
