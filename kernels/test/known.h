// SPDX-License-Identifier: Apache-2.0
//
// Short forms for tests whose results are worked out by hand.
#ifndef TRK_TEST_KNOWN_H
#define TRK_TEST_KNOWN_H

#include "gradient.h"

#include <cmath>
#include <limits>

namespace trk::test {

using Floats = std::vector<float>;

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline void expectFloats(const Host &got, const Floats &expected, double tolerance = 0) {
  ASSERT_EQ(got.elements(), int64_t(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(got.f()[i])) << "element " << i;
    else if (std::isinf(expected[i]))
      EXPECT_EQ(got.f()[i], expected[i]) << "element " << i;
    else
      EXPECT_NEAR(got.f()[i], expected[i], tolerance) << "element " << i;
  }
}

// first, first + 1, ...
inline Host counting(const Dims &dims, float first = 1) {
  Host h = Host::f32(dims);
  for (int64_t i = 0; i < h.elements(); ++i)
    h.f()[i] = first + float(i);
  return h;
}
inline Host filled(const Dims &dims, float value) {
  return Host::f32(dims, Floats(size_t(count(dims)), value));
}

inline Host conv(const Host &x, const Host &w, const Host &bias, const Window &window) {
  Dims y = {
      x.dims[0],
      outputExtent(x.dims[1], window.kernel_h, window.stride_h, window.pad_h, window.dilation_h),
      outputExtent(x.dims[2], window.kernel_w, window.stride_w, window.pad_w, window.dilation_w),
      w.dims[0]};
  return runFor(Opcode::conv_fwd, {x, w, bias, Host::f32(y)}, convAttrList(window), 3);
}

inline Host fc(const Host &x, const Host &w, const Host &bias) {
  return runFor(Opcode::fc_fwd, {x, w, bias, Host::f32({x.dims[0], 1, 1, w.dims[0]})}, {}, 3);
}

// Eval-time batch norm: the fold of the running statistics and its use.
inline Host bnEval(const Host &x, const Host &gamma, const Host &beta, const Host &mean,
                   const Host &var, double eps, Activation act = Activation::None) {
  std::vector<Host> fold = {gamma, beta, mean, var, Host::f32(gamma.dims), Host::f32(gamma.dims)};
  run(Opcode::bn_fold, fold, {attr(eps)});
  return runFor(Opcode::bn_inf, {x, fold[4], fold[5], Host::f32(x.dims)}, {attr(act)}, 3);
}

// Training-time batch norm.
struct BnTrained {
  Host y, mean, inv_std, next_mean, next_var;
};
inline BnTrained bnTrain(const Host &x, const Host &gamma, const Host &beta, double eps,
                         double momentum, const Host &prevMean, const Host &prevVar) {
  Host vec = Host::f32(gamma.dims);
  std::vector<Host> stats = {x, prevMean, prevVar, vec, vec, vec, vec};
  run(Opcode::bn_stats, stats, {attr(eps), attr(momentum)});
  Host y = runFor(Opcode::bn_apply, {x, stats[3], stats[4], gamma, beta, Host::f32(x.dims)},
                  {attr(Activation::None)}, 5);
  return {y, stats[3], stats[4], stats[5], stats[6]};
}

} // namespace trk::test

#endif // TRK_TEST_KNOWN_H
