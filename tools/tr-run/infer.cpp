// SPDX-License-Identifier: Apache-2.0
//
// tr-run infer: any number of images, of which memory holds one batch at a time.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "io/safetensors_stream.h"
#include "io/safetensors_writer.h"
#include "trk/arg_max.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trrun {

using namespace trf;
using namespace trrt;

namespace {

// Reads the images in order and gives each batch's logits on.
class Inference {
public:
  Inference(Session &session, SafetensorsStream &input)
      : session(session), input(input), id(session.variant(StandardVariant::ValBase)),
        variant(session.plan().variants[id]), classes(session.plan().classes) {
    const TensorEntry &images = input.tensor("input");
    requireImages(input.path(), images.shape, variant);
    if (images.dtype != "F32")
      throw Error(TRRT_INVALID_FILE, printable(input.path()) +
                                         ": tensor 'input': expected F32, but got " + images.dtype);
    count = images.shape[0];
    input.seek(images);
  }

  void run(const SafetensorsWriter::Sink &sink) {
    const int64_t pixels = variant.height * variant.width * variant.channels;
    std::vector<float> images(static_cast<size_t>(std::min(variant.batch, count) * pixels));
    Half half = Half::A;
    for (int64_t first = 0; first < count; first += variant.batch, half = otherHalf(half)) {
      const int64_t valid = std::min(variant.batch, count - first);
      input.read(images.data(), static_cast<size_t>(valid * pixels) * sizeof(float));
      if (first == 0)
        warnOfBytes(images);
      session.input(half).fill(variant, images.data(), nullptr, valid);
      session.inferStep(id, half);
      const std::vector<float> logits = session.tensors().readF32(SharedTensor::Logits, id);
      take(logits.data(), valid);
      sink(logits.data(), static_cast<size_t>(valid * classes) * sizeof(float));
    }
    input.finish();
  }

  std::vector<int64_t> shape() const { return {count, classes}; }
  const std::vector<int32_t> &predictions() const { return predicted; }
  void warnOfNonFinite() const {
    if (nonFinite != 0)
      std::fprintf(stderr, "warning: %lld of %lld samples have logits that are not finite\n",
                   static_cast<long long>(nonFinite), static_cast<long long>(count));
  }

private:
  void take(const float *logits, int64_t rows) {
    for (int64_t i = 0; i < rows; ++i, logits += classes) {
      predicted.push_back(static_cast<int32_t>(trk::argMax(logits, classes)));
      nonFinite += !std::all_of(logits, logits + classes, [](float x) { return std::isfinite(x); });
    }
  }

  // Whole numbers up to 255 are bytes of an image, which hardly any network has learned from.
  void warnOfBytes(const std::vector<float> &images) const {
    float largest = 0;
    for (const float pixel : images) {
      if (!(pixel >= 0 && pixel <= 255) || pixel != std::floor(pixel))
        return;
      largest = std::max(largest, pixel);
    }
    if (largest > 16)
      std::fprintf(
          stderr,
          "warning: %s: the pixels are whole numbers up to %g; expected are those that the "
          "network was trained on, as of %s\n",
          printable(input.path()).c_str(), static_cast<double>(largest), pixelRanges().c_str());
  }

  Session &session;
  SafetensorsStream &input;
  uint32_t id;
  const Variant &variant;
  int64_t classes, count = 0, nonFinite = 0;
  std::vector<int32_t> predicted;
};

} // namespace

static int runInfer(const Args &args) {
  if (!args.more().empty() && (args.has("--input") || args.has("--output")))
    throw UsageError("expected images, or --input and --output, but got both");
  if (!args.more().empty())
    return inferImages(args);
  if (!args.has("--input") || !args.has("--output"))
    throw UsageError("expected images, or --input and --output");
  for (const char *name : {"--prepare", "--loader-threads", "--bad-files"})
    if (args.has(name))
      throw UsageError(std::string("option '") + name +
                       "' is for images; --input is taken as it is");
  const std::unique_ptr<Session> session = openSession(args);
  SafetensorsStream input(args.text("--input"));
  Inference inference(*session, input);
  loadWeightsOption(args, *session);
  session->foldBn();
  SafetensorsWriter out;
  // Logits are made first, as the file has them in the order of names.
  out.add("logits", "F32", inference.shape(),
          [&](const SafetensorsWriter::Sink &sink) { inference.run(sink); });
  out.add("predicted", "I32", {inference.shape()[0]}, [&](const SafetensorsWriter::Sink &sink) {
    sink(inference.predictions().data(), inference.predictions().size() * sizeof(int32_t));
  });
  out.write(args.text("--output"));
  inference.warnOfNonFinite();
  return 0;
}

Command inferCommand() {
  Command command = {
      "infer",
      "Runs inference on any number of images.\n\n"
      "The output holds `logits` (N, classes) and `predicted` (N, I32). A class whose logit is "
      "NaN\n"
      "is the predicted one. Given image files, or folders of them, it prints a line for each: "
      "the\n"
      "file, the class and its probability.",
      {inputFile("--input", "safetensors with `input` (N,H,W,C F32), taken as it is"),
       outputFile("--output", "safetensors to write")},
      runInfer};
  command.more = "IMAGE";
  addImageOptions(command.options, false);
  addWeightsOptions(command.options, "weights (safetensors)", true);
  addDeviceOptions(command.options);
  return command;
}

} // namespace trrun
