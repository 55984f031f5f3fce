// SPDX-License-Identifier: Apache-2.0
//
// Parameters and running statistics of a session as a safetensors file.
#ifndef TRRT_SESSION_WEIGHTS_H
#define TRRT_SESSION_WEIGHTS_H

#include "session/session.h"
#include "session/weights_map.h"

#include <map>
#include <string>

namespace trrt {

// Every parameter of the plan must be in the file, under its name or one that `map` gives it, with
// its shape, and nothing else but PyTorch's num_batches_tracked; with a checksum, the values must
// have it, without one be finite. Otherwise one Error says what differs and the session is
// unchanged. Returns notes about what was left out, a line each.
std::vector<std::string> loadWeights(Session &session, const std::string &path,
                                     const WeightsMap &map = {});
// With a checksum for each tensor. `notes` become metadata; class names are "classes", a line each.
void saveWeights(const Session &session, const std::string &path,
                 const std::map<std::string, std::string> &notes = {});

// Metadata of a weight file; empty: it has none of this name.
std::string weightsNote(const std::string &path, const std::string &key);

// The first parameter or running statistic that holds a NaN or an infinity; empty: there is none.
std::string nonFiniteWeight(const Session &session);

} // namespace trrt

#endif // TRRT_SESSION_WEIGHTS_H
