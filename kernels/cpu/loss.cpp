// SPDX-License-Identifier: Apache-2.0
//
// Softmax cross-entropy with label smoothing, its gradient and its metrics. Samples
// are split in parts; their losses are summed in sample order, so the bits do not
// depend on the split.
#include "cpu/cpu.h"

#include <cmath>
#include <limits>

namespace trk::cpu {
namespace {

int64_t validCount(const Tensor &valid, int64_t batch) {
  return std::clamp<int64_t>(valid.i32()[0], 0, batch);
}

// Place of the first maximum; the first NaN wins.
int64_t argMax(const float *x, int64_t count) {
  int64_t best = 0;
  for (int64_t k = 1; k < count && !std::isnan(x[best]); ++k)
    if (x[k] > x[best] || std::isnan(x[k]))
      best = k;
  return best;
}

// Probabilities; returns log(sum exp(x - max)).
double softmax(const float *x, int64_t count, double max, float *probs) {
  double sum = 0;
  for (int64_t k = 0; k < count; ++k) {
    double e = std::exp(double(x[k]) - max);
    probs[k] = float(e);
    sum += e;
  }
  for (int64_t k = 0; k < count; ++k)
    probs[k] = float(double(probs[k]) / sum);
  return std::log(sum);
}

double crossEntropy(const float *x, int64_t count, int64_t label, double smoothing, double max,
                    double log) {
  if (label < 0 || label >= count)
    return std::numeric_limits<double>::quiet_NaN();
  double loss = (1.0 - smoothing) * (max - double(x[label]) + log);
  if (smoothing == 0.0) // 0 * infinity for a class with logit -infinity
    return loss;
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += max - double(x[k]) + log;
  return loss + smoothing / double(count) * sum;
}

// How many other classes are at least as likely; all of them for a NaN label logit.
int32_t rankOfLabel(const float *x, int64_t count, int64_t label) {
  if (label < 0 || label >= count || std::isnan(x[label]))
    return std::numeric_limits<int32_t>::max();
  int32_t rank = 0;
  for (int64_t k = 0; k < count; ++k)
    rank += k != label && !(x[k] < x[label]);
  return rank;
}

struct LossScratch {
  double *loss;
  int32_t *rank;
  LossScratch(Carver &carver, int64_t batch)
      : loss(carver.take<double>(batch)), rank(carver.take<int32_t>(batch)) {}
};

int64_t lossScratch(const Call &call) {
  Carver carver(nullptr);
  LossScratch(carver, call[ops::softmax_ce_fwd::logits].n());
  return carver.bytes();
}

// Splits samples; the exponentials make a class weigh more than an element elsewhere.
template <typename Body>
void forSamples(const Call &call, int64_t batch, int64_t classes, Body body) {
  int count = partCount(call, batch, classes * 16);
  forParts(call, count, [&](int i) {
    Range r = part(batch, count, i);
    for (int64_t n = r.begin; n < r.end; ++n)
      body(n);
  });
}

void softmaxCeFwd(const Call &call) {
  namespace op = ops::softmax_ce_fwd;
  const Tensor &logits = call[op::logits], &probs = call[op::probs];
  int64_t batch = logits.n(), classes = logits.elements() / batch;
  const int32_t *labels = call[op::labels].i32();
  int64_t valid = validCount(call[op::valid], batch);
  double smoothing = call[op::label_smoothing].f32()[0];
  const Tensor &top1 = call[op::top1], &top5 = call[op::top5], &predicted = call[op::predicted];
  Carver carver(call.scratch);
  LossScratch s(carver, batch);
  forSamples(call, batch, classes, [&](int64_t n) {
    const float *x = logits.f32() + n * classes;
    int64_t best = argMax(x, classes);
    double max = double(x[best]);
    double log = softmax(x, classes, max, probs.f32() + n * classes);
    if (predicted)
      predicted.i32()[n] = int32_t(best);
    s.loss[n] = crossEntropy(x, classes, labels[n], smoothing, max, log);
    s.rank[n] = rankOfLabel(x, classes, labels[n]);
  });
  double loss = 0;
  int64_t hits1 = 0, hits5 = 0;
  for (int64_t n = 0; n < valid; ++n) {
    loss += s.loss[n];
    hits1 += s.rank[n] < 1;
    hits5 += s.rank[n] < 5;
  }
  call[op::loss].f32()[0] = valid ? float(loss / double(valid)) : 0.0f;
  if (top1)
    top1.f32()[0] = float(hits1);
  if (top5)
    top5.f32()[0] = float(hits5);
}

void softmaxCeBwd(const Call &call) {
  namespace op = ops::softmax_ce_bwd;
  const Tensor &probs = call[op::probs], &dlogits = call[op::dlogits];
  int64_t batch = probs.n(), classes = probs.elements() / batch;
  const int32_t *labels = call[op::labels].i32();
  int64_t valid = validCount(call[op::valid], batch);
  double smoothing = call[op::label_smoothing].f32()[0], share = smoothing / double(classes);
  forSamples(call, batch, classes, [&](int64_t n) {
    const float *p = probs.f32() + n * classes;
    float *dx = dlogits.f32() + n * classes;
    int64_t label = labels[n];
    bool known = label >= 0 && label < classes;
    for (int64_t k = 0; k < classes; ++k) {
      double target = (k == label ? 1.0 - smoothing : 0.0) + share;
      double gradient = known ? (double(p[k]) - target) / double(valid)
                              : std::numeric_limits<double>::quiet_NaN();
      dx[k] = n < valid ? float(gradient) : 0.0f;
    }
  });
}

} // namespace

void addLossKernels(const Registrar &kernels) {
  kernels.add(Opcode::softmax_ce_fwd, {lossScratch, nullptr, softmaxCeFwd});
  kernels.add(Opcode::softmax_ce_bwd, softmaxCeBwd);
}

} // namespace trk::cpu
