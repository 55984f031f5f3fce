// SPDX-License-Identifier: Apache-2.0
//
// What values the scalars of optimizer and loss may have, as kernels use them: in FP32.
#ifndef TRRT_SESSION_SCALAR_LIMITS_H
#define TRRT_SESSION_SCALAR_LIMITS_H

#include "trf/regions.h"

#include <optional>
#include <string>
#include <string_view>

namespace trrt {

// "a number in [0, 1)", and why the value is none where that is not plain: "it is 1 in FP32".
struct ScalarFault {
  std::string expected, reason;
};

// Of `value` in FP32, which goes to `narrowed`. Any scalar must be finite.
std::optional<ScalarFault> checkScalar(std::string_view name, double value, float &narrowed);

// Whether it is one of optimizer or loss, which have limits, and not what steps count or write.
bool isSettable(trf::SharedTensor scalar);

} // namespace trrt

#endif // TRRT_SESSION_SCALAR_LIMITS_H
