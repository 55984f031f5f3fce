// SPDX-License-Identifier: Apache-2.0
//
// Bytes as the text of a pipeline. What is accepted has one spelling, and turns a small picture
// into one of the size that is asked for.
#include "fuzz.h"

#include "tri/pipeline.h"

using namespace tri;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  Pipeline pipeline, again;
  const std::string error = Pipeline::parse(text, pipeline);
  if (error.find('\n') != std::string::npos)
    fuzz::finding("one line", error.c_str());
  if (!error.empty())
    return 0;
  const std::string spelling = pipeline.text();
  if (!Pipeline::parse(spelling, again).empty() || again.text() != spelling)
    fuzz::finding("a spelling that reads back", spelling.c_str());
  // Extents of thousands are right, but slow.
  for (const char *digits = spelling.c_str(); *digits; ++digits)
    if (std::strspn(digits, "0123456789") > 2)
      return 0;
  std::vector<uint8_t> pixels(5 * 7 * 3);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<uint8_t>(i * 37);
  const Picture picture = Picture::ofPixels(pixels.data(), {5, 7}, 3);
  Draws draws(1, 2, size);
  PipelineMemory memory;
  Image out;
  if (!pipeline.run(picture, 3, {6, 4}, draws, memory, out).empty() || out.size != Size{6, 4})
    fuzz::finding("a picture of 6x4", "none");
  return 0;
}
