// SPDX-License-Identifier: Apache-2.0
#include "renaissance/Conversion/Passes.h"
