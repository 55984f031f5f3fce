// SPDX-License-Identifier: Apache-2.0
//
// The nearest row of the cost table.
#include "ConvCosts.h"

#include <cmath>

using namespace tr;
using trf::ConvAlgorithm;

namespace {

struct Row {
  trf::Target target;
  ConvShape shape;
  double speeds[4][2]; // [direction][direct, other]
};

constexpr Row kRows[] = {
#define TR_CONV_COST(target, kernel, stride, n, h, w, i, o, fd, fo, dd, dO, wd, wo, id, io)        \
  {trf::Target::target, {kernel, stride, n, h, w, i, o}, {{fd, fo}, {dd, dO}, {wd, wo}, {id, io}}},
#include "renaissance/Target/ConvCosts.def"
};

// In powers of two. Batch and extents only say how often the same tiles occur, channels how
// well a tile fills registers and how much of it the transforms are.
double getDistance(const ConvShape &a, const ConvShape &b) {
  auto ratio = [](int64_t x, int64_t y) {
    return std::abs(std::log2(static_cast<double>(x) / static_cast<double>(y)));
  };
  return 2 * ratio(a.in, b.in) + 2 * ratio(a.out, b.out) + ratio(a.height, b.height) +
         ratio(a.width, b.width) + ratio(a.batch, b.batch) / 2 + 2 * ratio(a.stride, b.stride);
}

} // namespace

// A target that was not measured is judged by the rows of the others.
ConvAlgorithm tr::chooseAlgorithm(trf::Target target, ConvDirection direction,
                                  const ConvShape &shape) {
  auto isOf = [&](const Row &row) {
    return row.target == target && row.shape.kernel == shape.kernel;
  };
  bool measured = llvm::any_of(kRows, isOf);
  const Row *nearest = nullptr;
  double least = 0;
  for (const Row &row : kRows) {
    if (measured ? !isOf(row) : row.shape.kernel != shape.kernel)
      continue;
    double distance = getDistance(row.shape, shape);
    if (nearest && distance >= least)
      continue;
    nearest = &row;
    least = distance;
  }
  if (!nearest)
    return ConvAlgorithm::Direct;
  const double(&speeds)[2] = nearest->speeds[static_cast<int>(direction)];
  if (speeds[1] <= speeds[0])
    return ConvAlgorithm::Direct;
  return shape.kernel == 3 ? ConvAlgorithm::Winograd : ConvAlgorithm::Pointwise;
}
