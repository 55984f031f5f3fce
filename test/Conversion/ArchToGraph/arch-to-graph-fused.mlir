// RUN: tr-opt %s --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s

// All 33 subgraphs of a net of fused layers: the first layer in A and B form, no gradient of the
// images, blocks with a few fused kernel ops, inference on folded statistics, and a reason for each
// subgraph without kernel ops.

tr.arch.network @fused classes 3 {
^bb0(%x: tensor<?x11x7x3xf32>):
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1], bias = true> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [3, 2], stride = [2, 1], pad = [1, 0]> first : tensor<?x11x7x3xf32> -> tensor<?x6x6x4xf32>
  %1 = tr.arch.block %0 ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.proj.conv", "1.proj.bn"] <basic_block, out = 6, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x6x6x4xf32> -> tensor<?x3x3x6xf32>
  %2 = tr.arch.block %1 ["2.expand.conv", "2.expand.bn", "2.dw.conv", "2.dw.bn", "2.project.conv", "2.project.bn"] <inv_residual, inner = 12, out = 6, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x6xf32> -> tensor<?x3x3x6xf32>
  %3 = tr.arch.gap_fc %2 ["3.fc"] out 3 bias true : tensor<?x3x3x6xf32> -> tensor<?x1x1x3xf32>
  %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %4 : tensor<?x1x1x3xf32>
}

// CHECK-LABEL: program fused
// CHECK: transfer_a:
// CHECK-NEXT: range_h2d i_a_label+i_a_data
// CHECK: transfer_b:
// CHECK-NEXT: range_h2d i_b_label+i_b_data
// CHECK: first_layer_fwd_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: conv_stats_fwd data_a 0.conv.weight 0.conv.bias 0.bn.running_mean 0.bn.running_var 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.next_mean 0.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 3, kernel_w = 3, momentum = 1.000000e-01, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_apply_pool 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.output 0.bn.index {act = 1, ceil = 0, kernel_h = 3, kernel_w = 2, pad_h = 1, pad_w = 0, stride_h = 2, stride_w = 1}
// CHECK: first_layer_fwd_b:
// CHECK-NEXT: copy label_b label {}
// CHECK-NEXT: copy valid_b valid {}
// CHECK-NEXT: conv_stats_fwd data_b 0.conv.weight 0.conv.bias 0.bn.running_mean 0.bn.running_var 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.next_mean 0.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 3, kernel_w = 3, momentum = 1.000000e-01, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_apply_pool 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.output 0.bn.index {act = 1, ceil = 0, kernel_h = 3, kernel_w = 2, pad_h = 1, pad_w = 0, stride_h = 2, stride_w = 1}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: conv_stats_fwd 0.bn.output 1.conv1.weight - 1.bn1.running_mean 1.bn1.running_var 1.conv1.output 1.bn1.mean 1.bn1.inv_std 1.bn1.next_mean 1.bn1.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 3, kernel_w = 3, momentum = 1.000000e-01, pad_h = 1, pad_w = 1, stride_h = 2, stride_w = 2}
// CHECK-NEXT: bn_apply 1.conv1.output 1.bn1.mean 1.bn1.inv_std 1.bn1.weight 1.bn1.bias 1.bn1.output {act = 1}
// CHECK-NEXT: conv_stats_fwd 1.bn1.output 1.conv2.weight - 1.bn2.running_mean 1.bn2.running_var 1.conv2.output 1.bn2.mean 1.bn2.inv_std 1.bn2.next_mean 1.bn2.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 3, kernel_w = 3, momentum = 1.000000e-01, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_stats_fwd 0.bn.output 1.proj.conv.weight - 1.proj.bn.running_mean 1.proj.bn.running_var 1.proj.conv.output 1.proj.bn.mean 1.proj.bn.inv_std 1.proj.bn.next_mean 1.proj.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 1, kernel_w = 1, momentum = 1.000000e-01, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 2}
// CHECK-NEXT: bn_apply_add_bn 1.conv2.output 1.bn2.mean 1.bn2.inv_std 1.bn2.weight 1.bn2.bias 1.proj.conv.output 1.proj.bn.mean 1.proj.bn.inv_std 1.proj.bn.weight 1.proj.bn.bias 1.bn2.output {act = 1}
// CHECK-NEXT: conv_stats_fwd 1.bn2.output 2.expand.conv.weight - 2.expand.bn.running_mean 2.expand.bn.running_var 2.expand.conv.output 2.expand.bn.mean 2.expand.bn.inv_std 2.expand.bn.next_mean 2.expand.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 1, kernel_w = 1, momentum = 1.000000e-01, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_apply 2.expand.conv.output 2.expand.bn.mean 2.expand.bn.inv_std 2.expand.bn.weight 2.expand.bn.bias 2.expand.bn.output {act = 2}
// CHECK-NEXT: conv_stats_fwd 2.expand.bn.output 2.dw.conv.weight - 2.dw.bn.running_mean 2.dw.bn.running_var 2.dw.conv.output 2.dw.bn.mean 2.dw.bn.inv_std 2.dw.bn.next_mean 2.dw.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 12, kernel_h = 3, kernel_w = 3, momentum = 1.000000e-01, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_apply 2.dw.conv.output 2.dw.bn.mean 2.dw.bn.inv_std 2.dw.bn.weight 2.dw.bn.bias 2.dw.bn.output {act = 2}
// CHECK-NEXT: conv_stats_fwd 2.dw.bn.output 2.project.conv.weight - 2.project.bn.running_mean 2.project.bn.running_var 2.project.conv.output 2.project.bn.mean 2.project.bn.inv_std 2.project.bn.next_mean 2.project.bn.next_var {dilation_h = 1, dilation_w = 1, eps = 1.000000e-05, groups = 1, kernel_h = 1, kernel_w = 1, momentum = 1.000000e-01, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_apply_add 2.project.conv.output 2.project.bn.mean 2.project.bn.inv_std 2.project.bn.weight 2.project.bn.bias 1.bn2.output 2.project.bn.output {act = 0}
// CHECK-NEXT: gap_fwd 2.project.bn.output 3.fc.gap {}
// CHECK-NEXT: fc_fwd 3.fc.gap 3.fc.weight 3.fc.bias logits {}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK-NEXT: softmax_ce_bwd probs label valid label_smoothing 3.fc.output.grad {}
// CHECK-NEXT: fc_bwd_weight 3.fc.gap 3.fc.output.grad 3.fc.weight.grad 3.fc.bias.grad {}
// CHECK-NEXT: fc_bwd_data 3.fc.output.grad 3.fc.weight 3.fc.gap.grad {}
// CHECK-NEXT: gap_bwd 3.fc.gap.grad 2.project.bn.output.grad {}
// CHECK-NEXT: bn_bwd_reduce 2.project.bn.output.grad 2.project.conv.output 2.project.bn.mean 2.project.bn.inv_std 2.project.bn.weight 2.project.bn.bias 2.project.bn.weight.grad 2.project.bn.bias.grad {act = 0}
// CHECK-NEXT: bn_bwd_apply 2.project.bn.output.grad 2.project.conv.output 2.project.bn.mean 2.project.bn.inv_std 2.project.bn.weight 2.project.bn.bias 2.project.bn.weight.grad 2.project.bn.bias.grad 2.project.conv.output.grad {act = 0}
// CHECK-NEXT: bn_apply 2.dw.conv.output 2.dw.bn.mean 2.dw.bn.inv_std 2.dw.bn.weight 2.dw.bn.bias 2.dw.bn.output.rebuilt {act = 2}
// CHECK-NEXT: conv_bwd_weight 2.dw.bn.output.rebuilt 2.project.conv.output.grad 2.project.conv.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_bwd_data 2.project.conv.output.grad 2.project.conv.weight 2.dw.bn.output.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 2.dw.bn.output.grad 2.dw.conv.output 2.dw.bn.mean 2.dw.bn.inv_std 2.dw.bn.weight 2.dw.bn.bias 2.dw.bn.weight.grad 2.dw.bn.bias.grad {act = 2}
// CHECK-NEXT: bn_bwd_apply 2.dw.bn.output.grad 2.dw.conv.output 2.dw.bn.mean 2.dw.bn.inv_std 2.dw.bn.weight 2.dw.bn.bias 2.dw.bn.weight.grad 2.dw.bn.bias.grad 2.dw.conv.output.grad {act = 2}
// CHECK-NEXT: bn_apply 2.expand.conv.output 2.expand.bn.mean 2.expand.bn.inv_std 2.expand.bn.weight 2.expand.bn.bias 2.expand.bn.output.rebuilt {act = 2}
// CHECK-NEXT: conv_bwd_weight 2.expand.bn.output.rebuilt 2.dw.conv.output.grad 2.dw.conv.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 12, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_bwd_data 2.dw.conv.output.grad 2.dw.conv.weight 2.expand.bn.output.grad {dilation_h = 1, dilation_w = 1, groups = 12, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 2.expand.bn.output.grad 2.expand.conv.output 2.expand.bn.mean 2.expand.bn.inv_std 2.expand.bn.weight 2.expand.bn.bias 2.expand.bn.weight.grad 2.expand.bn.bias.grad {act = 2}
// CHECK-NEXT: bn_bwd_apply 2.expand.bn.output.grad 2.expand.conv.output 2.expand.bn.mean 2.expand.bn.inv_std 2.expand.bn.weight 2.expand.bn.bias 2.expand.bn.weight.grad 2.expand.bn.bias.grad 2.expand.conv.output.grad {act = 2}
// CHECK-NEXT: bn_apply_add_bn 1.conv2.output 1.bn2.mean 1.bn2.inv_std 1.bn2.weight 1.bn2.bias 1.proj.conv.output 1.proj.bn.mean 1.proj.bn.inv_std 1.proj.bn.weight 1.proj.bn.bias 1.bn2.output.rebuilt {act = 1}
// CHECK-NEXT: conv_bwd_weight 1.bn2.output.rebuilt 2.expand.conv.output.grad 2.expand.conv.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_bwd_data 2.expand.conv.output.grad 2.expand.conv.weight 1.bn2.output.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: join_bwd_reduce 1.bn2.output.grad 2.project.bn.output.grad 1.bn2.output.rebuilt 1.conv2.output 1.bn2.mean 1.bn2.inv_std 1.proj.conv.output 1.proj.bn.mean 1.proj.bn.inv_std 1.bn2.sum.grad 1.bn2.weight.grad 1.bn2.bias.grad 1.proj.bn.weight.grad 1.proj.bn.bias.grad {act = 1}
// CHECK-NEXT: join_bwd_apply 1.bn2.sum.grad 1.conv2.output 1.bn2.mean 1.bn2.inv_std 1.bn2.weight 1.bn2.weight.grad 1.bn2.bias.grad 1.proj.conv.output 1.proj.bn.mean 1.proj.bn.inv_std 1.proj.bn.weight 1.proj.bn.weight.grad 1.proj.bn.bias.grad 1.conv2.output.grad 1.proj.conv.output.grad {}
// CHECK-NEXT: bn_apply 1.conv1.output 1.bn1.mean 1.bn1.inv_std 1.bn1.weight 1.bn1.bias 1.bn1.output.rebuilt {act = 1}
// CHECK-NEXT: conv_bwd_weight 1.bn1.output.rebuilt 1.conv2.output.grad 1.conv2.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_bwd_data 1.conv2.output.grad 1.conv2.weight 1.bn1.output.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 1.bn1.output.grad 1.conv1.output 1.bn1.mean 1.bn1.inv_std 1.bn1.weight 1.bn1.bias 1.bn1.weight.grad 1.bn1.bias.grad {act = 1}
// CHECK-NEXT: bn_bwd_apply 1.bn1.output.grad 1.conv1.output 1.bn1.mean 1.bn1.inv_std 1.bn1.weight 1.bn1.bias 1.bn1.weight.grad 1.bn1.bias.grad 1.conv1.output.grad {act = 1}
// CHECK-NEXT: conv_bwd_weight 0.bn.output 1.conv1.output.grad 1.conv1.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 2, stride_w = 2}
// CHECK-NEXT: conv_bwd_data 1.conv1.output.grad 1.conv1.weight 0.bn.output.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 2, stride_w = 2}
// CHECK-NEXT: conv_bwd_weight 0.bn.output 1.proj.conv.output.grad 1.proj.conv.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 2}
// CHECK-NEXT: conv_bwd_data 1.proj.conv.output.grad 1.proj.conv.weight 1.proj.conv.input.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 2}
// CHECK-NEXT: add_fwd 0.bn.output.grad 1.proj.conv.input.grad 0.bn.output.grad {act = 0}
// CHECK: zero_grad:
// CHECK-NEXT: range_clear r_result
// CHECK: first_layer_bwd_a:
// CHECK-NEXT: maxpool_bwd 0.bn.output.grad 0.bn.index 0.bn.pool.grad {ceil = 0, kernel_h = 3, kernel_w = 2, pad_h = 1, pad_w = 0, stride_h = 2, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 0.bn.pool.grad 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.weight.grad 0.bn.bias.grad {act = 1}
// CHECK-NEXT: bn_bwd_apply 0.bn.pool.grad 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.weight.grad 0.bn.bias.grad 0.conv.output.grad {act = 1}
// CHECK-NEXT: conv_bwd_weight data_a 0.conv.output.grad 0.conv.weight.grad 0.conv.bias.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK: first_layer_bwd_b:
// CHECK-NEXT: maxpool_bwd 0.bn.output.grad 0.bn.index 0.bn.pool.grad {ceil = 0, kernel_h = 3, kernel_w = 2, pad_h = 1, pad_w = 0, stride_h = 2, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 0.bn.pool.grad 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.weight.grad 0.bn.bias.grad {act = 1}
// CHECK-NEXT: bn_bwd_apply 0.bn.pool.grad 0.conv.output 0.bn.mean 0.bn.inv_std 0.bn.weight 0.bn.bias 0.bn.weight.grad 0.bn.bias.grad 0.conv.output.grad {act = 1}
// CHECK-NEXT: conv_bwd_weight data_b 0.conv.output.grad 0.conv.weight.grad 0.conv.bias.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK: first_comm: reason "no communicator: one rank"
// CHECK: deep_comm: reason "no communicator: one rank"
// CHECK: cast_deep_grad_fp16_to_fp32: reason "precision is fp32"
// CHECK: cast_first_grad_fp16_to_fp32: reason "precision is fp32"
// CHECK: nan_check_and_grad_scaling:
// CHECK-NEXT: range_check_finite g_bn_bias+g_bn_weight+g_fc_bias+g_fc_weight+g_first_conv+g_deep_conv nonfinite
// CHECK: stats_comm: reason "no communicator: one rank"
// CHECK: update_stats:
// CHECK-NEXT: range_commit b_next_mean+b_next_var b_prev_mean+b_prev_var nonfinite
// CHECK: optimizer:
// CHECK-NEXT: range_sgd w_fc_weight+w_first_conv+w_deep_conv g_fc_weight+g_first_conv+g_deep_conv m_fc_weight+m_first_conv+m_deep_conv lr momentum weight_decay nonfinite
// CHECK-NEXT: range_sgd w_bn_bias+w_bn_weight+w_fc_bias g_bn_bias+g_bn_weight+g_fc_bias m_bn_bias+m_bn_weight+m_fc_bias lr momentum bias_weight_decay nonfinite
// CHECK: ema_update: reason "no EMA"
// CHECK: inf_main_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: conv_fwd data_a 0.conv.weight 0.conv.bias 0.conv.output.inference {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_inf_pool 0.conv.output.inference 0.bn.eq_scale 0.bn.eq_bias 0.bn.output.inference {act = 1, ceil = 0, kernel_h = 3, kernel_w = 2, pad_h = 1, pad_w = 0, stride_h = 2, stride_w = 1}
// CHECK-NEXT: conv_inf 0.bn.output.inference 1.conv1.weight - 1.bn1.eq_scale 1.bn1.eq_bias - folds 1.bn1.output.inference {act = 1, dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 2, stride_w = 2}
// CHECK-NEXT: conv_inf 0.bn.output.inference 1.proj.conv.weight - 1.proj.bn.eq_scale 1.proj.bn.eq_bias - folds 1.proj.conv.output.inference {act = 0, dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 2}
// CHECK-NEXT: conv_inf 1.bn1.output.inference 1.conv2.weight - 1.bn2.eq_scale 1.bn2.eq_bias 1.proj.conv.output.inference folds 1.bn2.output.inference {act = 1, dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_inf 1.bn2.output.inference 2.expand.conv.weight - 2.expand.bn.eq_scale 2.expand.bn.eq_bias - folds 2.expand.bn.output.inference {act = 2, dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_inf 2.expand.bn.output.inference 2.dw.conv.weight - 2.dw.bn.eq_scale 2.dw.bn.eq_bias - folds 2.dw.bn.output.inference {act = 2, dilation_h = 1, dilation_w = 1, groups = 12, kernel_h = 3, kernel_w = 3, pad_h = 1, pad_w = 1, stride_h = 1, stride_w = 1}
// CHECK-NEXT: conv_inf 2.dw.bn.output.inference 2.project.conv.weight - 2.project.bn.eq_scale 2.project.bn.eq_bias 1.bn2.output.inference folds 2.project.bn.output.inference {act = 0, dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: gap_fwd 2.project.bn.output.inference 3.fc.gap.inference {}
// CHECK-NEXT: fc_fwd 3.fc.gap.inference 3.fc.weight 3.fc.bias logits {}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK: inf_ema_a: reason "no EMA"
// CHECK: inf_ema_b: reason "no EMA"
// CHECK: cast_main_fp32_to_fp16: reason "precision is fp32"
// CHECK: cast_ema_fp32_to_fp16: reason "no EMA"
// CHECK: accum_metrics:
// CHECK-NEXT: accum_metrics loss top1 top5 valid accum_loss accum_top1 accum_top5 {}
// CHECK: accum_metrics_train_last: reason "accum_metrics reads the number of valid samples on the device"
// CHECK: accum_metrics_val_last:
// CHECK-NEXT: accum_metrics loss top1 top5 valid accum_loss accum_top1 accum_top5 {}
// CHECK: val_result_comm: reason "no communicator: one rank"
// CHECK: clear_metrics:
// CHECK-NEXT: range_clear r_result_accumulated
// CHECK: user_graph: reason "no user graph"
// CHECK: lars_fc_opt: reason "the optimizer is not LARS"
// CHECK: lars_first_conv_opt: reason "the optimizer is not LARS"
// CHECK: lars_deep_conv_opt: reason "the optimizer is not LARS"
// CHECK: update_bn_inf_params:
// CHECK-NEXT: bn_fold 0.bn.weight 0.bn.bias 0.bn.running_mean 0.bn.running_var 0.bn.eq_scale 0.bn.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 1.bn1.weight 1.bn1.bias 1.bn1.running_mean 1.bn1.running_var 1.bn1.eq_scale 1.bn1.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 1.bn2.weight 1.bn2.bias 1.bn2.running_mean 1.bn2.running_var 1.bn2.eq_scale 1.bn2.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 1.proj.bn.weight 1.proj.bn.bias 1.proj.bn.running_mean 1.proj.bn.running_var 1.proj.bn.eq_scale 1.proj.bn.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 2.expand.bn.weight 2.expand.bn.bias 2.expand.bn.running_mean 2.expand.bn.running_var 2.expand.bn.eq_scale 2.expand.bn.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 2.dw.bn.weight 2.dw.bn.bias 2.dw.bn.running_mean 2.dw.bn.running_var 2.dw.bn.eq_scale 2.dw.bn.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: bn_fold 2.project.bn.weight 2.project.bn.bias 2.project.bn.running_mean 2.project.bn.running_var 2.project.bn.eq_scale 2.project.bn.eq_bias {eps = 1.000000e-05}
// CHECK-NEXT: counter_add folds {amount = 1}
