// SPDX-License-Identifier: Apache-2.0
//
// tr-run pack: the files of a data set in one.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "data/pack.h"

#include <cstdio>

namespace trrun {

using namespace trrt;

// A folder may be given by its path alone.
static std::string specOf(const std::string &word) {
  const std::string name = word.substr(0, word.find(':'));
  return name == "folder" || name == "list" || name == "pack" ? word : "folder:" + word;
}

static int runPack(const Args &args) {
  const std::string spec = specOf(args.positional(0));
  if (args.has("--validation"))
    dataSetOption(args, "--validation");
  const bool skip = args.choice("--bad-files", {"stop", "skip"}) == "skip";
  const auto training = openDataSet(spec, Split::Train);
  const auto validation = args.has("--validation")
                              ? openDataSet(dataSetOption(args, "--validation"), Split::Test)
                          : training->hasParts ? openDataSet(spec, Split::Test)
                                               : nullptr;
  if (validation)
    checkSameClasses(*training, *validation);
  PackOptions options;
  options.onBad = [&](const std::string &name, const std::string &reason) {
    if (skip)
      std::fprintf(stderr, "warning: %s: %s\n", name.c_str(), reason.c_str());
    return skip;
  };
  const PackReport report =
      writePack(training.get(), validation.get(), args.positional(1), options);
  std::printf("%s: %lld training and %lld validation images of %zu classes, %llu bytes",
              printable(args.positional(1)).c_str(), static_cast<long long>(report.training),
              static_cast<long long>(report.validation), training->classNames.size(),
              static_cast<unsigned long long>(report.bytes));
  if (report.leftOut != 0)
    std::printf("; %lld left out", static_cast<long long>(report.leftOut));
  std::printf("\n");
  return 0;
}

static std::string summary() {
  std::string text =
      "Writes the image files of a data set into one file, which --dataset pack:FILE reads.\n\n"
      "SET is a folder with CLASS/FILE or train/CLASS/FILE and val/CLASS/FILE, or list:FILE. "
      "Every\n"
      "image is decoded once; the files themselves are kept as they are.\n\n"
      "What --augment and --prepare of train, eval and infer take, calls separated by commas:\n";
  for (const std::string &row : tri::pipelineReference()) {
    const size_t tab = row.find('\t');
    text += "  " + row.substr(0, tab) + "\n      " + row.substr(tab + 1) + "\n";
  }
  text.pop_back();
  return text;
}

Command packCommand() {
  static const std::string text = summary();
  return {"pack",
          text.c_str(),
          {{"--validation", "SET", "the validation part, where SET has none", false, nullptr,
            Names::DataSet},
           {"--bad-files", "WHAT",
            "of images that cannot be decoded: stop (default) or skip, which leaves them out"}},
          runPack,
          {{"SET", "a data set", Names::DataSet}, {"OUT", "a file to write", Names::Output}}};
}

} // namespace trrun
