// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of the verifiers of the attributes.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

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

// expected-error @+1 {{expected a variant name, but got an empty one}}
module attributes {tr.x = #tr.variant<name = "", training = true, batch = 1, resolution = [1, 1]>} {}

// -----

// expected-error @+1 {{expected batch in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.variant<name = "a", training = true, batch = 0, resolution = [1, 1]>} {}

// -----

// expected-error @+1 {{expected resolution width in [1, 2147483647], but got 0}}
module attributes {tr.x = #tr.variant<name = "a", training = true, batch = 1, resolution = [1, 0]>} {}

// -----

// expected-error @+1 {{expected slices in [1, 1024], but got 0}}
module attributes {tr.x = #tr.options<slices = 0>} {}

// -----

// expected-error @+1 {{expected slices in [1, 1024], but got 1025}}
module attributes {tr.x = #tr.options<slices = 1025>} {}

// -----

// expected-error @+1 {{expected #tr.variant in variants, but got 3}}
module attributes {tr.x = #tr.options<variants = [3]>} {}

// -----

// 4.7: a kernel list of another rank.
// expected-error @+2 {{expected ']'}}
// expected-error @+1 {{failed to parse TR_ConvAttr parameter 'kernel' which is to be a `::tr::Dims2`}}
module attributes {tr.x = #tr.conv<out = 1, kernel = [1, 1, 1]>} {}

// -----

// expected-error @+2 {{expected one of the targets of the plan format, but got 'x86-64-v2'}}
// expected-error @+1 {{failed to parse TR_OptionsAttr parameter 'target' which is to be a `::trf::Target`}}
module attributes {tr.x = #tr.options<target = "x86-64-v2">} {}

// -----

// expected-error @+2 {{expected one of the optimizers of the plan format, but got 'lion'}}
// expected-error @+1 {{failed to parse TR_OptionsAttr parameter 'optimizer' which is to be a `::trf::Optimizer`}}
module attributes {tr.x = #tr.options<optimizer = lion>} {}

// -----

// expected-error @+2 {{expected one of the activations of the plan format, but got 'gelu'}}
// expected-error @+1 {{failed to parse TR_ActivationAttr parameter 'value' which is to be a `::trf::Activation`}}
module attributes {tr.x = #tr.act<gelu>} {}
