// SPDX-License-Identifier: Apache-2.0
//
// Checks of what a caller of the C ABI gave.
#ifndef TRRT_BASE_ARGUMENTS_H
#define TRRT_BASE_ARGUMENTS_H

#include <initializer_list>

namespace trrt {

// A pointer argument as it is called in the header.
struct PointerArgument {
  const char *name;
  const void *value;
};

// Throws Error for the first that is null: "trrt_plan_info: expected 'info', but got null".
void requireArguments(const char *function, std::initializer_list<PointerArgument> arguments);

} // namespace trrt

#endif // TRRT_BASE_ARGUMENTS_H
