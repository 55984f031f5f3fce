// SPDX-License-Identifier: Apache-2.0
//
// From the size of a data set to steps.
#include "train/passes.h"

#include "base/status.h"

namespace trrt {

using namespace trf;

static const Variant &variantOf(const Session &session, uint32_t id) {
  return session.plan().variants[id];
}

// The verifier of plans does not know which variant a step will use.
static void checkLast(const Session &session, const Pass &pass) {
  const Variant &base = variantOf(session, pass.variant),
                &last = variantOf(session, pass.lastVariant);
  if (last.batch != pass.rest)
    throw Error(TRRT_INVALID_FILE, "the plan cannot be run: variant " + last.name +
                                       ": expected a batch of " + std::to_string(pass.rest) +
                                       ", what whole batches of " + base.name + " leave, but got " +
                                       std::to_string(last.batch));
}

static Pass trainingPass(const Session &session, const DataSet &data, StandardVariant base,
                         StandardVariant last) {
  Pass pass;
  pass.variant = pass.lastVariant = session.variant(base);
  const int64_t batch = variantOf(session, pass.variant).batch;
  pass.whole = data.size() / batch;
  if (session.plan().train_samples == 0 || session.plan().drop_last || data.size() % batch == 0)
    return pass;
  pass.rest = data.size() % batch;
  pass.lastVariant = session.variant(last);
  checkLast(session, pass);
  return pass;
}

TrainingPasses trainingPasses(const Session &session, const DataSet &data, int64_t epochs) {
  checkSampleCount(data, Split::Train, session.plan());
  TrainingPasses passes;
  passes.base = passes.lowres =
      trainingPass(session, data, StandardVariant::TrainBase, StandardVariant::TrainLast);
  passes.lowresEpoch = epochs;
  if (session.plan().lowres_epoch < epochs) {
    passes.lowresEpoch = session.plan().lowres_epoch;
    passes.lowres =
        trainingPass(session, data, StandardVariant::TrainLowres, StandardVariant::TrainLowresLast);
  }
  const int64_t batch = variantOf(session, passes.base.variant).batch;
  if (variantOf(session, passes.lowres.variant).batch != batch)
    throw Error(TRRT_INVALID_FILE,
                "the plan cannot be run: train_base and train_lowres have different batches");
  if (passes.base.steps() == 0)
    throw Error(TRRT_INVALID_ARGUMENT, "the data set has " + std::to_string(data.size()) +
                                           " samples, fewer than one batch of " +
                                           std::to_string(batch));
  passes.leftOut = data.size() - passes.base.whole * batch - passes.base.rest;
  return passes;
}

Pass validationPass(const Session &session, const DataSet &data) {
  checkSampleCount(data, Split::Test, session.plan());
  Pass pass;
  pass.variant = pass.lastVariant = session.variant(StandardVariant::ValBase);
  const int64_t batch = variantOf(session, pass.variant).batch;
  pass.whole = data.size() / batch;
  pass.rest = data.size() % batch;
  if (session.plan().val_samples == 0 || pass.rest == 0)
    return pass;
  pass.lastVariant = session.variant(StandardVariant::ValLast);
  checkLast(session, pass);
  return pass;
}

std::string resamplingNote(const Plan &plan, const DataSet &data,
                           const std::vector<uint32_t> &variants) {
  const auto size = [](int64_t height, int64_t width) {
    return std::to_string(height) + "x" + std::to_string(width);
  };
  std::string targets;
  for (const uint32_t id : variants) {
    const Variant &v = plan.variants[id];
    if (data.shape != tri::Size{v.height, v.width})
      targets += (targets.empty() ? "" : ", ") + size(v.height, v.width) + " for " + v.name;
  }
  return targets.empty() || data.shape == tri::Size()
             ? ""
             : "note: images of " + size(data.shape.height, data.shape.width) +
                   " are resampled to " + targets;
}

} // namespace trrt
