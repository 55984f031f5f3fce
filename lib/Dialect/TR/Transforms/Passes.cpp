// SPDX-License-Identifier: Apache-2.0
//
// Compiles the generated registration code of the passes within one family once.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
