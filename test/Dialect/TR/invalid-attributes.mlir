// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of the verifiers of the attributes.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @+2 {{expected a slope of leaky_relu in [0, 1000000], but got -1}}
// expected-error @+1 {{failed to parse TR_ActivationAttr parameter 'value' which is to be a `::trf::Act`}}
module attributes {tr.x = #tr.act<leaky_relu(-1)>} {}

// -----

// expected-error @+2 {{expected no parameter of relu}}
// expected-error @+1 {{failed to parse TR_ActivationAttr parameter 'value' which is to be a `::trf::Act`}}
module attributes {tr.x = #tr.act<relu(1)>} {}

// -----

// expected-error @+2 {{expected one of the activations, but got 'swish'}}
// expected-error @+1 {{failed to parse TR_ActivationAttr parameter 'value' which is to be a `::trf::Act`}}
module attributes {tr.x = #tr.act<swish(1.0)>} {}

// -----

// expected-error @+1 {{expected output channels in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.conv<out = 0, kernel = [1, 1]>} {}

// -----

// expected-error @+1 {{expected output channels in [1, 2147483647], but got 2147483648}}
module attributes {tr.x = #tr.conv<out = 2147483648, kernel = [1, 1]>} {}

// -----

// expected-error @+1 {{expected kernel height in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [0, 1]>} {}

// -----

// expected-error @+1 {{expected kernel width in [1, 2147483647], but got -3}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, -3]>} {}

// -----

// expected-error @+1 {{expected stride height in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1], stride = [0, 1]>} {}

// -----

// expected-error @+1 {{expected pad width in [0, 2147483647], but got -1}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1], pad = [0, -1]>} {}

// -----

// expected-error @+1 {{expected dilation height in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1], dilation = [0, 1]>} {}

// -----

// expected-error @+1 {{expected groups in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1], groups = 0>} {}

// -----

// expected-error @+1 {{expected output channels divisible by groups 2, but got 3}}
module attributes {tr.x = #tr.conv<out = 3, kernel = [1, 1], groups = 2>} {}

// -----

// expected-error @+1 {{expected kernel height in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.pool<kernel = [0, 1], stride = [1, 1]>} {}

// -----

// expected-error @+1 {{expected stride width in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.pool<kernel = [1, 1], stride = [1, 0]>} {}

// -----

// expected-error @+1 {{expected pad height in [0, 2147483647], but got -1}}
module attributes {tr.x = #tr.pool<kernel = [1, 1], stride = [1, 1], pad = [-1, 0]>} {}

// -----

// expected-error @+1 {{expected pad smaller than kernel [2, 2], but got [0, 2]}}
module attributes {tr.x = #tr.pool<kernel = [2, 2], stride = [1, 1], pad = [0, 2]>} {}

// -----

// expected-error @+1 {{expected pad smaller than kernel [2, 2], but got [2, 0]}}
module attributes {tr.x = #tr.pool<kernel = [2, 2], stride = [1, 1], pad = [2, 0]>} {}

// -----

// expected-error @+1 {{expected inner in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.block<bottleneck, out = 4, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected inner in [0, 2147483647], but got -1}}
module attributes {tr.x = #tr.block<inv_residual, inner = -1, out = 4, shortcut = no_shortcut, act = relu6>} {}

// -----

// expected-error @+1 {{expected inner in [0, 2147483647], but got 2147483648}}
module attributes {tr.x = #tr.block<inv_residual, inner = 2147483648, out = 4, shortcut = no_shortcut, act = relu6>} {}

// -----

// expected-error @+1 {{expected inner 0 in basic_block, but got 2}}
module attributes {tr.x = #tr.block<basic_block, inner = 2, out = 4, shortcut = identity, act = relu>} {}

// -----

// expected-error @+1 {{expected out in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.block<basic_block, out = 0, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected stride in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.block<basic_block, out = 4, stride = 0, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected groups in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.block<bottleneck, inner = 4, out = 4, groups = 0, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected groups 1 in basic_block, but got 2}}
module attributes {tr.x = #tr.block<basic_block, out = 4, groups = 2, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected groups 1 in inv_residual, but got 4}}
module attributes {tr.x = #tr.block<inv_residual, inner = 4, out = 4, groups = 4, shortcut = identity, act = relu6>} {}

// -----

// expected-error @+1 {{expected inner channels divisible by groups 4, but got 6}}
module attributes {tr.x = #tr.block<bottleneck, inner = 6, out = 8, groups = 4, shortcut = projection, act = relu>} {}

// -----

// expected-error @+1 {{expected another shortcut than no_shortcut in bottleneck}}
module attributes {tr.x = #tr.block<bottleneck, inner = 4, out = 4, shortcut = no_shortcut, act = relu>} {}

// -----

// expected-error @+1 {{expected another shortcut than projection in inv_residual}}
module attributes {tr.x = #tr.block<inv_residual, inner = 4, out = 4, shortcut = projection, act = relu6>} {}

// -----

// expected-error @+1 {{expected another shortcut than pooled_projection in inv_residual}}
module attributes {tr.x = #tr.block<inv_residual, out = 4, stride = 2, shortcut = pooled_projection, act = relu6>} {}

// -----

// expected-error @+1 {{expected stride 1 beside an identity shortcut, but got 2}}
module attributes {tr.x = #tr.block<basic_block, out = 4, stride = 2, shortcut = identity, act = relu>} {}

// -----

// expected-error @+2 {{expected one of the families of blocks, but got 'residual'}}
// expected-error @+1 {{failed to parse TR_BlockAttr parameter 'family' which is to be a `::tr::BlockFamily`}}
module attributes {tr.x = #tr.block<residual, out = 4, shortcut = identity, act = relu>} {}

// -----

// expected-error @+2 {{expected one of the shortcuts of blocks, but got 'none'}}
// expected-error @+1 {{failed to parse TR_BlockAttr parameter 'shortcut' which is to be a `::tr::BlockShortcut`}}
module attributes {tr.x = #tr.block<basic_block, out = 4, shortcut = none, act = relu>} {}

// -----

// expected-error @+1 {{expected a variant name, but got an empty one}}
module attributes {tr.x = #tr.variant<name = "", training = true, batch = 1, resolution = [1, 1]>} {}

// -----

// expected-error @+1 {{expected batch in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.variant<name = "a", training = true, batch = 0, resolution = [1, 1]>} {}

// -----

// expected-error @+1 {{expected resolution width in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.variant<name = "a", training = true, batch = 1, resolution = [1, 0]>} {}

// -----

// 4.7: a kernel list of another rank.
// expected-error @+2 {{expected ']'}}
// expected-error @+1 {{failed to parse TR_ConvAttr parameter 'kernel' which is to be a `::tr::Dims2`}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1, 1]>} {}

// -----

// expected-error @+2 {{expected one of the activations, but got 'glu'}}
// expected-error @+1 {{failed to parse TR_ActivationAttr parameter 'value' which is to be a `::trf::Act`}}
module attributes {tr.x = #tr.act<glu>} {}
