// SPDX-License-Identifier: Apache-2.0
//
// Blocks beyond those of ResNets and MobileNets: groups, pooled shortcuts, any one activation.
// RUN: tr-opt %s --split-input-file --tr-arch-merge-blocks | FileCheck %s

// ResNeXt: groups in the middle.
// CHECK-LABEL: @resnext
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "c3", "b3", "cp", "bp"] <bottleneck, inner = 8, out = 16, stride = 2, groups = 4, shortcut = projection, act = relu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @resnext classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %cp = tr.arch.conv %a ["cp"] <out = 16, kernel = [1, 1], stride = [2, 2]> : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
    %bp = tr.arch.bn2d %cp ["bp"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %bp : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x8xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %a1 = tr.arch.act %b1 ["a1"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 8, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 4> : tensor<?x9x7x8xf32> -> tensor<?x5x4x8xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    %a2 = tr.arch.act %b2 ["a2"] <relu> : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
    %c3 = tr.arch.conv %a2 ["c3"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x8xf32> -> tensor<?x5x4x16xf32>
    %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %b3 : tensor<?x5x4x16xf32>
  }
  %y = tr.arch.act %r ["aend"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %y : tensor<?x5x4x16xf32>
}

// -----

// CHECK-LABEL: @resnext_identity
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "c3", "b3"] <bottleneck, inner = 8, out = 6, groups = 2, shortcut = identity, act = relu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @resnext_identity classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    tr.arch.yield %a : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 8, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x8xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %a1 = tr.arch.act %b1 ["a1"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 8, kernel = [3, 3], pad = [1, 1], groups = 2> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %a2 = tr.arch.act %b2 ["a2"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
    %c3 = tr.arch.conv %a2 ["c3"] <out = 6, kernel = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x6xf32>
    %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %b3 : tensor<?x9x7x6xf32>
  }
  %y = tr.arch.act %r ["aend"] <relu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %y : tensor<?x9x7x6xf32>
}

// -----

// ResNet-D: the shortcut is pooled, then projected. The pooling has no parameters and is no part.
// CHECK-LABEL: @resnet_d_bottleneck
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "c3", "b3", "cp", "bp"] <bottleneck, inner = 4, out = 16, stride = 2, shortcut = pooled_projection, act = relu>
// CHECK-SAME: tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @resnet_d_bottleneck classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x5x4x16xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %q = tr.arch.avgpool %a ["q"] <kernel = [2, 2], stride = [2, 2], ceil = true> : tensor<?x9x7x6xf32> -> tensor<?x5x4x6xf32>
    %cp = tr.arch.conv %q ["cp"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x6xf32> -> tensor<?x5x4x16xf32>
    %bp = tr.arch.bn2d %cp ["bp"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %bp : tensor<?x5x4x16xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %a1 = tr.arch.act %b1 ["a1"] <relu> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 4, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x5x4x4xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %a2 = tr.arch.act %b2 ["a2"] <relu> : tensor<?x5x4x4xf32> -> tensor<?x5x4x4xf32>
    %c3 = tr.arch.conv %a2 ["c3"] <out = 16, kernel = [1, 1]> : tensor<?x5x4x4xf32> -> tensor<?x5x4x16xf32>
    %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
    tr.arch.yield %b3 : tensor<?x5x4x16xf32>
  }
  %y = tr.arch.act %r ["aend"] <relu> : tensor<?x5x4x16xf32> -> tensor<?x5x4x16xf32>
  tr.arch.yield %y : tensor<?x5x4x16xf32>
}

// -----

// Any stride, as long as windows are as large.
// CHECK-LABEL: @resnet_d_basic
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "cp", "bp"] <basic_block, out = 8, stride = 3, shortcut = pooled_projection, act = relu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @resnet_d_basic classes 10 {
^bb0(%x: tensor<?x10x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x10x7x6xf32> -> tensor<?x4x3x8xf32> shortcut {
  ^bb0(%a: tensor<?x10x7x6xf32>):
    %q = tr.arch.avgpool %a ["q"] <kernel = [3, 3], stride = [3, 3], ceil = true> : tensor<?x10x7x6xf32> -> tensor<?x4x3x6xf32>
    %cp = tr.arch.conv %q ["cp"] <out = 8, kernel = [1, 1]> : tensor<?x4x3x6xf32> -> tensor<?x4x3x8xf32>
    %bp = tr.arch.bn2d %cp ["bp"] eps 1.0e-5 momentum 0.1 : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    tr.arch.yield %bp : tensor<?x4x3x8xf32>
  } stem {
  ^bb0(%a: tensor<?x10x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 8, kernel = [3, 3], stride = [3, 3], pad = [1, 1]> : tensor<?x10x7x6xf32> -> tensor<?x4x3x8xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    %a1 = tr.arch.act %b1 ["a1"] <relu> : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
    tr.arch.yield %b2 : tensor<?x4x3x8xf32>
  }
  %y = tr.arch.act %r ["aend"] <relu> : tensor<?x4x3x8xf32> -> tensor<?x4x3x8xf32>
  tr.arch.yield %y : tensor<?x4x3x8xf32>
}

// -----

// Any activation, as long as it is the same one everywhere.
// CHECK-LABEL: @basic_silu
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2"] <basic_block, out = 6, shortcut = identity, act = silu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @basic_silu classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    tr.arch.yield %a : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %a1 = tr.arch.act %b1 ["a1"] <silu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 6, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %b2 : tensor<?x9x7x6xf32>
  }
  %y = tr.arch.act %r ["aend"] <silu> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %y : tensor<?x9x7x6xf32>
}

// -----

// CHECK-LABEL: @bottleneck_relu6
// CHECK: tr.arch.block %{{.*}} <bottleneck, inner = 4, out = 6, shortcut = identity, act = relu6>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @bottleneck_relu6 classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    tr.arch.yield %a : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 4, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x4xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %a1 = tr.arch.act %b1 ["a1"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %a2 = tr.arch.act %b2 ["a2"] <relu6> : tensor<?x9x7x4xf32> -> tensor<?x9x7x4xf32>
    %c3 = tr.arch.conv %a2 ["c3"] <out = 6, kernel = [1, 1]> : tensor<?x9x7x4xf32> -> tensor<?x9x7x6xf32>
    %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %b3 : tensor<?x9x7x6xf32>
  }
  %y = tr.arch.act %r ["aend"] <relu6> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %y : tensor<?x9x7x6xf32>
}

// -----

// An activation after the sum is none of an inverted residual's, whichever it is.
// CHECK-LABEL: @inverted_hardswish
// CHECK: %[[B:.*]] = tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "c3", "b3"] <inv_residual, inner = 12, out = 6, shortcut = identity, act = hardswish>
// CHECK-NEXT: tr.arch.act %[[B]] ["aend"] <hardswish>
tr.arch.network @inverted_hardswish classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %r = tr.arch.add2 %x ["r"] : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32> shortcut {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    tr.arch.yield %a : tensor<?x9x7x6xf32>
  } stem {
  ^bb0(%a: tensor<?x9x7x6xf32>):
    %c1 = tr.arch.conv %a ["c1"] <out = 12, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x12xf32>
    %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
    %a1 = tr.arch.act %b1 ["a1"] <hardswish> : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
    %c2 = tr.arch.conv %a1 ["c2"] <out = 12, kernel = [3, 3], pad = [1, 1], groups = 12> : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
    %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
    %a2 = tr.arch.act %b2 ["a2"] <hardswish> : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
    %c3 = tr.arch.conv %a2 ["c3"] <out = 6, kernel = [1, 1]> : tensor<?x9x7x12xf32> -> tensor<?x9x7x6xf32>
    %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
    tr.arch.yield %b3 : tensor<?x9x7x6xf32>
  }
  %y = tr.arch.act %r ["aend"] <hardswish> : tensor<?x9x7x6xf32> -> tensor<?x9x7x6xf32>
  tr.arch.yield %y : tensor<?x9x7x6xf32>
}

// -----

// CHECK-LABEL: @chain_silu
// CHECK: tr.arch.block %{{.*}} ["c1", "b1", "c2", "b2", "c3", "b3"] <inv_residual, inner = 12, out = 8, stride = 2, shortcut = no_shortcut, act = silu>
// CHECK-NEXT: tr.arch.yield
tr.arch.network @chain_silu classes 10 {
^bb0(%x: tensor<?x9x7x6xf32>):
  %c1 = tr.arch.conv %x ["c1"] <out = 12, kernel = [1, 1]> : tensor<?x9x7x6xf32> -> tensor<?x9x7x12xf32>
  %b1 = tr.arch.bn2d %c1 ["b1"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
  %a1 = tr.arch.act %b1 ["a1"] <silu> : tensor<?x9x7x12xf32> -> tensor<?x9x7x12xf32>
  %c2 = tr.arch.conv %a1 ["c2"] <out = 12, kernel = [3, 3], stride = [2, 2], pad = [1, 1], groups = 12> : tensor<?x9x7x12xf32> -> tensor<?x5x4x12xf32>
  %b2 = tr.arch.bn2d %c2 ["b2"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x12xf32> -> tensor<?x5x4x12xf32>
  %a2 = tr.arch.act %b2 ["a2"] <silu> : tensor<?x5x4x12xf32> -> tensor<?x5x4x12xf32>
  %c3 = tr.arch.conv %a2 ["c3"] <out = 8, kernel = [1, 1]> : tensor<?x5x4x12xf32> -> tensor<?x5x4x8xf32>
  %b3 = tr.arch.bn2d %c3 ["b3"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x8xf32> -> tensor<?x5x4x8xf32>
  tr.arch.yield %b3 : tensor<?x5x4x8xf32>
}
