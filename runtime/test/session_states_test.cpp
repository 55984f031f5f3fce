// SPDX-License-Identifier: Apache-2.0
//
// Each function of the C ABI in each state of a session: what the header says is what happens.
#include "regression_plan.h"
#include "temp_dir.h"
#include "trrt/session.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

using namespace trf;
using namespace trf::test;
using trrt_test::TempDir;

namespace {

constexpr int kImage = 12, kClasses = 4, kWeights = 48, kBatch = 3;

trrt_plan_t *loadPlan(const Draft &draft) {
  const std::vector<uint8_t> bytes = bytesOf(draft);
  trrt_plan_t *plan = nullptr;
  EXPECT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  return plan;
}

// The plan is gone before the first call.
trrt_session_t *makeSession() {
  trrt_plan_t *plan = loadPlan(regressionDraft());
  const trrt_session_options_t options = {"reference", 1, 0};
  trrt_session_t *session = nullptr;
  EXPECT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
  trrt_plan_destroy(plan);
  return session;
}

struct Arguments {
  TempDir dir;
  std::string saved, output;
  float images[kBatch * kImage], values[kWeights], logits[kBatch * kClasses];
  int32_t labels[kBatch] = {0, 1, 2};
  double value = 0;
  trrt_step_result_t result = {};

  Arguments() : saved(dir.file("saved")), output(dir.file("output")) {
    for (int i = 0; i < kBatch * kImage; ++i)
      images[i] = 0.1f * static_cast<float>(i % 7);
    trrt_session_t *session = makeSession();
    EXPECT_EQ(trrt_session_init(session, 7).code, TRRT_OK);
    EXPECT_EQ(trrt_session_save_weights(session, saved.c_str()).code, TRRT_OK);
    trrt_session_destroy(session);
  }
};

enum class Needs { Nothing, Weights, Training };

struct Call {
  const char *function;
  Needs needs;
  std::function<trrt_status_t(trrt_session_t *, Arguments &)> call;
};

const Call kCalls[] = {
    {"trrt_session_init", Needs::Nothing,
     [](trrt_session_t *s, Arguments &) { return trrt_session_init(s, 7); }},
    {"trrt_session_load_weights", Needs::Nothing,
     [](trrt_session_t *s, Arguments &a) { return trrt_session_load_weights(s, a.saved.c_str()); }},
    {"trrt_session_load_weights_mapped", Needs::Nothing,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_load_weights_mapped(s, a.saved.c_str(), nullptr);
     }},
    {"trrt_session_save_weights", Needs::Weights,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_save_weights(s, a.output.c_str());
     }},
    {"trrt_session_set_scalar", Needs::Nothing,
     [](trrt_session_t *s, Arguments &) { return trrt_session_set_scalar(s, "momentum", 0.5); }},
    {"trrt_session_get_scalar", Needs::Nothing,
     [](trrt_session_t *s, Arguments &a) { return trrt_session_get_scalar(s, "lr", &a.value); }},
    {"trrt_session_train_step", Needs::Training,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_train_step(s, "train_base", a.images, a.labels, kBatch, &a.result);
     }},
    {"trrt_session_eval_step", Needs::Weights,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_eval_step(s, "val_base", a.images, a.labels, 1, &a.result);
     }},
    {"trrt_session_infer", Needs::Weights,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_infer(s, "val_base", a.images, 1, a.logits);
     }},
    {"trrt_session_read_param", Needs::Weights,
     [](trrt_session_t *s, Arguments &a) {
       return trrt_session_read_param(s, "0.fc.weight", a.values, kWeights);
     }},
};

// How a session comes to a state, and what it has there.
struct State {
  const char *name;
  bool hasWeights, hasScalars;
  std::function<void(trrt_session_t *, Arguments &)> reach;
};

void succeed(const trrt_status_t &status) { EXPECT_EQ(status.code, TRRT_OK) << status.message; }
void fail(const trrt_status_t &status) { EXPECT_NE(status.code, TRRT_OK); }
void init(trrt_session_t *s) { succeed(trrt_session_init(s, 7)); }
void setLr(trrt_session_t *s) { succeed(trrt_session_set_scalar(s, "lr", 0.1)); }
trrt_status_t train(trrt_session_t *s, Arguments &a, int64_t count = kBatch) {
  return trrt_session_train_step(s, "train_base", a.images, a.labels, count, nullptr);
}

const State kStates[] = {
    {"created", false, false, [](trrt_session_t *, Arguments &) {}},
    {"scalars set", false, true, [](trrt_session_t *s, Arguments &) { setLr(s); }},
    {"after a load without a file", false, false,
     [](trrt_session_t *s, Arguments &) { fail(trrt_session_load_weights(s, "/no/such/file")); }},
    {"after a load of another kind of file", false, false,
     [](trrt_session_t *s, Arguments &a) {
       fail(trrt_session_load_weights(s, a.dir.write("text", {'n', 'o'}).c_str()));
     }},
    {"after a refused training step", false, true,
     [](trrt_session_t *s, Arguments &a) {
       setLr(s);
       fail(train(s, a));
     }},
    {"after a refused scalar", true, false,
     [](trrt_session_t *s, Arguments &) {
       init(s);
       fail(trrt_session_set_scalar(s, "lr", -1));
     }},
    {"initialised", true, false, [](trrt_session_t *s, Arguments &) { init(s); }},
    {"initialised, after a failed load", true, false,
     [](trrt_session_t *s, Arguments &) {
       init(s);
       fail(trrt_session_load_weights(s, "/no/such/file"));
     }},
    {"weights loaded", true, false,
     [](trrt_session_t *s, Arguments &a) {
       succeed(trrt_session_load_weights(s, a.saved.c_str()));
     }},
    {"weights loaded from a file that is gone", true, true,
     [](trrt_session_t *s, Arguments &a) {
       const std::string copy = a.dir.file("copy");
       init(s);
       succeed(trrt_session_save_weights(s, copy.c_str()));
       succeed(trrt_session_load_weights(s, copy.c_str()));
       std::remove(copy.c_str());
       setLr(s);
     }},
    {"ready to train", true, true,
     [](trrt_session_t *s, Arguments &) {
       setLr(s);
       init(s);
     }},
    {"after a step with a wrong count", true, true,
     [](trrt_session_t *s, Arguments &a) {
       init(s);
       setLr(s);
       fail(train(s, a, kBatch - 1));
     }},
    {"after a failed save", true, false,
     [](trrt_session_t *s, Arguments &a) {
       init(s);
       fail(trrt_session_save_weights(s, a.dir.file("none/x").c_str()));
     }},
    {"trained", true, true,
     [](trrt_session_t *s, Arguments &a) {
       init(s);
       setLr(s);
       succeed(train(s, a));
     }},
};

trrt_status_code_t expectedCode(const State &state, Needs needs) {
  const bool holds = needs == Needs::Nothing ||
                     (state.hasWeights && (needs == Needs::Weights || state.hasScalars));
  return holds ? TRRT_OK : TRRT_WRONG_ORDER;
}

// A message is there exactly where something is wrong, and is one line.
void expectText(const trrt_status_t &status) {
  const size_t length = std::strlen(status.message);
  EXPECT_EQ(length == 0, status.code == TRRT_OK) << status.message;
  EXPECT_EQ(std::strchr(status.message, '\n'), nullptr) << status.message;
}

std::vector<float> infer(trrt_session_t *session, Arguments &a) {
  succeed(trrt_session_infer(session, "val_base", a.images, 2, a.logits));
  return {a.logits, a.logits + 2 * kClasses};
}

} // namespace

TEST(SessionStates, EachFunctionInEachState) {
  Arguments a;
  for (const State &state : kStates)
    for (const Call &call : kCalls) {
      SCOPED_TRACE(std::string(call.function) + ", " + state.name);
      trrt_session_t *session = makeSession();
      state.reach(session, a);
      const trrt_status_t status = call.call(session, a);
      EXPECT_EQ(status.code, expectedCode(state, call.needs)) << status.message;
      expectText(status);
      if (status.code == TRRT_WRONG_ORDER) {
        EXPECT_EQ(std::strncmp(status.message, call.function, std::strlen(call.function)), 0);
        EXPECT_NE(std::strstr(status.message, "() first"), nullptr) << status.message;
      }
      trrt_session_destroy(session);
    }
}

// What was refused has left no trace.
TEST(SessionStates, RefusedCallsChangeNothing) {
  Arguments a;
  trrt_session_t *plain = makeSession(), *bothered = makeSession();
  for (const Call &call : kCalls)
    if (call.needs != Needs::Nothing) {
      EXPECT_EQ(call.call(bothered, a).code, TRRT_WRONG_ORDER) << call.function;
    }
  EXPECT_EQ(a.dir.entries(), std::vector<std::string>{"saved"});
  for (trrt_session_t *session : {plain, bothered}) {
    init(session);
    setLr(session);
    for (int step = 0; step < 3; ++step)
      succeed(train(session, a));
  }
  EXPECT_EQ(infer(plain, a), infer(bothered, a));
  trrt_session_destroy(plain);
  trrt_session_destroy(bothered);
}

TEST(SessionStates, MessagesNameTheCallToMake) {
  Arguments a;
  trrt_session_t *session = makeSession();
  EXPECT_STREQ(trrt_session_infer(session, "val_base", a.images, 1, a.logits).message,
               "trrt_session_infer: expected a session with weights, but got one that has none "
               "yet; call trrt_session_init() or trrt_session_load_weights() first");
  init(session);
  EXPECT_STREQ(train(session, a).message,
               "trrt_session_train_step: expected a value of scalar 'lr', but got none yet; call "
               "trrt_session_set_scalar() first");
  EXPECT_STREQ(trrt_status_code_name(train(session, a).code), "wrong_order");
  trrt_session_destroy(session);
}

// The header declares no function of sessions that is not in the table.
TEST(SessionStates, TheTableIsComplete) {
  std::ifstream file(TR_SESSION_HEADER);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  std::set<std::string> declared, listed = {"trrt_session_create", "trrt_session_destroy"};
  const std::regex declaration("\n(?:trrt_status_t|void) (trrt_session_\\w+)\\(");
  for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it)
    declared.insert((*it)[1]);
  for (const Call &call : kCalls)
    listed.insert(call.function);
  EXPECT_EQ(declared, listed);
}

//===----------------------------------------------------------------------===//
// Null pointers
//===----------------------------------------------------------------------===//

namespace {

struct NullCase {
  const char *function, *argument;
  std::function<trrt_status_t(trrt_session_t *, Arguments &)> call;
};

#define TR_NULL(function, argument, ...)                                                           \
  {                                                                                                \
#function, argument,                                                                           \
        []([[maybe_unused]] trrt_session_t * s,                                                    \
           [[maybe_unused]] Arguments & a) { return function(__VA_ARGS__); }                       \
  }
const NullCase kNullCases[] = {
    TR_NULL(trrt_session_init, "session", nullptr, 1),
    TR_NULL(trrt_session_load_weights, "session", nullptr, a.saved.c_str()),
    TR_NULL(trrt_session_load_weights, "path", s, nullptr),
    TR_NULL(trrt_session_load_weights_mapped, "session", nullptr, a.saved.c_str(), nullptr),
    TR_NULL(trrt_session_load_weights_mapped, "path", s, nullptr, nullptr),
    TR_NULL(trrt_session_save_weights, "session", nullptr, a.output.c_str()),
    TR_NULL(trrt_session_save_weights, "path", s, nullptr),
    TR_NULL(trrt_session_set_scalar, "session", nullptr, "lr", 1),
    TR_NULL(trrt_session_set_scalar, "name", s, nullptr, 1),
    TR_NULL(trrt_session_get_scalar, "session", nullptr, "lr", &a.value),
    TR_NULL(trrt_session_get_scalar, "name", s, nullptr, &a.value),
    TR_NULL(trrt_session_get_scalar, "value", s, "lr", nullptr),
    TR_NULL(trrt_session_train_step, "session", nullptr, "train_base", a.images, a.labels, 3,
            nullptr),
    TR_NULL(trrt_session_train_step, "variant", s, nullptr, a.images, a.labels, 3, nullptr),
    TR_NULL(trrt_session_train_step, "images", s, "train_base", nullptr, a.labels, 3, nullptr),
    TR_NULL(trrt_session_train_step, "labels", s, "train_base", a.images, nullptr, 3, nullptr),
    TR_NULL(trrt_session_eval_step, "session", nullptr, "val_base", a.images, a.labels, 1, nullptr),
    TR_NULL(trrt_session_eval_step, "variant", s, nullptr, a.images, a.labels, 1, nullptr),
    TR_NULL(trrt_session_eval_step, "images", s, "val_base", nullptr, a.labels, 1, nullptr),
    TR_NULL(trrt_session_eval_step, "labels", s, "val_base", a.images, nullptr, 1, nullptr),
    TR_NULL(trrt_session_infer, "session", nullptr, "val_base", a.images, 1, a.logits),
    TR_NULL(trrt_session_infer, "variant", s, nullptr, a.images, 1, a.logits),
    TR_NULL(trrt_session_infer, "images", s, "val_base", nullptr, 1, a.logits),
    TR_NULL(trrt_session_infer, "logits", s, "val_base", a.images, 1, nullptr),
    TR_NULL(trrt_session_read_param, "session", nullptr, "0.fc.weight", a.values, kWeights),
    TR_NULL(trrt_session_read_param, "name", s, nullptr, a.values, kWeights),
    TR_NULL(trrt_session_read_param, "values", s, "0.fc.weight", nullptr, kWeights),
};
#undef TR_NULL

} // namespace

TEST(SessionStates, NullPointersInEachState) {
  Arguments a;
  for (const State &state : kStates) {
    trrt_session_t *session = makeSession();
    state.reach(session, a);
    for (const NullCase &null : kNullCases) {
      SCOPED_TRACE(std::string(null.function) + ", " + state.name);
      const trrt_status_t status = null.call(session, a);
      EXPECT_EQ(status.code, TRRT_INVALID_ARGUMENT);
      EXPECT_EQ(std::string(status.message),
                std::string(null.function) + ": expected '" + null.argument + "', but got null");
    }
    trrt_session_destroy(session);
  }
  trrt_session_destroy(nullptr);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

TEST(SessionCreate, NullPointersAndWhatIsGivenBack) {
  trrt_plan_t *plan = loadPlan(regressionDraft());
  trrt_session_t *const garbage = reinterpret_cast<trrt_session_t *>(0x1);
  trrt_session_t *session = garbage;
  trrt_status_t status = trrt_session_create(nullptr, nullptr, &session);
  EXPECT_EQ(status.code, TRRT_INVALID_ARGUMENT);
  EXPECT_STREQ(status.message, "trrt_session_create: expected 'plan', but got null");
  EXPECT_EQ(session, nullptr);
  status = trrt_session_create(plan, nullptr, nullptr);
  EXPECT_STREQ(status.message, "trrt_session_create: expected 'session', but got null");
  session = garbage;
  const trrt_session_options_t little = {"reference", 1, 1};
  EXPECT_EQ(trrt_session_create(plan, &little, &session).code, TRRT_OUT_OF_MEMORY);
  EXPECT_EQ(session, nullptr);
  trrt_plan_destroy(plan);
}

TEST(SessionCreate, NumbersOfThreads) {
  trrt_plan_t *plan = loadPlan(regressionDraft());
  for (const int threads : {-5, -1, 1025, 2147483647, -2147483647 - 1}) {
    const trrt_session_options_t options = {"reference", threads, 0};
    trrt_session_t *session = nullptr;
    const trrt_status_t status = trrt_session_create(plan, &options, &session);
    EXPECT_EQ(status.code, TRRT_INVALID_ARGUMENT) << threads;
    EXPECT_EQ(std::string(status.message),
              "trrt_session_create: options.threads: expected 0, for every CPU, or 1 to 1024, but "
              "got " +
                  std::to_string(threads));
    EXPECT_EQ(session, nullptr);
  }
  for (const int threads : {0, 1, 3}) {
    const trrt_session_options_t options = {nullptr, threads, 0};
    trrt_session_t *session = nullptr;
    EXPECT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK) << threads;
    trrt_session_destroy(session);
  }
  trrt_plan_destroy(plan);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

TEST(SessionScalars, WhatTheOptimizerHas) {
  trrt_session_t *session = makeSession();
  double value = 0;
  const auto expect = [&](const char *name, const char *text) {
    trrt_status_t status = trrt_session_set_scalar(session, name, 0.5);
    EXPECT_EQ(status.code, TRRT_NOT_FOUND) << name;
    EXPECT_STREQ(status.message, text);
    status = trrt_session_get_scalar(session, name, &value);
    EXPECT_EQ(status.code, TRRT_NOT_FOUND) << name;
    EXPECT_STREQ(status.message, text);
  };
  const std::string has =
      "; the plan has label_smoothing, lr, weight_decay, bias_weight_decay, momentum";
  expect("beta1",
         ("the plan's optimizer sgd has no scalar 'beta1', which is of adamw" + has).c_str());
  expect("momentun", ("the plan has no scalar 'momentun'; did you mean 'momentum'?" + has).c_str());
  expect("", ("the plan has no scalar ''" + has).c_str());
  trrt_session_destroy(session);
}

// The hand-made plan with scalars that have other names.
TEST(SessionScalars, OfAPlanThatDoesNotTrainAndOfAdamW) {
  const auto sessionOf = [](const Draft &draft) {
    trrt_plan_t *plan = loadPlan(draft);
    const trrt_session_options_t options = {"reference", 1, 0};
    trrt_session_t *session = nullptr;
    succeed(trrt_session_create(plan, &options, &session));
    trrt_plan_destroy(plan);
    return session;
  };
  const auto rename = [](Draft &draft, const char *from, const std::string &to) {
    draft.records.tensors[findTensor(draft, from)].name = draft.intern(to);
  };
  Draft still = regressionDraft();
  rename(still, "lr", "else");
  trrt_session_t *session = sessionOf(still);
  EXPECT_STREQ(trrt_session_set_scalar(session, "lr", 0.5).message,
               "the plan does not train, so it has no scalar 'lr'; the plan has label_smoothing, "
               "weight_decay, bias_weight_decay, momentum");
  trrt_session_destroy(session);

  Draft adam = regressionDraft();
  rename(adam, "momentum", "adam_eps");
  session = sessionOf(adam);
  Arguments a;
  init(session);
  setLr(session);
  trrt_status_t status = train(session, a);
  EXPECT_EQ(status.code, TRRT_WRONG_ORDER);
  EXPECT_STREQ(status.message, "trrt_session_train_step: expected a value of scalar 'adam_eps', "
                               "but got none yet; call trrt_session_set_scalar() first");
  succeed(trrt_session_set_scalar(session, "adam_eps", 0.5));
  succeed(train(session, a));
  trrt_session_destroy(session);
}
