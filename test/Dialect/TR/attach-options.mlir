// SPDX-License-Identifier: Apache-2.0
//
// Options to `#tr.options`: what variants are made of goes into them, the rest stands as it is
// where it differs from the default.
// RUN: tr-opt %s --tr-attach-options | FileCheck %s --check-prefix=DEFAULT
// RUN: tr-opt %s --tr-attach-options="train-samples=0 val-samples=0 val-batch=0" | FileCheck %s --check-prefix=DEFAULT
// RUN: tr-opt %s --tr-attach-options="batch=7 val-batch=3 optimizer=adamw slices=5 zero-gamma=true" | FileCheck %s
// RUN: tr-opt %s --tr-attach-options="batch=8 val-batch=4 train-samples=43 val-samples=13" | FileCheck %s --check-prefix=SAMPLES
// RUN: tr-opt %s --tr-attach-options="batch=8 train-samples=43 drop-last" | FileCheck %s --check-prefix=DROP
// RUN: tr-opt %s --tr-attach-options="target=x86-64-v4" | FileCheck %s --check-prefix=TARGET
// RUN: tr-opt %s --tr-attach-options="target=cpu:x86-64-v4" | FileCheck %s --check-prefix=TARGET
// RUN: tr-opt %s --tr-attach-options="precision=amp_bf16 target=any fuse=false winograd=0 reuse=false" | FileCheck %s --check-prefix=PASSES
// RUN: tr-opt %s --tr-attach-options="train-res=32x24,16@3 val-res=48" | FileCheck %s --check-prefix=SIZES
// RUN: tr-opt %s --tr-attach-options="train-res=40" | FileCheck %s --check-prefix=ONE-SIZE
// An attribute that is there is replaced, not added to.
// RUN: tr-opt %s --tr-attach-options="slices=5" --tr-attach-options="reuse=false" | FileCheck %s --check-prefix=AGAIN
// The rows of the pass and of the pipeline are the same.
// RUN: tr-opt --help | FileCheck %s --check-prefix=HELP

// The six variants. Without sample counts the last batch is a whole one.
// DEFAULT: tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 32>, #tr.variant<name = "train_last", training = true, batch = 32>, #tr.variant<name = "train_lowres", training = true, batch = 32>, #tr.variant<name = "train_lowres_last", training = true, batch = 32>, #tr.variant<name = "val_base", training = false, batch = 32>, #tr.variant<name = "val_last", training = false, batch = 32>]>
// CHECK: tr.options = #tr.options<optimizer = adamw, slices = 5, zero_gamma = true, variants = [#tr.variant<name = "train_base", training = true, batch = 7>,
// CHECK-SAME: #tr.variant<name = "val_base", training = false, batch = 3>
// SAMPLES: #tr.options<train_samples = 43, val_samples = 13, variants =
// SAMPLES-SAME: name = "train_base", training = true, batch = 8>, #tr.variant<name = "train_last", training = true, batch = 3>, #tr.variant<name = "train_lowres", training = true, batch = 8>, #tr.variant<name = "train_lowres_last", training = true, batch = 3>, #tr.variant<name = "val_base", training = false, batch = 4>, #tr.variant<name = "val_last", training = false, batch = 1>]>
// DROP: #tr.options<train_samples = 43, drop_last = true, variants =
// DROP-SAME: name = "train_last", training = true, batch = 8>
// TARGET: #tr.options<target = "cpu:x86-64-v4", variants =
// PASSES: #tr.options<precision = amp_bf16, target = "cpu:any", fuse = false, winograd = false, reuse = false, variants =
// SIZES: name = "train_base", training = true, batch = 32, resolution = [32, 24]>
// SIZES-SAME: name = "train_last", training = true, batch = 32, resolution = [32, 24]>
// SIZES-SAME: name = "train_lowres", training = true, batch = 32, resolution = [16, 16]>
// SIZES-SAME: name = "train_lowres_last", training = true, batch = 32, resolution = [16, 16]>
// SIZES-SAME: name = "val_base", training = false, batch = 32, resolution = [48, 48]>
// SIZES-SAME: name = "val_last", training = false, batch = 32, resolution = [48, 48]>], lowres_epoch = 3>
// ONE-SIZE: name = "train_lowres", training = true, batch = 32, resolution = [40, 40]>
// ONE-SIZE-SAME: name = "val_base", training = false, batch = 32>
// ONE-SIZE-NOT: lowres_epoch
// AGAIN: #tr.options<reuse = false, variants =

// HELP: --tr-compile
// HELP-NEXT: --batch=<an integer in [1, 2147483647]>
// HELP-NEXT: --drop-last[=<true or false>]
// HELP-NEXT: --fuse[=<true or false>]
// HELP-NEXT: --optimizer=<sgd or adamw>
// HELP-NEXT: --precision=<fp32, amp_fp16 or amp_bf16>
// HELP-NEXT: --reuse[=<true or false>]
// HELP-NEXT: --slices=<an integer in [1, 1024]>
// HELP-NEXT: --target=<any, x86-64-v3 or x86-64-v4>
// HELP-NEXT: --train-res=<R, HxW or R,R@EPOCH>
// HELP-NEXT: --train-samples=<an integer in [0, 2147483647]>
// HELP-NEXT: --val-batch=<an integer in [0, 2147483647]>
// HELP-NEXT: --val-res=<R or HxW>
// HELP-NEXT: --val-samples=<an integer in [0, 2147483647]>
// HELP-NEXT: --winograd[=<true or false>]
// HELP-NEXT: --zero-gamma[=<true or false>]
// HELP-NEXT: --tr-
// HELP: --tr-attach-options
// HELP-NEXT: --batch=<an integer in [1, 2147483647]>
// HELP-NEXT: --drop-last[=<true or false>]
// HELP-NEXT: --fuse[=<true or false>]
// HELP-NEXT: --optimizer=<sgd or adamw>
// HELP-NEXT: --precision=<fp32, amp_fp16 or amp_bf16>
// HELP-NEXT: --reuse[=<true or false>]
// HELP-NEXT: --slices=<an integer in [1, 1024]>
// HELP-NEXT: --target=<any, x86-64-v3 or x86-64-v4>
// HELP-NEXT: --train-res=<R, HxW or R,R@EPOCH>
// HELP-NEXT: --train-samples=<an integer in [0, 2147483647]>
// HELP-NEXT: --val-batch=<an integer in [0, 2147483647]>
// HELP-NEXT: --val-res=<R or HxW>
// HELP-NEXT: --val-samples=<an integer in [0, 2147483647]>
// HELP-NEXT: --winograd[=<true or false>]
// HELP-NEXT: --zero-gamma[=<true or false>]
// HELP-NEXT: --tr-
module {
}
