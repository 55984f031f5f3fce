// SPDX-License-Identifier: Apache-2.0
//
// Passes that go from one family to the next.
#ifndef TR_CONVERSION_PASSES_TD
#define TR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // TR_CONVERSION_PASSES_TD
