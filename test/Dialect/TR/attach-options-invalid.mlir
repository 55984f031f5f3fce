// SPDX-License-Identifier: Apache-2.0
//
// Each kind of value has one message, whichever way it comes in.
// RUN: not tr-opt %s --tr-attach-options="batch=0" 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not tr-opt %s --tr-compile="batch=0" 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not tr-opt %s --tr-attach-options="batch=" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tr-opt %s --tr-attach-options="batch=2147483648" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tr-opt %s --tr-attach-options="batch=8x" 2>&1 | FileCheck %s --check-prefix=TAIL
// RUN: not tr-opt %s --tr-attach-options="val-batch=-1" 2>&1 | FileCheck %s --check-prefix=VAL
// RUN: not tr-opt %s --tr-attach-options="train-samples=-1" 2>&1 | FileCheck %s --check-prefix=SAMPLES
// RUN: not tr-opt %s --tr-attach-options="slices=1025" 2>&1 | FileCheck %s --check-prefix=SLICES
// RUN: not tr-opt %s --tr-attach-options="fuse=yes" 2>&1 | FileCheck %s --check-prefix=BOOL
// RUN: not tr-opt %s --tr-attach-options="optimizer=lion" 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not tr-opt %s --tr-compile="optimizer=lion" 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not tr-opt %s --tr-attach-options="precision=fp64" 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not tr-opt %s --tr-attach-options="target=x86-64" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tr-opt %s --tr-attach-options="val-res=3x0" 2>&1 | FileCheck %s --check-prefix=RES
// RUN: not tr-opt %s --tr-attach-options="val-res=32,16@1" 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not tr-opt %s --tr-attach-options="train-res=0" 2>&1 | FileCheck %s --check-prefix=TRAIN
// RUN: not tr-opt %s --tr-attach-options="train-res=32,16" 2>&1 | FileCheck %s --check-prefix=EPOCH
// RUN: not tr-opt %s --tr-attach-options="train-res=32,16@-1" 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not tr-opt %s --tr-attach-options="lowres-epoch=1" 2>&1 | FileCheck %s --check-prefix=NAME
// Passes and pipelines have no options of their own.
// RUN: not tr-opt %s --tr-arch-pipeline=fuse=false 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not tr-opt %s --tr-graph-place-memory=reuse=false 2>&1 | FileCheck %s --check-prefix=PASS
// Values that each are fine may not go together.
// RUN: not tr-opt %s --tr-attach-options="batch=8 train-samples=7 drop-last=true" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: tr-opt %s --tr-attach-options="batch=8 train-samples=7" | FileCheck %s --check-prefix=FITS
// RUN: tr-opt %s --tr-attach-options="batch=8 train-samples=8 drop-last=true" | FileCheck %s --check-prefix=FITS

// BATCH: for the --batch option: expected an integer in [1, 2147483647], but got '0'
// EMPTY: for the --batch option: expected an integer in [1, 2147483647], but got ''
// LARGE: for the --batch option: expected an integer in [1, 2147483647], but got '2147483648'
// TAIL: for the --batch option: expected an integer in [1, 2147483647], but got '8x'
// VAL: for the --val-batch option: expected an integer in [0, 2147483647], but got '-1'
// SAMPLES: for the --train-samples option: expected an integer in [0, 2147483647], but got '-1'
// SLICES: for the --slices option: expected an integer in [1, 1024], but got '1025'
// BOOL: for the --fuse option: expected true or false, but got 'yes'
// OPTIMIZER: for the --optimizer option: expected sgd or adamw, but got 'lion'
// PRECISION: for the --precision option: expected fp32, amp_fp16 or amp_bf16, but got 'fp64'
// TARGET: for the --target option: expected any, x86-64-v3 or x86-64-v4, but got 'x86-64'
// RES: for the --val-res option: expected R or HxW, but got '3x0'
// LOW: for the --val-res option: expected R or HxW, but got '32,16@1'
// TRAIN: for the --train-res option: expected R, HxW or R,R@EPOCH, but got '0'
// EPOCH: for the --train-res option: expected R, HxW or R,R@EPOCH, but got '32,16'
// NEVER: for the --train-res option: expected R, HxW or R,R@EPOCH, but got '32,16@-1'
// NAME: no such option lowres-epoch
// PIPELINE: no such option fuse
// PASS: no such option reuse
// FEW: error: expected at least one whole batch of 8 in the training data, but got train-samples 7 with drop-last
// FITS: #tr.options<train_samples
module {
}
