// SPDX-License-Identifier: Apache-2.0
//
// Sessions, pools and tr-run as processes of a system: forks, and streams that are closed.
#include "run_plan.h"
#include "tr_run.h"
#include "trrt/session.h"

#include <unistd.h>

#include <csignal>

namespace {

using trrt_test::Outcome;
using ProcessOfTrRun = trrt_test::TrRun;

// A pool's threads are not in the child: destroying the session there must not wait for them.
TEST(Fork, AChildDestroysASessionOfTwoThreads) {
  const std::vector<uint8_t> bytes = trf::test::bytesOf(trf::test::regressionDraft());
  trrt_plan_t *plan = nullptr;
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  const trrt_session_options_t options = {"cpu", 2, 0};
  trrt_session_t *session = nullptr;
  ASSERT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    trrt_session_destroy(session);
    trrt_plan_destroy(plan);
    _exit(7);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
}

// Without a standard output no file gets its number.
TEST_F(ProcessOfTrRun, ClosedStreamsMixNothingIntoTheLog) {
  const std::string train = "'" TR_RUN_PATH "' train x.plan --dataset synthetic --epochs 2 "
                            "--device reference --log log --save w ";
  const Outcome outcome = shell(train + "2>err >&- <&-; code=$?; cat err; exit $code");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.output.find("error: cannot write standard output: Bad file descriptor\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(shell("grep -c '^{\"epoch\": [12], .*}$' log; grep -vc '^{\"epoch' log").output,
            "2\n0\n");
  EXPECT_EQ(run("eval x.plan --dataset synthetic --weights w --device reference").code, 0);
}

// What a run writes besides its weights may fail: it is said once, and the run ends as it would.
TEST_F(ProcessOfTrRun, SideOutputsFailOnce) {
  const std::string train = "'" TR_RUN_PATH "' train x.plan --dataset synthetic --epochs 3 "
                            "--device reference --save w ";
  const struct {
    const char *words, *error;
  } rows[] = {
      {"--log /dev/full 2>&1", "error: cannot write '/dev/full': No space left on device\n"},
      {"2>&1 >/dev/full", "error: cannot write standard output: No space left on device\n"},
      {"2>err | true; cat err", "error: cannot write standard output: Broken pipe\n"},
  };
  for (const auto &row : rows) {
    unlink(dir.file("w").c_str());
    const Outcome outcome = shell(train + row.words);
    const size_t at = outcome.output.find(row.error);
    ASSERT_NE(at, std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("error: ", at + 1), std::string::npos) << outcome.output;
    EXPECT_EQ(access(dir.file("w").c_str(), F_OK), 0) << row.words;
  }
}

} // namespace
