// SPDX-License-Identifier: Apache-2.0
//
// Every output option of every command of tr-run, from the tables that it parses by, in every
// place that an output can have. A new command needs a command line below, a new option nothing.
#include "../../tools/tr-run/cli.h"
#include "image_files.h"
#include "tr_run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace {

using trrt_test::Outcome;

// What a command needs besides its outputs.
struct CommandLine {
  const char *command, *arguments;
};
const CommandLine kLines[] = {
    {"train", "x.plan --dataset synthetic --epochs 1"},
    {"eval", "x.plan --dataset synthetic --weights w"},
    {"infer", "x.plan --weights w --input batch"},
    {"step", "x.plan --input batch --weights w"},
    {"bench", "x.plan --mode train --steps 1"},
    {"inspect", "x.plan"},
    {"pack", "list:names packed"},
};

struct Output {
  std::string command, option;
  trrun::Names names;
};

// For googletest, which else prints the bytes.
void PrintTo(const Output &output, std::ostream *out) {
  *out << output.command << " " << output.option;
}

std::vector<Output> allOutputs() {
  std::vector<Output> outputs;
  for (const trrun::Command &command : trrun::commands())
    for (const trrun::Option &option : command.options)
      if (option.names == trrun::Names::Output || option.names == trrun::Names::Log)
        outputs.push_back({command.name, option.name, option.names});
  return outputs;
}

std::string nameOf(const testing::TestParamInfo<Output> &info) {
  return info.param.command + "_" + info.param.option.substr(2);
}

class Outputs : public trrt_test::TrRun, public testing::WithParamInterface<Output> {
protected:
  void SetUp() override {
    TrRun::SetUp();
    writeBatch("batch", 3, {0, 3, 1});
    ASSERT_EQ(run("train x.plan --dataset synthetic --epochs 1 --device reference --save w").code,
              0);
    dir.write("a.bmp", trrt_test::plainBmp(1, 1, 1, 2, 3));
    write("names", "a.bmp 1\n");
    write("old", "old");
    files = dir.entries().size();
  }

  bool isLog() const { return GetParam().names == trrun::Names::Log; }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(dir.file(name)) << text;
  }
  std::string read(const std::string &name) const {
    std::ifstream in(dir.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  mode_t modeOf(const std::string &name) const {
    struct stat info;
    return lstat(dir.file(name).c_str(), &info) == 0 ? info.st_mode : 0;
  }
  std::string commandLine() const {
    std::string text = "'" TR_RUN_PATH "' " + GetParam().command + " ";
    for (const CommandLine &known : kLines)
      if (GetParam().command == known.command)
        text += known.arguments;
    const bool runsPlans = GetParam().command != "inspect" && GetParam().command != "pack";
    return text + (runsPlans ? " --device reference" : "");
  }
  std::string line(const std::string &path) const {
    return commandLine() + " " + GetParam().option + " " + path;
  }
  Outcome runTo(const std::string &path, const std::string &before = "") const {
    return shell(before + line(path) + " 2>&1 </dev/null");
  }
  // Something of ours: an epoch, a trace, a header of tensors.
  void expectContent(const std::string &text) const {
    EXPECT_NE(text.find('{'), std::string::npos) << text.substr(0, 100);
  }
  void expectError(const Outcome &outcome, const std::string &error) const {
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    const size_t at = outcome.output.find("error: " + error);
    ASSERT_NE(at, std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("error: ", at + 1), std::string::npos) << outcome.output;
  }

  size_t files = 0;
};

TEST_P(Outputs, AFullDisk) {
  expectError(runTo("/dev/full"), "cannot write '/dev/full': No space left on device");
}

TEST_P(Outputs, AFullFileSystemLeavesTheOldFile) {
  expectError(runTo("old", "ulimit -f 0; "), "cannot write 'old': File too large");
  EXPECT_EQ(read("old"), isLog() ? "" : "old");
  EXPECT_EQ(dir.entries().size(), files);
}

TEST_P(Outputs, ALinkIsWrittenThrough) {
  ASSERT_EQ(symlink("old", dir.file("link").c_str()), 0);
  ASSERT_EQ(symlink("new", dir.file("dangling").c_str()), 0);
  EXPECT_EQ(runTo("link").code, 0);
  EXPECT_EQ(runTo("dangling").code, 0);
  expectContent(read("old"));
  expectContent(read("new"));
  EXPECT_TRUE(S_ISLNK(modeOf("link")) && S_ISLNK(modeOf("dangling")));
}

TEST_P(Outputs, APipeIsStreamedTo) {
  ASSERT_EQ(mkfifo(dir.file("pipe").c_str(), 0600), 0);
  const Outcome outcome =
      shell("timeout 20 cat pipe > got & " + line("pipe") + " >/dev/null 2>&1; wait");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  expectContent(read("got"));
  EXPECT_TRUE(S_ISFIFO(modeOf("pipe")));
}

TEST_P(Outputs, StandardOutput) {
  for (const char *name : {"/dev/stdout", "-"}) {
    EXPECT_EQ(shell(line(name) + " 2>/dev/null | cat > got").code, 0);
    expectContent(read("got"));
  }
}

TEST_P(Outputs, TheModeStays) {
  ASSERT_EQ(chmod(dir.file("old").c_str(), 0600), 0);
  EXPECT_EQ(runTo("old", "umask 0022; ").code, 0);
  EXPECT_EQ(modeOf("old") & 07777, 0600u);
  expectContent(read("old"));
}

TEST_P(Outputs, AnInputIsRefused) {
  ASSERT_EQ(symlink("x.plan", dir.file("link").c_str()), 0);
  const std::string plan = read("x.plan");
  expectError(runTo("link"), "the plan and " + GetParam().option + " are the same file 'link'");
  EXPECT_EQ(read("x.plan"), plan);
  for (const trrun::Command &command : trrun::commands())
    for (const trrun::Option &option : command.options) {
      if (command.name != GetParam().command || option.names != trrun::Names::Input ||
          line("old").find(std::string(option.name) + " ") == std::string::npos)
        continue;
      const std::string input = option.name == std::string("--input") ? "batch" : "w";
      const std::string content = read(input);
      expectError(runTo(input), option.name + std::string(" and ") + GetParam().option +
                                    " are the same file '" + input + "'");
      EXPECT_EQ(read(input), content);
    }
}

TEST_P(Outputs, AnotherOutputIsRefused) {
  for (const Output &other : allOutputs()) {
    if (other.command != GetParam().command || other.option == GetParam().option)
      continue;
    const Outcome outcome = runTo("new " + other.option + " ./new");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.output.find(" are the same file "), std::string::npos) << outcome.output;
    EXPECT_EQ(dir.entries().size(), files);
  }
}

TEST_P(Outputs, WhatAKilledRunLeftIsRemoved) {
  if (isLog())
    return; // it is written in place
  write(".old.tmp-1-0", "half");
  EXPECT_EQ(runTo("old").code, 0);
  EXPECT_EQ(dir.entries().size(), files);
}

TEST_P(Outputs, NoFolder) {
  expectError(runTo("none/x"), "cannot write 'none/x': No such file or directory");
}

INSTANTIATE_TEST_SUITE_P(All, Outputs, testing::ValuesIn(allOutputs()), nameOf);

// ---- standard output

class Prints : public Outputs {};

std::vector<Output> allCommands() {
  std::vector<Output> all;
  for (const trrun::Command &command : trrun::commands())
    all.push_back({command.name, "--help", trrun::Names::Nothing});
  return all;
}

std::string commandOf(const testing::TestParamInfo<Output> &info) { return info.param.command; }

bool printsMuch(const std::string &command) { return command != "infer" && command != "step"; }

TEST_P(Prints, OnAFullDisk) {
  const std::string full = " 2>&1 >/dev/full </dev/null", error = "cannot write standard output: ";
  expectError(shell("'" TR_RUN_PATH "' " + GetParam().command + " --help" + full), error);
  if (printsMuch(GetParam().command)) {
    expectError(shell(commandLine() + full), error + "No space left on device");
    expectError(shell(commandLine() + " 2>&1 >&- </dev/null"), error + "Bad file descriptor");
  }
}

TEST_P(Prints, WhereNobodyReads) {
  const Outcome help =
      shell("{ '" TR_RUN_PATH "' " + GetParam().command + " --help 2>&1 >&3 | cat; } 3>&1 | true");
  EXPECT_EQ(help.output, "");
}

INSTANTIATE_TEST_SUITE_P(All, Prints, testing::ValuesIn(allCommands()), commandOf);

TEST(OutputTable, EveryFileHasAKind) {
  for (const trrun::Command &command : trrun::commands()) {
    bool known = false;
    for (const CommandLine &line : kLines)
      known |= command.name == std::string(line.command);
    EXPECT_TRUE(known) << command.name << ": expected a command line in this test";
    for (const trrun::Option &option : command.options)
      EXPECT_EQ(option.value && option.value == std::string("FILE"),
                option.names == trrun::Names::Input || option.names == trrun::Names::Output ||
                    option.names == trrun::Names::Log)
          << command.name << " " << option.name;
  }
}

} // namespace
