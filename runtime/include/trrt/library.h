// SPDX-License-Identifier: Apache-2.0
//
// Sessions on a kernel library of the caller's, in C++: own kernels beside those of this runtime or
// in their place. A function of the archive `trrt`; libtrrt.so shows the C interface alone.
#ifndef TRRT_LIBRARY_H
#define TRRT_LIBRARY_H

#include "trk/library.h"
#include "trrt/session.h"

namespace trrt {

/// trrt_session_create() on `library` instead of one of this build. `fill` gets an empty table, and
/// may start from another library's: trk::findLibrary("cpu")->fill(table). Nothing is registered:
/// the library is this session's alone, and what its name points to must live as long.
/// `options->device` must be null or that name. Errors: those of trrt_session_create();
/// INVALID_ARGUMENT for a library without a name or a function; UNSUPPORTED, with the names of the
/// kernel ops, where the plan uses some for which `fill` gave no kernel.
trrt_status_t createSession(const trrt_plan_t *plan, const trk::Library &library,
                            const trrt_session_options_t *options, trrt_session_t **session);

} // namespace trrt

#endif // TRRT_LIBRARY_H
