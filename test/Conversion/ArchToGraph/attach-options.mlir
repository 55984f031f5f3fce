// RUN: tr-opt %s --tr-attach-options | FileCheck %s --check-prefix=DEFAULT
// RUN: tr-opt %s --tr-attach-options="batch=7 val-batch=3 optimizer=adamw slices=5 zero-gamma=true" | FileCheck %s
// RUN: not tr-opt %s --tr-attach-options="optimizer=lion" 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: tr-opt %s --tr-attach-options="target=x86-64-v4" | FileCheck %s --check-prefix=TARGET
// RUN: tr-opt %s --tr-attach-options="target=cpu:x86-64-v4" | FileCheck %s --check-prefix=TARGET
// RUN: not tr-opt %s --tr-attach-options="target=x86-64" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tr-opt %s --tr-attach-options="batch=0" 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not tr-opt %s --tr-attach-options="val-batch=-1" 2>&1 | FileCheck %s --check-prefix=VAL
// RUN: not tr-opt %s --tr-attach-options="slices=0" 2>&1 | FileCheck %s --check-prefix=SLICES
// RUN: tr-opt %s --tr-attach-options="batch=8 val-batch=4 train-samples=43 val-samples=13" | FileCheck %s --check-prefix=SAMPLES
// RUN: tr-opt %s --tr-attach-options="batch=8 train-samples=43 drop-last=true" | FileCheck %s --check-prefix=DROP
// RUN: not tr-opt %s --tr-attach-options="batch=8 train-samples=7 drop-last=true" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not tr-opt %s --tr-attach-options="batch=8 train-samples=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// The six variants. Without sample counts the last batch is a whole one.
// DEFAULT: tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 32>, #tr.variant<name = "train_last", training = true, batch = 32>, #tr.variant<name = "train_lowres", training = true, batch = 32>, #tr.variant<name = "train_lowres_last", training = true, batch = 32>, #tr.variant<name = "val_base", training = false, batch = 32>, #tr.variant<name = "val_last", training = false, batch = 32>], target = "cpu:any">
// CHECK: tr.options = #tr.options<optimizer = adamw, slices = 5, zeroGamma = true, variants = [#tr.variant<name = "train_base", training = true, batch = 7>,
// CHECK-SAME: #tr.variant<name = "val_base", training = false, batch = 3>
// SAMPLES: name = "train_base", training = true, batch = 8>, #tr.variant<name = "train_last", training = true, batch = 3>, #tr.variant<name = "train_lowres", training = true, batch = 8>, #tr.variant<name = "train_lowres_last", training = true, batch = 3>, #tr.variant<name = "val_base", training = false, batch = 4>, #tr.variant<name = "val_last", training = false, batch = 1>
// SAMPLES-SAME: train_samples = 43, val_samples = 13, target = "cpu:any">
// DROP: name = "train_last", training = true, batch = 8>
// DROP-SAME: train_samples = 43, drop_last = true, target = "cpu:any">
// FEW: error: expected at least one whole batch of 8 in the training data, but got train-samples 7 with drop-last
// NEGATIVE: error: expected batches of at least 1 and sample counts of at least 0, but got batch 8, val-batch 8, train-samples -1, val-samples 0
// OPTIMIZER: error: expected optimizer sgd or adamw, but got 'lion'
// TARGET: training = false, batch = 32>], target = "cpu:x86-64-v4">
// UNKNOWN: error: expected target any, x86-64-v3 or x86-64-v4, but got 'x86-64'
// BATCH: error: expected batches of at least 1 and sample counts of at least 0, but got batch 0
// VAL: error: expected batches of at least 1 and sample counts of at least 0, but got batch 32, val-batch -1
// SLICES: error: expected slices in [1, 1024], but got 0
module {
}
