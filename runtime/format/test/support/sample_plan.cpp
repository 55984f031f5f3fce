// SPDX-License-Identifier: Apache-2.0
//
// The sample plan, built as a compiler would build it.
#include "sample_plan.h"

namespace trf::test {

namespace {

// Ids of the sample's tensors.
struct Ids {
  uint32_t data, label, valid, features, logits, probs, loss, top1, top5, dLogits, dFeatures;
  uint32_t convWeight, convBias, fcWeight, fcBias;
  uint32_t convWeightGrad, convBiasGrad, fcWeightGrad, fcBiasGrad;
  uint32_t lr, momentum, decay, biasDecay, smoothing, nonfinite;
  uint32_t accumLoss, accumTop1, accumTop5, runningMean;
};

const Shape kImages[2] = {{3, 5, 7, 2}, {2, 5, 7, 2}}; // in training, in validation
const Shape kSamples[2] = {{3, 1, 1, 1}, {2, 1, 1, 1}};
const Shape kLogits[2] = {{3, 1, 1, 3}, {2, 1, 1, 3}};
const Shape kFeatures[2] = {{3, 5, 7, 4}, {2, 5, 7, 4}};

void addScalars(PlanBuilder &b, Ids &t) {
  t.lr = b.scalar(SharedTensor::Lr);
  t.momentum = b.scalar(SharedTensor::Momentum);
  t.decay = b.scalar(SharedTensor::WeightDecay);
  t.biasDecay = b.scalar(SharedTensor::BiasWeightDecay);
  t.smoothing = b.scalar(SharedTensor::LabelSmoothing);
  t.nonfinite = b.scalar(SharedTensor::NonFinite);
  t.loss = b.scalar(SharedTensor::Loss);
  t.top1 = b.scalar(SharedTensor::Top1);
  t.top5 = b.scalar(SharedTensor::Top5);
  t.accumLoss = b.scalar(SharedTensor::AccumLoss);
  t.accumTop1 = b.scalar(SharedTensor::AccumTop1);
  t.accumTop5 = b.scalar(SharedTensor::AccumTop5);
}

// A parameter of a layer, its gradient and its moment.
struct ParamIds {
  uint32_t value, grad;
};
ParamIds addParam(PlanBuilder &b, const std::string &name, Group group, Shape shape,
                  uint32_t layer) {
  const auto add = [&](const char *prefix, Role role) {
    return b.tensor(prefix + name, {role, group}, DType::F32, shape, layer);
  };
  const ParamIds ids = {add("", Role::Weight), add("d", Role::Gradient)};
  add("m", Role::Moment1);
  return ids;
}

void addTensors(PlanBuilder &b, Ids &t, uint32_t conv, uint32_t fc) {
  const auto f32 = [&](const char *name, Role role, const Shape(&shapes)[2], uint32_t layer) {
    return b.tensor(name, {role}, DType::F32, shapes[0], shapes[1], layer);
  };
  t.label = b.shared(SharedTensor::LabelA, kSamples[0], kSamples[1]);
  t.valid = b.scalar(SharedTensor::ValidA);
  t.data = b.shared(SharedTensor::DataA, kImages[0], kImages[1]);
  t.features = f32("y", Role::Feature, kFeatures, conv);
  t.logits = b.shared(SharedTensor::Logits, kLogits[0], kLogits[1]);
  t.probs = b.shared(SharedTensor::Probs, kLogits[0], kLogits[1]);
  t.dFeatures = f32("dy", Role::FeatureGrad, kFeatures, conv);
  t.dLogits = f32("dlogits", Role::FeatureGrad, kLogits, fc);
  // No op uses it: a running statistic for those who list parameters.
  t.runningMean = b.tensor("rm", {Role::PrevMean}, DType::F32, {1, 1, 1, 4}, conv);
  const ParamIds convW = addParam(b, "w", Group::FirstConv, {4, 3, 3, 2}, conv);
  const ParamIds convB = addParam(b, "b", Group::FcBias, {1, 1, 1, 4}, conv);
  const ParamIds fcW = addParam(b, "w", Group::FcWeight, {3, 5, 7, 4}, fc);
  const ParamIds fcB = addParam(b, "b", Group::FcBias, {1, 1, 1, 3}, fc);
  t.convWeight = convW.value, t.convWeightGrad = convW.grad;
  t.convBias = convB.value, t.convBiasGrad = convB.grad;
  t.fcWeight = fcW.value, t.fcWeightGrad = fcW.grad;
  t.fcBias = fcB.value, t.fcBiasGrad = fcB.grad;
}

// No schedule reads half B, but a session wants both.
void addHalfB(PlanBuilder &b) {
  b.shared(SharedTensor::LabelB, kSamples[0], kSamples[1]);
  b.scalar(SharedTensor::ValidB);
  b.shared(SharedTensor::DataB, kImages[0], kImages[1]);
}

void addForward(PlanBuilder &b, const Ids &t, uint32_t conv, uint32_t fc) {
  const std::vector<uint64_t> window = {3, 3, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<uint32_t> loss = {t.logits, t.label, t.valid, t.smoothing, t.probs,
                                      t.loss,   t.top1,  t.top5,  kNone};
  b.op(Opcode::range_h2d, {b.range(Half::A)});
  b.subgraph(Subgraph::TransferA);
  b.op(Opcode::conv_fwd, {t.data, t.convWeight, t.convBias, t.features}, window, conv);
  b.subgraph(Subgraph::FirstLayerFwdA);
  b.op(Opcode::fc_fwd, {t.features, t.fcWeight, t.fcBias, t.logits}, {}, fc);
  b.op(Opcode::softmax_ce_fwd, loss);
  b.op(Opcode::softmax_ce_bwd, {t.probs, t.label, t.valid, t.smoothing, t.dLogits});
  b.op(Opcode::fc_bwd_weight, {t.features, t.dLogits, t.fcWeightGrad, t.fcBiasGrad}, {}, fc);
  b.op(Opcode::fc_bwd_data, {t.dLogits, t.fcWeight, t.dFeatures}, {}, fc);
  b.subgraph(Subgraph::DeepFwdBwd);
  b.op(Opcode::conv_bwd_weight, {t.data, t.dFeatures, t.convWeightGrad, t.convBiasGrad}, window,
       conv);
  b.subgraph(Subgraph::FirstLayerBwdA);
  b.op(Opcode::conv_fwd, {t.data, t.convWeight, t.convBias, t.features}, window, conv);
  b.op(Opcode::fc_fwd, {t.features, t.fcWeight, t.fcBias, t.logits}, {}, fc);
  b.op(Opcode::softmax_ce_fwd, loss);
  b.subgraph(Subgraph::InfMainA);
}

void addUpdate(PlanBuilder &b, const Ids &t) {
  const auto sgd = [&](bool decayed, uint32_t decay) {
    b.op(Opcode::range_sgd,
         {b.range(Role::Weight, decayed), b.range(Role::Gradient, decayed),
          b.range(Role::Moment1, decayed), t.lr, t.momentum, decay, t.nonfinite});
  };
  const uint32_t grads = b.range(Role::Gradient);
  b.op(Opcode::range_clear, {grads});
  b.subgraph(Subgraph::ZeroGrad);
  b.op(Opcode::range_check_finite, {grads, t.nonfinite});
  b.subgraph(Subgraph::NanCheckAndGradScaling);
  sgd(true, t.decay);
  sgd(false, t.biasDecay);
  b.subgraph(Subgraph::Optimizer);
  b.op(Opcode::accum_metrics,
       {t.loss, t.top1, t.top5, t.valid, t.accumLoss, t.accumTop1, t.accumTop5});
  b.subgraph(Subgraph::AccumMetrics);
  b.subgraph(Subgraph::EmaUpdate, "no EMA was asked for");
}

} // namespace

Draft samplePlan(bool runnable) {
  PlanBuilder b("sample", "plan test", 3);
  b.variant("train_base", true, kImages[0], 0);
  b.variant("val_base", false, kImages[1], 1);
  b.draft.records.fusions.push_back({b.draft.intern("cbr"), 0});
  const uint32_t conv = b.layer("0", "conv", true), fc = b.layer("1", "fc", false);
  Ids t = {};
  addScalars(b, t);
  addTensors(b, t, conv, fc);
  if (runnable)
    addHalfB(b);
  addForward(b, t, conv, fc);
  addUpdate(b, t);
  b.schedule(Schedule::TrainA,
             {Subgraph::TransferA, Subgraph::ZeroGrad, Subgraph::FirstLayerFwdA,
              Subgraph::DeepFwdBwd, Subgraph::FirstLayerBwdA, Subgraph::NanCheckAndGradScaling,
              Subgraph::Optimizer, Subgraph::AccumMetrics});
  b.schedule(Schedule::InferA, {Subgraph::TransferA, Subgraph::InfMainA});
  b.param("0.conv.weight", t.convWeight, t.convWeightGrad, ParamLayout::Conv, Init::Normal, 0.25);
  b.param("0.conv.bias", t.convBias, t.convBiasGrad, ParamLayout::Vector);
  b.param("1.fc.weight", t.fcWeight, t.fcWeightGrad, ParamLayout::Fc, Init::Uniform, 0.5);
  b.param("1.fc.bias", t.fcBias, t.fcBiasGrad, ParamLayout::Vector);
  b.param("0.bn.running_mean", t.runningMean, kNone, ParamLayout::Vector);
  return b.finish();
}

} // namespace trf::test
