// SPDX-License-Identifier: Apache-2.0
//
// The hand-made plan, built as a compiler would build it.
#include "regression_plan.h"

namespace trf::test {

namespace {

constexpr Half kHalves[] = {Half::A, Half::B};

class Builder {
public:
  Builder(const RegressionShape &shape, const SixVariants *six)
      : s(shape), six(six), b("regression", "session test", shape.classes) {}

  Draft build() {
    addVariants();
    fc = b.layer("0", "fc", true);
    addTensors();
    addSubgraphs();
    addSchedules();
    b.param("0.fc.weight", w, dw, ParamLayout::Fc, Init::Uniform, 0.25);
    b.param("0.fc.bias", bias, dbias, ParamLayout::Vector);
    return b.finish();
  }

private:
  // The tensors of an input half, and the subgraphs that use them.
  struct HalfParts {
    uint32_t images, label, valid;
    Subgraph transfer, forward, backward, inference;
  };

  std::vector<trf_variant> &variants() { return b.draft.records.variants; }
  void addVariant(StandardVariant variant, uint32_t batch, uint32_t height, uint32_t width) {
    const StandardVariantRow &row = trf::row(variant);
    b.variant(std::string(row.name), row.trains, {batch, height, width, s.channels},
              static_cast<uint32_t>(variants().size()));
  }
  void addVariants();

  template <typename F> std::vector<Shape> shapes(F shapeOf) {
    std::vector<Shape> result;
    for (const trf_variant &v : variants())
      result.push_back(shapeOf(v));
    return result;
  }
  // Of a tensor whose extent n is the batch.
  std::vector<Shape> batched(uint32_t c) {
    return shapes([=](const trf_variant &v) { return Shape{v.batch, 1, 1, c}; });
  }
  uint32_t batched(const char *name, Role role, uint32_t c) {
    return b.tensor(name, {role}, DType::F32, batched(c));
  }
  void addHalf(Half half);
  void addTensors();
  void addParameters();

  void addLoss() {
    b.op(Opcode::softmax_ce_fwd, {logits, label, valid, smoothing, probs, loss, top1, top5, kNone});
  }
  void addForward(const HalfParts &half) {
    b.op(Opcode::copy, {half.label, label});
    b.op(Opcode::copy, {half.valid, valid});
    if (six)
      b.op(Opcode::gap_fwd, {half.images, pooled});
    b.op(Opcode::fc_fwd, {six ? pooled : half.images, w, bias, logits}, {}, fc);
  }
  void addAccumulate() {
    b.op(Opcode::accum_metrics, {loss, top1, top5, valid, accumLoss, accumTop1, accumTop5});
  }
  void addHalfSubgraphs(Half half);
  void addUpdate();
  void addSubgraphs();
  void addSchedules();

  HalfParts &partsOf(Half half) { return half == Half::A ? halfA : halfB; }

  RegressionShape s;
  const SixVariants *six; // null: two variants
  PlanBuilder b;
  HalfParts halfA{0,
                  0,
                  0,
                  Subgraph::TransferA,
                  Subgraph::FirstLayerFwdA,
                  Subgraph::FirstLayerBwdA,
                  Subgraph::InfMainA};
  HalfParts halfB{0,
                  0,
                  0,
                  Subgraph::TransferB,
                  Subgraph::FirstLayerFwdB,
                  Subgraph::FirstLayerBwdB,
                  Subgraph::InfMainB};
  uint32_t fc = 0, pooled = 0;
  uint32_t label, valid, nonfinite, lr, momentum, decay, biasDecay, smoothing, loss, top1, top5,
      accumLoss, accumTop1, accumTop5, logits, probs, dlogits, w, bias, dw, dbias;
};

void Builder::addVariants() {
  addVariant(StandardVariant::TrainBase, s.batch, s.height, s.width);
  if (!six)
    return addVariant(StandardVariant::ValBase, s.valBatch, s.height, s.width);
  const auto lastOf = [](uint32_t samples, uint32_t batch) {
    return samples % batch == 0 ? batch : samples % batch;
  };
  const uint32_t last = six->dropLast ? s.batch : lastOf(six->trainSamples, s.batch);
  addVariant(StandardVariant::TrainLast, last, s.height, s.width);
  const uint32_t low = six->lowBatch ? six->lowBatch : s.batch;
  addVariant(StandardVariant::TrainLowres, low, six->lowHeight, six->lowWidth);
  addVariant(StandardVariant::TrainLowresLast, six->dropLast ? low : lastOf(six->trainSamples, low),
             six->lowHeight, six->lowWidth);
  addVariant(StandardVariant::ValBase, s.valBatch, six->valHeight, six->valWidth);
  addVariant(StandardVariant::ValLast, lastOf(six->valSamples, s.valBatch), six->valHeight,
             six->valWidth);
  trf_target &target = b.draft.records.target[0];
  target.train_samples = six->trainSamples;
  target.val_samples = six->valSamples;
  target.lowres_epoch = six->lowresEpoch;
  target.flags = six->dropLast ? TRF_DROP_LAST : 0;
}

void Builder::addHalf(Half half) {
  const HalfTensors tensors = tensorsOf(half);
  HalfParts &parts = partsOf(half);
  parts.label = b.shared(tensors.labels, batched(1));
  parts.valid = b.scalar(tensors.valid);
  parts.images = b.shared(tensors.images, shapes([](const trf_variant &v) {
                            return Shape{v.batch, v.height, v.width, v.channels};
                          }));
}

void Builder::addParameters() {
  const Shape weight = {s.classes, six ? 1 : s.height, six ? 1 : s.width, s.channels};
  const Shape vector = {1, 1, 1, s.classes};
  const auto f32 = [&](const char *name, Role role, Group group, const Shape &shape) {
    return b.tensor(name, {role, group}, DType::F32, shape, fc);
  };
  w = f32("w", Role::Weight, Group::FcWeight, weight);
  bias = f32("b", Role::Weight, Group::FcBias, vector);
  dw = f32("dw", Role::Gradient, Group::FcWeight, weight);
  dbias = f32("db", Role::Gradient, Group::FcBias, vector);
  f32("mw", Role::Moment1, Group::FcWeight, weight);
  f32("mb", Role::Moment1, Group::FcBias, vector);
}

void Builder::addTensors() {
  for (const Half half : kHalves)
    addHalf(half);
  label = b.shared(SharedTensor::Label, batched(1));
  valid = b.scalar(SharedTensor::Valid);
  nonfinite = b.scalar(SharedTensor::NonFinite);
  lr = b.scalar(SharedTensor::Lr);
  momentum = b.scalar(SharedTensor::Momentum);
  decay = b.scalar(SharedTensor::WeightDecay);
  biasDecay = b.scalar(SharedTensor::BiasWeightDecay);
  smoothing = b.scalar(SharedTensor::LabelSmoothing);
  loss = b.scalar(SharedTensor::Loss);
  top1 = b.scalar(SharedTensor::Top1);
  top5 = b.scalar(SharedTensor::Top5);
  accumLoss = b.scalar(SharedTensor::AccumLoss);
  accumTop1 = b.scalar(SharedTensor::AccumTop1);
  accumTop5 = b.scalar(SharedTensor::AccumTop5);
  if (six)
    pooled = batched("pooled", Role::Feature, s.channels);
  logits = b.shared(SharedTensor::Logits, batched(s.classes));
  probs = b.shared(SharedTensor::Probs, batched(s.classes));
  dlogits = batched("dlogits", Role::FeatureGrad, s.classes);
  addParameters();
}

void Builder::addHalfSubgraphs(Half half) {
  const HalfParts &parts = partsOf(half);
  b.op(Opcode::range_h2d, {b.range(half)});
  b.subgraph(parts.transfer);
  addForward(parts);
  b.subgraph(parts.forward);
  b.op(Opcode::fc_bwd_weight, {six ? pooled : parts.images, dlogits, dw, dbias}, {}, fc);
  b.subgraph(parts.backward);
  addForward(parts);
  addLoss();
  b.subgraph(parts.inference);
}

void Builder::addUpdate() {
  b.op(Opcode::range_check_finite, {b.range(Role::Gradient), nonfinite});
  b.subgraph(Subgraph::NanCheckAndGradScaling);
  for (const bool decayed : {false, true})
    b.op(Opcode::range_sgd,
         {b.range(Role::Weight, decayed), b.range(Role::Gradient, decayed),
          b.range(Role::Moment1, decayed), lr, momentum, decayed ? decay : biasDecay, nonfinite});
  b.subgraph(Subgraph::Optimizer);
}

void Builder::addSubgraphs() {
  for (const Half half : kHalves)
    addHalfSubgraphs(half);
  addLoss();
  b.op(Opcode::softmax_ce_bwd, {probs, label, valid, smoothing, dlogits});
  b.subgraph(Subgraph::DeepFwdBwd);
  addUpdate();
  addAccumulate();
  b.subgraph(Subgraph::AccumMetrics);
  addAccumulate();
  b.subgraph(Subgraph::AccumMetricsValLast);
  b.op(Opcode::range_clear, {b.range(Role::Accumulated)});
  b.subgraph(Subgraph::ClearMetrics);
  b.subgraph(Subgraph::UpdateBnInfParams, "the network has no batch normalization");
}

void Builder::addSchedules() {
  for (const Half half : kHalves) {
    const HalfParts &parts = partsOf(half);
    b.schedule(scheduleOf(StepKind::Train, half),
               {parts.transfer, parts.forward, Subgraph::DeepFwdBwd, parts.backward,
                Subgraph::NanCheckAndGradScaling, Subgraph::Optimizer, Subgraph::AccumMetrics});
    b.schedule(scheduleOf(StepKind::Validate, half),
               {parts.transfer, parts.inference, Subgraph::AccumMetricsValLast});
    b.schedule(scheduleOf(StepKind::Infer, half), {parts.transfer, parts.inference});
  }
}

} // namespace

Draft regressionDraft(const RegressionShape &shape) { return Builder(shape, nullptr).build(); }

Draft regressionDraft(const RegressionShape &shape, const SixVariants &six) {
  return Builder(shape, &six).build();
}

std::shared_ptr<const Plan> regressionPlan(const RegressionShape &shape) {
  return readDraft(regressionDraft(shape));
}

} // namespace trf::test
