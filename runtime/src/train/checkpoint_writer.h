// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of a run in a folder: written by a thread, the newest few and the best kept.
#ifndef TRRT_TRAIN_CHECKPOINT_WRITER_H
#define TRRT_TRAIN_CHECKPOINT_WRITER_H

#include "io/safetensors_writer.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace trrt {

class CheckpointWriter {
public:
  // `keep` is at least 1. The folder is made where it is not there. Throws Error.
  CheckpointWriter(std::string folder, int64_t keep,
                   std::function<void(const std::string &)> onMessage);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter &) = delete;
  CheckpointWriter &operator=(const CheckpointWriter &) = delete;

  // Writes in the background; waits only where the one before is not done. A file that cannot be
  // written is told once and leaves the ones before alone. `isBest` writes best.ckpt too.
  void add(SafetensorsWriter checkpoint, const std::string &name, bool isBest);
  // Waits. Returns the last file that was written whole; empty: there is none.
  std::string finish();
  bool failed() const { return hasFailed; }

private:
  struct Job {
    SafetensorsWriter checkpoint;
    std::string name;
    bool isBest = false;
  };
  void work();
  void write(const Job &job);
  void removeOld();

  std::string folder, lastGood;
  int64_t keep;
  std::function<void(const std::string &)> onMessage;
  bool hasFailed = false;

  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Job> waiting;
  bool busy = false, stopping = false;
  std::thread thread;
};

} // namespace trrt

#endif // TRRT_TRAIN_CHECKPOINT_WRITER_H
