// SPDX-License-Identifier: Apache-2.0
//
// What PyTorch and Keras call the layers of the language.
#include "Names.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tr::blueprint {

namespace {
struct OtherName {
  StringLiteral other, own; // `other` in small letters, without '_'
};

constexpr OtherName kOtherNames[] = {
    {"conv2d", "conv"},
    {"convolution", "conv"},
    {"depthwiseconv2d", "conv_dw"},
    {"dwconv", "conv_dw"},
    {"dense", "fc"},
    {"linear", "fc"},
    {"fullyconnected", "fc"},
    {"batchnorm", "bn"},
    {"batchnorm1d", "bn"},
    {"batchnorm2d", "bn"},
    {"batchnormalization", "bn"},
    {"maxpool2d", "maxpool"},
    {"maxpooling2d", "maxpool"},
    {"avgpool2d", "avgpool"},
    {"averagepooling2d", "avgpool"},
    {"globalavgpool", "gap"},
    {"globalaveragepooling2d", "gap"},
    {"adaptiveavgpool2d", "adaptive_avgpool"},
    {"globalmaxpooling2d", "global_maxpool"},
    {"convtranspose2d", "conv_transpose"},
    {"conv2dtranspose", "conv_transpose"},
    {"upsampling2d", "upsample"},
    {"upsamplingnearest2d", "upsample"},
    {"upsamplingbilinear2d", "upsample"},
    {"interpolate", "upsample"},
    {"channelshuffle", "channel_shuffle"},
    {"sequential", "seq"},
    {"add", "add2"},
    {"multiply", "mul2"},
    {"mul", "mul2"},
    {"concatenate", "concat"},
    {"cat", "concat"},
    {"swish", "silu"},
    {"hswish", "hardswish"},
    {"tanh", "tanh_act"},
    {"layernorm", "layer_norm"},
    {"layernormalization", "layer_norm"},
    {"groupnorm", "group_norm"},
    {"groupnormalization", "group_norm"},
    {"leakyrelu", "leaky_relu"},
    {"hsigmoid", "hardsigmoid"},
    {"layerscale", "scale"},
    {"droppath", "stochastic_depth"},
    {"spatialdropout2d", "dropout2d"},
    {"softmax", "softmax_ce"},
    {"crossentropy", "softmax_ce"},
    {"crossentropyloss", "softmax_ce"},
};
} // namespace

StringRef findOwnName(StringRef other) {
  std::string plain = other.lower();
  llvm::erase(plain, '_');
  for (const OtherName &row : kOtherNames)
    if (row.other == plain)
      return row.own;
  return {};
}

} // namespace tr::blueprint
