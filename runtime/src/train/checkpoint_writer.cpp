// SPDX-License-Identifier: Apache-2.0
//
// One thread with a place for one waiting checkpoint.
#include "train/checkpoint_writer.h"

#include "base/status.h"
#include "base/text.h"
#include "train/checkpoint.h"
#include "trs/output_file.h"

#include <filesystem>

namespace trrt {

CheckpointWriter::CheckpointWriter(std::string path, int64_t keepCount,
                                   std::function<void(const std::string &)> messages)
    : folder(std::move(path)), keep(keepCount), onMessage(std::move(messages)) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code || !std::filesystem::is_directory(folder))
    throw Error(TRRT_IO_ERROR, "cannot make the folder '" + printable(folder) + "'" +
                                   (code ? ": " + code.message() : ": a file has this name"));
  // Also of other steps than those to come.
  for (const char *begin : {"step-", "best.ckpt"})
    trs::removeLeftOvers(folder, begin);
  thread = std::thread([this] { work(); });
}

CheckpointWriter::~CheckpointWriter() {
  finish();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void CheckpointWriter::add(SafetensorsWriter checkpoint, const std::string &name, bool isBest) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !waiting; });
  waiting.emplace(Job{std::move(checkpoint), name, isBest});
  changed.notify_all();
}

std::string CheckpointWriter::finish() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !waiting && !busy; });
  return lastGood;
}

void CheckpointWriter::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stopping || waiting; });
    if (!waiting)
      return;
    const Job job = std::move(*waiting);
    waiting.reset();
    busy = true;
    changed.notify_all();
    lock.unlock();
    write(job);
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

void CheckpointWriter::write(const Job &job) {
  try {
    const std::string path = folder + "/" + job.name;
    job.checkpoint.write(path);
    lastGood = path;
    if (job.isBest)
      job.checkpoint.write(folder + "/best.ckpt");
    removeOld();
  } catch (const Error &error) {
    if (!hasFailed)
      onMessage(std::string("error: ") + error.what() + "; " +
                (lastGood.empty() ? "there is no checkpoint"
                                  : "the last good checkpoint is '" + printable(lastGood) + "'"));
    hasFailed = true;
  }
}

void CheckpointWriter::removeOld() {
  const std::vector<std::string> paths = listCheckpoints(folder);
  for (size_t i = static_cast<size_t>(keep); i < paths.size(); ++i) {
    std::error_code ignored;
    std::filesystem::remove(paths[i], ignored);
  }
}

} // namespace trrt
