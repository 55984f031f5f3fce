// SPDX-License-Identifier: Apache-2.0
#include "renaissance/Dialect/TR/Transforms/Passes.h"
