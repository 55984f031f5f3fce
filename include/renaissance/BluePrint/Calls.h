// SPDX-License-Identifier: Apache-2.0
//
// The words and calls of the BluePrint language in C++. Written by tools/gen_docs.py from the
// definitions of the layers; do not edit.
#ifndef RENAISSANCE_BLUEPRINT_CALLS_H
#define RENAISSANCE_BLUEPRINT_CALLS_H

#include "renaissance/BluePrint/Layer.h"

// Names are those of the language. NOLINTBEGIN(readability-identifier-naming)
namespace tr::dsl {

/// Styles of blocks.
inline constexpr Style RESNET_1_3_1{{"RESNET_1_3_1"}};
inline constexpr Style RESNET_1_3_1_DS{{"RESNET_1_3_1_DS"}};
inline constexpr Style RESNET_3_3{{"RESNET_3_3"}};
inline constexpr Style RESNET_3_3_DS{{"RESNET_3_3_DS"}};
inline constexpr Style RESNEXT_1_3_1{{"RESNEXT_1_3_1"}};
inline constexpr Style RESNEXT_1_3_1_DS{{"RESNEXT_1_3_1_DS"}};
inline constexpr Style RESNETD_1_3_1_DS{{"RESNETD_1_3_1_DS"}};
inline constexpr Style RESNETD_3_3_DS{{"RESNETD_3_3_DS"}};
inline constexpr Style MB_E1_K3{{"MB_E1_K3"}};
inline constexpr Style MB_E1_K3_DS{{"MB_E1_K3_DS"}};
inline constexpr Style MB_E6_K3{{"MB_E6_K3"}};
inline constexpr Style MB_E6_K3_DS{{"MB_E6_K3_DS"}};
/// Activations, for Layer::act.
inline constexpr Act RELU{{"relu"}};
inline constexpr Act RELU6{{"relu6"}};
inline constexpr Act TANH{{"tanh"}};
inline constexpr Act SILU{{"silu"}};
inline constexpr Act LEAKY_RELU{{"leaky_relu"}};
inline constexpr Act HARDSWISH{{"hardswish"}};
inline constexpr Act ELU{{"elu"}};
inline constexpr Act SIGMOID{{"sigmoid"}};
inline constexpr Act GELU{{"gelu"}};
inline constexpr Act GELU_TANH{{"gelu_tanh"}};
inline constexpr Act HARDSIGMOID{{"hardsigmoid"}};
inline constexpr Act MISH{{"mish"}};
inline constexpr Act SOFTPLUS{{"softplus"}};
/// Words for single parameters.
inline constexpr Word NEAREST{"nearest"};
inline constexpr Word BILINEAR{"bilinear"};

// The last two parameters of each call are its place in the caller's source.
#define TR_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/// averages over a grid, HxWxC to SIZExC.
inline Layer adaptive_avgpool(Extent size, TR_SITE) {
  return Layer("adaptive_avgpool", {size}, {}, {file, line});
}
/// sum of two branches; the shortcut may be seq().
inline Layer add2(const Layer &shortcut, const Layer &stem, TR_SITE) {
  return Layer("add2", {}, {shortcut, stem}, {file, line});
}
/// average pooling over the cells inside the input, or the padded one.
inline Layer avgpool(Extent kernel, TR_SITE) {
  return Layer("avgpool", {kernel}, {}, {file, line});
}
/// average pooling over the cells inside the input, or the padded one.
inline Layer avgpool(Extent kernel, Extent stride, Extent pad = 0, TR_SITE) {
  return Layer("avgpool", {kernel, stride, pad}, {}, {file, line});
}
/// bottleneck residual block.
inline Layer block(int64_t mid, int64_t out, Style style, TR_SITE) {
  return Layer("block", {mid, out, style}, {}, {file, line});
}
/// basic residual block.
inline Layer block(int64_t out, Style style, TR_SITE) {
  return Layer("block", {out, style}, {}, {file, line});
}
/// batch normalisation.
inline Layer bn(double momentum = 0.1, double eps = 1e-5, TR_SITE) {
  return Layer("bn", {momentum, eps}, {}, {file, line});
}
/// convolution, batch normalisation, activation.
inline Layer cbr(int64_t out, Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("cbr", {out, kernel, stride, pad}, {}, {file, line});
}
/// cbr, then maximum pooling.
inline Layer cbrp(int64_t out, Extent kernel, Extent stride, Extent pad, Extent poolKernel,
                  Extent poolStride, Extent poolPad, TR_SITE) {
  return Layer("cbrp", {out, kernel, stride, pad, poolKernel, poolStride, poolPad}, {},
               {file, line});
}
/// zero channels on either side; without numbers up to the next multiple of 8.
inline Layer channel_padding(int64_t before = 0, int64_t after = 0, TR_SITE) {
  return Layer("channel_padding", {before, after}, {}, {file, line});
}
/// the first channels of all groups, then the second ones, and so on.
inline Layer channel_shuffle(int64_t groups, TR_SITE) {
  return Layer("channel_shuffle", {groups}, {}, {file, line});
}
/// branches side by side along the channels; one may be seq(), the input.
template <typename... Layers> Layer concat(const Layers &...layers) {
  return Layer("concat", std::vector<Layer>{layers...});
}
/// convolution.
inline Layer conv(int64_t out, Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("conv", {out, kernel, stride, pad}, {}, {file, line});
}
/// the same as cbr.
inline Layer conv_bn_relu(int64_t out, Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("conv_bn_relu", {out, kernel, stride, pad}, {}, {file, line});
}
/// depthwise convolution.
inline Layer conv_dw(Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("conv_dw", {kernel, stride, pad}, {}, {file, line});
}
/// transposed convolution.
inline Layer conv_transpose(int64_t out, Extent kernel, Extent stride = 1, Extent pad = 0,
                            TR_SITE) {
  return Layer("conv_transpose", {out, kernel, stride, pad}, {}, {file, line});
}
/// zeroes with probability p in training.
inline Layer dropout(double p, TR_SITE) { return Layer("dropout", {p}, {}, {file, line}); }
/// zeroes whole channels of a sample with probability p in training.
inline Layer dropout2d(double p, TR_SITE) { return Layer("dropout2d", {p}, {}, {file, line}); }
/// x, or alpha * (exp(x) - 1) below 0.
inline Layer elu(double alpha = 1, TR_SITE) { return Layer("elu", {alpha}, {}, {file, line}); }
/// fully connected layer.
inline Layer fc(int64_t out, bool bias = true, TR_SITE) {
  return Layer("fc", {out, bias}, {}, {file, line});
}
/// HxWxC to 1x1x(H*W*C).
inline Layer flatten(int64_t startDim = 1, TR_SITE) {
  return Layer("flatten", {startDim}, {}, {file, line});
}
/// global average pooling.
inline Layer gap(TR_SITE) { return Layer("gap", {}, {}, {file, line}); }
/// global average pooling, then fc.
inline Layer gap_fc(int64_t out, bool bias = true, TR_SITE) {
  return Layer("gap_fc", {out, bias}, {}, {file, line});
}
/// x * the normal distribution's function of x.
inline Layer gelu(TR_SITE) { return Layer("gelu", {}, {}, {file, line}); }
/// global maximum pooling.
inline Layer global_maxpool(TR_SITE) { return Layer("global_maxpool", {}, {}, {file, line}); }
/// grouped convolution.
inline Layer group_conv(int64_t out, int64_t groups, Extent kernel, Extent stride = 1,
                        Extent pad = 0, TR_SITE) {
  return Layer("group_conv", {out, groups, kernel, stride, pad}, {}, {file, line});
}
/// normalisation of each sample over the map and a group of channels.
inline Layer group_norm(int64_t groups, TR_SITE) {
  return Layer("group_norm", {groups}, {}, {file, line});
}
/// relu6(x + 3) / 6.
inline Layer hardsigmoid(TR_SITE) { return Layer("hardsigmoid", {}, {}, {file, line}); }
/// x * relu6(x + 3) / 6.
inline Layer hardswish(TR_SITE) { return Layer("hardswish", {}, {}, {file, line}); }
/// passes its input on.
inline Layer identity(TR_SITE) { return Layer("identity", {}, {}, {file, line}); }
/// normalisation of each pixel over its channels.
inline Layer layer_norm(double eps = 1e-5, TR_SITE) {
  return Layer("layer_norm", {eps}, {}, {file, line});
}
/// x, or slope * x below 0.
inline Layer leaky_relu(double slope = 0.01, TR_SITE) {
  return Layer("leaky_relu", {slope}, {}, {file, line});
}
/// maximum pooling.
inline Layer maxpool(Extent kernel, TR_SITE) {
  return Layer("maxpool", {kernel}, {}, {file, line});
}
/// maximum pooling.
inline Layer maxpool(Extent kernel, Extent stride, Extent pad = 0, TR_SITE) {
  return Layer("maxpool", {kernel, stride, pad}, {}, {file, line});
}
/// inverted residual block: expand 1 or 6, stride 1 or 2.
inline Layer mbconv(int64_t expand, int64_t out, int64_t stride, TR_SITE) {
  return Layer("mbconv", {expand, out, stride}, {}, {file, line});
}
/// x * tanh(softplus(x)).
inline Layer mish(TR_SITE) { return Layer("mish", {}, {}, {file, line}); }
/// product of two branches, either 1x1xC or seq(), the input.
inline Layer mul2(const Layer &a, const Layer &b, TR_SITE) {
  return Layer("mul2", {}, {a, b}, {file, line});
}
/// x, or below 0 a learned slope times x, for each channel or one for all.
inline Layer prelu(TR_SITE) { return Layer("prelu", {}, {}, {file, line}); }
/// max(x, 0).
inline Layer relu(TR_SITE) { return Layer("relu", {}, {}, {file, line}); }
/// min(max(x, 0), 6).
inline Layer relu6(TR_SITE) { return Layer("relu6", {}, {}, {file, line}); }
/// the body several times, each with parameters of its own.
inline Layer repeat(const Layer &body, int64_t times, TR_SITE) {
  return Layer("repeat", {times}, {body}, {file, line});
}
/// a learned factor for each channel, which begins as init.
inline Layer scale(double init = 1, TR_SITE) { return Layer("scale", {init}, {}, {file, line}); }
/// layers in order; empty only as a branch.
template <typename... Layers> Layer seq(const Layers &...layers) {
  return Layer("seq", std::vector<Layer>{layers...});
}
/// 1 / (1 + exp(-x)).
inline Layer sigmoid(TR_SITE) { return Layer("sigmoid", {}, {}, {file, line}); }
/// x * sigmoid(x).
inline Layer silu(TR_SITE) { return Layer("silu", {}, {}, {file, line}); }
/// count channels of the input, from channel begin on.
inline Layer slice(int64_t begin, int64_t count, TR_SITE) {
  return Layer("slice", {begin, count}, {}, {file, line});
}
/// the loss; added at the end when not written.
inline Layer softmax_ce(TR_SITE) { return Layer("softmax_ce", {}, {}, {file, line}); }
/// log(1 + exp(x)).
inline Layer softplus(TR_SITE) { return Layer("softplus", {}, {}, {file, line}); }
/// zeroes whole samples with probability p in training.
inline Layer stochastic_depth(double p, TR_SITE) {
  return Layer("stochastic_depth", {p}, {}, {file, line});
}
/// hyperbolic tangent.
inline Layer tanh_act(TR_SITE) { return Layer("tanh_act", {}, {}, {file, line}); }
/// a larger map: pixels repeated, or bilinear between their centres.
inline Layer upsample(Extent factor, Word mode = NEAREST, TR_SITE) {
  return Layer("upsample", {factor, mode}, {}, {file, line});
}

#undef TR_SITE

} // namespace tr::dsl
// NOLINTEND(readability-identifier-naming)

#endif // RENAISSANCE_BLUEPRINT_CALLS_H
