// SPDX-License-Identifier: Apache-2.0
//
// Texts of pipelines, and pictures through them. test/oracle/images_test.py compares every
// transform with torchvision's.
#include "tri/pipeline.h"

#include "tri/decode.h"

#include <gtest/gtest.h>

using namespace tri;

static std::string textOf(const std::string &text) {
  Pipeline pipeline;
  const std::string error = Pipeline::parse(text, pipeline);
  return error.empty() ? pipeline.text() : error;
}

TEST(PipelineText, OneSpelling) {
  EXPECT_EQ(textOf(""), "");
  EXPECT_EQ(textOf(" flip ,\n resize( 256 ) "), "flip(), resize(size = 256)");
  EXPECT_EQ(textOf("random_crop(28, pad = 2, mode = reflect)"),
            "random_crop(height = 28, pad = 2, mode = reflect)");
  EXPECT_EQ(textOf("random_crop(mode = reflect, height = 28, pad = 2.0)"),
            "random_crop(height = 28, pad = 2, mode = reflect)");
  EXPECT_EQ(textOf("flip(p=0.25, axis=vertical), normalize(imagenet)"),
            "flip(p = 0.25, axis = vertical), normalize(imagenet)");
  EXPECT_EQ(textOf("normalize(mean = 0.5, std = 0.25)"), "normalize(0.5, 0.25)");
  EXPECT_EQ(textOf("normalize([0.1, 0.2, 0.3], [1, 2, 3])"),
            "normalize([0.1, 0.2, 0.3], [1, 2, 3])");
  EXPECT_EQ(textOf(textOf("affine(10, translate = 0.1, scale_low = 0.9, filter = bilinear)")),
            textOf("affine(10, translate = 0.1, scale_low = 0.9, filter = bilinear)"));
}

TEST(PipelineText, Faults) {
  EXPECT_EQ(textOf("flop()").substr(0, 43), "column 1: unknown call 'flop'; expected one");
  EXPECT_EQ(textOf("flip(), 3"), "column 9: expected a call such as flip(), but got '3'");
  EXPECT_EQ(textOf("flip("), "column 6: expected a number, but got the end");
  EXPECT_EQ(textOf("flip(0.5"), "column 9: expected ')', but got the end");
  EXPECT_EQ(textOf("flip() flip()"), "column 8: expected ',' and another call, but got 'f'");
  EXPECT_EQ(textOf("flip(2)"), "column 6: 'p' expects a number from 0 to 1, but got 2");
  EXPECT_EQ(textOf("flip(q = 1)"), "column 6: flip has no parameter 'q'; it has p, axis");
  EXPECT_EQ(textOf("flip(1, horizontal, 3)"), "column 21: flip takes at most 2 values");
  EXPECT_EQ(textOf("flip(1, p = 0)"), "column 9: 'p' is given twice");
  EXPECT_EQ(textOf("flip(1, sideways)"),
            "column 9: 'axis' expects one of horizontal|vertical, but got 'sideways'");
  EXPECT_EQ(textOf("flip([1, 2])"), "column 6: 'p' expects a number");
  EXPECT_EQ(textOf("resize(2.5)"),
            "column 8: 'size' expects an integer from 1 to 65536, but got 2.5");
  EXPECT_EQ(textOf("rotate()"), "column 1: rotate needs 'degrees'");
  EXPECT_EQ(textOf("random_resized_crop(scale_low = 0.9, scale_high = 0.5)"),
            "column 1: random_resized_crop: expected 'scale_high' not below 'scale_low'");
  EXPECT_EQ(textOf("normalize(0.5)"), "column 14: expected ',', but got ')'");
  EXPECT_EQ(textOf("normalize(0.5, 0)"),
            "column 1: normalize expects deviations from 1e-06 to 1e+06");
  EXPECT_EQ(textOf("normalize(1e9, 1)"), "column 1: normalize expects means from -1e+06 to 1e+06");
  EXPECT_EQ(textOf("normalize([1, 2], [1, 2])"),
            "column 1: normalize expects imagenet, or a mean and a deviation: one number each or "
            "[red, green, blue]");
  EXPECT_EQ(textOf("normalize(imagenet), flip()"),
            "column 22: expected nothing after normalize, but got 'flip'");
  std::string many = "flip()";
  for (int i = 0; i < 40; ++i)
    many += ", flip()";
  EXPECT_EQ(textOf(many).substr(textOf(many).find(':')), ": expected at most 32 calls");
  EXPECT_EQ(textOf(std::string(70000, ' ')), "column 1: expected at most 65536 characters");
}

static Picture pictureOf(const std::vector<uint8_t> &pixels, Size size, int64_t channels) {
  return Picture::ofPixels(pixels.data(), size, channels);
}

static Image run(const std::string &text, const Picture &picture, int64_t channels, Size target,
                 uint64_t sample = 0) {
  Pipeline pipeline;
  EXPECT_EQ(Pipeline::parse(text, pipeline), "");
  Draws draws(1, 2, sample);
  PipelineMemory memory;
  Image out;
  EXPECT_EQ(pipeline.run(picture, channels, target, draws, memory, out), "");
  return out;
}

TEST(Pipeline, EveryCallEndsInTheTargetsSize) {
  std::vector<uint8_t> pixels(3 * 11 * 17);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<uint8_t>(i * 7);
  for (const char *text :
       {"", "resize", "resize(5)", "centre_crop", "centre_crop(3, 40)", "pad(2)", "random_crop",
        "random_crop(30, 30)", "random_resized_crop", "random_resized_crop(4, 9)", "flip(1)",
        "rotate(30)", "affine(30, 0.2, 0.5, 2, 10)", "color_jitter(0.4, 0.4, 0.4, 0.1)", "erase(1)",
        "cutout(4)", "rand_augment(14, 30)"})
    for (uint64_t sample = 0; sample < 20; ++sample) {
      const Image out = run(text, pictureOf(pixels, {11, 17}, 3), 3, {8, 6}, sample);
      EXPECT_EQ(out.size, (Size{8, 6})) << text;
      EXPECT_EQ(out.bytes.size(), 3u * 8 * 6) << text;
    }
}

TEST(Pipeline, APlainPictureStaysPlain) {
  const std::vector<uint8_t> pixels(7 * 5, 200);
  for (const char *text : {"resize(40)", "random_resized_crop", "flip(1)", "random_crop(3)"})
    for (const uint8_t byte : run(text, pictureOf(pixels, {7, 5}, 1), 1, {16, 16}).bytes)
      EXPECT_EQ(byte, 200) << text;
}

TEST(Pipeline, GreyAndColour) {
  const std::vector<uint8_t> grey = {7}, colour = {255, 0, 0};
  EXPECT_EQ(run("", pictureOf(grey, {1, 1}, 1), 3, {1, 1}).bytes, (std::vector<uint8_t>{7, 7, 7}));
  EXPECT_EQ(run("", pictureOf(colour, {1, 1}, 3), 1, {1, 1}).bytes, (std::vector<uint8_t>{76}));
}

TEST(Pipeline, ErasesWithTheMeanThatNormalizeTakesOff) {
  const std::vector<uint8_t> pixels(3 * 9 * 9, 0);
  const Image out =
      run("cutout(100), normalize(imagenet)", pictureOf(pixels, {9, 9}, 3), 3, {9, 9});
  EXPECT_EQ(std::vector<uint8_t>(out.bytes.begin(), out.bytes.begin() + 3),
            (std::vector<uint8_t>{124, 116, 104}));
}

TEST(Pipeline, FilesThatAreNone) {
  Pipeline pipeline;
  Draws draws(1, 2, 3);
  PipelineMemory memory;
  Image out;
  const Picture picture = Picture::ofFile("hello, world");
  EXPECT_EQ(pipeline.run(picture, 3, {8, 8}, draws, memory, out),
            "expected a JPEG, PNG, WebP or BMP image, but its first bytes are of none of them");
}

TEST(Pipeline, ReferenceNamesEveryCall) {
  const std::vector<std::string> rows = pipelineReference();
  EXPECT_EQ(rows.front(),
            "resize(size)\tthe shorter side becomes `size`, the other follows (antialiased "
            "bilinear)");
  EXPECT_EQ(rows.back().substr(0, 36), "normalize(imagenet | mean, std)\tthe ");
}
