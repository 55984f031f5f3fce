// SPDX-License-Identifier: Apache-2.0
//
// Options about images, which several commands have.
#include "commands.h"

#include "base/text.h"

#include <cstdio>

namespace trrun {

using namespace trrt;

void addImageOptions(std::vector<Option> &options, bool both) {
  if (both)
    options.push_back({"--augment", "TEXT",
                       "what training does to images: \"random_crop(28, pad = 2), flip()\" "
                       "(tr-run pack --help lists the calls)"});
  options.push_back(
      {"--prepare", "TEXT", "the same for other passes: \"resize(256), centre_crop(224)\""});
  options.push_back({"--loader-threads", "N", "threads that read images (1)"});
  options.push_back({"--bad-files", "WHAT",
                     "of images that cannot be read: stop (default), skip (the batch is that much "
                     "smaller) or replace (by the next one)"});
}

static tri::Pipeline pipelineOption(const Args &args, const char *name) {
  tri::Pipeline pipeline;
  const std::string error = tri::Pipeline::parse(args.text(name), pipeline);
  if (!error.empty())
    throw UsageError(std::string("option '") + name + "': " + error);
  return pipeline;
}

static BadFiles badFilesOption(const Args &args) {
  const std::string word = args.choice("--bad-files", {"stop", "skip", "replace"});
  return word == "stop" ? BadFiles::Stop : word == "skip" ? BadFiles::Skip : BadFiles::Replace;
}

ImageTexts imageOptions(const Args &args) {
  ImageTexts texts;
  texts.augment.pipeline = pipelineOption(args, "--augment");
  texts.prepare.pipeline = pipelineOption(args, "--prepare");
  if (texts.prepare.pipeline.isRandom())
    throw UsageError("option '--prepare': expected calls that draw nothing, such as resize "
                     "and pad");
  const tri::Normalisation *training = texts.augment.pipeline.normalisation(),
                           *other = texts.prepare.pipeline.normalisation();
  if (training && other && !(*training == *other))
    throw UsageError("--augment and --prepare normalise differently");
  for (ImageOptions *options : {&texts.augment, &texts.prepare}) {
    if (training || other)
      options->normal = training ? *training : *other;
    options->threads = static_cast<int>(args.integer("--loader-threads", 1, 1, 256));
    options->badFiles = badFilesOption(args);
    options->onMessage = [](const std::string &text) {
      std::fprintf(stderr, "%s\n", text.c_str());
    };
  }
  return texts;
}

std::string className(const std::vector<std::string> &names, int64_t label) {
  return static_cast<size_t>(label) < names.size() ? printable(names[static_cast<size_t>(label)])
                                                   : std::to_string(label);
}

} // namespace trrun
