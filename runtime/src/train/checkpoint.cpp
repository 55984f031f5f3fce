// SPDX-License-Identifier: Apache-2.0
//
// Metadata: "run.KEY". Real numbers are hexadecimal, so that they come back bit for bit.
#include "train/checkpoint.h"

#include "base/status.h"
#include "base/text.h"
#include "trs/number.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace trrt {

using namespace trf;

namespace {

constexpr char kVersion[] = "1";

std::string exactText(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

// Each number of a position by its name, for both directions.
template <typename Position, typename Fn> void visit(Position &p, Fn &&visitor) {
  visitor("epoch", p.epoch);
  visitor("step", p.step);
  visitor("images", p.images);
  visitor("total_steps", p.totalSteps);
  visitor("best_loss", p.bestLoss);
  visitor("plateau.factor", p.plateau.factor);
  visitor("plateau.best", p.plateau.best);
  visitor("plateau.bad", p.plateau.bad);
  visitor("early_stop.best", p.earlyStop.best);
  visitor("early_stop.bad", p.earlyStop.bad);
}

class Notes {
public:
  explicit Notes(const SafetensorsFile &file) : file(file) {
    if (text("version") != kVersion)
      throw Error(TRRT_INVALID_FILE, printable(file.path()) +
                                         ": expected a checkpoint of version " + kVersion +
                                         ", but got " + printable(text("version")));
  }
  const std::string &text(const std::string &key) const {
    const auto found = file.metadata().find("run." + key);
    if (found == file.metadata().end())
      throw Error(TRRT_INVALID_FILE, printable(file.path()) +
                                         ": not a checkpoint: its metadata have no 'run." + key +
                                         "'");
    return found->second;
  }
  void read(const std::string &key, int64_t &value) const {
    if (!trs::parseInteger(text(key), value).empty() || value < 0)
      bad(key);
  }
  void read(const std::string &key, double &value) const {
    const std::string &word = text(key);
    char *end = nullptr;
    value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != 0)
      bad(key);
  }

private:
  [[noreturn]] void bad(const std::string &key) const {
    throw Error(TRRT_INVALID_FILE, printable(file.path()) + ": 'run." + key + "' is no number: '" +
                                       printable(text(key)) + "'");
  }
  const SafetensorsFile &file;
};

std::string batchOf(const Session &session) {
  const uint32_t id = session.variant(StandardVariant::TrainBase);
  return std::to_string(session.plan().variants[id].batch);
}

// What must agree: {key, what it is called, value here, the word that leaves it aside}.
struct Agreement {
  const char *key, *what;
  std::string here;
  const char *drop;
  bool isDropped;
};

std::vector<Agreement> agreements(const Session &session, const RunIdentity &identity,
                                  const ResumeDrops &drops) {
  const Plan &plan = session.plan();
  return {
      {"model", "network", plan.model, nullptr, false},
      {"precision", "precision", std::string(name(plan.precision)), nullptr, false},
      {"optimizer", "optimizer", std::string(name(plan.optimizer)), "optimizer", drops.optimizer},
      {"batch", "batch", batchOf(session), "position", drops.position},
      {"samples", "number of training samples", std::to_string(identity.samples), "position",
       drops.position},
      {"seed", "seed", std::to_string(identity.seed), "position", drops.position}};
}

} // namespace

SafetensorsWriter makeCheckpoint(const Session &session, const RunPosition &position,
                                 const RunIdentity &identity,
                                 const std::map<std::string, std::string> &notes) {
  SafetensorsWriter writer;
  captureState(session, writer);
  for (const auto &[key, value] : notes)
    writer.addMetadata(key, value);
  writer.addMetadata("run.version", kVersion);
  for (const Agreement &row : agreements(session, identity, {}))
    writer.addMetadata(std::string("run.") + row.key, row.here);
  visit(position, [&](const char *key, const auto &value) {
    if constexpr (std::is_same_v<decltype(value), const double &>)
      writer.addMetadata(std::string("run.") + key, exactText(value));
    else
      writer.addMetadata(std::string("run.") + key, std::to_string(value));
  });
  writer.addChecksums();
  return writer;
}

RunPosition resumeFrom(Session &session, const std::string &path, const RunIdentity &identity,
                       const ResumeDrops &drops) {
  const SafetensorsFile file = SafetensorsFile::read(path);
  const Notes notes(file);
  for (const Agreement &row : agreements(session, identity, drops))
    if (!row.isDropped && notes.text(row.key) != row.here)
      throw Error(
          TRRT_INVALID_ARGUMENT,
          printable(path) + ": the checkpoint's " + row.what + " is " +
              printable(notes.text(row.key)) + ", but this run's is " + row.here +
              (row.drop ? std::string("; --resume-without ") + row.drop + " leaves it aside" : ""));
  RunPosition position;
  visit(position, [&](const char *key, auto &value) { notes.read(key, value); });
  restoreState(session, file, drops.optimizer ? StateParts::WithoutOptimizer : StateParts::All);
  if (drops.position)
    position.step = position.images = 0;
  return position;
}

std::string checkpointName(int64_t totalSteps) {
  char name[64];
  std::snprintf(name, sizeof name, "step-%010lld.ckpt", static_cast<long long>(totalSteps));
  return name;
}

std::vector<std::string> listCheckpoints(const std::string &folder) {
  std::error_code code;
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= 20 && name.substr(0, 5) == "step-" && entry.path().extension() == ".ckpt")
      names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end(), std::greater<>());
  return names;
}

std::string findLatest(const std::string &folder,
                       const std::function<void(const std::string &)> &onMessage) {
  for (const std::string &path : listCheckpoints(folder)) {
    try {
      const SafetensorsFile file = SafetensorsFile::read(path);
      const Notes notes(file);
      checkAllChecksums(file);
      return path;
    } catch (const Error &error) {
      onMessage(std::string("warning: ") + error.what() + "; an older checkpoint is looked for");
    }
  }
  return "";
}

} // namespace trrt
