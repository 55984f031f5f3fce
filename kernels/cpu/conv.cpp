// SPDX-License-Identifier: Apache-2.0
//
// Convolution: forward, forward with batch statistics, and both gradients.
#include "cpu/convolution.h"

namespace trk::cpu {
namespace {

Convolution &state(const Call &call) { return *static_cast<Convolution *>(call.state); }
void release(void *state) { delete static_cast<Convolution *>(state); }

std::string prepare(const Call &call, void **state, ConvPass pass, const Tensor &x, const Tensor &y,
                    bool bias) {
  ConvShape s = convShape(call, x, y);
  s.bias = bias;
  s.reports = call.op == Opcode::conv_stats_fwd;
  std::unique_ptr<Convolution> made;
  std::string error = buildConvolution(call, pass, s, made);
  *state = made.release();
  return error;
}

std::string prepareFwd(const Call &call, void **state) {
  return prepare(call, state, ConvPass::Forward, call.operand(0), call.operand(3),
                 bool(call.operand(2)));
}
std::string prepareStatsFwd(const Call &call, void **state) {
  return prepare(call, state, ConvPass::Forward, call.operand(0), call.operand(5),
                 bool(call.operand(2)));
}
std::string prepareBwdData(const Call &call, void **state) {
  return prepare(call, state, ConvPass::BackwardData, call.operand(2), call.operand(0), false);
}
std::string prepareBwdWeight(const Call &call, void **state) {
  return prepare(call, state, ConvPass::BackwardWeight, call.operand(0), call.operand(1),
                 bool(call.operand(3)));
}

int64_t scratch(const Call &call) { return state(call).scratchBytes(); }
std::string describe(const Call &call) { return state(call).implementation(); }

ConvData forwardData(const Call &call, const Tensor &y) {
  return {call.operand(0).f32(), call.operand(1).f32(), call.operand(2).f32(), y.f32()};
}

void convFwd(const Call &call) {
  ConvData data = forwardData(call, call.operand(3));
  state(call).packWeights(call, data.w, call.scratch);
  forParts(call, state(call).slices(), [&](int i) { state(call).runSlice(i, data, call.scratch); });
}

int64_t statsFwdScratch(const Call &call) {
  Carver carver(nullptr);
  carver.take<char>(scratch(call));
  StatsScratch(carver, state(call).slices(), call.operand(5).c());
  return carver.bytes();
}

// Statistics of the images that are done, while they are in the cache.
class StatsOf final : public Progress {
public:
  StatsOf(const Convolution &conv, const Tensor &output, const StatsScratch &scratch)
      : convolution(conv), y(output), s(scratch) {}
  void reached(int slice, int64_t end) override {
    int64_t c = y.c(), pixels = y.h() * y.w(), first = convolution.images(slice).begin;
    int64_t done = s.images[slice];
    loops().stats(y.f32() + (first + done) * pixels * c, done * pixels,
                  (end - first - done) * pixels, c, s.mean + slice * c, s.m2 + slice * c,
                  s.work + slice * 3 * c);
    s.images[slice] = end - first;
  }

private:
  const Convolution &convolution;
  const Tensor &y;
  const StatsScratch &s;
};

void convStatsFwd(const Call &call) {
  const Tensor &y = call.operand(5);
  Convolution &conv = state(call);
  ConvData data = forwardData(call, y);
  Carver carver(call.scratch);
  void *library = carver.take<char>(conv.scratchBytes());
  int64_t c = y.c();
  StatsScratch s(carver, conv.slices(), c);
  RowParts rows(conv.slices(), y.n(), y.h() * y.w());
  StatsOf stats(conv, y, s);
  data.progress = &stats;
  conv.packWeights(call, data.w, library);
  forParts(call, conv.slices(), [&](int i) {
    s.images[i] = 0;
    conv.runSlice(i, data, library);
  });
  finishStats(call, s, rows, c, 3, 6, kConvAttrCount);
}

void convBwdData(const Call &call) {
  ConvData data{call.operand(2).f32(), call.operand(1).f32(), nullptr, call.operand(0).f32()};
  state(call).packWeights(call, data.w, call.scratch);
  forParts(call, state(call).slices(), [&](int i) { state(call).runSlice(i, data, call.scratch); });
}

void convBwdWeight(const Call &call) {
  ConvData data{call.operand(0).f32(), call.operand(2).f32(), call.operand(3).f32(),
                call.operand(1).f32()};
  forParts(call, state(call).slices(), [&](int i) { state(call).runSlice(i, data, call.scratch); });
  state(call).finishGradients(call, data, call.scratch);
}

} // namespace

ConvShape convShape(const Call &call, const Tensor &x, const Tensor &y) {
  ConvShape s;
  s.n = x.n();
  s.h = x.h();
  s.w = x.w();
  s.c = x.c();
  s.oh = y.h();
  s.ow = y.w();
  s.outputs = y.c();
  s.a = convAttrs(call);
  return s;
}

std::string buildConvolution(const Call &call, ConvPass pass, const ConvShape &shape,
                             std::unique_ptr<Convolution> &result) {
  if (call.algorithm == ConvAlgorithm::Winograd && winogradSupports(shape))
    result = buildWinograd(pass, shape, call.slices);
  else if (call.algorithm == ConvAlgorithm::Pointwise && pointwiseSupports(shape))
    result = buildPointwise(pass, shape, call.slices);
  else
    return buildDirect(pass, shape, call.slices, result);
  return std::string();
}

void addConvKernels(KernelTable &table) {
  slot(table, Opcode::conv_fwd) = {scratch, prepareFwd, convFwd, release, describe};
  slot(table, Opcode::conv_stats_fwd) = {statsFwdScratch, prepareStatsFwd, convStatsFwd, release,
                                         describe};
  slot(table, Opcode::conv_bwd_data) = {scratch, prepareBwdData, convBwdData, release, describe};
  slot(table, Opcode::conv_bwd_weight) = {scratch, prepareBwdWeight, convBwdWeight, release,
                                          describe};
}

} // namespace trk::cpu
