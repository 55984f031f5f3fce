// SPDX-License-Identifier: Apache-2.0
//
// `--help`: our pipelines and passes, then the driver's options.
#ifndef RENAISSANCE_TOOLS_TR_OPT_HELP_H
#define RENAISSANCE_TOOLS_TR_OPT_HELP_H

namespace tr {

/// Whether the command line asks for our help.
bool wantsHelp(int argc, char **argv);

/// The usage, our pipelines and the passes that are registered so far.
void printPasses();

/// The options that are not hidden.
void printOptions();

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_OPT_HELP_H
