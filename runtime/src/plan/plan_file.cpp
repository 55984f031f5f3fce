// SPDX-License-Identifier: Apache-2.0
//
// One file, read whole and checked.
#include "plan/plan_file.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "trs/file_kind.h"

#include <algorithm>

namespace trrt {

trf::Plan readPlanFile(const std::string &path) {
  const std::vector<uint8_t> bytes = readRegularFile(path, "plan");
  trf::Plan plan;
  std::string error;
  if (trf::readPlan(bytes.data(), bytes.size(), plan, error))
    return plan;
  const std::string_view begin(reinterpret_cast<const char *>(bytes.data()),
                               std::min<size_t>(bytes.size(), 64));
  const trs::FileKind kind = trs::recognise(begin);
  if (kind != trs::FileKind::Plan && kind != trs::FileKind::Unknown)
    error = "not a plan file: it is " + std::string(trs::describe(kind)) +
            (kind == trs::FileKind::Text ? "; tr-compile makes plans from text" : "");
  throw Error(TRRT_INVALID_FILE, printable(path) + ": " + error);
}

} // namespace trrt
