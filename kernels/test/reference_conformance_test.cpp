// SPDX-License-Identifier: Apache-2.0
//
// The reference library in the conformance suite: guard zones, poison and in-place use; the
// comparison with itself only says that every kernel has a case.
#include "conformance.h"
#include "known.h"

namespace trk::test {

INSTANTIATE_TEST_SUITE_P(Reference, ConformanceTest,
                         testing::Combine(testing::Values(referenceSetup()),
                                          testing::ValuesIn(kernelsOf("reference"))),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Reference, KnownAnswers, testing::Values(referenceSetup()), setupName);

} // namespace trk::test
