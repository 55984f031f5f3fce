// SPDX-License-Identifier: Apache-2.0
//
// Softmax cross-entropy with label smoothing, its gradient and its metrics.
// Samples from `valid` on are padding: they count nowhere and get no gradient.
#include "reference/loss.h"
#include "reference/reference.h"
#include "reference/view.h"

#include <algorithm>

namespace trk::reference {
namespace {

int64_t validCount(const Tensor &valid, int64_t batch) {
  return std::clamp<int64_t>(valid.i32()[0], 0, batch);
}

void softmax(const float *x, int64_t count, float *probs) {
  double max = x[argMax(x, count)], log = logSumExp(x, count, max);
  for (int64_t k = 0; k < count; ++k)
    probs[k] = float(std::exp(double(x[k]) - max - log));
}

void softmaxCeFwd(const Call &call) {
  namespace op = ops::softmax_ce_fwd;
  const Tensor &logits = call[op::logits];
  int64_t batch = logits.n(), classes = logits.elements() / batch;
  const int32_t *labels = call[op::labels].i32();
  int64_t valid = validCount(call[op::valid], batch);
  double smoothing = call[op::label_smoothing].f32()[0];
  const Tensor &top1 = call[op::top1], &top5 = call[op::top5], &predicted = call[op::predicted];

  double loss = 0;
  int64_t hits1 = 0, hits5 = 0;
  for (int64_t n = 0; n < batch; ++n) {
    const float *x = logits.f32() + n * classes;
    softmax(x, classes, call[op::probs].f32() + n * classes);
    if (predicted)
      predicted.i32()[n] = int32_t(argMax(x, classes));
    if (n >= valid)
      continue;
    loss += crossEntropy(x, classes, labels[n], smoothing);
    int64_t rank = rankOfLabel(x, classes, labels[n]);
    hits1 += rank < 1;
    hits5 += rank < 5;
  }
  call[op::loss].f32()[0] = valid ? float(loss / double(valid)) : 0.0f;
  if (top1)
    top1.f32()[0] = float(hits1);
  if (top5)
    top5.f32()[0] = float(hits5);
}

void softmaxCeBwd(const Call &call) {
  namespace op = ops::softmax_ce_bwd;
  const Tensor &probs = call[op::probs];
  int64_t batch = probs.n(), classes = probs.elements() / batch;
  const int32_t *labels = call[op::labels].i32();
  int64_t valid = validCount(call[op::valid], batch);
  double smoothing = call[op::label_smoothing].f32()[0];
  for (int64_t n = 0; n < batch; ++n) {
    const float *p = probs.f32() + n * classes;
    float *dx = call[op::dlogits].f32() + n * classes;
    bool known = labels[n] >= 0 && labels[n] < classes;
    for (int64_t k = 0; k < classes; ++k) {
      double target = (k == labels[n] ? 1.0 - smoothing : 0.0) + smoothing / double(classes);
      double gradient = known ? (double(p[k]) - target) / double(valid) : std::nan("");
      dx[k] = n < valid ? float(gradient) : 0.0f;
    }
  }
}

} // namespace

void addLossKernels(const Registrar &kernels) {
  kernels.add(Opcode::softmax_ce_fwd, softmaxCeFwd);
  kernels.add(Opcode::softmax_ce_bwd, softmaxCeBwd);
}

} // namespace trk::reference
