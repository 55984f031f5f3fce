// SPDX-License-Identifier: Apache-2.0
//
// Normalisation over groups of elements of a sample, as templates over the scalar type: layer_norm
// and group_norm differ in what a group is.
#ifndef TRK_REFERENCE_GROUP_NORM_H
#define TRK_REFERENCE_GROUP_NORM_H

#include "reference/view.h"

#include <algorithm>
#include <cmath>

namespace trk::reference {

// Groups of `pixels` successive pixels and `channels` successive channels.
struct NormGroups {
  int64_t pixels = 1, channels = 1;
  int64_t perPixel = 1; // groups that a pixel has channels of

  template <typename T> static NormGroups ofPixels(const View<T> &x) { return {1, x.c, 1}; }
  template <typename T> static NormGroups ofSamples(const View<T> &x, int64_t groups) {
    return {x.h * x.w, x.c / groups, groups};
  }
  int64_t at(int64_t pixel, int64_t c) const { return pixel / pixels * perPixel + c / channels; }
  template <typename T> int64_t count(const View<T> &x) const {
    return x.pixels() / pixels * perPixel;
  }
  double size() const { return double(pixels * channels); }
};

// What a group norm reads; gamma and beta may be null, which stands for 1 and 0.
template <typename T> struct GroupNormInput {
  View<T> x;
  NormGroups groups;
  const T *gamma, *beta;
  double eps;

  double factor(int64_t c) const { return gamma ? double(gamma[c]) : 1.0; }
};

// Mean and 1/sqrt(variance + eps) of each group.
template <typename T>
void groupStatistics(const GroupNormInput<T> &in, double *mean, double *invStd) {
  const int64_t count = in.groups.count(in.x);
  std::fill(mean, mean + count, 0.0);
  std::fill(invStd, invStd + count, 0.0);
  forEach(in.x, [&](int64_t p, int64_t c) { mean[in.groups.at(p, c)] += in.x.at(p, c); });
  for (int64_t g = 0; g < count; ++g)
    mean[g] /= in.groups.size();
  forEach(in.x, [&](int64_t p, int64_t c) {
    const int64_t g = in.groups.at(p, c);
    const double d = in.x.at(p, c) - mean[g];
    invStd[g] += d * d;
  });
  for (int64_t g = 0; g < count; ++g)
    invStd[g] = 1 / std::sqrt(invStd[g] / in.groups.size() + in.eps);
}

template <typename T>
void normaliseGroups(const GroupNormInput<T> &in, const double *mean, const double *invStd,
                     const View<T> &y) {
  forEach(in.x, [&](int64_t p, int64_t c) {
    const int64_t g = in.groups.at(p, c);
    const double normal = (double(in.x.at(p, c)) - mean[g]) * invStd[g];
    y.at(p, c) = T(in.factor(c) * normal + (in.beta ? double(in.beta[c]) : 0.0));
  });
}

} // namespace trk::reference

#endif // TRK_REFERENCE_GROUP_NORM_H
