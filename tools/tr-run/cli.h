// SPDX-License-Identifier: Apache-2.0
//
// tr-run as a function, so that tests can call it.
#ifndef RENAISSANCE_TOOLS_TR_RUN_CLI_H
#define RENAISSANCE_TOOLS_TR_RUN_CLI_H

#include "args.h"

namespace trrun {

std::vector<Command> commands();

// `words` are what follows the name of the tool. Prints its own errors; returns the exit code:
// 1 for errors, 2 for a wrong command line.
int runTool(const std::vector<std::string> &words);

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_CLI_H
