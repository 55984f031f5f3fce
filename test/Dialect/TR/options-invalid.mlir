// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a key of #tr.options, but got 'momentum'}}
module attributes {tr.x = #tr.options<momentum = 1>} {}

// -----

// Keys are spelled with underscores, as all keys of attributes.
// expected-error @+1 {{expected a key of #tr.options, but got 'zeroGamma'}}
module attributes {tr.x = #tr.options<zeroGamma = true>} {}

// -----

// Batches and resolutions are those of the variants.
// expected-error @+1 {{expected a key of #tr.options, but got 'batch'}}
module attributes {tr.x = #tr.options<batch = 8>} {}

// -----

// expected-error @+1 {{slices: expected an integer in [1, 1024], but got '0'}}
module attributes {tr.x = #tr.options<slices = 0>} {}

// -----

// expected-error @+1 {{slices: expected an integer in [1, 1024], but got '1025'}}
module attributes {tr.x = #tr.options<slices = 1025>} {}

// -----

// expected-error @+1 {{slices: expected an integer in [1, 1024], but got 'two'}}
module attributes {tr.x = #tr.options<slices = two>} {}

// -----

// expected-error @+1 {{train_samples: expected an integer in [0, 2147483647], but got '-1'}}
module attributes {tr.x = #tr.options<train_samples = -1>} {}

// -----

// expected-error @+1 {{val_samples: expected an integer in [0, 2147483647], but got '2147483648'}}
module attributes {tr.x = #tr.options<val_samples = 2147483648>} {}

// -----

// expected-error @+1 {{drop_last: expected true or false, but got 'yes'}}
module attributes {tr.x = #tr.options<drop_last = yes>} {}

// -----

// expected-error @+1 {{fuse: expected true or false, but got '2'}}
module attributes {tr.x = #tr.options<fuse = 2>} {}

// -----

// expected-error @+1 {{optimizer: expected sgd or adamw, but got 'lion'}}
module attributes {tr.x = #tr.options<optimizer = lion>} {}

// -----

// expected-error @+1 {{precision: expected fp32, amp_fp16 or amp_bf16, but got 'fp64'}}
module attributes {tr.x = #tr.options<precision = fp64>} {}

// -----

// expected-error @+1 {{target: expected any, x86-64-v3 or x86-64-v4, but got 'x86-64-v2'}}
module attributes {tr.x = #tr.options<target = "x86-64-v2">} {}

// -----

// expected-error @+1 {{expected #tr.variant in variants, but got 3}}
module attributes {tr.x = #tr.options<variants = [3]>} {}

// -----

// expected-error @+1 {{expected lowres_epoch in [-1, 2147483647], but got -2}}
module attributes {tr.x = #tr.options<lowres_epoch = -2>} {}

// -----

// expected-error @+1 {{expected lowres_epoch in [-1, 2147483647], but got 2147483648}}
module attributes {tr.x = #tr.options<lowres_epoch = 2147483648>} {}
