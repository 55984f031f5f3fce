// RUN: tr-opt %s --tr-arch-to-graph | %python %S/Inputs/named_ops.py | FileCheck %s

// AdamW with weights and no biases; networks without parameters: no backward and no update but the
// dropout step; a network that is only its loss.

module attributes {tr.options = #tr.options<optimizer = adamw>} {
  tr.arch.network @adamw classes 3 {
  ^bb0(%x: tensor<?x1x1x7xf32>):
    %0 = tr.arch.fc %x ["0.fc"] out 3 bias false first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
    %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %1 : tensor<?x1x1x3xf32>
  }
  tr.arch.network @no_parameters classes 3 {
  ^bb0(%x: tensor<?x1x1x3xf32>):
    %0 = tr.arch.dropout %x ["0"] 0.5 first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    %1 = tr.arch.act %0 ["1"] <tanh> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    %2 = tr.arch.softmax_ce %1 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %2 : tensor<?x1x1x3xf32>
  }
  tr.arch.network @only_loss classes 3 {
  ^bb0(%x: tensor<?x1x1x3xf32>):
    %0 = tr.arch.softmax_ce %x ["loss"] classes 3 first : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %0 : tensor<?x1x1x3xf32>
  }
}

// CHECK-LABEL: program adamw
// CHECK: first_layer_fwd_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: fc_fwd data_a 0.fc.weight - logits {}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK-NEXT: softmax_ce_bwd probs label valid label_smoothing 0.fc.output.grad {}
// CHECK: first_layer_bwd_a:
// CHECK-NEXT: fc_bwd_weight data_a 0.fc.output.grad 0.fc.weight.grad - {}
// CHECK: nan_check_and_grad_scaling:
// CHECK-NEXT: range_check_finite g_bn_bias+g_bn_weight+g_fc_bias+g_fc_weight+g_first_conv+g_deep_conv nonfinite
// CHECK: update_stats: reason "no batch normalisation"
// CHECK: optimizer:
// CHECK-NEXT: adam_step adam_step beta1 beta2 nonfinite bias_correction1 bias_correction2 {}
// CHECK-NEXT: range_adamw w_fc_weight+w_first_conv+w_deep_conv g_fc_weight+g_first_conv+g_deep_conv m_fc_weight+m_first_conv+m_deep_conv v_fc_weight+v_first_conv+v_deep_conv lr beta1 beta2 adam_eps weight_decay bias_correction1 bias_correction2 nonfinite
// CHECK: inf_main_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: fc_fwd data_a 0.fc.weight - logits {}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK-LABEL: program no_parameters
// CHECK: first_layer_fwd_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: dropout_fwd data_a seed step 0.output 0.mask {p = 5.000000e-01, stream = 0}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: act_fwd 0.output logits {act = 3}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK: first_layer_bwd_a: reason "the first layer has no parameters"
// CHECK: nan_check_and_grad_scaling: reason "no parameters"
// CHECK: update_stats: reason "no batch normalisation"
// CHECK: optimizer:
// CHECK-NEXT: counter_add step {amount = 1}
// CHECK: inf_main_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: act_fwd data_a logits {act = 3}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK-LABEL: program only_loss
// CHECK: first_layer_fwd_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: copy data_a logits {}
// CHECK: deep_fwd_bwd:
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
// CHECK: first_layer_bwd_a: reason "the first layer has no parameters"
// CHECK: nan_check_and_grad_scaling: reason "no parameters"
// CHECK: update_stats: reason "no batch normalisation"
// CHECK: optimizer: reason "no parameters"
// CHECK: inf_main_a:
// CHECK-NEXT: copy label_a label {}
// CHECK-NEXT: copy valid_a valid {}
// CHECK-NEXT: copy data_a logits {}
// CHECK-NEXT: softmax_ce_fwd logits label valid label_smoothing probs loss top1 top5 predicted {}
