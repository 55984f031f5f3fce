// SPDX-License-Identifier: Apache-2.0
//
// Usage errors of tools whose command line CLI11 parses, in the voice of all tools.
#ifndef RENAISSANCE_TOOLS_SUPPORT_COMMANDLINEHELP_H
#define RENAISSANCE_TOOLS_SUPPORT_COMMANDLINEHELP_H

#include "trf/nearest.h"
#include "trs/text.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tr {

/// The option that a misspelt one was meant to be, for " --hmtl".
inline std::string findMeantOption(const CLI::App &app, const std::string &word) {
  std::vector<std::string_view> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back(name);
  const std::string plain = word.substr(word.find_first_not_of('-'));
  const std::string_view meant = trf::findNearest(plain.substr(0, plain.find('=')), names);
  return meant.empty() ? "" : "; did you mean '--" + std::string(meant) + "'?";
}

/// Parses. An exit code where the program is to end at once: 0 after --help and the like, 2 after a
/// usage error, which was printed.
template <typename Check>
std::optional<int> parseArguments(CLI::App &app, int argc, char **argv, Check check) {
  try {
    app.parse(argc, argv);
    check();
    return std::nullopt;
  } catch (const CLI::Success &success) { // --help, --version
    std::ostringstream out;               // CLI11 flushes, which would hide why a write failed
    app.exit(success, out, out);
    std::fputs(out.str().c_str(), stdout);
    return 0;
  } catch (const CLI::ExtrasError &) {
    for (const std::string &word : app.remaining())
      if (word.size() > 1 && word[0] == '-') {
        std::fprintf(stderr, "error: unknown option '%s'%s; see %s --help\n",
                     trs::printable(word).c_str(), findMeantOption(app, word).c_str(),
                     app.get_name().c_str());
        return 2;
      }
    std::fprintf(stderr, "error: expected no argument '%s'; see %s --help\n",
                 trs::printable(app.remaining().front()).c_str(), app.get_name().c_str());
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "error: %s; see %s --help\n", error.what(), app.get_name().c_str());
  }
  return 2;
}

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_COMMANDLINEHELP_H
