// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of one picture in one epoch: the same whoever asks, and in whatever order
// pictures are made.
#ifndef TRI_DRAWS_H
#define TRI_DRAWS_H

#include "trf/philox.h"

#include <cmath>
#include <cstdint>

namespace tri {

class Draws {
public:
  Draws(uint64_t seed, uint64_t epoch, uint64_t sample)
      : key(trf::philoxKey(seed)), counter{0, static_cast<uint32_t>(sample),
                                           static_cast<uint32_t>(epoch) ^
                                               static_cast<uint32_t>(sample >> 32) << 16,
                                           static_cast<uint32_t>(trf::PhiloxPurpose::Augment)} {}

  // Numbers of the n-th call of a pipeline do not depend on how many others took.
  void beginCall(uint32_t call) {
    counter[0] = call << 16;
    used = 4;
  }
  double uniform() { // [0, 1)
    if (used == 4) {
      words = trf::philox4x32(counter, key);
      ++counter[0];
      used = 0;
    }
    return trf::philoxUniform(words[used++]);
  }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool chance(double p) { return uniform() < p; }
  int64_t below(int64_t count) {
    return static_cast<int64_t>(uniform() * static_cast<double>(count));
  }
  double logUniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

private:
  trf::PhiloxKey key;
  trf::PhiloxCounter counter, words{};
  size_t used = 4;
};

} // namespace tri

#endif // TRI_DRAWS_H
