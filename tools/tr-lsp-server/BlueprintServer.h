// SPDX-License-Identifier: Apache-2.0
//
// The language server for `.bp` files.
#ifndef RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTSERVER_H
#define RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTSERVER_H

namespace tr {

/// Serves one client on standard input and output until it leaves: faults while typing, shapes on
/// hover and after calls, completion. With `test`, messages are separated by "// -----" and the
/// answers are indented. Returns the exit code.
int runBlueprintServer(bool test);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTSERVER_H
