// SPDX-License-Identifier: Apache-2.0
//
// A kernel library outside Renaissance; knows neither MLIR nor the dialect.
#ifndef OWN_KERNELS_H
#define OWN_KERNELS_H

#include "trk/library.h"

namespace own {

/// What this build runs plans with by default, with an activation of our own in it.
trk::Library kernelLibrary();

/// How often that activation has run.
long activationRuns();

} // namespace own

#endif // OWN_KERNELS_H
