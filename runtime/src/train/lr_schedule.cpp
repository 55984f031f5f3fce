// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules.
#include "train/lr_schedule.h"

#include "base/text.h"
#include "trs/number.h"

#include <algorithm>
#include <cmath>

namespace trrt {

static constexpr double kPi = 3.141592653589793;

// From `from` at 0 to `to` at 1, along half a cosine.
static double halfCosine(double from, double to, double part) {
  return to + (from - to) * 0.5 * (1.0 + std::cos(kPi * part));
}

static double oneCycle(const LrSchedule &s, double step, double totalSteps) {
  const double top = s.peak * totalSteps - 1, last = totalSteps - 1;
  if (step <= top)
    return halfCosine(s.start, 1, top <= 0 ? 1 : step / top);
  return halfCosine(1, s.end, std::min(1.0, (step - top) / (last - top)));
}

double LrSchedule::factor(int64_t step, int64_t stepsPerEpoch, int64_t totalSteps) const {
  const int64_t warmup =
      static_cast<int64_t>(std::llround(warmupEpochs * static_cast<double>(stepsPerEpoch)));
  if (step < warmup)
    return static_cast<double>(step + 1) / static_cast<double>(warmup);
  const double after = static_cast<double>(step - warmup),
               total = static_cast<double>(totalSteps - warmup);
  const double epoch = std::floor(static_cast<double>(step) /
                                  static_cast<double>(std::max<int64_t>(1, stepsPerEpoch)));
  const double part = total <= 0 ? 1 : std::min(1.0, after / total);
  switch (kind) {
  case Kind::Constant:
  case Kind::Plateau:
    return 1.0;
  case Kind::Step:
    return std::pow(gamma, std::floor(epoch / every));
  case Kind::MultiStep:
    return std::pow(
        gamma, std::count_if(at.begin(), at.end(), [&](double epochs) { return epoch >= epochs; }));
  case Kind::Exponential:
    return std::pow(gamma, epoch);
  case Kind::Cosine:
    return halfCosine(1, least, part);
  case Kind::OneCycle:
    return oneCycle(*this, after, total);
  case Kind::Polynomial:
    return least + (1 - least) * std::pow(1 - part, power);
  }
  return 1.0;
}

void Plateau::see(double loss) {
  if (schedule.kind != LrSchedule::Kind::Plateau)
    return;
  if (loss < state.best * (1 - schedule.threshold)) {
    state.best = loss;
    state.bad = 0;
    return;
  }
  if (static_cast<double>(++state.bad) <= schedule.patience)
    return;
  state.factor *= schedule.gamma;
  state.bad = 0;
}

bool EarlyStop::see(double loss) {
  if (patience == 0)
    return false;
  state.bad = loss < state.best ? 0 : state.bad + 1;
  state.best = loss < state.best ? loss : state.best;
  return state.bad >= patience;
}

namespace {

using Kind = LrSchedule::Kind;

// A number that a schedule takes: its key, where it goes, and its range.
struct Key {
  const char *name, *shown; // "gamma", "G"
  double LrSchedule::*member;
  double low, high;
  bool needed = false;
};

struct Form {
  const char *name;
  Kind kind;
  std::vector<Key> keys;
  double gamma = 0.1;
  bool takesTimes = false; // at=30/60/80
};

const std::vector<Form> &forms() {
  constexpr double kMost = 1e6;
  const Key gamma = {"gamma", "G", &LrSchedule::gamma, 1e-9, 1},
            least = {"min", "F", &LrSchedule::least, 0, 1};
  static const std::vector<Form> rows = {
      {"constant", Kind::Constant, {}},
      {"step", Kind::Step, {{"every", "E", &LrSchedule::every, 1e-9, kMost, true}, gamma}},
      {"multistep", Kind::MultiStep, {gamma}, 0.1, true},
      {"exponential", Kind::Exponential, {{"gamma", "G", &LrSchedule::gamma, 1e-9, 1, true}}},
      {"cosine", Kind::Cosine, {least}},
      {"onecycle",
       Kind::OneCycle,
       {{"start", "F", &LrSchedule::start, 0, 1},
        {"end", "F", &LrSchedule::end, 0, 1},
        {"peak", "F", &LrSchedule::peak, 0, 1}}},
      {"polynomial", Kind::Polynomial, {{"power", "P", &LrSchedule::power, 0, 100}, least}},
      {"plateau",
       Kind::Plateau,
       {gamma,
        {"patience", "N", &LrSchedule::patience, 0, kMost},
        {"threshold", "F", &LrSchedule::threshold, 0, 1}}},
  };
  return rows;
}

const Key kWarmup = {"warmup", "N", &LrSchedule::warmupEpochs, 0, 1e6};

std::string formText(const Form &form) {
  std::string text = form.name, between = ":";
  const auto add = [&](const std::string &option, bool needed) {
    text += needed ? between + option : "[" + between + option + "]";
    between = ",";
  };
  if (form.takesTimes)
    add("at=E/E...", true);
  for (const Key &key : form.keys)
    add(std::string(key.name) + "=" + key.shown, key.needed);
  return text;
}

bool readTimes(const std::string &text, std::vector<double> &times) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('/', begin), text.size());
    double time = 0;
    if (!trs::parseReal(text.substr(begin, end - begin), time).empty() || time < 0 ||
        (!times.empty() && time <= times.back()))
      return false;
    times.push_back(time);
    begin = end + 1;
  }
  return true;
}

std::string rangeText(const Key &key) {
  return "expected " + std::string(key.name) + " from " + shortNumber(key.low) + " to " +
         shortNumber(key.high);
}

// One "key=value". Returns an empty text or what was expected.
std::string readOption(const Form &form, const std::string &option, LrSchedule &schedule) {
  const size_t equals = option.find('=');
  const std::string name = option.substr(0, equals),
                    value = equals == std::string::npos ? "" : option.substr(equals + 1);
  if (form.takesTimes && name == "at")
    return schedule.at.empty() && readTimes(value, schedule.at)
               ? ""
               : "expected at=E/E... with rising epochs, but got '" + printable(option) + "'";
  std::vector<Key> keys = form.keys;
  keys.push_back(kWarmup);
  std::vector<std::string> names;
  for (const Key &key : keys) {
    names.push_back(key.name);
    if (name != key.name)
      continue;
    double number = 0;
    if (!trs::parseReal(value, number).empty() || number < key.low || number > key.high)
      return rangeText(key) + ", but got '" + printable(option) + "'";
    schedule.*key.member = number;
    return "";
  }
  return "expected " + joined(names, " or ") + " after '" + form.name + "', but got '" +
         printable(option) + "'" + didYouMean(name, names);
}

std::string checkNeeded(const Form &form, const LrSchedule &schedule, const std::string &options) {
  if (form.takesTimes && schedule.at.empty())
    return "expected " + formText(form);
  for (const Key &key : form.keys)
    if (key.needed && ("," + options).find("," + std::string(key.name) + "=") == std::string::npos)
      return "expected " + formText(form);
  return "";
}

std::string parse(const std::string &text, LrSchedule &schedule) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::vector<std::string> names;
  const Form *form = nullptr;
  for (const Form &row : forms()) {
    names.push_back(row.name);
    if (name == row.name)
      form = &row;
  }
  if (!form)
    return "expected " + joined(names, ", ") + ", but got '" + printable(text) + "'" +
           didYouMean(name, names);
  schedule.kind = form->kind;
  const std::string options = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (size_t begin = 0; colon != std::string::npos && begin <= options.size();) {
    const size_t end = std::min(options.find(',', begin), options.size());
    std::string error = readOption(*form, options.substr(begin, end - begin), schedule);
    if (!error.empty())
      return error;
    begin = end + 1;
  }
  return checkNeeded(*form, schedule, options);
}

} // namespace

bool parseLrSchedule(const std::string &text, LrSchedule &schedule, std::string &error) {
  schedule = {};
  error = parse(text, schedule);
  return error.empty();
}

std::string lrScheduleForms() {
  std::vector<std::string> texts;
  for (const Form &form : forms())
    texts.push_back(formText(form));
  return joined(texts, ", ");
}

} // namespace trrt
