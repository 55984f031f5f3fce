// SPDX-License-Identifier: Apache-2.0
//
// Central differences in double.
#include "gradient.h"

#include <algorithm>
#include <cmath>

namespace trk::test {

Wide::Wide(const Host &h) : dims(h.dims), values(h.f(), h.f() + h.elements()) {}

double weightedSum(const Host &weights, const Wide &values) {
  double sum = 0;
  for (size_t i = 0; i < values.values.size(); ++i)
    sum += double(weights.f()[i]) * values.values[i];
  return sum;
}

void expectGradient(const std::string &name, Wide &variable, const Host &analytic,
                    const std::function<double()> &loss) {
  constexpr double kStep = 1e-6;
  ASSERT_EQ(int64_t(variable.values.size()), analytic.elements()) << name;
  std::vector<double> numeric;
  double largest = 0;
  for (double &value : variable.values) {
    double old = value;
    value = old + kStep;
    double up = loss();
    value = old - kStep;
    double down = loss();
    value = old;
    numeric.push_back((up - down) / (2 * kStep));
    largest = std::max(largest, std::fabs(numeric.back()));
  }
  // FP32 rounding of the kernel's inputs (statistics) and results; the differences
  // themselves are good to about 1e-9.
  double allowed = 2e-6 * largest + 2e-7;
  for (size_t i = 0; i < numeric.size(); ++i)
    EXPECT_NEAR(analytic.f()[i], numeric[i], allowed) << name << ", element " << i;
}

Invocation ran(Invocation call) {
  EXPECT_EQ(runKernel(referenceSetup(), call), "");
  return call;
}

Host gradientFromOutput(const Host &dy, const Host &y, Act act) {
  namespace op = ops::act_bwd_out;
  return ran({op::kOpcode, {{op::dy, dy}, {op::y, y}}, op::Attrs{act}})[op::dx];
}

} // namespace trk::test
