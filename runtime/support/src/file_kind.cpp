// SPDX-License-Identifier: Apache-2.0
//
// Signatures of files that users mix up.
#include "trs/file_kind.h"

#include <array>

namespace trs {

namespace {

struct Row {
  FileKind kind;
  std::string_view signature, text, remedy;
};

constexpr std::string_view kToSafetensors =
    "save it as safetensors: safetensors.torch.save_file(dict, 'x.safetensors') in Python";
constexpr std::string_view kArrayToSafetensors =
    "save it as safetensors: safetensors.numpy.save_file({'input': array}, 'x.safetensors') in "
    "Python";
constexpr std::string_view kImage = "decode it to float32 pixels and save these as safetensors";

using namespace std::string_view_literals;

constexpr std::array kRows{
    Row{FileKind::Plan, "TRPLAN"sv, "a plan",
        "tr-run runs it, tr-translate --plan-to-mlir shows it"},
    Row{FileKind::MlirBytecode, "ML\xefR"sv, "MLIR bytecode", "tr-opt prints it as text"},
    Row{FileKind::Numpy, "\x93NUMPY"sv, "a NumPy array", kArrayToSafetensors},
    Row{FileKind::Zip, "PK\x03\x04"sv, "a zip archive, as PyTorch's .pt and NumPy's .npz are",
        kToSafetensors},
    Row{FileKind::Gzip, "\x1f\x8b"sv, "gzip data", "unpack it first"},
    Row{FileKind::Png, "\x89PNG\r\n\x1a\n"sv, "a PNG image", kImage},
    Row{FileKind::Jpeg, "\xff\xd8\xff"sv, "a JPEG image", kImage},
    Row{FileKind::Gif, "GIF8"sv, "a GIF image", kImage},
    Row{FileKind::Hdf5, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file, as Keras' .h5 is", kToSafetensors},
    Row{FileKind::Elf,
        "\x7f"
        "ELF"sv,
        "a program or library", ""},
    Row{FileKind::Pdf, "%PDF-"sv, "a PDF document", ""},
};

bool startsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

// Protocol 2 to 5 and a first opcode: a frame, a container, an object.
bool isPickle(std::string_view begin) {
  return begin.size() >= 3 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5 &&
         std::string_view("\x95}](c\x8a"sv).find(begin[2]) != std::string_view::npos;
}

// Eight bytes of length, then JSON.
bool isSafetensors(std::string_view begin) {
  return begin.size() >= 9 && begin[8] == '{' && begin[7] == '\0' && begin[6] == '\0';
}

bool isIdx(std::string_view begin) {
  return begin.size() >= 4 && begin[0] == '\0' && begin[1] == '\0' && begin[2] >= 8 &&
         begin[2] <= 14 && begin[3] >= 1 && begin[3] <= 4;
}

bool isText(std::string_view begin) {
  for (const char c : begin)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t')
      return false;
  return !begin.empty();
}

const Row *findRow(FileKind kind) {
  for (const Row &row : kRows)
    if (row.kind == kind)
      return &row;
  return nullptr;
}

} // namespace

FileKind recognise(std::string_view begin) {
  for (const Row &row : kRows)
    if (startsWith(begin, row.signature))
      return row.kind;
  if (isPickle(begin))
    return FileKind::Pickle;
  if (isSafetensors(begin))
    return FileKind::Safetensors;
  if (isIdx(begin))
    return FileKind::Idx;
  return isText(begin.substr(0, 64)) ? FileKind::Text : FileKind::Unknown;
}

std::string_view describe(FileKind kind) {
  switch (kind) {
  case FileKind::Unknown:
    return "";
  case FileKind::Text:
    return "text";
  case FileKind::Safetensors:
    return "a safetensors file";
  case FileKind::Pickle:
    return "a Python pickle, as PyTorch's old .pt is";
  case FileKind::Idx:
    return "an IDX file, as MNIST's are";
  default:
    return findRow(kind)->text;
  }
}

std::string explainWrongKind(std::string_view begin) {
  const FileKind kind = recognise(begin);
  if (kind == FileKind::Unknown)
    return "";
  const Row *row = findRow(kind);
  const std::string_view remedy = row                        ? row->remedy
                                  : kind == FileKind::Pickle ? kToSafetensors
                                                             : std::string_view();
  std::string text = "it is " + std::string(describe(kind));
  return remedy.empty() ? text : text + "; " + std::string(remedy);
}

} // namespace trs
