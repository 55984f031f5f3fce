// SPDX-License-Identifier: Apache-2.0
//
// Convolution: forward, forward with batch statistics, and both gradients.
#include "cpu/convolution.h"

namespace trk::cpu {
namespace {

Convolution &state(const Call &call) { return *static_cast<Convolution *>(call.state); }
void release(void *state) { delete static_cast<Convolution *>(state); }

std::string prepare(const Call &call, ConvPass pass, const ConvShape &shape, void **state) {
  std::unique_ptr<Convolution> made;
  std::string error = buildConvolution(call, pass, shape, made);
  *state = made.release();
  return error;
}

std::string prepareFwd(const Call &call, void **state) {
  namespace op = ops::conv_fwd;
  ConvShape shape = convShape(convWindow(call.attrs<op::Attrs>()), call[op::x], call[op::y]);
  shape.bias = bool(call[op::bias]);
  return prepare(call, ConvPass::Forward, shape, state);
}

std::string prepareStatsFwd(const Call &call, void **state) {
  namespace op = ops::conv_stats_fwd;
  ConvShape shape = convShape(convWindow(call.attrs<op::Attrs>()), call[op::x], call[op::y]);
  shape.bias = bool(call[op::bias]);
  shape.reportsProgress = true;
  return prepare(call, ConvPass::Forward, shape, state);
}

std::string prepareBwdData(const Call &call, void **state) {
  namespace op = ops::conv_bwd_data;
  const Window window = convWindow(call.attrs<op::Attrs>());
  return prepare(call, ConvPass::BackwardData, convShape(window, call[op::dx], call[op::dy]),
                 state);
}

std::string prepareBwdWeight(const Call &call, void **state) {
  namespace op = ops::conv_bwd_weight;
  ConvShape shape = convShape(convWindow(call.attrs<op::Attrs>()), call[op::x], call[op::dy]);
  shape.bias = bool(call[op::dbias]);
  return prepare(call, ConvPass::BackwardWeight, shape, state);
}

int64_t scratch(const Call &call) { return state(call).scratchBytes(); }
std::string describe(const Call &call) { return state(call).implementation(); }
std::string slowness(const Call &call) { return state(call).slowness(); }

// Packs the weights, then runs the slices.
void runForward(const Call &call, const ConvData &data, void *scratch) {
  state(call).packWeights(call, data.w, scratch);
  forParts(call, state(call).slices(), [&](int i) { state(call).runSlice(i, data, scratch); });
}

void convFwd(const Call &call) {
  namespace op = ops::conv_fwd;
  runForward(
      call, {pixelsOf(call[op::x]), call[op::w].f32(), call[op::bias].f32(), pixelsOf(call[op::y])},
      call.scratch);
}

int64_t statsFwdScratch(const Call &call) {
  Carver carver(nullptr);
  carver.take<char>(scratch(call));
  StatsScratch(carver, state(call).slices(), call[ops::conv_stats_fwd::y].c());
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
    loops().stats(constPixelsOf(y, (first + done) * pixels), done * pixels,
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
  namespace op = ops::conv_stats_fwd;
  const Tensor &y = call[op::y];
  const Convolution &conv = state(call);
  Carver carver(call.scratch);
  void *library = carver.take<char>(conv.scratchBytes());
  int64_t c = y.c();
  StatsScratch s(carver, conv.slices(), c);
  for (int i = 0; i < conv.slices(); ++i)
    s.images[i] = 0;
  StatsOf stats(conv, y, s);
  ConvData data{pixelsOf(call[op::x]), call[op::w].f32(), call[op::bias].f32(), pixelsOf(y)};
  data.progress = &stats;
  runForward(call, data, library);
  const RowParts rows(conv.slices(), y.n(), y.h() * y.w());
  finishStats(s, rows, c, statisticsOfConvStats(call));
}

void convBwdData(const Call &call) {
  namespace op = ops::conv_bwd_data;
  runForward(call, {pixelsOf(call[op::dx]), call[op::w].f32(), nullptr, pixelsOf(call[op::dy])},
             call.scratch);
}

void convBwdWeight(const Call &call) {
  namespace op = ops::conv_bwd_weight;
  ConvData data{pixelsOf(call[op::x]), call[op::dw].f32(), call[op::dbias].f32(),
                pixelsOf(call[op::dy])};
  forParts(call, state(call).slices(), [&](int i) { state(call).runSlice(i, data, call.scratch); });
  state(call).finishGradients(call, data, call.scratch);
}

} // namespace

ConvShape convShape(const Window &window, const Tensor &x, const Tensor &y) {
  ConvShape s;
  s.n = x.n();
  s.h = x.h();
  s.w = x.w();
  s.c = x.c();
  s.oh = y.h();
  s.ow = y.w();
  s.outputs = y.c();
  s.window = window;
  s.denseX = x.isDense();
  s.denseY = y.isDense();
  return s;
}

std::string buildConvolution(const Call &call, ConvPass pass, const ConvShape &shape,
                             std::unique_ptr<Convolution> &result) {
  if (call.algorithm == ConvAlgorithm::Winograd && winogradSupports(shape))
    result = buildWinograd(pass, shape, call.slices);
  else if (call.algorithm == ConvAlgorithm::Pointwise && pointwiseSupports(shape))
    result = buildPointwise(pass, shape, call.slices);
  else if (depthwiseSupports(pass, shape))
    result = buildDepthwise(shape, call.slices);
  else
    return buildDirect(pass, shape, call.slices, result);
  return std::string();
}

void addConvKernels(const Registrar &kernels) {
  kernels.add(Opcode::conv_fwd, {scratch, prepareFwd, convFwd, release, describe, slowness});
  kernels.add(Opcode::conv_stats_fwd,
              {statsFwdScratch, prepareStatsFwd, convStatsFwd, release, describe, slowness});
  kernels.add(Opcode::conv_bwd_data,
              {scratch, prepareBwdData, convBwdData, release, describe, slowness});
  kernels.add(Opcode::conv_bwd_weight,
              {scratch, prepareBwdWeight, convBwdWeight, release, describe, slowness});
}

} // namespace trk::cpu
