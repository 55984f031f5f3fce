// SPDX-License-Identifier: Apache-2.0
//
// Exit code 2 for a wrong command line in tools whose command line LLVM parses.
#ifndef RENAISSANCE_TOOLS_SUPPORT_USAGEEXIT_H
#define RENAISSANCE_TOOLS_SUPPORT_USAGEEXIT_H

#include <cstdlib>
#include <unistd.h>

namespace tr {

// LLVM's parser leaves through exit(1) on a usage error; every other error comes
// back to main as a return value. While this object lives, exit(1) becomes 2.
class UsageExit {
public:
  UsageExit() { on_exit(&UsageExit::leave, nullptr); }
  ~UsageExit() { parsing() = false; }
  UsageExit(const UsageExit &) = delete;
  UsageExit &operator=(const UsageExit &) = delete;

private:
  static bool &parsing() {
    static bool value = true;
    return value;
  }
  static void leave(int status, void *) {
    if (status == 1 && parsing())
      _exit(2);
  }
};

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_USAGEEXIT_H
