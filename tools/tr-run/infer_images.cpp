// SPDX-License-Identifier: Apache-2.0
//
// tr-run infer with image files: a line for each with its class and probability.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "data/batch_loader.h"
#include "data/data_sets.h"
#include "session/weights.h"
#include "trk/arg_max.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trrun {

using namespace trf;
using namespace trrt;

// Of the largest logit, by softmax.
static double probability(const float *logits, int64_t classes, int64_t predicted) {
  double sum = 0;
  for (int64_t k = 0; k < classes; ++k)
    sum += std::exp(static_cast<double>(logits[k]) - static_cast<double>(logits[predicted]));
  return 1 / sum;
}

static std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

int inferImages(const Args &args) {
  ImageOptions images = imageOptions(args).prepare;
  const std::unique_ptr<Session> session = openSession(args);
  const std::unique_ptr<DataSet> data = openFiles(args.more());
  loadWeightsOption(args, *session);
  const std::vector<std::string> names = splitLines(weightsNote(args.text("--weights"), "classes"));
  session->foldBn();
  const int64_t classes = session->plan().classes;
  Pass pass;
  pass.variant = pass.lastVariant = session->variant(StandardVariant::ValBase);
  const int64_t batch = session->plan().variants[pass.variant].batch;
  pass.whole = data->size() / batch;
  pass.rest = data->size() % batch;
  BatchLoader loader(*session, *data, images);
  loader.begin(pass);
  for (BatchLoader::Batch b = loader.next(); b.valid > 0; b = loader.next()) {
    session->inferStep(b.variant, b.half);
    const std::vector<float> logits = session->tensors().readF32(SharedTensor::Logits, b.variant);
    for (int64_t i = 0; i < b.valid; ++i) {
      const float *row = logits.data() + i * classes;
      const int64_t predicted = trk::argMax(row, classes);
      std::printf("%s %s %.4f\n", data->describe(loader.samples()[static_cast<size_t>(i)]).c_str(),
                  className(names, predicted).c_str(), probability(row, classes, predicted));
    }
  }
  return loader.badFiles() == 0 ? 0 : 1;
}

} // namespace trrun
