// SPDX-License-Identifier: Apache-2.0
//
// Null pointers in calls of the C ABI.
#include "base/arguments.h"

#include "base/status.h"

namespace trrt {

void requireArguments(const char *function, std::initializer_list<PointerArgument> arguments) {
  for (const PointerArgument &argument : arguments)
    if (!argument.value)
      throw Error(TRRT_INVALID_ARGUMENT,
                  std::string(function) + ": expected '" + argument.name + "', but got null");
}

} // namespace trrt
