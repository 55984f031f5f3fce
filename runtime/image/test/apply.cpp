// SPDX-License-Identifier: Apache-2.0
//
// One transform or decoder on a file, for test/oracle/images_test.py. Lines of the standard input:
//
//   FUNCTION IN OUT NUMBERS...
//
// IN is a picture file for decode, else height, width, channels (int32 each) and bytes, as is OUT.
#include "tri/decode.h"
#include "tri/pipeline.h"
#include "tri/transforms.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

using namespace tri;

using Numbers = std::vector<double>;

static std::string readAll(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static Image readRaw(const std::string &path) {
  const std::string bytes = readAll(path);
  const auto *head = reinterpret_cast<const int32_t *>(bytes.data());
  Image image;
  image.reset({head[0], head[1]}, head[2]);
  std::copy(bytes.begin() + 12, bytes.end(), image.bytes.begin());
  return image;
}

static void writeRaw(const std::string &path, const Image &image) {
  std::ofstream out(path, std::ios::binary);
  const int32_t head[3] = {static_cast<int32_t>(image.size.height),
                           static_cast<int32_t>(image.size.width),
                           static_cast<int32_t>(image.channels)};
  out.write(reinterpret_cast<const char *>(head), sizeof head);
  out.write(reinterpret_cast<const char *>(image.bytes.data()),
            static_cast<std::streamsize>(image.bytes.size()));
}

static int64_t whole(double value) { return static_cast<int64_t>(value); }

static Image apply(const std::string &name, const Image &in, const Numbers &n) {
  const std::map<std::string, void (*)(Image &, double)> colours = {
      {"brightness", adjustBrightness}, {"contrast", adjustContrast},
      {"saturation", adjustSaturation}, {"hue", adjustHue},
      {"sharpness", adjustSharpness},   {"solarize", solarize}};
  Image out = in;
  if (const auto found = colours.find(name); found != colours.end())
    found->second(out, n[0]);
  else if (name == "posterize")
    posterize(out, static_cast<int>(n[0]));
  else if (name == "autocontrast")
    autoContrast(out);
  else if (name == "equalize")
    equalize(out);
  else if (name == "resize")
    Resizer().run(in, {n[0], n[1], n[2], n[3]}, {whole(n[4]), whole(n[5])}, out);
  else if (name == "crop")
    crop(in, whole(n[0]), whole(n[1]), {whole(n[2]), whole(n[3])}, static_cast<Border>(whole(n[4])),
         0, out);
  else if (name == "affine")
    transform(in, inverseAffine(n[0], n[1], n[2], n[3], n[4], n[5]), n[6] != 0, 0, out);
  else
    throw std::runtime_error("unknown function " + name);
  return out;
}

// "pipeline IN OUT sample channels height width TEXT"
static Image runPipeline(const std::string &path, std::istream &line) {
  uint64_t sample = 0;
  int64_t channels = 0;
  Size target;
  std::string text;
  line >> sample >> channels >> target.height >> target.width;
  std::getline(line, text);
  Pipeline pipeline;
  std::string error = Pipeline::parse(text, pipeline);
  const std::string bytes = readAll(path);
  const Picture picture = Picture::ofFile(bytes);
  Draws draws(1, 0, sample);
  PipelineMemory memory;
  Image out;
  if (error.empty())
    error = pipeline.run(picture, channels, target, draws, memory, out);
  if (!error.empty())
    throw std::runtime_error(error);
  return out;
}

int main() {
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string name, in, out;
    line >> name >> in >> out;
    try {
      if (name == "pipeline") {
        writeRaw(out, runPipeline(in, line));
      } else if (name == "decode") {
        const Numbers n{std::istream_iterator<double>(line), {}};
        Image image;
        const std::string error =
            decode(readAll(in), whole(n[0]), {whole(n[1]), whole(n[2])}, image);
        if (!error.empty())
          throw std::runtime_error(error);
        writeRaw(out, image);
      } else {
        writeRaw(out, apply(name, readRaw(in), Numbers{std::istream_iterator<double>(line), {}}));
      }
      std::cout << "ok\n";
    } catch (const std::exception &error) {
      std::cout << "error: " << error.what() << "\n";
    }
  }
}
