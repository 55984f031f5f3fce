// SPDX-License-Identifier: Apache-2.0
//
// The sample plan, built as a compiler would build it.
#include "sample_plan.h"

using trk::DType;

namespace trrt::test {

static uint64_t alignSlot(uint64_t bytes) { return (bytes + 255) / 256 * 256; }

uint32_t PlanBuilder::tensor(const std::string &name, Region region, DType dtype, Shape train,
                             Shape val, uint32_t layer) {
  std::vector<Shape> shapes;
  for (const trrt_plan_variant &v : image.variants)
    shapes.push_back(v.is_training ? train : val);
  return tensor(name, region, dtype, shapes, layer);
}

uint32_t PlanBuilder::tensor(const std::string &name, Region region, DType dtype,
                             const std::vector<Shape> &shapes, uint32_t layer) {
  trrt_plan_tensor record = {};
  record.name = image.intern(name);
  record.region = static_cast<uint32_t>(region);
  record.dtype = static_cast<uint32_t>(dtype);
  record.layer = layer;
  uint64_t elements = 0;
  for (const Shape &shape : shapes) {
    image.shapes.push_back({{shape[0], shape[1], shape[2], shape[3]}});
    const uint64_t count = uint64_t{shape[0]} * shape[1] * shape[2] * shape[3];
    elements = count > elements ? count : elements;
  }
  record.slot_bytes =
      dtype == DType::U8 ? alignSlot(elements + 16) : 2 * alignSlot(2 * elements + 16);
  image.tensors.push_back(record);
  return static_cast<uint32_t>(image.tensors.size() - 1);
}

uint32_t PlanBuilder::range(Region first, Region last) {
  image.ranges.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
  return static_cast<uint32_t>(image.ranges.size() - 1);
}

uint32_t PlanBuilder::layer(const std::string &path, const std::string &kind, bool first) {
  const uint32_t line = static_cast<uint32_t>(image.layers.size()) + 2;
  image.locs.push_back({image.intern("sample.bp"), line, 5});
  image.layers.push_back({image.intern(path), image.intern(kind),
                          static_cast<uint32_t>(image.locs.size() - 1), first ? 1u : 0u});
  return static_cast<uint32_t>(image.layers.size() - 1);
}

void PlanBuilder::param(const std::string &name, uint32_t tensor, uint32_t grad, ParamLayout layout,
                        Init init, double scale) {
  trrt_plan_param record = {};
  record.name = image.intern(name);
  record.flags = grad == kNone ? 0 : TRRT_PLAN_PARAM_TRAINABLE;
  record.tensor = tensor;
  record.grad = grad;
  record.layout = static_cast<uint32_t>(layout);
  record.init = static_cast<uint32_t>(init);
  record.init_scale = scale;
  const uint32_t *dims = image.shapes[tensor * image.variants.size()].dims;
  for (int d = 0; d < 4; ++d)
    record.logical_dims[d] = dims[d];
  image.params.push_back(record);
}

void PlanBuilder::subgraph(Subgraph id, const std::string &reason) {
  trrt_plan_subgraph record = {};
  record.subgraph = static_cast<uint32_t>(id);
  record.first_op = endOfLastSubgraph;
  record.op_count = static_cast<uint32_t>(image.ops.size()) - endOfLastSubgraph;
  record.reason = image.intern(reason);
  image.subgraphs.push_back(record);
  endOfLastSubgraph = static_cast<uint32_t>(image.ops.size());
}

void PlanBuilder::schedule(ScheduleKind kind, const std::vector<Subgraph> &subgraphs) {
  trrt_plan_schedule record = {};
  record.schedule = static_cast<uint32_t>(kind);
  record.first_node = static_cast<uint32_t>(image.scheduleNodes.size());
  record.first_edge = static_cast<uint32_t>(image.scheduleEdges.size());
  for (Subgraph id : subgraphs)
    for (const trrt_plan_subgraph &s : image.subgraphs)
      for (uint32_t i = 0; s.subgraph == static_cast<uint32_t>(id) && i < s.op_count; ++i)
        image.scheduleNodes.push_back({s.first_op + i, s.subgraph});
  record.node_count = static_cast<uint32_t>(image.scheduleNodes.size()) - record.first_node;
  for (uint32_t i = 1; i < record.node_count; ++i)
    image.scheduleEdges.push_back({i - 1, i});
  record.edge_count = static_cast<uint32_t>(image.scheduleEdges.size()) - record.first_edge;
  image.schedules.push_back(record);
}

tr::PlanImage PlanBuilder::finish() {
  uint64_t offset = 0;
  image.regions.clear();
  for (uint32_t region = 0; region < kRegionCount; ++region) {
    const uint64_t start = offset;
    for (trrt_plan_tensor &tensor : image.tensors)
      if (tensor.region == region) {
        tensor.offset = offset;
        offset += tensor.slot_bytes;
      }
    image.regions.push_back({region, 0, start, offset - start});
  }
  image.target.arena_bytes = offset;
  image.atlas.assign(image.variants.size() * TRRT_SUBGRAPH_COUNT, {TRRT_PLAN_NONE, TRRT_PLAN_NONE});
  for (uint32_t v = 0; v < image.variants.size(); ++v)
    for (uint32_t s = 0; s < image.subgraphs.size(); ++s)
      if (image.subgraphs[s].op_count != 0)
        image.atlas[v * TRRT_SUBGRAPH_COUNT + image.subgraphs[s].subgraph] = {s, v * 64 + s};
  return image;
}

namespace {

// Ids of the sample's tensors.
struct Ids {
  uint32_t data, label, valid, features, logits, probs, loss, top1, top5, dLogits, dFeatures;
  uint32_t convWeight, convBias, fcWeight, fcBias;
  uint32_t convWeightGrad, convBiasGrad, fcWeightGrad, fcBiasGrad;
  uint32_t lr, momentum, decay, biasDecay, smoothing, nonfinite;
  uint32_t accumLoss, accumTop1, accumTop5, runningMean;
};

void addScalars(PlanBuilder &b, Ids &t) {
  const Shape scalar = {1, 1, 1, 1};
  auto f32 = [&](const char *name, Region region) {
    return b.tensor(name, region, DType::F32, scalar);
  };
  t.lr = f32("lr", Region::SScalarFp32);
  t.momentum = f32("momentum", Region::SScalarFp32);
  t.decay = f32("weight_decay", Region::SScalarFp32);
  t.biasDecay = f32("bias_weight_decay", Region::SScalarFp32);
  t.smoothing = f32("label_smoothing", Region::SScalarFp32);
  t.nonfinite = b.tensor("nonfinite", Region::SScalarInt32, DType::I32, scalar);
  t.loss = f32("loss", Region::RResult);
  t.top1 = f32("top1", Region::RResult);
  t.top5 = f32("top5", Region::RResult);
  t.accumLoss = f32("accum_loss", Region::RResultAccumulated);
  t.accumTop1 = f32("accum_top1", Region::RResultAccumulated);
  t.accumTop5 = f32("accum_top5", Region::RResultAccumulated);
}

void addTensors(PlanBuilder &b, Ids &t, uint32_t conv, uint32_t fc) {
  const Shape convShape = {4, 3, 3, 2}, fcShape = {3, 5, 7, 4};
  auto f32 = [&](const char *name, Region region, Shape train, Shape val, uint32_t layer) {
    return b.tensor(name, region, DType::F32, train, val, layer);
  };
  t.label = b.tensor("label_a", Region::IALabel, DType::I32, {3, 1, 1, 1}, {2, 1, 1, 1});
  t.valid = b.tensor("valid_a", Region::IALabel, DType::I32, {1, 1, 1, 1});
  t.data = f32("data_a", Region::IAData, {3, 5, 7, 2}, {2, 5, 7, 2}, kNone);
  t.features = f32("y", Region::FFeatureFp32, {3, 5, 7, 4}, {2, 5, 7, 4}, conv);
  t.logits = f32("logits", Region::FFeatureFp32, {3, 1, 1, 3}, {2, 1, 1, 3}, kNone);
  t.probs = f32("probs", Region::TTempFp32, {3, 1, 1, 3}, {2, 1, 1, 3}, kNone);
  t.dFeatures = f32("dy", Region::FGradSlotFp32, {3, 5, 7, 4}, {2, 5, 7, 4}, conv);
  t.dLogits = f32("dlogits", Region::FGradSlotFp32, {3, 1, 1, 3}, {2, 1, 1, 3}, fc);
  // No op uses it: a running statistic for those who list parameters.
  t.runningMean = f32("rm", Region::BPrevMean, {1, 1, 1, 4}, {1, 1, 1, 4}, conv);
  t.convWeight = f32("w", Region::WFirstConv, convShape, convShape, conv);
  t.convBias = f32("b", Region::WFcBias, {1, 1, 1, 4}, {1, 1, 1, 4}, conv);
  t.fcWeight = f32("w", Region::WFcWeight, fcShape, fcShape, fc);
  t.fcBias = f32("b", Region::WFcBias, {1, 1, 1, 3}, {1, 1, 1, 3}, fc);
  t.convWeightGrad = f32("dw", Region::GFirstConv, convShape, convShape, conv);
  t.convBiasGrad = f32("db", Region::GFcBias, {1, 1, 1, 4}, {1, 1, 1, 4}, conv);
  t.fcWeightGrad = f32("dw", Region::GFcWeight, fcShape, fcShape, fc);
  t.fcBiasGrad = f32("db", Region::GFcBias, {1, 1, 1, 3}, {1, 1, 1, 3}, fc);
  f32("mw", Region::MFirstConv, convShape, convShape, conv);
  f32("mb", Region::MFcBias, {1, 1, 1, 4}, {1, 1, 1, 4}, conv);
  f32("mw", Region::MFcWeight, fcShape, fcShape, fc);
  f32("mb", Region::MFcBias, {1, 1, 1, 3}, {1, 1, 1, 3}, fc);
}

// No schedule reads half B, but a session wants both.
void addHalfB(PlanBuilder &b) {
  b.tensor("label_b", Region::IBLabel, DType::I32, {3, 1, 1, 1}, {2, 1, 1, 1});
  b.tensor("valid_b", Region::IBLabel, DType::I32, {1, 1, 1, 1});
  b.tensor("data_b", Region::IBData, DType::F32, {3, 5, 7, 2}, {2, 5, 7, 2});
}

void addForward(PlanBuilder &b, const Ids &t, uint32_t conv, uint32_t fc) {
  std::vector<uint64_t> attrs;
  for (int64_t value : {3, 3, 1, 1, 1, 1, 1, 1, 1})
    attrs.push_back(tr::PlanImage::intAttr(value));
  auto op = [&](trk::Opcode code, std::vector<uint32_t> operands, std::vector<uint64_t> attrBits,
                uint32_t layer) {
    b.image.addOp(static_cast<uint32_t>(code), operands, attrBits, layer);
  };
  op(trk::Opcode::range_h2d, {b.range(Region::IALabel, Region::IAData)}, {}, kNone);
  b.subgraph(Subgraph::TransferA);
  op(trk::Opcode::conv_fwd, {t.data, t.convWeight, t.convBias, t.features}, attrs, conv);
  b.subgraph(Subgraph::FirstLayerFwdA);
  op(trk::Opcode::fc_fwd, {t.features, t.fcWeight, t.fcBias, t.logits}, {}, fc);
  op(trk::Opcode::softmax_ce_fwd,
     {t.logits, t.label, t.valid, t.smoothing, t.probs, t.loss, t.top1, t.top5, kNone}, {}, kNone);
  op(trk::Opcode::softmax_ce_bwd, {t.probs, t.label, t.valid, t.smoothing, t.dLogits}, {}, kNone);
  op(trk::Opcode::fc_bwd_weight, {t.features, t.dLogits, t.fcWeightGrad, t.fcBiasGrad}, {}, fc);
  op(trk::Opcode::fc_bwd_data, {t.dLogits, t.fcWeight, t.dFeatures}, {}, fc);
  b.subgraph(Subgraph::DeepFwdBwd);
  op(trk::Opcode::conv_bwd_weight, {t.data, t.dFeatures, t.convWeightGrad, t.convBiasGrad}, attrs,
     conv);
  b.subgraph(Subgraph::FirstLayerBwdA);
  op(trk::Opcode::conv_fwd, {t.data, t.convWeight, t.convBias, t.features}, attrs, conv);
  op(trk::Opcode::fc_fwd, {t.features, t.fcWeight, t.fcBias, t.logits}, {}, fc);
  op(trk::Opcode::softmax_ce_fwd,
     {t.logits, t.label, t.valid, t.smoothing, t.probs, t.loss, t.top1, t.top5, kNone}, {}, kNone);
  b.subgraph(Subgraph::InfMainA);
}

void addUpdate(PlanBuilder &b, const Ids &t) {
  auto op = [&](trk::Opcode code, std::vector<uint32_t> operands) {
    b.image.addOp(static_cast<uint32_t>(code), operands, {});
  };
  const uint32_t grads = b.range(Region::GBnBias, Region::GDeepConv);
  const uint32_t w = b.range(Region::WFcWeight, Region::WDeepConv);
  const uint32_t g = b.range(Region::GFcWeight, Region::GDeepConv);
  const uint32_t m = b.range(Region::MFcWeight, Region::MDeepConv);
  const uint32_t wb = b.range(Region::WBnBias, Region::WFcBias);
  const uint32_t gb = b.range(Region::GBnBias, Region::GFcBias);
  const uint32_t mb = b.range(Region::MBnBias, Region::MFcBias);
  op(trk::Opcode::range_clear, {grads});
  b.subgraph(Subgraph::ZeroGrad);
  op(trk::Opcode::range_check_finite, {grads, t.nonfinite});
  b.subgraph(Subgraph::NanCheckAndGradScaling);
  op(trk::Opcode::range_sgd, {w, g, m, t.lr, t.momentum, t.decay, t.nonfinite});
  op(trk::Opcode::range_sgd, {wb, gb, mb, t.lr, t.momentum, t.biasDecay, t.nonfinite});
  b.subgraph(Subgraph::Optimizer);
  op(trk::Opcode::accum_metrics,
     {t.loss, t.top1, t.top5, t.valid, t.accumLoss, t.accumTop1, t.accumTop5});
  b.subgraph(Subgraph::AccumMetrics);
  b.subgraph(Subgraph::EmaUpdate, "no EMA was asked for");
}

} // namespace

tr::PlanImage samplePlan(bool runnable) {
  PlanBuilder b;
  tr::PlanImage &image = b.image;
  image.variants.push_back({image.intern("train_base"), 1, 3, 5, 7, 2, 0, 0});
  image.variants.push_back({image.intern("val_base"), 0, 2, 5, 7, 2, 0, 1});
  image.target = {image.intern("cpu"),
                  image.intern("fp32"),
                  image.intern("sgd"),
                  2,
                  3,
                  1,
                  0,
                  0,
                  0,
                  kNone,
                  0,
                  0,
                  0};
  image.meta = {image.intern("sample"), image.intern("plan test")};
  image.fusions.push_back({image.intern("cbr"), 0});
  const uint32_t conv = b.layer("0", "conv", true), fc = b.layer("1", "fc", false);
  Ids t = {};
  addScalars(b, t);
  addTensors(b, t, conv, fc);
  if (runnable)
    addHalfB(b);
  addForward(b, t, conv, fc);
  addUpdate(b, t);
  b.schedule(ScheduleKind::TrainA,
             {Subgraph::TransferA, Subgraph::ZeroGrad, Subgraph::FirstLayerFwdA,
              Subgraph::DeepFwdBwd, Subgraph::FirstLayerBwdA, Subgraph::NanCheckAndGradScaling,
              Subgraph::Optimizer, Subgraph::AccumMetrics});
  b.schedule(ScheduleKind::InferA, {Subgraph::TransferA, Subgraph::InfMainA});
  b.param("0.conv.weight", t.convWeight, t.convWeightGrad, ParamLayout::Conv, Init::Normal, 0.25);
  b.param("0.conv.bias", t.convBias, t.convBiasGrad, ParamLayout::Vector);
  b.param("1.fc.weight", t.fcWeight, t.fcWeightGrad, ParamLayout::Fc, Init::Uniform, 0.5);
  b.param("1.fc.bias", t.fcBias, t.fcBiasGrad, ParamLayout::Vector);
  b.param("0.bn.running_mean", t.runningMean, kNone, ParamLayout::Vector);
  return b.finish();
}

} // namespace trrt::test
