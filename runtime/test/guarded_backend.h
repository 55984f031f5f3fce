// SPDX-License-Identifier: Apache-2.0
//
// The reference backend with a guard: while a kernel runs, AddressSanitizer lets it
// reach the bytes of its own operands and nothing else of the arena. Without
// AddressSanitizer it is the reference backend on one thread.
#ifndef TRRT_TEST_GUARDED_BACKEND_H
#define TRRT_TEST_GUARDED_BACKEND_H

#include "backend/backend.h"

#include <memory>

namespace trrt::test {

std::unique_ptr<Backend> guardedBackend();

} // namespace trrt::test

#endif // TRRT_TEST_GUARDED_BACKEND_H
