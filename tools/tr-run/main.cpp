// SPDX-License-Identifier: Apache-2.0
//
// tr-run: trains, evaluates and inspects plans. Exit code 1 for errors, 2 for a
// wrong command line.
#include "commands.h"
#include "inspect.h"

#include "base/text.h"
#include "trrt/version.h"

#include <cstdio>
#include <new>

namespace trrun {

static int runNowhere(const Args &) { return 1; }

static std::vector<Command> commands() {
  return {trainCommand(), evalCommand(),  inferCommand(),
          stepCommand(),  benchCommand(), {"inspect", "Prints what is in a plan.", {}, runNowhere}};
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

static int dispatch(int argc, char **argv) {
  if (argc < 2)
    throw UsageError("expected a command; see tr-run --help");
  const std::string name = argv[1];
  if (name == "--help" || name == "-h")
    return printHelp();
  if (name == "--version") {
    std::printf("tr-run %s\n", trrt_version_string());
    return 0;
  }
  if (name == "inspect")
    return inspectMain(argc - 1, argv + 1);
  std::vector<std::string> names;
  for (const Command &command : commands()) {
    names.push_back(command.name);
    if (name != command.name)
      continue;
    const std::vector<std::string> words(argv + 2, argv + argc);
    for (const std::string &word : words)
      if (word == "--help" || word == "-h") {
        std::fputs(commandHelp(command).c_str(), stdout);
        return 0;
      }
    for (const std::string &word : words)
      if (word == "--version") {
        std::printf("tr-run %s\n", trrt_version_string());
        return 0;
      }
    try {
      return command.run(Args(command, words));
    } catch (const UsageError &error) {
      throw UsageError(std::string(error.what()) + "; see tr-run " + command.name + " --help");
    }
  }
  throw UsageError("unknown command '" + trrt::printable(name) + "'" +
                   trrt::didYouMean(name, names) + "; see tr-run --help");
}

} // namespace trrun

int main(int argc, char **argv) {
  int code = 0;
  try {
    code = trrun::dispatch(argc, argv);
  } catch (const trrun::UsageError &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "error: out of memory\n");
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  // Output that did not reach its file or pipe is an error, too.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr, "error: cannot write the output\n");
    return 1;
  }
  return code;
}
