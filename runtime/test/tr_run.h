// SPDX-License-Identifier: Apache-2.0
//
// tr-run in a folder of its own that holds a small plan, x.plan.
#ifndef TRRT_TEST_TR_RUN_H
#define TRRT_TEST_TR_RUN_H

#include "io/safetensors.h"
#include "io/safetensors_writer.h"
#include "regression_plan.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>

namespace trrt_test {

struct Outcome {
  int code = -1;
  std::string output; // both streams
};

class TrRun : public testing::Test {
protected:
  void SetUp() override { dir.write("x.plan", trf::test::bytesOf(trf::test::regressionDraft())); }

  // Runs in the test's folder.
  Outcome run(const std::string &arguments) const {
    return shell("'" TR_RUN_PATH "' " + arguments + " 2>&1 </dev/null");
  }
  // A command line of the shell, in the test's folder.
  Outcome shell(const std::string &line) const {
    const std::string command = "cd '" + dir.path() + "' || exit 9; " + line;
    Outcome outcome;
    std::FILE *pipe = popen(command.c_str(), "r");
    if (!pipe)
      return outcome;
    char buffer[4096];
    for (size_t got; (got = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
      outcome.output.append(buffer, got);
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
  }
  void expect(const std::string &arguments, int code, const std::string &text) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << arguments << "\n" << outcome.output;
    if (code != 0) {
      EXPECT_EQ(outcome.output.find("error: "), 0u) << outcome.output;
      EXPECT_EQ(outcome.output.find('\n'), outcome.output.size() - 1) << outcome.output;
    }
  }
  void writeBatch(const std::string &name, int64_t count, std::vector<int32_t> labels) const {
    trrt::SafetensorsWriter writer;
    std::vector<float> pixels(static_cast<size_t>(count) * 12);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<float>(i % 7) - 3.0f;
    writer.addF32("input", {count, 2, 3, 2}, pixels);
    writer.addI32("label", {static_cast<int64_t>(labels.size())}, labels);
    writer.write(dir.file(name));
  }

  TempDir dir;
};

} // namespace trrt_test

#endif // TRRT_TEST_TR_RUN_H
