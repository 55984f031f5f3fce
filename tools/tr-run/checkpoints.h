// SPDX-License-Identifier: Apache-2.0
//
// What tr-run train saves on the way, and how it goes on or stops.
#ifndef RENAISSANCE_TOOLS_TR_RUN_CHECKPOINTS_H
#define RENAISSANCE_TOOLS_TR_RUN_CHECKPOINTS_H

#include "commands.h"

#include "train/checkpoint.h"
#include "train/checkpoint_writer.h"

#include <chrono>
#include <optional>

namespace trrun {

void addCheckpointOptions(std::vector<Option> &options);
// Checks values and combinations before anything is loaded.
void checkCheckpointOptions(const Args &args);

class RunCheckpoints {
public:
  RunCheckpoints(const Args &args, trrt::Session &session, const trrt::RunIdentity &identity,
                 const std::map<std::string, std::string> &notes);
  ~RunCheckpoints();
  RunCheckpoints(const RunCheckpoints &) = delete;
  RunCheckpoints &operator=(const RunCheckpoints &) = delete;

  // Where --resume goes on, with the session as it was; nothing where the run begins.
  std::optional<trrt::RunPosition> resume();
  // For TrainOptions::onPosition: saves where it is time, and stops where a signal says so.
  bool at(const trrt::RunPosition &position, bool isBest);
  // After the run. Says where the state of a stopped run lies; returns the exit code: 0, 1 where a
  // checkpoint could not be written, 128 and the signal's number.
  int finish();

private:
  bool isDue(const trrt::RunPosition &position) const;
  void save(const trrt::RunPosition &position, bool isBest);
  void saveLast(const trrt::RunPosition &position);

  const Args &args;
  trrt::Session &session;
  trrt::RunIdentity identity;
  std::map<std::string, std::string> notes;
  std::optional<trrt::CheckpointWriter> writer;
  int64_t everySteps = 0; // 0: after epochs
  std::chrono::seconds everySeconds{0};
  std::chrono::steady_clock::time_point saved = std::chrono::steady_clock::now();
  std::string stoppedAt; // the file of a stopped run
  bool stopped = false, failed = false;
};

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_CHECKPOINTS_H
