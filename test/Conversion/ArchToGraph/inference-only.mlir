// RUN: tr-opt %s --tr-graph-pipeline -o %t && FileCheck %s < %t
// RUN: %python %S/Inputs/named_ops.py < %t | FileCheck %s --check-prefix=OPS

// When no variant trains there are no gradients, no moments, no proposed statistics, no masks and
// no scalars of the optimizer, and only validation has schedules. Also behind a dropout that has
// become nothing the logits are where their name says.
// CHECK-NOT: .grad"
// CHECK-NOT: .m"
// CHECK-NOT: .next_mean
// CHECK-NOT: .inv_std
// CHECK-NOT: "nonfinite"
// CHECK-NOT: "seed"
// CHECK-NOT: .mask"
// CHECK: param "0.conv.weight" tensor {{[0-9]+}} grad -1
// CHECK-NOT: schedule "train
// CHECK: schedule "val_a"
// CHECK-NOT: schedule "train
// CHECK: atlas "serve"

// OPS: first_layer_fwd_a: reason "no variant trains"
// OPS: deep_fwd_bwd: reason "no variant trains"
// OPS: zero_grad: reason "no variant trains"
// OPS: first_layer_bwd_a: reason "no variant trains"
// OPS: nan_check_and_grad_scaling: reason "no variant trains"
// OPS: update_stats: reason "no variant trains"
// OPS: optimizer: reason "no variant trains"
// OPS: inf_main_a:
// OPS-NEXT: copy label_a label {}
// OPS-NEXT: copy valid_a valid {}
// OPS-NEXT: conv_fwd data_a 0.conv.weight - 0.conv.output
// OPS-NEXT: bn_inf_pool 0.conv.output 0.bn.eq_scale 0.bn.eq_bias 0.bn.output
// OPS-NEXT: maxpool_fwd 0.bn.output 1.output -
// OPS-NEXT: gap_fwd 1.output 2.output
// OPS-NEXT: copy 2.output logits
// OPS-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted
// OPS: accum_metrics: reason "no variant trains"
// OPS: accum_metrics_val_last:
// OPS-NEXT: accum_metrics
// OPS: update_bn_inf_params:
// OPS-NEXT: bn_fold 0.bn.weight 0.bn.bias 0.bn.running_mean 0.bn.running_var 0.bn.eq_scale 0.bn.eq_bias
module attributes {tr.options = #tr.options<optimizer = adamw, variants = [#tr.variant<name = "serve", training = false, batch = 7>]>} {
  tr.arch.network @net classes 4 {
  ^bb0(%x: tensor<?x11x7x3xf32>):
    %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> first : tensor<?x11x7x3xf32> -> tensor<?x6x6x4xf32>
    %1 = tr.arch.maxpool %0 ["1"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x6x6x4xf32> -> tensor<?x3x3x4xf32>
    %2 = tr.arch.gap %1 ["2"] : tensor<?x3x3x4xf32> -> tensor<?x1x1x4xf32>
    %3 = tr.arch.dropout %2 ["3"] 0.5 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
    %4 = tr.arch.softmax_ce %3 ["loss"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
    tr.arch.yield %4 : tensor<?x1x1x4xf32>
  }
}
