// SPDX-License-Identifier: Apache-2.0
//
// The hand-made plan, built as a compiler would build it.
#include "regression_plan.h"

#include <gtest/gtest.h>

using trk::DType;
using trk::Opcode;

namespace trrt::test {

namespace {

class Builder {
public:
  Builder(const RegressionShape &shape, const SixVariants *six) : s(shape), six(six) {}

  tr::PlanImage build() {
    tr::PlanImage &image = b.image;
    image.target = {image.intern("cpu"),
                    image.intern("fp32"),
                    image.intern("sgd"),
                    2,
                    s.classes,
                    1,
                    0,
                    0,
                    0,
                    kNone,
                    0,
                    0,
                    0};
    addVariants();
    image.meta = {image.intern("regression"), image.intern("session test")};
    fc = b.layer("0", "fc", true);
    addTensors();
    addSubgraphs();
    addSchedules();
    b.param("0.fc.weight", w, dw, ParamLayout::Fc, Init::Uniform, 0.25);
    b.param("0.fc.bias", bias, dbias, ParamLayout::Vector);
    return b.finish();
  }

private:
  void addVariant(const char *name, bool training, uint32_t batch, uint32_t height,
                  uint32_t width) {
    const uint32_t position = static_cast<uint32_t>(b.image.variants.size());
    b.image.variants.push_back(
        {b.image.intern(name), training, batch, height, width, s.channels, 0, position});
  }
  void addVariants() {
    addVariant("train_base", true, s.batch, s.height, s.width);
    if (!six)
      return addVariant("val_base", false, s.valBatch, s.height, s.width);
    const auto lastOf = [](uint32_t samples, uint32_t batch) {
      return samples % batch == 0 ? batch : samples % batch;
    };
    const uint32_t last = six->dropLast ? s.batch : lastOf(six->trainSamples, s.batch);
    addVariant("train_last", true, last, s.height, s.width);
    const uint32_t low = six->lowBatch ? six->lowBatch : s.batch;
    addVariant("train_lowres", true, low, six->lowHeight, six->lowWidth);
    addVariant("train_lowres_last", true, six->dropLast ? low : lastOf(six->trainSamples, low),
               six->lowHeight, six->lowWidth);
    addVariant("val_base", false, s.valBatch, six->valHeight, six->valWidth);
    addVariant("val_last", false, lastOf(six->valSamples, s.valBatch), six->valHeight,
               six->valWidth);
    b.image.target.train_samples = six->trainSamples;
    b.image.target.val_samples = six->valSamples;
    b.image.target.lowres_epoch = six->lowresEpoch;
    b.image.target.flags = six->dropLast ? TRRT_PLAN_DROP_LAST : 0;
  }
  uint32_t scalar(const char *name, Region region, DType dtype = DType::F32) {
    return b.tensor(name, region, dtype, {1, 1, 1, 1});
  }
  // A tensor whose extent n is the batch.
  uint32_t batched(const char *name, Region region, DType dtype, uint32_t c) {
    std::vector<Shape> shapes;
    for (const trrt_plan_variant &v : b.image.variants)
      shapes.push_back({v.batch, 1, 1, c});
    return b.tensor(name, region, dtype, shapes);
  }
  uint32_t images(const char *name, Region region) {
    std::vector<Shape> shapes;
    for (const trrt_plan_variant &v : b.image.variants)
      shapes.push_back({v.batch, v.height, v.width, v.channels});
    return b.tensor(name, region, DType::F32, shapes);
  }
  void op(Opcode code, const std::vector<uint32_t> &operands, uint32_t layer = kNone) {
    b.image.addOp(static_cast<uint32_t>(code), operands, {}, layer);
  }

  void addTensors() {
    const Shape weight = {s.classes, six ? 1 : s.height, six ? 1 : s.width, s.channels};
    const Shape vector = {1, 1, 1, s.classes};
    for (int half = 0; half < 2; ++half) {
      const std::string suffix = half ? "_b" : "_a";
      const Region labels = half ? Region::IBLabel : Region::IALabel;
      halfLabel[half] = batched(("label" + suffix).c_str(), labels, DType::I32, 1);
      halfValid[half] = scalar(("valid" + suffix).c_str(), labels, DType::I32);
      data[half] = images(("data" + suffix).c_str(), half ? Region::IBData : Region::IAData);
    }
    label = batched("label", Region::SScalarInt32, DType::I32, 1);
    valid = scalar("valid", Region::SScalarInt32, DType::I32);
    nonfinite = scalar("nonfinite", Region::SScalarInt32, DType::I32);
    lr = scalar("lr", Region::SScalarFp32);
    momentum = scalar("momentum", Region::SScalarFp32);
    decay = scalar("weight_decay", Region::SScalarFp32);
    biasDecay = scalar("bias_weight_decay", Region::SScalarFp32);
    smoothing = scalar("label_smoothing", Region::SScalarFp32);
    loss = scalar("loss", Region::RResult);
    top1 = scalar("top1", Region::RResult);
    top5 = scalar("top5", Region::RResult);
    accumLoss = scalar("accum_loss", Region::RResultAccumulated);
    accumTop1 = scalar("accum_top1", Region::RResultAccumulated);
    accumTop5 = scalar("accum_top5", Region::RResultAccumulated);
    if (six)
      pooled = batched("pooled", Region::FFeatureFp32, DType::F32, s.channels);
    logits = batched("logits", Region::FFeatureFp32, DType::F32, s.classes);
    probs = batched("probs", Region::TTempFp32, DType::F32, s.classes);
    dlogits = batched("dlogits", Region::FGradSlotFp32, DType::F32, s.classes);
    w = b.tensor("w", Region::WFcWeight, DType::F32, weight, fc);
    bias = b.tensor("b", Region::WFcBias, DType::F32, vector, fc);
    dw = b.tensor("dw", Region::GFcWeight, DType::F32, weight, fc);
    dbias = b.tensor("db", Region::GFcBias, DType::F32, vector, fc);
    b.tensor("mw", Region::MFcWeight, DType::F32, weight, fc);
    b.tensor("mb", Region::MFcBias, DType::F32, vector, fc);
  }

  void addLoss() {
    op(Opcode::softmax_ce_fwd, {logits, label, valid, smoothing, probs, loss, top1, top5, kNone});
  }
  void addForward(int half) {
    op(Opcode::copy, {halfLabel[half], label});
    op(Opcode::copy, {halfValid[half], valid});
    if (six)
      op(Opcode::gap_fwd, {data[half], pooled});
    op(Opcode::fc_fwd, {six ? pooled : data[half], w, bias, logits}, fc);
  }
  void addAccumulate() {
    op(Opcode::accum_metrics, {loss, top1, top5, valid, accumLoss, accumTop1, accumTop5});
  }

  void addSubgraphs() {
    for (int half = 0; half < 2; ++half) {
      op(Opcode::range_h2d, {half ? b.range(Region::IBLabel, Region::IBData)
                                  : b.range(Region::IALabel, Region::IAData)});
      b.subgraph(half ? Subgraph::TransferB : Subgraph::TransferA);
      addForward(half);
      b.subgraph(half ? Subgraph::FirstLayerFwdB : Subgraph::FirstLayerFwdA);
      op(Opcode::fc_bwd_weight, {six ? pooled : data[half], dlogits, dw, dbias}, fc);
      b.subgraph(half ? Subgraph::FirstLayerBwdB : Subgraph::FirstLayerBwdA);
      addForward(half);
      addLoss();
      b.subgraph(half ? Subgraph::InfMainB : Subgraph::InfMainA);
    }
    addLoss();
    op(Opcode::softmax_ce_bwd, {probs, label, valid, smoothing, dlogits});
    b.subgraph(Subgraph::DeepFwdBwd);
    op(Opcode::range_check_finite, {b.range(Region::GBnBias, Region::GDeepConv), nonfinite});
    b.subgraph(Subgraph::NanCheckAndGradScaling);
    const auto sgd = [&](Region wf, Region wl, Region gf, Region gl, Region mf, Region ml,
                         uint32_t wd) {
      op(Opcode::range_sgd,
         {b.range(wf, wl), b.range(gf, gl), b.range(mf, ml), lr, momentum, wd, nonfinite});
    };
    sgd(Region::WBnBias, Region::WFcBias, Region::GBnBias, Region::GFcBias, Region::MBnBias,
        Region::MFcBias, biasDecay);
    sgd(Region::WFcWeight, Region::WDeepConv, Region::GFcWeight, Region::GDeepConv,
        Region::MFcWeight, Region::MDeepConv, decay);
    b.subgraph(Subgraph::Optimizer);
    addAccumulate();
    b.subgraph(Subgraph::AccumMetrics);
    addAccumulate();
    b.subgraph(Subgraph::AccumMetricsValLast);
    op(Opcode::range_clear, {b.range(Region::RResultAccumulated, Region::RResultAccumulated)});
    b.subgraph(Subgraph::ClearMetrics);
    b.subgraph(Subgraph::UpdateBnInfParams, "the network has no batch normalization");
  }

  void addSchedules() {
    for (uint32_t half = 0; half < 2; ++half) {
      const auto kind = [&](ScheduleKind a) {
        return static_cast<ScheduleKind>(static_cast<uint32_t>(a) + half);
      };
      const auto part = [&](Subgraph a) {
        return static_cast<Subgraph>(static_cast<uint32_t>(a) + half);
      };
      const Subgraph transfer = part(Subgraph::TransferA), inference = part(Subgraph::InfMainA);
      b.schedule(kind(ScheduleKind::TrainA),
                 {transfer, part(Subgraph::FirstLayerFwdA), Subgraph::DeepFwdBwd,
                  part(Subgraph::FirstLayerBwdA), Subgraph::NanCheckAndGradScaling,
                  Subgraph::Optimizer, Subgraph::AccumMetrics});
      b.schedule(kind(ScheduleKind::ValA), {transfer, inference, Subgraph::AccumMetricsValLast});
      b.schedule(kind(ScheduleKind::InferA), {transfer, inference});
    }
  }

  RegressionShape s;
  const SixVariants *six; // null: two variants
  PlanBuilder b;
  uint32_t fc = 0, pooled = 0;
  uint32_t data[2], halfLabel[2], halfValid[2];
  uint32_t label, valid, nonfinite, lr, momentum, decay, biasDecay, smoothing, loss, top1, top5,
      accumLoss, accumTop1, accumTop5, logits, probs, dlogits, w, bias, dw, dbias;
};

} // namespace

tr::PlanImage regressionImage(const RegressionShape &shape) {
  return Builder(shape, nullptr).build();
}

tr::PlanImage regressionImage(const RegressionShape &shape, const SixVariants &six) {
  return Builder(shape, &six).build();
}

std::shared_ptr<const Plan> regressionPlan(const RegressionShape &shape) {
  return regressionPlan(regressionImage(shape));
}

std::shared_ptr<const Plan> regressionPlan(const tr::PlanImage &image) {
  const std::vector<uint8_t> bytes = image.serialize();
  auto plan = std::make_shared<Plan>();
  std::string error;
  EXPECT_TRUE(readPlan(bytes.data(), bytes.size(), *plan, error)) << error;
  return plan;
}

} // namespace trrt::test
