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

using trf::Activation;

inline constexpr double kLeakySlope = 0.01;

template <typename T> T sigmoid(T x) { return T(1) / (T(1) + std::exp(-x)); }

template <typename T> T activate(Activation act, T x) {
  switch (act) {
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
    return x < T(0) ? x * T(kLeakySlope) : x;
  case Activation::Hardswish:
    return x <= T(-3) ? T(0) : (x >= T(3) ? x : x * (x + T(3)) / T(6));
  case Activation::ELU:
    return x < T(0) ? std::expm1(x) : x;
  case Activation::Sigmoid:
    return sigmoid(x);
  }
  return x;
}

// Derivative at the input x of the activation.
template <typename T> T activationGradient(Activation act, T x) {
  switch (act) {
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
    return x <= T(0) ? T(kLeakySlope) : T(1);
  case Activation::Hardswish:
    return x < T(-3) ? T(0) : (x > T(3) ? T(1) : x / T(3) + T(0.5));
  case Activation::ELU:
    return x <= T(0) ? std::exp(x) : T(1);
  case Activation::Sigmoid: {
    T s = sigmoid(x);
    return s * (T(1) - s);
  }
  }
  return T(1);
}

// Derivative from the output y; only these activations can tell it from there.
inline bool hasGradientFromOutput(Activation act) {
  return act == Activation::ReLU || act == Activation::ReLU6;
}
template <typename T> T activationGradientFromOutput(Activation act, T y) {
  return activationGradient(act, y);
}

} // namespace trk

#endif // TRK_ACTIVATION_H
