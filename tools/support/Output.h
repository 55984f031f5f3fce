// SPDX-License-Identifier: Apache-2.0
//
// Outputs of tools whose text goes through LLVM's streams.
#ifndef RENAISSANCE_TOOLS_SUPPORT_OUTPUT_H
#define RENAISSANCE_TOOLS_SUPPORT_OUTPUT_H

#include "trs/output_file.h"
#include "trs/process.h"

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace tr {

/// A checked file as a stream. What fails is told by finish(), never by the end of the process.
class FileStream final : public llvm::raw_ostream {
public:
  explicit FileStream(const std::string &path) : file(path) { SetBufferSize(size_t{1} << 16); }
  ~FileStream() override { flush(); }

  /// Whether nothing has failed yet.
  bool good() const { return !file.failed(); }
  /// Writes the rest and puts the file in its place; without it the old file stays. Prints the
  /// error where something has failed, but nobody reading any more is none.
  llvm::LogicalResult finish() {
    flush();
    if (file.commit() || trs::isClosedPipe(file.error()))
      return llvm::success();
    llvm::errs() << "error: " << file.error() << '\n';
    return llvm::failure();
  }

private:
  void write_impl(const char *text, size_t size) override {
    file.write(text, size);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  trs::OutputFile file;
  uint64_t position = 0;
};

/// The exit code of a tool that would end with `code`: 1, with an error, where the standard output
/// did not take all that was printed. Nobody reading any more is no error.
inline int finishOutput(int code) {
  llvm::raw_fd_ostream &out = llvm::outs();
  out.flush();
  if (!out.has_error())
    return code;
  std::error_code reason = out.error();
  out.clear_error(); // else LLVM aborts at the end of the process
  if (reason == std::errc::broken_pipe)
    return code;
  llvm::errs() << "error: cannot write standard output: " << reason.message() << '\n';
  return 1;
}

/// finishOutput() also where LLVM's parser of command lines ends the process, after --help. For the
/// begin of main.
inline void guardOutput() {
  llvm::outs(); // made before, so that it is there when the process ends
  std::atexit([] {
    if (int code = finishOutput(0))
      _exit(code);
  });
}

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_OUTPUT_H
