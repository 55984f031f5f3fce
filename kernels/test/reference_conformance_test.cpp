// SPDX-License-Identifier: Apache-2.0
//
// The reference backend in the conformance suite: guard zones, poison and in-place
// use; the comparison with itself only says that every op has a case.
#include "conformance.h"
#include "known.h"

namespace trk::test {

INSTANTIATE_TEST_SUITE_P(Reference, ConformanceTest,
                         testing::Combine(testing::Values(referenceBackend()),
                                          testing::ValuesIn(everyOp())),
                         conformanceName);
INSTANTIATE_TEST_SUITE_P(Reference, KnownAnswers, testing::Values(referenceBackend()), backendName);

} // namespace trk::test
