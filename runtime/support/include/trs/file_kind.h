// SPDX-License-Identifier: Apache-2.0
//
// What a file is by its first bytes, for messages about the wrong one.
#ifndef TRS_FILE_KIND_H
#define TRS_FILE_KIND_H

#include <string>
#include <string_view>

namespace trs {

enum class FileKind {
  Unknown,
  Text,
  Plan,
  Safetensors,
  MlirBytecode,
  Numpy,
  Zip,
  Pickle,
  Gzip,
  Idx,
  Png,
  Jpeg,
  Gif,
  Hdf5,
  Elf,
  Pdf,
};

// `begin` is the beginning of the file; 64 bytes are enough.
FileKind recognise(std::string_view begin);

// "a PNG image", "a zip archive (PyTorch's .pt, NumPy's .npz)"; empty for Unknown.
std::string_view describe(FileKind kind);

// "it is a PNG image", with how to get from there to weights or tensors where there is a way; empty
// where the bytes tell nothing.
std::string explainWrongKind(std::string_view begin);

} // namespace trs

#endif // TRS_FILE_KIND_H
