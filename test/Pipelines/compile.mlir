// From primitive layers to programs, with and without fusion: other kernel ops, but the same
// parameters in the same order with the same layouts and first values, and the same tensors of no
// layer.
// RUN: tr-opt %s --tr-compile="batch=5 val-batch=3 optimizer=adamw fuse=true zero-gamma=true" -o %t.fused
// RUN: tr-opt %s --tr-compile="batch=5 val-batch=3 optimizer=adamw fuse=false zero-gamma=true" -o %t.plain
// RUN: grep "tr.graph.param" %t.fused | sed 's/tensor [0-9]* grad [0-9-]*//' > %t.fused.params
// RUN: grep "tr.graph.param" %t.plain | sed 's/tensor [0-9]* grad [0-9-]*//' > %t.plain.params
// RUN: diff %t.fused.params %t.plain.params
// RUN: FileCheck %s --check-prefix=PARAMS < %t.fused.params
// RUN: grep "layer -1 shapes" %t.fused | sed 's/slot.*//' > %t.fused.shared
// RUN: grep "layer -1 shapes" %t.plain | sed 's/slot.*//' > %t.plain.shared
// The kernels of fused inference keep packed weights, and look whether they are up to date.
// RUN: grep '"folds"' %t.fused.shared
// RUN: grep -v '"folds"' %t.fused.shared | diff - %t.plain.shared
// RUN: FileCheck %s --check-prefix=FUSED < %t.fused
// RUN: FileCheck %s --check-prefix=PLAIN < %t.plain
// The same options twice give the same program.
// RUN: tr-opt %s --tr-compile="batch=5 val-batch=3 optimizer=adamw fuse=true zero-gamma=true" | diff %t.fused -

// PARAMS: "0.conv.weight"
// PARAMS-NEXT: "1.bn.weight"
// PARAMS-NEXT: "1.bn.bias"
// PARAMS-NEXT: "1.bn.running_mean"
// PARAMS-NEXT: "1.bn.running_var"
// PARAMS-NEXT: "4.1.0.conv.weight"
// PARAMS-COUNT-4: "4.1.1.bn
// PARAMS-NEXT: "4.1.3.conv.weight"
// PARAMS-NEXT: "4.1.4.bn.weight" {{.*}} init "zeros"
// PARAMS-NEXT: "4.1.4.bn.bias"
// PARAMS-NEXT: "4.1.4.bn.running_mean"
// PARAMS-NEXT: "4.1.4.bn.running_var"
// PARAMS-NEXT: "4.0.0.conv.weight"
// PARAMS-COUNT-4: "4.0.1.bn
// PARAMS-NEXT: "7.fc.weight"
// PARAMS-NEXT: "7.fc.bias"
// PARAMS-NOT: param

// FUSED: tr.options = #tr.options<optimizer = adamw, zero_gamma = true,
// FUSED: variant "train_base" training batch 5 input [13, 9, 3]
// FUSED: variant "val_base" batch 3 input [13, 9, 3]
// FUSED: layer {{.*}} kind "cbrp" first
// FUSED-NEXT: layer {{.*}} kind "basic_block_projection"
// FUSED-NEXT: layer {{.*}} kind "gap_fc"
// FUSED-NEXT: layer {{.*}} kind "softmax_ce"
// FUSED: fusion "cbrp" count 1
// FUSED-NEXT: fusion "basic_block_projection" count 1
// FUSED-NEXT: fusion "gap_fc" count 1
// FUSED: compute "bn_apply_add_bn"
// PLAIN: layer {{.*}} kind "conv" first
// PLAIN-NOT: tr.graph.fusion
// PLAIN-NOT: "conv_stats_fwd"
// PLAIN: compute "bn_stats"
// PLAIN: compute "add_fwd"
tr.arch.network @net classes 10 {
^bb0(%x: tensor<?x13x9x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x13x9x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.bn %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.add2 %3 ["4"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %s0 = tr.arch.conv %a ["4.0.0.conv"] <out = 6, kernel = [1, 1], stride = [2, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %s1 = tr.arch.bn %s0 ["4.0.1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %s1 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %s0 = tr.arch.conv %a ["4.1.0.conv"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %s1 = tr.arch.bn %s0 ["4.1.1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %s2 = tr.arch.act %s1 ["4.1.2"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %s3 = tr.arch.conv %s2 ["4.1.3.conv"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %s4 = tr.arch.bn %s3 ["4.1.4.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %s4 : tensor<?x?x?x?xf32>
  }
  %5 = tr.arch.act %4 ["5"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %6 = tr.arch.gap %5 ["6"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %7 = tr.arch.fc %6 ["7.fc"] out 10 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %7 : tensor<?x?x?x?xf32>
}
