// SPDX-License-Identifier: Apache-2.0
//
// Standard descriptors and signals of a tool.
#include "trs/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace trs {

// A descriptor that was closed becomes one that cannot do what it is for: then a tool whose output
// nobody gets says so. Standard error has nowhere to say it.
static void openIfClosed(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF)
    return;
  const int opened = open("/dev/null", flags);
  if (opened >= 0 && opened != descriptor) {
    dup2(opened, descriptor);
    close(opened);
  }
}

void prepareProcess() {
  openIfClosed(STDIN_FILENO, O_WRONLY);
  openIfClosed(STDOUT_FILENO, O_RDONLY);
  openIfClosed(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

static std::string outputError(int code) {
  return std::string("cannot write standard output: ") + std::strerror(code);
}

std::string flushStandardOutput() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return "";
  return outputError(errno ? errno : EIO);
}

std::string printStandardOutput(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    return outputError(errno ? errno : EIO);
  return flushStandardOutput();
}

bool isClosedPipe(const std::string &error) { return error == outputError(EPIPE); }

} // namespace trs
