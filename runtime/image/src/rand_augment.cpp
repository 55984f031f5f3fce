// SPDX-License-Identifier: Apache-2.0
//
// RandAugment (Cubuk et al., 2020) with torchvision's fourteen changes and its 31 strengths.
#include "calls.h"

#include <cmath>

namespace tri {

namespace {

constexpr double kLargest = 30; // of the magnitudes 0 to 30
constexpr double kDegree = 180 / 3.14159265358979323846;

// A change at work: `part` is the strength from 0 to 1, `sign` 1 or -1 with equal chance.
struct Change {
  Image &image, &next;
  double part, sign;
  uint8_t fill;

  void move(const Affine &map) {
    transform(image, map, false, fill, next);
    std::swap(image, next);
  }
  // torchvision shears about the upper left corner.
  void shear(bool alongX) {
    const double angle = std::atan(0.3 * part * sign) * kDegree;
    Affine map = inverseAffine(0, 0, 0, 1, alongX ? angle : 0, alongX ? 0 : angle);
    const double x = -static_cast<double>(image.size.width) / 2,
                 y = -static_cast<double>(image.size.height) / 2;
    map.c += x - map.a * x - map.b * y;
    map.f += y - map.d * x - map.e * y;
    move(map);
  }
  double distance(int64_t extent) const {
    return std::trunc(150.0 / 331.0 * static_cast<double>(extent) * part * sign);
  }
  double factor() const { return 1 + 0.9 * part * sign; }
};

constexpr void (*kChanges[])(Change &) = {
    [](Change &) {},
    [](Change &c) { c.shear(true); },
    [](Change &c) { c.shear(false); },
    [](Change &c) { c.move(inverseAffine(0, c.distance(c.image.size.width), 0, 1, 0, 0)); },
    [](Change &c) { c.move(inverseAffine(0, 0, c.distance(c.image.size.height), 1, 0, 0)); },
    [](Change &c) { c.move(inverseAffine(-30 * c.part * c.sign, 0, 0, 1, 0, 0)); },
    [](Change &c) { adjustBrightness(c.image, c.factor()); },
    [](Change &c) { adjustSaturation(c.image, c.factor()); },
    [](Change &c) { adjustContrast(c.image, c.factor()); },
    [](Change &c) { adjustSharpness(c.image, c.factor()); },
    [](Change &c) { posterize(c.image, 8 - static_cast<int>(std::nearbyint(4 * c.part))); },
    [](Change &c) { solarize(c.image, 255 * (1 - c.part)); },
    [](Change &c) { autoContrast(c.image); },
    [](Change &c) { equalize(c.image); },
};

} // namespace

void rand_augment(Step &step) {
  for (int64_t i = 0; i < step.integer(0); ++i) {
    const size_t which =
        static_cast<size_t>(step.draws.below(static_cast<int64_t>(std::size(kChanges))));
    Change change{step.image(), step.memory.next, step.value(1) / kLargest,
                  step.draws.chance(0.5) ? -1.0 : 1.0, step.byte(2)};
    kChanges[which](change);
  }
}

} // namespace tri
