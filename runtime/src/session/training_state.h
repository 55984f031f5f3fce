// SPDX-License-Identifier: Apache-2.0
//
// Everything on the device that the next training step depends on, as tensors of a safetensors
// file: parameters and running statistics under their own names, moments of the optimizer as
// "moment1.NAME" and "moment2.NAME" in the same layouts, counters, seeds and sums as
// "state.NAME". The optimizer's numbers are not in it: they are those of the run.
#ifndef TRRT_SESSION_TRAINING_STATE_H
#define TRRT_SESSION_TRAINING_STATE_H

#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "session/session.h"

namespace trrt {

// Copies all of it, so that the session may go on while the file is written.
void captureState(const Session &session, SafetensorsWriter &writer);

enum class StateParts { All, WithoutOptimizer };

// Whatever differs is one Error, and the session is unchanged; so is one whose checksums do not
// fit. Without the optimizer, moments and its counters stay as they are.
void restoreState(Session &session, const SafetensorsFile &file, StateParts parts);

// Throws where a tensor does not have the checksum that the file gives, or the file gives none.
void checkAllChecksums(const SafetensorsFile &file);

} // namespace trrt

#endif // TRRT_SESSION_TRAINING_STATE_H
