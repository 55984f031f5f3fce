// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-expand-tree --split-input-file | FileCheck %s --check-prefixes=CHECK,FUSED
// RUN: tr-opt %s --tr-attach-options=fuse=false --tr-arch-expand-tree --split-input-file | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: tr-opt %s --tr-arch-expand-tree --split-input-file | FileCheck %s --check-prefixes=CHECK,FUSED

// The example of the pass.
// CHECK-LABEL: tr.arch.network @example classes 10 {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<?x8x8x3xf32>):
// FUSED-NEXT: %[[A:.*]] = tr.arch.cbr %[[X]] ["0.conv", "0.bn"] <out = 4, kernel = [3, 3]> eps 1.000000e-05 momentum 1.000000e-01 act <relu> : tensor<?x8x8x3xf32> -> tensor<?x6x6x4xf32>
// FUSED-NEXT: %[[B:.*]] = tr.arch.gap_fc %[[A]] ["1.fc"] out 10 bias true : tensor<?x6x6x4xf32> -> tensor<?x1x1x10xf32>
// FUSED-NEXT: tr.arch.yield %[[B]]
// PLAIN-NEXT: %[[A:.*]] = tr.arch.conv %[[X]] ["0.conv"] <out = 4, kernel = [3, 3]> :
// PLAIN-NEXT: %[[B:.*]] = tr.arch.bn %[[A]] ["0.bn"] eps 1.000000e-05 momentum 1.000000e-01 :
// PLAIN-NEXT: %[[C:.*]] = tr.arch.act %[[B]] ["0.act"] <relu> :
// PLAIN-NEXT: %[[D:.*]] = tr.arch.gap %[[C]] ["1.gap"] :
// PLAIN-NEXT: %[[E:.*]] = tr.arch.fc %[[D]] ["1.fc"] out 10 bias true :
// PLAIN-NEXT: tr.arch.yield %[[E]]
tr.bp.model @example input [8, 8, 3] classes 10 {
  tr.bp.cbr <out = 4, kernel = [3, 3]> eps 1.0e-5 momentum 1.0e-1 act <relu>
  tr.bp.gap_fc out 10 bias true
}

// -----

// A lone root adds nothing to the path.
// CHECK-LABEL: tr.arch.network @root
// CHECK: tr.arch.fc %{{.*}} ["fc"] out 3 bias false : tensor<?x2x3x5xf32> -> tensor<?x1x1x3xf32>
tr.bp.model @root input [2, 3, 5] classes 3 {
  tr.bp.fc out 3 bias false
}

// -----

// CHECK-LABEL: tr.arch.network @rootact
// CHECK: tr.arch.act %{{.*}} ["act"] <elu>
tr.bp.model @rootact input [2, 3, 5] classes 3 {
  tr.bp.act <elu>
}

// -----

// Layers that map to one layer, with their attributes.
// CHECK-LABEL: tr.arch.network @leaves
// CHECK: tr.arch.conv %{{.*}} ["0.conv"] <out = 6, kernel = [3, 5], stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 3, bias = true> : tensor<?x15x13x3xf32> -> tensor<?x7x13x6xf32>
// CHECK-NEXT: tr.arch.conv %{{.*}} ["dw.conv"] <out = 6, kernel = [3, 1], stride = [1, 2], pad = [1, 0], groups = 6, bias = true> : tensor<?x7x13x6xf32> -> tensor<?x7x7x6xf32>
// CHECK-NEXT: tr.arch.bn %{{.*}} ["2.bn"] eps 1.000000e-03 momentum 5.000000e-01
// CHECK-NEXT: tr.arch.act %{{.*}} ["3"] <relu6>
// CHECK-NEXT: tr.arch.dropout %{{.*}} ["4"] 2.500000e-01
// CHECK-NEXT: tr.arch.channel_padding %{{.*}} ["5"] : tensor<?x7x7x6xf32> -> tensor<?x7x7x8xf32>
// CHECK-NEXT: tr.arch.maxpool %{{.*}} ["6"] <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> : tensor<?x7x7x8xf32> -> tensor<?x4x6x8xf32>
// CHECK-NEXT: tr.arch.avgpool %{{.*}} ["7"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x4x6x8xf32> -> tensor<?x2x3x8xf32>
// CHECK-NEXT: tr.arch.identity %{{.*}} ["8"]
// CHECK-NEXT: tr.arch.flatten %{{.*}} ["9"] : tensor<?x2x3x8xf32> -> tensor<?x1x1x48xf32>
// CHECK-NEXT: tr.arch.fc %{{.*}} ["10.fc"] out 5 bias true : tensor<?x1x1x48xf32> -> tensor<?x1x1x5xf32>
// CHECK-NEXT: tr.arch.gap %{{.*}} ["11"]
// CHECK-NEXT: tr.arch.softmax_ce %{{.*}} ["12"] classes 5
// CHECK-NEXT: tr.arch.yield
// CHECK-NOT: tr.bp
tr.bp.model @leaves input [15, 13, 3] classes 5 {
  tr.bp.conv <out = 6, kernel = [3, 5], stride = [2, 1], pad = [1, 2], dilation = [2, 1], groups = 3, bias = true>
  tr.bp.conv_dw kernel [3, 1] stride [1, 2] pad [1, 0] dilation [1, 1] bias true name "dw"
  tr.bp.bn eps 1.0e-3 momentum 0.5
  tr.bp.act <relu6>
  tr.bp.dropout 0.25
  tr.bp.channel_padding
  tr.bp.maxpool <kernel = [3, 2], stride = [2, 1], pad = [1, 0]>
  tr.bp.avgpool <kernel = [2, 2], stride = [2, 2]>
  tr.bp.identity
  tr.bp.flatten start_dim 1
  tr.bp.fc out 5 bias true
  tr.bp.gap
  tr.bp.softmax_ce
}

// -----

// Paths through seq, repeat, add2 and names.
// CHECK-LABEL: tr.arch.network @paths
// CHECK: tr.arch.fc %{{.*}} ["0.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["0.1.fc"]
// CHECK: tr.arch.fc %{{.*}} ["loop.0.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["loop.0.head.fc"]
// CHECK: tr.arch.fc %{{.*}} ["loop.1.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["loop.1.head.fc"]
// CHECK: tr.arch.fc %{{.*}} ["2.0.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["2.0.1.fc"]
// CHECK: tr.arch.fc %{{.*}} ["2.1.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["2.1.1.fc"]
// CHECK: %[[SUM:.*]] = tr.arch.add2 %{{.*}} ["3"]
// CHECK: tr.arch.fc %{{.*}} ["3.0.fc"]
// CHECK: tr.arch.fc %{{.*}} ["3.1.0.fc"]
// CHECK: tr.arch.act %{{.*}} ["3.1.1"]
// CHECK: tr.arch.add2 %[[SUM]] ["4"]
// CHECK: ^bb0(%[[A:.*]]: tensor<?x1x1x4xf32>):
// CHECK-NEXT: tr.arch.yield %[[A]]
// CHECK: tr.arch.fc %{{.*}} ["4.stem.fc"]
tr.bp.model @paths input [1, 1, 4] classes 4 {
  tr.bp.seq {
    tr.bp.seq { tr.bp.fc out 4 bias true tr.bp.fc out 4 bias true }
    tr.bp.repeat 2 name "loop" {
      tr.bp.seq { tr.bp.fc out 4 bias true tr.bp.fc out 4 bias true name "head" }
    }
    tr.bp.repeat 2 { tr.bp.repeat 2 { tr.bp.fc out 4 bias true } }
    tr.bp.add2 shortcut { tr.bp.fc out 4 bias true } stem { tr.bp.seq { tr.bp.fc out 4 bias true tr.bp.act <relu> } }
    tr.bp.add2 shortcut { tr.bp.seq {} } stem { tr.bp.fc out 4 bias true name "stem" }
  }
}

// -----

// Field report 17.1: blocks with inner layers of equal names.
// CHECK-LABEL: tr.arch.network @bottlenecks
// FUSED: tr.arch.block %{{.*}} ["0.conv1", "0.bn1", "0.conv2", "0.bn2", "0.conv3", "0.bn3", "0.proj.conv", "0.proj.bn"] <bottleneck, inner = 4, out = 16, shortcut = projection, act = relu> eps 1.000000e-05 momentum 1.000000e-01 : tensor<?x9x7x8xf32> -> tensor<?x9x7x16xf32>
// FUSED-NEXT: tr.arch.block %{{.*}} ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.conv3", "1.bn3"] <bottleneck, inner = 4, out = 16, shortcut = identity, act = relu> eps
// FUSED-NEXT: tr.arch.block %{{.*}} ["2.conv1", {{.*}}] <bottleneck, inner = 8, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.000000e-05 momentum 1.000000e-01 : tensor<?x9x7x16xf32> -> tensor<?x5x4x16xf32>
// PLAIN: %[[A:.*]] = tr.arch.add2 %{{.*}} ["0"] : tensor<?x9x7x8xf32> -> tensor<?x9x7x16xf32> shortcut {
// PLAIN-NEXT: ^bb0
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.proj.conv"] <out = 16, kernel = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.proj.bn"]
// PLAIN-NEXT: tr.arch.yield
// PLAIN-NEXT: } stem {
// PLAIN-NEXT: ^bb0
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.conv1"] <out = 4, kernel = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn1"]
// PLAIN-NEXT: tr.arch.act %{{.*}} ["0.act1"] <relu>
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.conv2"] <out = 4, kernel = [3, 3], pad = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn2"]
// PLAIN-NEXT: tr.arch.act %{{.*}} ["0.act2"] <relu>
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.conv3"] <out = 16, kernel = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn3"]
// PLAIN-NEXT: tr.arch.yield
// PLAIN-NEXT: }
// PLAIN-NEXT: %[[B:.*]] = tr.arch.act %[[A]] ["0.act3"] <relu>
// PLAIN-NEXT: tr.arch.add2 %[[B]] ["1"]
// PLAIN-NEXT: ^bb0(%[[X:.*]]: tensor<?x9x7x16xf32>):
// PLAIN-NEXT: tr.arch.yield %[[X]]
// PLAIN: tr.arch.add2 %{{.*}} ["2"] : tensor<?x9x7x16xf32> -> tensor<?x5x4x16xf32> shortcut {
// PLAIN: tr.arch.conv %{{.*}} ["2.proj.conv"] <out = 16, kernel = [1, 1], stride = [2, 2]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.conv1"] <out = 8, kernel = [1, 1]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.conv2"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.conv3"] <out = 16, kernel = [1, 1]> :
tr.bp.model @bottlenecks input [9, 7, 8] classes 4 {
  tr.bp.block <RESNET_1_3_1> mid 4 out 16
  tr.bp.block <RESNET_1_3_1> mid 4 out 16
  tr.bp.block <RESNET_1_3_1_DS> mid 8 out 16
}

// -----

// CHECK-LABEL: tr.arch.network @basic
// FUSED: tr.arch.block %{{.*}} ["0.conv1", "0.bn1", "0.conv2", "0.bn2"] <basic_block, out = 8, shortcut = identity, act = relu> eps
// FUSED-NEXT: tr.arch.block %{{.*}} ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.proj.conv", "1.proj.bn"] <basic_block, out = 16, shortcut = projection, act = relu>
// FUSED-NEXT: tr.arch.block %{{.*}} ["2.conv1", {{.*}}] <basic_block, out = 16, stride = 2, shortcut = projection, act = relu> eps 1.000000e-05 momentum 1.000000e-01 : tensor<?x9x7x16xf32> -> tensor<?x5x4x16xf32>
// PLAIN: %[[A:.*]] = tr.arch.add2 %{{.*}} ["0"]
// PLAIN-NEXT: ^bb0(%[[X:.*]]: tensor<?x9x7x8xf32>):
// PLAIN-NEXT: tr.arch.yield %[[X]]
// PLAIN: tr.arch.conv %{{.*}} ["0.conv1"] <out = 8, kernel = [3, 3], pad = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn1"]
// PLAIN-NEXT: tr.arch.act %{{.*}} ["0.act1"] <relu>
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.conv2"] <out = 8, kernel = [3, 3], pad = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn2"]
// PLAIN-NEXT: tr.arch.yield
// PLAIN: tr.arch.act %[[A]] ["0.act2"] <relu>
// PLAIN: tr.arch.conv %{{.*}} ["1.proj.conv"] <out = 16, kernel = [1, 1]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.proj.conv"] <out = 16, kernel = [1, 1], stride = [2, 2]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.conv1"] <out = 16, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> :
// PLAIN: tr.arch.conv %{{.*}} ["2.conv2"] <out = 16, kernel = [3, 3], pad = [1, 1]> :
tr.bp.model @basic input [9, 7, 8] classes 4 {
  tr.bp.block <RESNET_3_3> out 8
  tr.bp.block <RESNET_3_3> out 16
  tr.bp.block <RESNET_3_3_DS> out 16
}

// -----

// CHECK-LABEL: tr.arch.network @inverted
// FUSED: tr.arch.block %{{.*}} ["0.dw.conv", "0.dw.bn", "0.project.conv", "0.project.bn"] <inv_residual, out = 8, shortcut = identity, act = relu6> eps
// FUSED-NEXT: tr.arch.block %{{.*}} ["1.dw.conv", "1.dw.bn", "1.project.conv", "1.project.bn"] <inv_residual, out = 8, stride = 2, shortcut = no_shortcut, act = relu6>
// FUSED-NEXT: tr.arch.block %{{.*}} ["2.expand.conv", "2.expand.bn", "2.dw.conv", "2.dw.bn", "2.project.conv", "2.project.bn"] <inv_residual, inner = 48, out = 8, shortcut = identity, act = relu6> eps
// FUSED-NEXT: tr.arch.block %{{.*}} ["3.expand.conv", {{.*}}] <inv_residual, inner = 48, out = 12, shortcut = no_shortcut, act = relu6>
// FUSED-NEXT: tr.arch.block %{{.*}} ["4.expand.conv", {{.*}}] <inv_residual, inner = 72, out = 12, stride = 2, shortcut = no_shortcut, act = relu6> eps 1.000000e-05 momentum 1.000000e-01 : tensor<?x5x4x12xf32> -> tensor<?x3x2x12xf32>
// Expansion 1 has no 1x1 in front; nothing follows the sum.
// PLAIN: tr.arch.add2 %{{.*}} ["0"]
// PLAIN-NEXT: ^bb0(%[[X:.*]]: tensor<?x9x7x8xf32>):
// PLAIN-NEXT: tr.arch.yield %[[X]]
// PLAIN-NEXT: } stem {
// PLAIN-NEXT: ^bb0
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.dw.conv"] <out = 8, kernel = [3, 3], pad = [1, 1], groups = 8> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.dw.bn"]
// PLAIN-NEXT: tr.arch.act %{{.*}} ["0.dw.act"] <relu6>
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["0.project.conv"] <out = 8, kernel = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.project.bn"]
// PLAIN-NEXT: tr.arch.yield
// PLAIN-NEXT: }
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["1.dw.conv"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 8> :
// PLAIN: tr.arch.add2 %{{.*}} ["2"]
// PLAIN: tr.arch.conv %{{.*}} ["2.expand.conv"] <out = 48, kernel = [1, 1]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["2.expand.bn"]
// PLAIN-NEXT: tr.arch.act %{{.*}} ["2.expand.act"] <relu6>
// PLAIN-NEXT: tr.arch.conv %{{.*}} ["2.dw.conv"] <out = 48, kernel = [3, 3], pad = [1, 1], groups = 48> :
// PLAIN-NOT: tr.arch.add2
// PLAIN: tr.arch.conv %{{.*}} ["4.project.conv"] <out = 12, kernel = [1, 1]> :
// PLAIN-NEXT: %[[LAST:.*]] = tr.arch.bn %{{.*}} ["4.project.bn"]
// PLAIN-NEXT: tr.arch.yield %[[LAST]]
tr.bp.model @inverted input [9, 7, 8] classes 4 {
  tr.bp.block <MB_E1_K3> out 8
  tr.bp.block <MB_E1_K3_DS> out 8
  tr.bp.block <MB_E6_K3> out 8
  tr.bp.block <MB_E6_K3> out 12
  tr.bp.block <MB_E6_K3_DS> out 12
}

// -----

// CHECK-LABEL: tr.arch.network @cbrp
// FUSED: tr.arch.cbrp %{{.*}} ["0.conv", "0.bn"] <out = 4, kernel = [3, 3]> eps 1.000000e-03 momentum 5.000000e-01 act <silu> window <kernel = [2, 3], stride = [2, 1], pad = [0, 1]> : tensor<?x9x7x8xf32> -> tensor<?x3x5x4xf32>
// PLAIN: tr.arch.conv %{{.*}} ["0.conv"] <out = 4, kernel = [3, 3]> :
// PLAIN-NEXT: tr.arch.bn %{{.*}} ["0.bn"] eps 1.000000e-03 momentum 5.000000e-01
// PLAIN-NEXT: tr.arch.act %{{.*}} ["0.act"] <silu>
// PLAIN-NEXT: tr.arch.maxpool %{{.*}} ["0.pool"] <kernel = [2, 3], stride = [2, 1], pad = [0, 1]> : tensor<?x7x5x4xf32> -> tensor<?x3x5x4xf32>
tr.bp.model @cbrp input [9, 7, 8] classes 4 {
  tr.bp.seq {
    tr.bp.cbrp <out = 4, kernel = [3, 3]> eps 1.0e-3 momentum 0.5 act <silu> window <kernel = [2, 3], stride = [2, 1], pad = [0, 1]>
  }
}

// -----

// Several models; what is no model stays as it is.
// CHECK: tr.arch.network @a classes 2
// CHECK: tr.arch.network @done classes 3
// CHECK: tr.arch.act %{{.*}} ["kept"] <relu>
// CHECK: tr.arch.network @b classes 4
tr.bp.model @a input [1, 1, 2] classes 2 { tr.bp.identity }
tr.arch.network @done classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.act %x ["kept"] <relu> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
tr.bp.model @b input [1, 1, 4] classes 4 { tr.bp.identity }

// -----

// A loss in the middle that does not fit there is for step 3 to move; it leaves its
// input's extents open.
// CHECK-LABEL: tr.arch.network @loss
// CHECK: %[[A:.*]] = tr.arch.act %{{.*}} ["0"] <relu> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
// CHECK-NEXT: %[[B:.*]] = tr.arch.softmax_ce %[[A]] ["1"] classes 7 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
// CHECK-NEXT: tr.arch.gap %[[B]] ["2"] : tensor<?x?x?x?xf32> -> tensor<?x1x1x3xf32>
tr.bp.model @loss input [5, 4, 3] classes 7 {
  tr.bp.act <relu>
  tr.bp.softmax_ce
  tr.bp.gap
}
