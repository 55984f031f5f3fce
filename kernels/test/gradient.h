// SPDX-License-Identifier: Apache-2.0
//
// Checks the gradients that the FP32 kernels compute against central differences
// of the same forward code in double.
#ifndef TRK_TEST_GRADIENT_H
#define TRK_TEST_GRADIENT_H

#include "conformance.h"
#include "reference/view.h"

#include <functional>

namespace trk::test {

// A tensor in double: the float values of a Host, free to be perturbed.
struct Wide {
  Dims dims{0, 0, 0, 0};
  std::vector<double> values;

  Wide() = default;
  explicit Wide(const Host &h);
  explicit Wide(const Dims &d) : dims(d), values(size_t(count(d))) {}
  reference::View<double> view() {
    return {values.data(), dims[0], dims[1], dims[2], dims[3], dims[3]};
  }
  double *data() { return values.empty() ? nullptr : values.data(); }
};

// sum of weights * values: a scalar loss whose gradient at the output is `weights`.
double weightedSum(const Host &weights, const Wide &values);

// `analytic` must equal d loss() / d variable, element by element.
void expectGradient(const std::string &name, Wide &variable, const Host &analytic,
                    const std::function<double()> &loss);

// The call after the reference library ran it.
Invocation ran(Invocation call);
// dx of act_bwd_out.
Host gradientFromOutput(const Host &dy, const Host &y, Act act);

} // namespace trk::test

#endif // TRK_TEST_GRADIENT_H
