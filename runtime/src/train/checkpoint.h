// SPDX-License-Identifier: Apache-2.0
//
// A training run in one file: the state of its session and where it stands.
#ifndef TRRT_TRAIN_CHECKPOINT_H
#define TRRT_TRAIN_CHECKPOINT_H

#include "io/safetensors_writer.h"
#include "session/training_state.h"
#include "train/trainer.h"

namespace trrt {

// What a run must have in common with the one that goes on; the plan has the rest.
struct RunIdentity {
  int64_t samples = 0;
  uint64_t seed = 0;
};

// What of a checkpoint is left aside.
struct ResumeDrops {
  bool optimizer = false; // new moments
  bool position = false;  // its epoch begins anew
};

// Copies everything; the writer's write() may run on another thread.
SafetensorsWriter makeCheckpoint(const Session &session, const RunPosition &position,
                                 const RunIdentity &identity,
                                 const std::map<std::string, std::string> &notes = {});

// Reads the file into the session. Throws Error that names the first difference and, where there is
// one, the word that leaves it aside; the session is then unchanged.
RunPosition resumeFrom(Session &session, const std::string &path, const RunIdentity &identity,
                       const ResumeDrops &drops = {});

// The newest checkpoint of a folder whose checksums fit; empty: there is none. `onMessage` hears
// of damaged ones.
std::string findLatest(const std::string &folder,
                       const std::function<void(const std::string &)> &onMessage);

// "step-0000001234.ckpt"
std::string checkpointName(int64_t totalSteps);
// Checkpoints of these names in a folder, the newest first.
std::vector<std::string> listCheckpoints(const std::string &folder);

} // namespace trrt

#endif // TRRT_TRAIN_CHECKPOINT_H
