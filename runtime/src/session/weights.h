// SPDX-License-Identifier: Apache-2.0
//
// Parameters and running statistics of a session as a safetensors file.
#ifndef TRRT_SESSION_WEIGHTS_H
#define TRRT_SESSION_WEIGHTS_H

#include "session/session.h"

#include <string>

namespace trrt {

// Every parameter of the plan must be in the file with its shape, and nothing
// else; otherwise one Error lists what differs and the session is unchanged.
void loadWeights(Session &session, const std::string &path);
void saveWeights(const Session &session, const std::string &path);

} // namespace trrt

#endif // TRRT_SESSION_WEIGHTS_H
