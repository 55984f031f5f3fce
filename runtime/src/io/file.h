// SPDX-License-Identifier: Apache-2.0
//
// Whole files. trs/output_file.h writes them.
#ifndef TRRT_IO_FILE_H
#define TRRT_IO_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

// Throws Error naming the path.
std::vector<uint8_t> readFile(const std::string &path);
// For files that nobody streams: anything but a regular file is refused at once, a
// pipe too that has no writer yet. `kind` is for messages: "not a plan file".
std::vector<uint8_t> readRegularFile(const std::string &path, const std::string &kind);

// What readFile() begins with; the caller closes it.
int openForReading(const std::string &path);

// Throws TRRT_IO_ERROR where `error`, a text of trs/output_file.h, is not empty.
void requireWritten(const std::string &error);

} // namespace trrt

#endif // TRRT_IO_FILE_H
