// RUN: tr-opt %s --tr-attach-options | FileCheck %s --check-prefix=DEFAULT
// RUN: tr-opt %s --tr-attach-options="batch=7 val-batch=3 optimizer=adamw slices=5 zero-gamma=true" | FileCheck %s
// RUN: not tr-opt %s --tr-attach-options="optimizer=lion" 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not tr-opt %s --tr-attach-options="batch=0" 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not tr-opt %s --tr-attach-options="val-batch=-1" 2>&1 | FileCheck %s --check-prefix=VAL
// RUN: not tr-opt %s --tr-attach-options="slices=0" 2>&1 | FileCheck %s --check-prefix=SLICES

// DEFAULT: tr.options = #tr.options<specs = [#tr.compile_spec<name = "train_base", training = true, batch = 32>, #tr.compile_spec<name = "val_base", training = false, batch = 32>]>
// CHECK: tr.options = #tr.options<optimizer = adamw, slices = 5, zeroGamma = true, specs = [#tr.compile_spec<name = "train_base", training = true, batch = 7>, #tr.compile_spec<name = "val_base", training = false, batch = 3>]>
// OPTIMIZER: error: expected optimizer sgd or adamw, but got 'lion'
// BATCH: error: expected batch in [1, 2147483647], but got 0
// VAL: error: expected batch in [1, 2147483647], but got -1
// SLICES: error: expected slices in [1, 1024], but got 0
module {
}
