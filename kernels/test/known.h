// SPDX-License-Identifier: Apache-2.0
//
// Short forms for tests whose results are worked out by hand.
#ifndef TRK_TEST_KNOWN_H
#define TRK_TEST_KNOWN_H

#include "conformance.h"

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

class KnownAnswers : public testing::TestWithParam<LibrarySetup> {
protected:
  void run(Invocation &call) { ASSERT_EQ(runKernel(GetParam(), call), ""); }
  // The call after it ran.
  Invocation ran(Invocation call) {
    run(call);
    return call;
  }

  Host conv(const Host &x, const Host &w, const Host &bias, const Window &window);
  Host fc(const Host &x, const Host &w, const Host &bias);
  Host activation(Act act, const Floats &values);
  Host avgPool(const Host &x, const Window &w);
  Host avgPoolGradient(const Host &dy, const Dims &x, const Window &w);
  Host copy(const Host &x, const Dims &dims);

  struct Pooled {
    Host y, index;
  };
  Pooled maxPool(const Host &x, const Window &w);
  Host maxPoolGradient(const Host &dy, const Host &index, const Dims &x, const Window &w);

  Host bnApply(const BnHosts &in, Act act);
  // Eval-time batch norm: the fold of the running statistics and its use.
  Host bnEval(const Host &x, const Host &gamma, const Host &beta, const Host &mean, const Host &var,
              double eps, Act act = Activation::None);
  // Training-time batch norm.
  struct BnTrained {
    Host y, mean, invStd, nextMean, nextVar;
  };
  BnTrained bnTrain(const Host &x, const Host &gamma, const Host &beta, double eps, double momentum,
                    const Host &prevMean, const Host &prevVar);

  struct Loss {
    float loss, top1, top5;
    Host probs, predicted, gradient;
  };
  Loss softmaxCe(const Host &logits, const std::vector<int32_t> &labels, int32_t valid,
                 float smoothing = 0);
};

inline std::string setupName(const testing::TestParamInfo<LibrarySetup> &param) {
  return param.param.name();
}

} // namespace trk::test

#endif // TRK_TEST_KNOWN_H
