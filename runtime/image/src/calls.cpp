// SPDX-License-Identifier: Apache-2.0
//
// What each call does. Numbers are drawn as torchvision's transforms of the same names draw them.
#include "calls.h"

#include <algorithm>
#include <cmath>

namespace tri {

Size Step::size(size_t i) const {
  const int64_t height = call.values[i] == kTarget ? target.height : integer(i);
  if (call.values[i + 1] != kSame)
    return {height, integer(i + 1)};
  return {height, call.values[i] == kTarget ? target.width : height};
}

std::array<uint8_t, 3> Step::fill(size_t i) const {
  return call.values[i] == kMean ? mean : std::array<uint8_t, 3>{byte(i), byte(i), byte(i)};
}

Size resizedSize(Size size, int64_t shortSide) {
  if (size.height <= size.width)
    return {shortSide, std::max<int64_t>(1, shortSide * size.width / size.height)};
  return {std::max<int64_t>(1, shortSide * size.height / size.width), shortSide};
}

static Box wholeOf(Size size) {
  return {0, 0, static_cast<double>(size.height), static_cast<double>(size.width)};
}

static void resizeTo(Step &step, Box box, Size to) {
  if (to == step.image().size && box.height == static_cast<double>(to.height) &&
      box.width == static_cast<double>(to.width))
    return;
  step.memory.resizer.run(step.image(), box, to, step.memory.next);
  step.swap();
}

static void resize(Step &step) {
  const Size size = step.image().size;
  const int64_t shortSide =
      step.value(0) == kTarget ? std::min(step.target.height, step.target.width) : step.integer(0);
  resizeTo(step, wholeOf(size), resizedSize(size, shortSide));
}

static void cropTo(Step &step, int64_t top, int64_t left, Size to, Border border, uint8_t fill) {
  crop(step.image(), top, left, to, border, fill, step.memory.next);
  step.swap();
}

// Half of a difference as torchvision rounds it: to even.
static int64_t half(int64_t difference) {
  return static_cast<int64_t>(std::nearbyint(static_cast<double>(difference) / 2));
}

static void centre_crop(Step &step) {
  const Size from = step.image().size, to = step.size(0);
  // A smaller picture is padded first, one pixel less before than after where the number is odd.
  const auto start = [](int64_t from, int64_t to) {
    return to > from ? -((to - from) / 2) : half(from - to);
  };
  cropTo(step, start(from.height, to.height), start(from.width, to.width), to, Border::Constant, 0);
}

static void pad(Step &step) {
  const int64_t more = step.integer(0);
  const Size from = step.image().size;
  cropTo(step, -more, -more, {from.height + 2 * more, from.width + 2 * more}, step.border(2),
         step.byte(1));
}

static void random_crop(Step &step) {
  const Size from = step.image().size, to = step.size(0);
  const int64_t more = step.integer(2);
  // A picture that is too small even so is taken from its middle, on `fill`.
  const auto start = [&](int64_t from, int64_t to) {
    const int64_t places = from + 2 * more - to;
    return places < 0 ? -more + places / 2 : step.draws.below(places + 1) - more;
  };
  const int64_t top = start(from.height, to.height), left = start(from.width, to.width);
  cropTo(step, top, left, to, step.border(4), step.byte(3));
}

Box drawResizedCrop(const PipelineCall &call, Size size, Draws &draws) {
  const double area = static_cast<double>(size.pixels());
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double part = area * draws.uniform(call.values[2], call.values[3]);
    const double ratio = draws.logUniform(call.values[4], call.values[5]);
    const double width = std::nearbyint(std::sqrt(part * ratio)),
                 height = std::nearbyint(std::sqrt(part / ratio));
    const double top = draws.uniform(), left = draws.uniform();
    if (width < 1 || height < 1 || width > static_cast<double>(size.width) ||
        height > static_cast<double>(size.height))
      continue;
    return {std::floor(top * (static_cast<double>(size.height) - height + 1)),
            std::floor(left * (static_cast<double>(size.width) - width + 1)), height, width};
  }
  // The middle, as much of it as the ratio allows.
  double height = static_cast<double>(size.height), width = static_cast<double>(size.width);
  if (width / height < call.values[4])
    height = std::max(1.0, std::nearbyint(width / call.values[4]));
  else if (width / height > call.values[5])
    width = std::max(1.0, std::nearbyint(height * call.values[5]));
  return {std::floor((static_cast<double>(size.height) - height) / 2),
          std::floor((static_cast<double>(size.width) - width) / 2), height, width};
}

static void random_resized_crop(Step &step) {
  resizeTo(step, drawResizedCrop(step.call, step.image().size, step.draws), step.size(0));
}

static void flip(Step &step) {
  if (!step.draws.chance(step.value(0)))
    return;
  if (step.integer(1) == 0)
    flipColumns(step.image());
  else
    flipRows(step.image());
}

static void transformBy(Step &step, const Affine &map, size_t fill, size_t filter) {
  transform(step.image(), map, step.integer(filter) == 1, step.byte(fill), step.memory.next);
  step.swap();
}

static void rotate(Step &step) {
  const double angle = step.draws.uniform(-step.value(0), step.value(0));
  transformBy(step, inverseAffine(-angle, 0, 0, 1, 0, 0), 1, 2);
}

static void affine(Step &step) {
  const Size size = step.image().size;
  const double angle = step.draws.uniform(-step.value(0), step.value(0));
  const auto move = [&](int64_t extent) {
    const double most = step.value(1) * static_cast<double>(extent);
    return std::nearbyint(step.draws.uniform(-most, most));
  };
  const double moveX = move(size.width), moveY = move(size.height);
  const double scale = step.draws.uniform(step.value(2), step.value(3));
  const double shear = step.draws.uniform(-step.value(4), step.value(4));
  transformBy(step, inverseAffine(angle, moveX, moveY, scale, shear, 0), 5, 6);
}

static void color_jitter(Step &step) {
  constexpr void (*kChanges[])(Image &, double) = {adjustBrightness, adjustContrast,
                                                   adjustSaturation, adjustHue};
  std::array<size_t, 4> order = {0, 1, 2, 3};
  for (size_t i = 3; i > 0; --i)
    std::swap(order[i], order[static_cast<size_t>(step.draws.below(static_cast<int64_t>(i) + 1))]);
  for (const size_t change : order) {
    const double most = step.value(change);
    const double middle = change == 3 ? 0 : 1; // a shift of hue, else a factor
    const double low = change == 3 ? -most : std::max(0.0, middle - most);
    const double amount = step.draws.uniform(low, middle + most);
    if (most != 0)
      kChanges[change](step.image(), amount);
  }
}

static void erase(Step &step) {
  if (!step.draws.chance(step.value(0)))
    return;
  const Size size = step.image().size;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double part =
        static_cast<double>(size.pixels()) * step.draws.uniform(step.value(1), step.value(2));
    const double ratio = step.draws.logUniform(step.value(3), step.value(4));
    const Size box = {static_cast<int64_t>(std::nearbyint(std::sqrt(part * ratio))),
                      static_cast<int64_t>(std::nearbyint(std::sqrt(part / ratio)))};
    if (box.height >= size.height || box.width >= size.width)
      continue;
    const int64_t top = step.draws.below(size.height - box.height + 1);
    fillBox(step.image(), top, step.draws.below(size.width - box.width + 1), box, step.fill(5));
    return;
  }
}

static void cutout(Step &step) {
  const int64_t extent = step.integer(0);
  const int64_t y = step.draws.below(step.image().size.height);
  const int64_t x = step.draws.below(step.image().size.width);
  fillBox(step.image(), y - extent / 2, x - extent / 2, {extent, extent}, step.fill(1));
}

#define CALL(name, params, doc) constexpr ParamInfo name##_params[] = {params};
#define PARAM(name, otherwise, low, high) {#name, otherwise, low, high, ""},
#define CHOICE(name, otherwise, words) {#name, otherwise, 0, 0, words},
#include "calls.def"

const CallInfo kCalls[] = {
#define CALL(name, params, doc) {#name, name##_params, std::size(name##_params), name, doc},
#define PARAM(...)
#define CHOICE(...)
#include "calls.def"
};
const size_t kCallCount = std::size(kCalls);

} // namespace tri
