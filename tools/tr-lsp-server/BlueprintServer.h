// SPDX-License-Identifier: Apache-2.0
//
// The language server for `.bp` files.
#ifndef TR_LSP_SERVER_BLUEPRINTSERVER_H
#define TR_LSP_SERVER_BLUEPRINTSERVER_H

namespace tr {

/// Serves one client on standard input and output until it leaves: faults while typing, shapes on
/// hover and behind calls, completion. With `test`, messages are separated by "// -----" and the
/// answers are indented. Returns the exit code.
int runBlueprintServer(bool test);

} // namespace tr

#endif // TR_LSP_SERVER_BLUEPRINTSERVER_H
