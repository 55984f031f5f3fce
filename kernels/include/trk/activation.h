// SPDX-License-Identifier: Apache-2.0
//
// Values and derivatives of the activations, for float and double. A NaN input
// is never hidden: every comparison is written so that NaN takes the branch that
// keeps it. At a kink the derivative is the one that PyTorch takes.
#ifndef TRK_ACTIVATION_H
#define TRK_ACTIVATION_H

#include "trf/enums.h"

#include <cmath>

namespace trk {

using trf::Act;
using trf::Activation;

// Above this softplus is x itself and its derivative 1.
inline constexpr double kSoftplusEnd = 20;
// Of the hyperbolic tangent in gelu_tanh: kGeluScale*(x + kGeluCube*x^3).
inline constexpr double kGeluScale = 0.79788456080286535588; // sqrt(2/pi)
inline constexpr double kGeluCube = 0.044715;

template <typename T> T sigmoid(T x) { return T(1) / (T(1) + std::exp(-x)); }

template <typename T> T softplus(T x) { return x > T(kSoftplusEnd) ? x : std::log1p(std::exp(x)); }

// Distribution function and density of the normal distribution.
template <typename T> T normalBelow(T x) {
  return T(0.5) * std::erfc(-x * T(0.70710678118654752440));
}
template <typename T> T normalDensity(T x) {
  return T(0.39894228040143267794) * std::exp(T(-0.5) * x * x);
}

template <typename T> T geluTanhArgument(T x) {
  return T(kGeluScale) * (x + T(kGeluCube) * x * x * x);
}

template <typename T> T activate(Act act, T x) {
  switch (act.kind) {
  case Activation::None:
    return x;
  case Activation::ReLU:
    return x < T(0) ? T(0) : x;
  case Activation::ReLU6:
    return x < T(0) ? T(0) : (x > T(6) ? T(6) : x);
  case Activation::Tanh:
    return std::tanh(x);
  case Activation::SiLU:
    return x * sigmoid(x);
  case Activation::LeakyReLU:
    return x < T(0) ? x * T(act.parameter) : x;
  case Activation::Hardswish:
    return x <= T(-3) ? T(0) : (x >= T(3) ? x : x * (x + T(3)) / T(6));
  case Activation::ELU:
    return x < T(0) ? T(act.parameter) * std::expm1(x) : x;
  case Activation::Sigmoid:
    return sigmoid(x);
  case Activation::GELU:
    return x * normalBelow(x);
  case Activation::GELUTanh:
    return T(0.5) * x * (T(1) + std::tanh(geluTanhArgument(x)));
  case Activation::Hardsigmoid:
    return x <= T(-3) ? T(0) : (x >= T(3) ? T(1) : (x + T(3)) / T(6));
  case Activation::Mish:
    return x * std::tanh(softplus(x));
  case Activation::Softplus:
    return softplus(x);
  }
  return x;
}

// Derivative at the input x of the activation.
template <typename T> T activationGradient(Act act, T x) {
  switch (act.kind) {
  case Activation::None:
    return T(1);
  case Activation::ReLU:
    return x <= T(0) ? T(0) : T(1);
  case Activation::ReLU6:
    return x <= T(0) || x >= T(6) ? T(0) : T(1);
  case Activation::Tanh: {
    T y = std::tanh(x);
    return T(1) - y * y;
  }
  case Activation::SiLU: {
    T s = sigmoid(x);
    return s * (T(1) + x * (T(1) - s));
  }
  case Activation::LeakyReLU:
    return x <= T(0) ? T(act.parameter) : T(1);
  case Activation::Hardswish:
    return x < T(-3) ? T(0) : (x > T(3) ? T(1) : x / T(3) + T(0.5));
  case Activation::ELU:
    return x <= T(0) ? T(act.parameter) * std::exp(x) : T(1);
  case Activation::Sigmoid: {
    T s = sigmoid(x);
    return s * (T(1) - s);
  }
  case Activation::GELU:
    return normalBelow(x) + x * normalDensity(x);
  case Activation::GELUTanh: {
    T y = std::tanh(geluTanhArgument(x));
    T slope = T(kGeluScale) * (T(1) + T(3 * kGeluCube) * x * x);
    return T(0.5) * (T(1) + y + x * (T(1) - y * y) * slope);
  }
  case Activation::Hardsigmoid:
    return x <= T(-3) || x >= T(3) ? T(0) : T(1) / T(6);
  case Activation::Mish: {
    T y = std::tanh(softplus(x));
    return y + x * (T(1) - y * y) * sigmoid(x);
  }
  case Activation::Softplus:
    return x > T(kSoftplusEnd) ? T(1) : sigmoid(x);
  }
  return T(1);
}

// Derivative from the output y; only these activations can tell it from there.
inline bool hasGradientFromOutput(Act act) {
  return act.kind == Activation::ReLU || act.kind == Activation::ReLU6;
}
template <typename T> T activationGradientFromOutput(Act act, T y) {
  return activationGradient(act, y);
}

} // namespace trk

#endif // TRK_ACTIVATION_H
