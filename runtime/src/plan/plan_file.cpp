// SPDX-License-Identifier: Apache-2.0
//
// One file, read whole and checked.
#include "plan/plan_file.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"

namespace trrt {

trf::Plan readPlanFile(const std::string &path) {
  const std::vector<uint8_t> bytes = readRegularFile(path, "plan");
  trf::Plan plan;
  std::string error;
  if (!trf::readPlan(bytes.data(), bytes.size(), plan, error))
    throw Error(TRRT_INVALID_FILE, printable(path) + ": " + error);
  return plan;
}

} // namespace trrt
