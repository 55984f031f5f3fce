// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints, resuming and signals of tr-run train.
#include "checkpoints.h"

#include "base/status.h"
#include "base/text.h"
#include "trs/number.h"

#include <csignal>
#include <cstdio>
#include <filesystem>

namespace trrun {

using namespace trrt;

static volatile std::sig_atomic_t stopSignal = 0;

// The first signal asks for an end, a second one is not caught any more.
static void onSignal(int number) { stopSignal = number; }

static void catchSignal(int number) {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

static void printMessage(const std::string &text) { std::fprintf(stderr, "%s\n", text.c_str()); }

void addCheckpointOptions(std::vector<Option> &options) {
  options.push_back({"--checkpoint-dir", "DIR", "save the whole state of the run in this folder"});
  options.push_back({"--checkpoint-every", "N",
                     "steps, or with s, m or h time, between checkpoints (default: an epoch)"});
  options.push_back({"--keep", "K", "checkpoints that stay, beside best.ckpt (3)"});
  options.push_back(
      {"--resume", "WHICH",
       "go on from this checkpoint; latest: the newest good one of --checkpoint-dir"});
  options.push_back({"--resume-without", "WHAT",
                     "leave aside what does not fit: optimizer (moments), position (the epoch "
                     "begins anew), or both with a comma"});
}

// "500" steps or "10m".
static void readEvery(const std::string &text, int64_t &steps, std::chrono::seconds &time) {
  const std::string units = "smh";
  const size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  int64_t number = 0;
  const std::string digits = unit == std::string::npos ? text : text.substr(0, text.size() - 1);
  if (!trs::parseInteger(digits, number).empty() || number < 1 || number > 1000000000)
    throw valueError("--checkpoint-every", "steps such as 500, or a time such as 90s, 10m or 1h",
                     text, "");
  constexpr int64_t kSeconds[] = {1, 60, 3600};
  if (unit == std::string::npos)
    steps = number;
  else
    time = std::chrono::seconds(number * kSeconds[unit]);
}

static ResumeDrops readDrops(const Args &args) {
  ResumeDrops drops;
  const std::string text = args.text("--resume-without");
  for (size_t begin = 0; args.has("--resume-without") && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word != "optimizer" && word != "position")
      throw valueError("--resume-without", "optimizer or position", word, "");
    (word == "optimizer" ? drops.optimizer : drops.position) = true;
    begin = end + 1;
  }
  return drops;
}

void checkCheckpointOptions(const Args &args) {
  int64_t steps = 0;
  std::chrono::seconds time{0};
  if (args.has("--checkpoint-every"))
    readEvery(args.text("--checkpoint-every"), steps, time);
  args.integer("--keep", 3, 1, 1000000);
  readDrops(args);
  for (const char *name : {"--checkpoint-every", "--keep"})
    if (args.has(name) && !args.has("--checkpoint-dir"))
      throw UsageError(std::string("option '") + name + "' needs --checkpoint-dir");
  if (args.text("--resume") == "latest" && !args.has("--checkpoint-dir"))
    throw UsageError("option '--resume latest' needs --checkpoint-dir");
  if (args.has("--resume-without") && !args.has("--resume"))
    throw UsageError("option '--resume-without' needs --resume");
  if (args.has("--resume") && args.has("--weights"))
    throw UsageError("expected --resume or --weights, but got both");
}

RunCheckpoints::RunCheckpoints(const Args &args, Session &session, const RunIdentity &identity,
                               const std::map<std::string, std::string> &notes)
    : args(args), session(session), identity(identity), notes(notes) {
  if (args.has("--checkpoint-every"))
    readEvery(args.text("--checkpoint-every"), everySteps, everySeconds);
  if (args.has("--checkpoint-dir"))
    writer.emplace(args.text("--checkpoint-dir"), args.integer("--keep", 3, 1, 1000000),
                   printMessage);
  stopSignal = 0;
  catchSignal(SIGINT);
  catchSignal(SIGTERM);
}

RunCheckpoints::~RunCheckpoints() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

std::optional<RunPosition> RunCheckpoints::resume() {
  if (!args.has("--resume"))
    return std::nullopt;
  std::string path = args.text("--resume");
  if (path == "latest") {
    path = findLatest(args.text("--checkpoint-dir"), printMessage);
    if (path.empty()) {
      printMessage("note: no checkpoint in '" + printable(args.text("--checkpoint-dir")) +
                   "'; the run starts from the beginning");
      return std::nullopt;
    }
  }
  const RunPosition position = resumeFrom(session, path, identity, readDrops(args));
  printMessage("note: the run goes on from '" + printable(path) + "', epoch " +
               std::to_string(position.epoch + 1) + ", step " + std::to_string(position.step));
  return position;
}

bool RunCheckpoints::isDue(const RunPosition &position) const {
  if (everySteps != 0)
    return position.totalSteps % everySteps == 0 && position.step != 0;
  if (everySeconds.count() != 0)
    return std::chrono::steady_clock::now() - saved >= everySeconds;
  return position.step == 0;
}

void RunCheckpoints::save(const RunPosition &position, bool isBest) {
  saved = std::chrono::steady_clock::now();
  writer->add(makeCheckpoint(session, position, identity, notes),
              checkpointName(position.totalSteps), isBest);
}

bool RunCheckpoints::at(const RunPosition &position, bool isBest) {
  if (stopSignal != 0) {
    stopped = true;
    saveLast(position);
    return false;
  }
  if (writer && (isDue(position) || isBest))
    save(position, isBest);
  return true;
}

// Into the folder, else beside the weights that the run was to write.
void RunCheckpoints::saveLast(const RunPosition &position) {
  if (writer) {
    save(position, false);
    stoppedAt = writer->finish();
    return;
  }
  if (!args.has("--save"))
    return;
  stoppedAt = args.text("--save") + ".ckpt";
  try {
    makeCheckpoint(session, position, identity, notes).write(stoppedAt);
  } catch (const Error &error) {
    printMessage(std::string("error: ") + error.what());
    stoppedAt.clear();
  }
}

int RunCheckpoints::finish() {
  if (writer) {
    writer->finish();
    failed = writer->failed();
  }
  if (!stopped)
    return failed ? 1 : 0;
  const int number = static_cast<int>(stopSignal);
  printMessage(std::string("stopped by ") + (number == SIGINT ? "SIGINT" : "SIGTERM") +
               (stoppedAt.empty()
                    ? "; nothing is saved: there is neither --checkpoint-dir nor --save"
                    : "; the run goes on with --resume '" + printable(stoppedAt) + "'"));
  return 128 + number;
}

} // namespace trrun
