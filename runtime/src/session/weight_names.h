// SPDX-License-Identifier: Apache-2.0
//
// Which tensor of a weight file is which parameter of a plan.
#ifndef TRRT_SESSION_WEIGHT_NAMES_H
#define TRRT_SESSION_WEIGHT_NAMES_H

#include "io/safetensors.h"
#include "session/weights_map.h"
#include "trf/plan.h"

namespace trrt {

struct WeightNames {
  std::vector<std::string>
      ofParams; // names in the file, of each parameter; empty where it is missing
  std::vector<std::string> notes;
  std::string
      differences; // some of the names that are missing or unexpected; empty: there are none
};

constexpr size_t kShownNames = 3; // of a kind in one message
// "A, B, C and 5997 more"
std::string someOf(const std::vector<std::string> &names);

// Costs no more than reading the file. Throws where the map makes one name of two.
WeightNames matchNames(const SafetensorsFile &file, const std::vector<trf::Param> &params,
                       const WeightsMap &map);

} // namespace trrt

#endif // TRRT_SESSION_WEIGHT_NAMES_H
