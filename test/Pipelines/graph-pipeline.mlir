// The order of the phases is pinned.
// RUN: tr-opt %s --tr-graph-pipeline --dump-pass-pipeline 2>&1 | FileCheck %s
// CHECK: builtin.module(
// CHECK-NEXT: tr-arch-to-graph,
// CHECK-NEXT: tr.graph.program(
// CHECK-NEXT: tr-graph-share-variants,
// CHECK-NEXT: tr-graph-choose-algorithms,
// CHECK-NEXT: tr-graph-schedule,
// CHECK-NEXT: tr-graph-place-memory,
// CHECK-NEXT: tr-verify-graph
// CHECK-NEXT: )
// CHECK-NEXT: )

// Schedules of all layers and of AdamW, found again by brute force.
// RUN: tr-opt %s --tr-attach-options="batch=5 val-batch=2 optimizer=adamw" --tr-graph-pipeline -o %t
// RUN: %python %S/../Dialect/TR/Graph/Inputs/check_schedule.py %tr_src/runtime/format/include/trf/kernel_ops.def < %t | FileCheck %s --check-prefix=SCHEDULES
// RUN: FileCheck %s --check-prefix=FUSED < %t
// SCHEDULES: train_a: {{[0-9]+}} nodes
// SCHEDULES-NEXT: train_b: {{[0-9]+}} nodes
// SCHEDULES-NEXT: val_a: {{[0-9]+}} nodes
// SCHEDULES-NEXT: val_b: {{[0-9]+}} nodes
// SCHEDULES-NEXT: infer_a: {{[0-9]+}} nodes
// SCHEDULES-NEXT: infer_b: {{[0-9]+}} nodes
// SCHEDULES-NEXT: train_a: {{[0-9]+}} nodes

// The network is gone, the program has its name; different batches, one graph.
// FUSED-NOT: tr.arch
// FUSED: tr.graph.program @fused classes 3
// FUSED-NEXT: variant "train_base" training batch 5 input [11, 7, 3] graph 0 shape_id 0
// FUSED-NEXT: variant "train_last" training batch 5 input [11, 7, 3] graph 0 shape_id 0
// FUSED: variant "val_base" batch 2 input [11, 7, 3] graph 0 shape_id 1
// FUSED-NEXT: variant "val_last" batch 2 input [11, 7, 3] graph 0 shape_id 1
// FUSED: fusion "cbrp" count 1
// FUSED-NEXT: fusion "bottleneck_projection" count 1
// FUSED-NEXT: fusion "bottleneck_identity" count 1
// FUSED-NEXT: fusion "basic_block_projection" count 1
// FUSED-NEXT: fusion "basic_block_identity" count 1
// FUSED-NEXT: fusion "inv_residual_no_shortcut" count 1
// FUSED-NEXT: fusion "inv_residual_identity" count 1
// FUSED-NEXT: fusion "cbr" count 1
// FUSED-NEXT: fusion "gap_fc" count 1
// FUSED-NOT: tr.graph.fusion
// FUSED: tr.graph.program @plain
tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x11x7x3xf32>):
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1], bias = true> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> : tensor<?x11x7x3xf32> -> tensor<?x6x6x4xf32>
  %1 = tr.arch.block %0 ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.conv3", "1.bn3", "1.proj.conv", "1.proj.bn"] <bottleneck, inner = 2, out = 8, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x6x6x4xf32> -> tensor<?x3x3x8xf32>
  %2 = tr.arch.block %1 ["2.conv1", "2.bn1", "2.conv2", "2.bn2", "2.conv3", "2.bn3"] <bottleneck, inner = 2, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x8xf32> -> tensor<?x3x3x8xf32>
  %3 = tr.arch.block %2 ["3.conv1", "3.bn1", "3.conv2", "3.bn2", "3.proj.conv", "3.proj.bn"] <basic_block, out = 6, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x8xf32> -> tensor<?x3x3x6xf32>
  %4 = tr.arch.block %3 ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 6, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x6xf32> -> tensor<?x3x3x6xf32>
  %5 = tr.arch.block %4 ["5.expand.conv", "5.expand.bn", "5.dw.conv", "5.dw.bn", "5.project.conv", "5.project.bn"] <inv_residual, inner = 12, out = 5, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x6xf32> -> tensor<?x2x2x5xf32>
  %6 = tr.arch.block %5 ["6.dw.conv", "6.dw.bn", "6.project.conv", "6.project.bn"] <inv_residual, out = 5, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x2x2x5xf32> -> tensor<?x2x2x5xf32>
  %7 = tr.arch.cbr %6 ["7.conv", "7.bn"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <hardswish> : tensor<?x2x2x5xf32> -> tensor<?x2x2x4xf32>
  %8 = tr.arch.gap_fc %7 ["8.fc"] out 3 bias true : tensor<?x2x2x4xf32> -> tensor<?x1x1x3xf32>
  %9 = tr.arch.softmax_ce %8 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %9 : tensor<?x1x1x3xf32>
}
tr.arch.network @plain classes 3 {
^bb0(%x: tensor<?x7x5x3xf32>):
  %0 = tr.arch.add2 %x ["0"] : tensor<?x7x5x3xf32> -> tensor<?x7x5x4xf32> shortcut {
  ^bb0(%a: tensor<?x7x5x3xf32>):
    %s = tr.arch.conv %a ["0.0.0.conv"] <out = 4, kernel = [1, 1], bias = true> : tensor<?x7x5x3xf32> -> tensor<?x7x5x4xf32>
    tr.arch.yield %s : tensor<?x7x5x4xf32>
  } stem {
  ^bb0(%a: tensor<?x7x5x3xf32>):
    %s = tr.arch.conv %a ["0.1.0.conv"] <out = 4, kernel = [3, 1], pad = [1, 0]> : tensor<?x7x5x3xf32> -> tensor<?x7x5x4xf32>
    %t = tr.arch.bn2d %s ["0.1.1.bn"] eps 1.0e-3 momentum 0.2 : tensor<?x7x5x4xf32> -> tensor<?x7x5x4xf32>
    tr.arch.yield %t : tensor<?x7x5x4xf32>
  }
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x7x5x4xf32> -> tensor<?x7x5x4xf32> shortcut {
  ^bb0(%a: tensor<?x7x5x4xf32>):
    tr.arch.yield %a : tensor<?x7x5x4xf32>
  } stem {
  ^bb0(%a: tensor<?x7x5x4xf32>):
    %s = tr.arch.act %a ["1.1.0"] <silu> : tensor<?x7x5x4xf32> -> tensor<?x7x5x4xf32>
    %t = tr.arch.add2 %s ["1.1.1"] : tensor<?x7x5x4xf32> -> tensor<?x7x5x4xf32> shortcut {
    ^bb0(%b: tensor<?x7x5x4xf32>):
      tr.arch.yield %b : tensor<?x7x5x4xf32>
    } stem {
    ^bb0(%b: tensor<?x7x5x4xf32>):
      tr.arch.yield %b : tensor<?x7x5x4xf32>
    }
    tr.arch.yield %t : tensor<?x7x5x4xf32>
  }
  %2 = tr.arch.maxpool %1 ["2"] <kernel = [17, 16], stride = [1, 1], pad = [8, 8]> : tensor<?x7x5x4xf32> -> tensor<?x7x6x4xf32>
  %3 = tr.arch.avgpool %2 ["3"] <kernel = [2, 2], stride = [2, 3]> : tensor<?x7x6x4xf32> -> tensor<?x3x2x4xf32>
  %4 = tr.arch.channel_padding %3 ["4"] : tensor<?x3x2x4xf32> -> tensor<?x3x2x8xf32>
  %5 = tr.arch.dropout %4 ["5"] 0.25 : tensor<?x3x2x8xf32> -> tensor<?x3x2x8xf32>
  %6 = tr.arch.flatten %5 ["6"] : tensor<?x3x2x8xf32> -> tensor<?x1x1x48xf32>
  %7 = tr.arch.bn1d %6 ["7.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x1x1x48xf32> -> tensor<?x1x1x48xf32>
  %8 = tr.arch.fc %7 ["8.fc"] out 3 bias false : tensor<?x1x1x48xf32> -> tensor<?x1x1x3xf32>
  %9 = tr.arch.dropout %8 ["9"] 0.5 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  %10 = tr.arch.softmax_ce %9 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %10 : tensor<?x1x1x3xf32>
}
