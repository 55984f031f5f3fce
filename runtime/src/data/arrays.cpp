// SPDX-License-Identifier: Apache-2.0
//
// Arrays of pixels and labels: "arrays:FILE.safetensors" with `images` and `labels`, and for the
// other part `test_images` and `test_labels`; or "arrays:IMAGES.npy,LABELS.npy".
#include "base/status.h"
#include "base/text.h"
#include "data/npy.h"
#include "data/sources.h"
#include "io/safetensors.h"

#include <algorithm>
#include <cstring>

namespace trrt {

namespace {

// An array in a file, wherever from.
struct Array {
  std::string place; // "x.npy" or "x.safetensors: tensor 'images'"
  std::string dtype;
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr;
};

[[noreturn]] void fail(const Array &array, const std::string &expected) {
  throw Error(TRRT_INVALID_FILE, array.place + ": expected " + expected + ", but got " +
                                     array.dtype + " " + shapeText(array.shape));
}

template <typename T> std::vector<int32_t> convertLabels(const Array &array) {
  std::vector<int32_t> labels(static_cast<size_t>(array.shape[0]));
  for (size_t i = 0; i < labels.size(); ++i) {
    T value;
    std::memcpy(&value, array.data + i * sizeof(T), sizeof(T));
    if (value < 0 || value > INT32_MAX)
      throw Error(TRRT_INVALID_FILE, array.place + ": label " + std::to_string(value) +
                                         " of sample " + std::to_string(i) + " is no class");
    labels[i] = static_cast<int32_t>(value);
  }
  return labels;
}

std::vector<int32_t> labelsOf(const Array &array) {
  if (array.shape.size() == 1) {
    if (array.dtype == "U8")
      return convertLabels<uint8_t>(array);
    if (array.dtype == "I32")
      return convertLabels<int32_t>(array);
    if (array.dtype == "I64")
      return convertLabels<int64_t>(array);
  }
  fail(array, "labels U8, I32 or I64 [N]");
}

std::unique_ptr<DataSet> makeSet(const Array &images, const Array &labels) {
  std::vector<int64_t> shape = images.shape;
  if (shape.size() == 3)
    shape.push_back(1);
  const bool fits =
      images.dtype == "U8" && shape.size() == 4 &&
      std::all_of(shape.begin(), shape.end(), [](int64_t extent) { return extent > 0; });
  if (!fits)
    fail(images, "images U8 [N, H, W, C] or [N, H, W], none of them 0");
  std::vector<int32_t> classes = labelsOf(labels);
  if (static_cast<int64_t>(classes.size()) != shape[0])
    fail(labels, "one label for each of the " + std::to_string(shape[0]) + " images");
  const size_t bytes = static_cast<size_t>(shape[0] * shape[1] * shape[2] * shape[3]);
  auto data = std::make_unique<PixelSet>(tri::Size{shape[1], shape[2]}, shape[3],
                                         std::vector<uint8_t>(images.data, images.data + bytes),
                                         std::move(classes));
  data->normal = {{0}, {1}}; // [0, 1]
  data->labelSource = labels.place;
  return data;
}

Array arrayOf(const SafetensorsFile &file, const std::string &name) {
  const TensorView &view = file.tensor(name);
  return {printable(file.path()) + ": tensor '" + name + "'", view.dtype, view.shape, view.data};
}

Array arrayOf(const NpyArray &array, const std::string &path) {
  return {printable(path), array.dtype, array.shape, array.data.data()};
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

std::unique_ptr<DataSet> openArrays(const SourceRequest &request) {
  const size_t comma = request.path.find(',');
  if (comma != std::string::npos) {
    const std::string imagePath = request.path.substr(0, comma),
                      labelPath = request.path.substr(comma + 1);
    const NpyArray images = readNpy(imagePath), labels = readNpy(labelPath);
    auto data = makeSet(arrayOf(images, imagePath), arrayOf(labels, labelPath));
    data->hasParts = false;
    return data;
  }
  if (endsWith(request.path, ".npy"))
    throw Error(TRRT_INVALID_ARGUMENT,
                "data set arrays: expected IMAGES.npy,LABELS.npy or a .safetensors file");
  const SafetensorsFile file = SafetensorsFile::read(request.path);
  const bool hasTest = file.tensors().count("test_images") != 0;
  const std::string prefix = hasTest && request.split == Split::Test ? "test_" : "";
  auto data = makeSet(arrayOf(file, prefix + "images"), arrayOf(file, prefix + "labels"));
  data->hasParts = hasTest;
  return data;
}

} // namespace trrt
