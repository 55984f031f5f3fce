// SPDX-License-Identifier: Apache-2.0
//
// The text of `#tr.options`: keys in the order of the rows, and only what differs from the default.
// RUN: tr-opt %s --split-input-file | FileCheck %s
// RUN: tr-opt %s --split-input-file | tr-opt --split-input-file | FileCheck %s

// CHECK: attributes {tr.x = #tr.options<train_samples = 43, val_samples = 13, drop_last = true, optimizer = adamw, precision = amp_fp16, target = "cpu:x86-64-v4", slices = 5, fuse = false, winograd = false, reuse = false, zero_gamma = true, variants = [#tr.variant<name = "a", training = true, batch = 4>], lowres_epoch = 2>}
module attributes {tr.x = #tr.options<lowres_epoch = 2, variants = [#tr.variant<name = "a", training = true, batch = 4>], zero_gamma = true, reuse = false, winograd = false, fuse = false, slices = 5, target = "cpu:x86-64-v4", precision = amp_fp16, optimizer = adamw, drop_last = true, val_samples = 13, train_samples = 43>} {}

// -----

// What is the default anyway is not written.
// CHECK: attributes {tr.x = #tr.options<>}
module attributes {tr.x = #tr.options<train_samples = 0, val_samples = 0, drop_last = false, optimizer = sgd, precision = fp32, target = "cpu:x86-64-v3", slices = 2, fuse = true, winograd = true, reuse = true, zero_gamma = false, lowres_epoch = -1>} {}

// -----

// Words may be quoted; the name of a target is short for the whole.
// CHECK: attributes {tr.x = #tr.options<optimizer = adamw, target = "cpu:any", fuse = false>}
module attributes {tr.x = #tr.options<optimizer = "adamw", target = any, fuse = "false">} {}

// -----

// CHECK: attributes {tr.x = #tr.options<variants = []>}
module attributes {tr.x = #tr.options<variants = []>} {}
