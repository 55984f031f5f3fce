// SPDX-License-Identifier: Apache-2.0
//
// The command line of tr-run: one table of options per subcommand, from which
// parsing, checks, hints and help texts all come.
#ifndef RENAISSANCE_TOOLS_TR_RUN_ARGS_H
#define RENAISSANCE_TOOLS_TR_RUN_ARGS_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace trrun {

// A wrong command line: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the value of an option names. Output replaces a file as a whole, Log grows line by line.
enum class Names { Nothing, Input, Output, Log, DataSet };

struct Option {
  const char *name;  // "--epochs"
  const char *value; // "E", or null for a flag
  const char *help;
  bool required = false;
  const char *alias = nullptr; // another spelling of the name
  Names names = Names::Nothing;
};

Option inputFile(const char *name, const char *help, bool required = false);
Option outputFile(const char *name, const char *help, bool required = false);

class Args;

// A word without a name.
struct Positional {
  const char *value, *what; // "PLAN", "a plan file"
  Names names = Names::Input;
};

struct Command {
  const char *name;
  const char *summary;
  std::vector<Option> options;
  int (*run)(const Args &args);
  std::vector<Positional> positionals = {{"PLAN", "a plan file"}};
  const char *more = nullptr; // any number of further words: "IMAGE"
};

class Args {
public:
  // `words` are what follows the subcommand. Options may be `--name value` or
  // `--name=value`; each at most once. The others are positional; after `--` they may begin like
  // an option.
  Args(const Command &command, const std::vector<std::string> &words);

  const std::string &plan() const { return positionals[0]; }
  const std::string &positional(size_t i) const { return positionals[i]; }
  const std::vector<std::string> &more() const { return others; }
  bool has(const std::string &name) const { return values.count(name) != 0; }
  std::string text(const std::string &name, const std::string &otherwise = "") const;
  int64_t integer(const std::string &name, int64_t otherwise, int64_t least, int64_t most) const;
  // Finite; the second one in [least, most).
  double real(const std::string &name, double otherwise) const;
  double real(const std::string &name, double otherwise, double least, double most) const;
  std::string choice(const std::string &name, const std::vector<std::string> &choices) const;
  uint64_t seed(uint64_t otherwise) const;

private:
  void addPositional(const Command &command, const std::string &word);
  void checkFiles(const Command &command) const;

  std::map<std::string, std::string> values;
  std::vector<std::string> positionals, others;
};

// "option '--lr' expects a number not below 0, but got '-1'", with the reason where there is one.
UsageError valueError(const std::string &name, const std::string &expected,
                      const std::string &value, const std::string &reason);

std::string commandHelp(const Command &command);
// "     --name VALUE   help" lines, aligned.
std::string optionHelp(const std::vector<Option> &options);

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_ARGS_H
