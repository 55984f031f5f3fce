// SPDX-License-Identifier: Apache-2.0
//
// Which variants of a plan an epoch runs, and in how many steps.
#ifndef TRRT_TRAIN_PASSES_H
#define TRRT_TRAIN_PASSES_H

#include "data/batch_loader.h"
#include "data/data_sets.h"

#include <string>
#include <vector>

namespace trrt {

// All passes of a training run, made before its first step.
struct TrainingPasses {
  Pass base, lowres;
  int64_t lowresEpoch = 0; // first epoch (0-based) of `lowres`
  int64_t leftOut = 0;     // samples of an epoch that no step sees

  const Pass &of(int64_t epoch) const { return epoch < lowresEpoch ? base : lowres; }
};

// A plan that knows the size of its training data runs the rest of an epoch as one
// smaller batch, unless it drops it; without a size the rest is left out. Throws
// where the data has another size or nothing is left to run.
TrainingPasses trainingPasses(const Session &session, const DataSet &data, int64_t epochs);

// Every sample once: the rest on val_last where the plan knows the size, else padded
// on val_base.
Pass validationPass(const Session &session, const DataSet &data);

// Says for which of `variants` the images of a data set are resampled; empty: for none.
std::string resamplingNote(const trf::Plan &plan, const DataSet &data,
                           const std::vector<uint32_t> &variants);

} // namespace trrt

#endif // TRRT_TRAIN_PASSES_H
