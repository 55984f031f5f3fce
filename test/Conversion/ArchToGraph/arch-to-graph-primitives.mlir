// RUN: tr-opt %s --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s

// Primitive layers: an identity before an add2 that reads the images; nested sums, whose gradients
// are passed on without a copy and summed where a value has several readers; a pooling index of 32
// bits; dropout, which is nothing in inference, also right before the loss; an FC behind a flatten.

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

// CHECK-LABEL: program plain
// CHECK: first_layer_fwd_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: copy data_a input.output {}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: conv_fwd input.output 0.1.0.conv.weight - 0.1.0.conv.output {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 1, pad_h = 1, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_stats 0.1.0.conv.output 0.1.1.bn.running_mean 0.1.1.bn.running_var 0.1.1.bn.mean 0.1.1.bn.inv_std 0.1.1.bn.next_mean 0.1.1.bn.next_var {eps = 1.000000e-03, momentum = 2.000000e-01}
// CHECK-NEXT: bn_apply 0.1.0.conv.output 0.1.1.bn.mean 0.1.1.bn.inv_std 0.1.1.bn.weight 0.1.1.bn.bias 0.1.1.bn.output {act = 0}
// CHECK-NEXT: conv_fwd input.output 0.0.0.conv.weight 0.0.0.conv.bias 0.0.0.conv.output {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: add_fwd 0.1.1.bn.output 0.0.0.conv.output 0.output {act = 0}
// CHECK-NEXT: act_fwd 0.output 1.1.0.output {act = 4}
// CHECK-NEXT: add_fwd 1.1.0.output 1.1.0.output 1.1.1.output {act = 0}
// CHECK-NEXT: add_fwd 1.1.1.output 0.output 1.output {act = 0}
// CHECK-NEXT: maxpool_fwd 1.output 2.output 2.index {ceil = 0, kernel_h = 17, kernel_w = 16, pad_h = 8, pad_w = 8, stride_h = 1, stride_w = 1}
// CHECK-NEXT: avgpool_fwd 2.output 3.output {ceil = 0, kernel_h = 2, kernel_w = 2, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 3}
// CHECK-NEXT: channel_pad_fwd 3.output 4.output {}
// CHECK-NEXT: dropout_fwd 4.output seed step 5.output 5.mask {p = 2.500000e-01, stream = 0}
// CHECK-NEXT: copy 5.output 6.output {}
// CHECK-NEXT: bn_stats 6.output 7.bn.running_mean 7.bn.running_var 7.bn.mean 7.bn.inv_std 7.bn.next_mean 7.bn.next_var {eps = 1.000000e-05, momentum = 1.000000e-01}
// CHECK-NEXT: bn_apply 6.output 7.bn.mean 7.bn.inv_std 7.bn.weight 7.bn.bias 7.bn.output {act = 0}
// CHECK-NEXT: fc_fwd 7.bn.output 8.fc.weight - 8.fc.output {}
// CHECK-NEXT: dropout_fwd 8.fc.output seed step logits 9.mask {p = 5.000000e-01, stream = 1}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK-NEXT: softmax_ce_bwd probs label valid label_smoothing 9.output.grad {}
// CHECK-NEXT: dropout_bwd 9.output.grad 9.mask 8.fc.output.grad {p = 5.000000e-01}
// CHECK-NEXT: bn_apply 6.output 7.bn.mean 7.bn.inv_std 7.bn.weight 7.bn.bias 7.bn.output.rebuilt {act = 0}
// CHECK-NEXT: fc_bwd_weight 7.bn.output.rebuilt 8.fc.output.grad 8.fc.weight.grad - {}
// CHECK-NEXT: fc_bwd_data 8.fc.output.grad 8.fc.weight 7.bn.output.grad {}
// CHECK-NEXT: bn_bwd_reduce 7.bn.output.grad 6.output 7.bn.mean 7.bn.inv_std 7.bn.weight 7.bn.bias 7.bn.weight.grad 7.bn.bias.grad {act = 0}
// CHECK-NEXT: bn_bwd_apply 7.bn.output.grad 6.output 7.bn.mean 7.bn.inv_std 7.bn.weight 7.bn.bias 7.bn.weight.grad 7.bn.bias.grad 6.output.grad {act = 0}
// CHECK-NEXT: copy 6.output.grad 5.output.grad {}
// CHECK-NEXT: dropout_bwd 5.output.grad 5.mask 4.output.grad {p = 2.500000e-01}
// CHECK-NEXT: channel_pad_bwd 4.output.grad 3.output.grad {}
// CHECK-NEXT: avgpool_bwd 3.output.grad 2.output.grad {ceil = 0, kernel_h = 2, kernel_w = 2, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 3}
// CHECK-NEXT: maxpool_bwd 2.output.grad 2.index 1.output.grad {ceil = 0, kernel_h = 17, kernel_w = 16, pad_h = 8, pad_w = 8, stride_h = 1, stride_w = 1}
// CHECK-NEXT: add_fwd 1.output.grad 1.output.grad 1.1.0.output.grad {act = 0}
// CHECK-NEXT: act_bwd 1.1.0.output.grad 0.output 0.output.grad {act = 4}
// CHECK-NEXT: add_fwd 0.output.grad 1.output.grad 0.output.grad {act = 0}
// CHECK-NEXT: conv_bwd_weight input.output 0.output.grad 0.0.0.conv.weight.grad 0.0.0.conv.bias.grad {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_bwd_reduce 0.output.grad 0.1.0.conv.output 0.1.1.bn.mean 0.1.1.bn.inv_std 0.1.1.bn.weight 0.1.1.bn.bias 0.1.1.bn.weight.grad 0.1.1.bn.bias.grad {act = 0}
// CHECK-NEXT: bn_bwd_apply 0.output.grad 0.1.0.conv.output 0.1.1.bn.mean 0.1.1.bn.inv_std 0.1.1.bn.weight 0.1.1.bn.bias 0.1.1.bn.weight.grad 0.1.1.bn.bias.grad 0.1.0.conv.output.grad {act = 0}
// CHECK-NEXT: conv_bwd_weight input.output 0.1.0.conv.output.grad 0.1.0.conv.weight.grad - {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 1, pad_h = 1, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK: first_layer_bwd_a: reason "the first layer has no parameters"
// CHECK: optimizer:
// CHECK-NEXT: range_sgd w_fc_weight+w_first_conv+w_deep_conv g_fc_weight+g_first_conv+g_deep_conv m_fc_weight+m_first_conv+m_deep_conv lr momentum weight_decay nonfinite
// CHECK-NEXT: range_sgd w_bn_bias+w_bn_weight+w_fc_bias g_bn_bias+g_bn_weight+g_fc_bias m_bn_bias+m_bn_weight+m_fc_bias lr momentum bias_weight_decay nonfinite
// CHECK-NEXT: counter_add step {amount = 1}
// CHECK: inf_main_b:
// CHECK-NEXT: copy label_b label {}
// CHECK-NEXT: copy valid_b valid {}
// CHECK-NEXT: copy data_b input.output.inference {}
// CHECK-NEXT: conv_fwd input.output.inference 0.1.0.conv.weight - 0.1.0.conv.output.inference {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 3, kernel_w = 1, pad_h = 1, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: bn_inf 0.1.0.conv.output.inference 0.1.1.bn.eq_scale 0.1.1.bn.eq_bias 0.1.1.bn.output.inference {act = 0}
// CHECK-NEXT: conv_fwd input.output.inference 0.0.0.conv.weight 0.0.0.conv.bias 0.0.0.conv.output.inference {dilation_h = 1, dilation_w = 1, groups = 1, kernel_h = 1, kernel_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1}
// CHECK-NEXT: add_fwd 0.1.1.bn.output.inference 0.0.0.conv.output.inference 0.output.inference {act = 0}
// CHECK-NEXT: act_fwd 0.output.inference 1.1.0.output.inference {act = 4}
// CHECK-NEXT: add_fwd 1.1.0.output.inference 1.1.0.output.inference 1.1.1.output.inference {act = 0}
// CHECK-NEXT: add_fwd 1.1.1.output.inference 0.output.inference 1.output.inference {act = 0}
// CHECK-NEXT: maxpool_fwd 1.output.inference 2.output.inference - {ceil = 0, kernel_h = 17, kernel_w = 16, pad_h = 8, pad_w = 8, stride_h = 1, stride_w = 1}
// CHECK-NEXT: avgpool_fwd 2.output.inference 3.output.inference {ceil = 0, kernel_h = 2, kernel_w = 2, pad_h = 0, pad_w = 0, stride_h = 2, stride_w = 3}
// CHECK-NEXT: channel_pad_fwd 3.output.inference 4.output.inference {}
// CHECK-NEXT: copy 4.output.inference 6.output.inference {}
// CHECK-NEXT: bn_inf 6.output.inference 7.bn.eq_scale 7.bn.eq_bias 7.bn.output.inference {act = 0}
// CHECK-NEXT: fc_fwd 7.bn.output.inference 8.fc.weight - 8.fc.output.inference {}
// CHECK-NEXT: copy 8.fc.output.inference logits {}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK: update_bn_inf_params:
// CHECK-NEXT: bn_fold 0.1.1.bn.weight 0.1.1.bn.bias 0.1.1.bn.running_mean 0.1.1.bn.running_var 0.1.1.bn.eq_scale 0.1.1.bn.eq_bias {eps = 1.000000e-03}
// CHECK-NEXT: bn_fold 7.bn.weight 7.bn.bias 7.bn.running_mean 7.bn.running_var 7.bn.eq_scale 7.bn.eq_bias {eps = 1.000000e-05}
