// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of tr-run, their help, and what becomes of errors.
#include "cli.h"
#include "commands.h"

#include "base/text.h"
#include "trrt/version.h"
#include "trs/process.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace trrun {

std::vector<Command> commands() {
  return {trainCommand(), evalCommand(),    inferCommand(), stepCommand(),
          benchCommand(), inspectCommand(), packCommand()};
}

static std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

static int printHelp() {
  std::printf("usage: tr-run COMMAND PLAN [options]\n\n"
              "Trains and serves plans made by tr-compile.\n\ncommands:\n");
  for (const Command &command : commands())
    std::printf("  %-8s %s\n", command.name, firstLine(command.summary).c_str());
  std::printf("\n  --help, --version; 'tr-run COMMAND --help' lists the options of a command.\n");
  return 0;
}

static int printVersion() {
  std::printf("tr-run %s\n", trrt_version_string());
  return 0;
}

static bool hasWord(const std::vector<std::string> &words, const char *name, const char *other) {
  return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
    return word == name || (other && word == other);
  });
}

static int runCommand(const Command &command, const std::vector<std::string> &words) {
  if (hasWord(words, "--help", "-h")) {
    std::fputs(commandHelp(command).c_str(), stdout);
    return 0;
  }
  if (hasWord(words, "--version", nullptr))
    return printVersion();
  try {
    return command.run(Args(command, words));
  } catch (const UsageError &error) {
    throw UsageError(std::string(error.what()) + "; see tr-run " + command.name + " --help");
  }
}

static int dispatch(const std::vector<std::string> &words) {
  if (words.empty())
    throw UsageError("expected a command; see tr-run --help");
  const std::string &name = words[0];
  if (name == "--help" || name == "-h")
    return printHelp();
  if (name == "--version")
    return printVersion();
  std::vector<std::string> names;
  for (const Command &command : commands()) {
    if (name == command.name)
      return runCommand(command, {words.begin() + 1, words.end()});
    names.push_back(command.name);
  }
  throw UsageError("unknown command '" + trrt::printable(name) + "'" +
                   trrt::didYouMean(name, names) + "; see tr-run --help");
}

static int endWith(const std::string &error, int code) {
  // Where nobody reads what is only printed, there is no error.
  if (trs::isClosedPipe(error))
    return 0;
  std::fprintf(stderr, "error: %s\n", error.c_str());
  return code;
}

int runTool(const std::vector<std::string> &words) {
  try {
    const int code = dispatch(words);
    const std::string error = trs::flushStandardOutput();
    return error.empty() ? code : endWith(error, 1);
  } catch (const UsageError &error) {
    return endWith(error.what(), 2);
  } catch (const std::bad_alloc &) {
    return endWith("out of memory", 1);
  } catch (const std::exception &error) {
    return endWith(error.what(), 1);
  }
}

} // namespace trrun
