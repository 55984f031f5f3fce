// RUN: tr-opt %s --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s
// RUN: tr-translate --blueprint-to-mlir %S/Inputs/early-reader.bp | tr-opt --tr-arch-pipeline --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s --check-prefix=EARLY

// Where something reads the sum sooner, it is made by an op of its own.
// EARLY-NOT: join_bwd
// EARLY: add_fwd 1.output.grad 1.output.grad.1 1.output.grad {act = 0}
// EARLY-NEXT: bn_bwd_reduce 1.output.grad 1.0.0.conv.output
// EARLY: bn_bwd_reduce 1.output.grad 1.1.4.conv.output
// EARLY-NOT: join_bwd

// Behind a residual sum, backward reads the gradient once: the sum of the gradients, the activation
// and the reduction are one kernel op. A projection's two normalisations are in arch-to-graph-fused.mlir,
// layers that are not fused keep ops of their own (arch-to-graph-primitives.mlir).

tr.arch.network @joins classes 3 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1], bias = false> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
  %1 = tr.arch.block %0 ["1.expand.conv", "1.expand.bn", "1.dw.conv", "1.dw.bn", "1.project.conv", "1.project.bn"] <inv_residual, inner = 8, out = 4, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %2 = tr.arch.block %1 ["2.expand.conv", "2.expand.bn", "2.dw.conv", "2.dw.bn", "2.project.conv", "2.project.bn"] <inv_residual, inner = 8, out = 4, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %3 = tr.arch.block %2 ["3.conv1", "3.bn1", "3.conv2", "3.bn2"] <basic_block, out = 4, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %4 = tr.arch.block %3 ["4.conv1", "4.bn1", "4.conv2", "4.bn2"] <basic_block, out = 4, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %5 = tr.arch.gap_fc %4 ["5.fc"] out 3 bias true : tensor<?x8x8x4xf32> -> tensor<?x1x1x3xf32>
  %6 = tr.arch.softmax_ce %5 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %6 : tensor<?x1x1x3xf32>
}

// CHECK-LABEL: deep_fwd_bwd:
// CHECK: join_bwd_reduce 4.bn2.output.grad - 4.bn2.output 4.conv2.output 4.bn2.mean 4.bn2.inv_std - - - 4.bn2.sum.grad 4.bn2.weight.grad 4.bn2.bias.grad - - {act = 1}
// CHECK: join_bwd_reduce 3.bn2.output.grad 4.bn2.sum.grad 3.bn2.output.rebuilt 3.conv2.output 3.bn2.mean 3.bn2.inv_std - - - 3.bn2.sum.grad 3.bn2.weight.grad 3.bn2.bias.grad - - {act = 1}
// Without an activation the sum itself is the gradient.
// CHECK: join_bwd_reduce 2.project.bn.output.grad 3.bn2.sum.grad - 2.project.conv.output 2.project.bn.mean 2.project.bn.inv_std - - - 2.project.bn.output.grad 2.project.bn.weight.grad 2.project.bn.bias.grad - - {act = 0}
// CHECK: join_bwd_reduce 1.project.bn.output.grad 2.project.bn.output.grad - 1.project.conv.output
// No normalisation of a sum follows: the layer before has an activation.
// CHECK: add_fwd 0.bn.output.grad 1.project.bn.output.grad 0.bn.output.grad {act = 0}
// CHECK-LABEL: zero_grad:
