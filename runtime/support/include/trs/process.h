// SPDX-License-Identifier: Apache-2.0
//
// What every tool does first and last. For `main` only: a library leaves signals and descriptors of
// its host alone.
#ifndef TRS_PROCESS_H
#define TRS_PROCESS_H

#include <string>
#include <string_view>

namespace trs {

// Descriptors 0 to 2 are open afterwards, so that no file gets one of their numbers; what was
// closed fails at the first read or write. SIGPIPE and SIGXFSZ are ignored, so that errno arrives.
void prepareProcess();

// Flushes stdio's standard output. An empty text, or "cannot write standard output: REASON".
std::string flushStandardOutput();
// Prints a text of any length there and flushes: stdio forgets why an earlier write failed.
std::string printStandardOutput(std::string_view text);

// The end of a tool that only prints: nobody reads any more (a closed pipe), which is no error.
// `error` is what one of those above said, or OutputFile of "-".
bool isClosedPipe(const std::string &error);

} // namespace trs

#endif // TRS_PROCESS_H
