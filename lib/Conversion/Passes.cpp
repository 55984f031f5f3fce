// SPDX-License-Identifier: Apache-2.0
//
// Compiles the generated registration code of the passes that cross families once.
#include "renaissance/Conversion/Passes.h"
