// RUN: tr-opt %s --tr-arch-to-graph --split-input-file | FileCheck %s

// Six variants, each shaped from its own batch and resolution. The layer that reads the images may
// be a block; its weights are those of the first layer. The program replaces its network.
module attributes {tr.options = #tr.options<variants = [
  #tr.variant<name = "train_base", training = true, batch = 5>,
  #tr.variant<name = "train_last", training = true, batch = 2>,
  #tr.variant<name = "train_lowres", training = true, batch = 5, resolution = [5, 4]>,
  #tr.variant<name = "train_lowres_last", training = true, batch = 2, resolution = [5, 4]>,
  #tr.variant<name = "val_base", training = false, batch = 3, resolution = [11, 8]>,
  #tr.variant<name = "val_last", training = false, batch = 1, resolution = [11, 8]>]>} {
  tr.arch.network @net classes 3 {
  ^bb0(%x: tensor<?x9x6x2xf32>):
    %0 = tr.arch.conv %x ["0.conv"] <out = 6, kernel = [3, 1], stride = [2, 1], groups = 2, bias = true> first : tensor<?x9x6x2xf32> -> tensor<?x4x6x6xf32>
    %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x4x6x6xf32> -> tensor<?x4x6x6xf32>
    %2 = tr.arch.gap %1 ["2"] : tensor<?x4x6x6xf32> -> tensor<?x1x1x6xf32>
    %3 = tr.arch.fc %2 ["3.fc"] out 3 bias true : tensor<?x1x1x6xf32> -> tensor<?x1x1x3xf32>
    %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %4 : tensor<?x1x1x3xf32>
  }
}
// CHECK-NOT: tr.arch
// CHECK-LABEL: tr.graph.program @net classes 3
// CHECK: variant "train_base" training batch 5 input [9, 6, 2] graph 0 shape_id 0
// CHECK-NEXT: variant "train_last" training batch 2 input [9, 6, 2]
// CHECK-NEXT: variant "train_lowres" training batch 5 input [5, 4, 2]
// CHECK-NEXT: variant "train_lowres_last" training batch 2 input [5, 4, 2]
// CHECK-NEXT: variant "val_base" batch 3 input [11, 8, 2]
// CHECK-NEXT: variant "val_last" batch 1 input [11, 8, 2]
// CHECK-NEXT: layer "0.conv" kind "conv" first
// CHECK-NEXT: layer "1.bn" kind "bn2d"
// CHECK-NEXT: layer "2" kind "gap"
// CHECK-NEXT: layer "3.fc" kind "fc"
// CHECK-NEXT: layer "loss" kind "softmax_ce"
// CHECK-NEXT: tensor 0 "label_a" region "i_a_label" dtype "i32" layer -1 shapes [array<i64: 5, 1, 1, 1>, array<i64: 2, 1, 1, 1>, array<i64: 5, 1, 1, 1>, array<i64: 2, 1, 1, 1>, array<i64: 3, 1, 1, 1>, array<i64: 1, 1, 1, 1>]
// CHECK-NEXT: tensor 1 "valid_a" region "i_a_label"
// CHECK-NEXT: tensor 2 "data_a" region "i_a_data" dtype "f32" layer -1 shapes [array<i64: 5, 9, 6, 2>, array<i64: 2, 9, 6, 2>, array<i64: 5, 5, 4, 2>, array<i64: 2, 5, 4, 2>, array<i64: 3, 11, 8, 2>, array<i64: 1, 11, 8, 2>]
// CHECK-NEXT: tensor 3 "label_b" region "i_b_label"
// CHECK-NEXT: tensor 4 "valid_b" region "i_b_label"
// CHECK-NEXT: tensor 5 "data_b" region "i_b_data"
// CHECK-NEXT: tensor 6 "label" region "t_temp"
// CHECK-NEXT: tensor 7 "valid" region "s_scalar_int32"
// CHECK-NEXT: tensor 8 "logits" region "f_feature" dtype "f32" layer -1 shapes [array<i64: 5, 1, 1, 3>, array<i64: 2, 1, 1, 3>, array<i64: 5, 1, 1, 3>, array<i64: 2, 1, 1, 3>, array<i64: 3, 1, 1, 3>, array<i64: 1, 1, 1, 3>]
// CHECK-NEXT: tensor 9 "probs" region "t_temp"
// CHECK-NEXT: tensor 10 "predicted" region "r_predicted_label"
// CHECK-NEXT: tensor 11 "loss" region "r_result"
// CHECK-NEXT: tensor 12 "top1" region "r_result"
// CHECK-NEXT: tensor 13 "top5" region "r_result"
// CHECK-NEXT: tensor 14 "accum_loss" region "r_result_accumulated"
// CHECK-NEXT: tensor 15 "accum_top1" region "r_result_accumulated"
// CHECK-NEXT: tensor 16 "accum_top5" region "r_result_accumulated"
// CHECK-NEXT: tensor 17 "label_smoothing" region "s_scalar_fp32"
// CHECK-NEXT: tensor 18 "nonfinite" region "s_scalar_int32"
// CHECK-NEXT: tensor 19 "lr" region "s_scalar_fp32"
// CHECK-NEXT: tensor 20 "weight_decay" region "s_scalar_fp32"
// CHECK-NEXT: tensor 21 "bias_weight_decay" region "s_scalar_fp32"
// CHECK-NEXT: tensor 22 "momentum" region "s_scalar_fp32"
// CHECK-NEXT: tensor 23 "0.conv.weight" region "w_first_conv" dtype "f32" layer 0 shapes [array<i64: 6, 3, 1, 1>, array<i64: 6, 3, 1, 1>, array<i64: 6, 3, 1, 1>, array<i64: 6, 3, 1, 1>, array<i64: 6, 3, 1, 1>, array<i64: 6, 3, 1, 1>]
// CHECK-NEXT: tensor 24 "0.conv.weight.grad" region "g_first_conv"
// CHECK-NEXT: tensor 25 "0.conv.bias" region "w_fc_bias"
// CHECK-NEXT: tensor 26 "0.conv.bias.grad" region "g_fc_bias"
// CHECK-NEXT: tensor 27 "0.conv.output" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 5, 4, 6, 6>, array<i64: 2, 4, 6, 6>, array<i64: 5, 2, 4, 6>, array<i64: 2, 2, 4, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 28 "0.conv.output.inference" region "f_feature" dtype "f32" layer 0 shapes [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 3, 5, 8, 6>, array<i64: 1, 5, 8, 6>]
// CHECK-NEXT: tensor 29 "0.conv.weight.m" region "m_first_conv"
// CHECK-NEXT: tensor 30 "0.conv.bias.m" region "m_fc_bias"
// CHECK-NEXT: tensor 31 "0.conv.output.grad" region "f_grad_slot" dtype "f32" layer 0 shapes [array<i64: 5, 4, 6, 6>, array<i64: 2, 4, 6, 6>, array<i64: 5, 2, 4, 6>, array<i64: 2, 2, 4, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 32 "1.bn.weight" region "w_bn_weight"
// CHECK-NEXT: tensor 33 "1.bn.weight.grad" region "g_bn_weight"
// CHECK-NEXT: tensor 34 "1.bn.bias" region "w_bn_bias"
// CHECK-NEXT: tensor 35 "1.bn.bias.grad" region "g_bn_bias"
// CHECK-NEXT: tensor 36 "1.bn.running_mean" region "b_prev_mean"
// CHECK-NEXT: tensor 37 "1.bn.running_var" region "b_prev_var"
// CHECK-NEXT: tensor 38 "1.bn.next_mean" region "b_next_mean"
// CHECK-NEXT: tensor 39 "1.bn.next_var" region "b_next_var"
// CHECK-NEXT: tensor 40 "1.bn.mean" region "t_temp"
// CHECK-NEXT: tensor 41 "1.bn.inv_std" region "t_temp"
// CHECK-NEXT: tensor 42 "1.bn.eq_scale" region "w_eq_scale"
// CHECK-NEXT: tensor 43 "1.bn.eq_bias" region "w_eq_bias"
// CHECK-NEXT: tensor 44 "1.bn.output" region "f_feature" dtype "f32" layer 1 shapes [array<i64: 5, 4, 6, 6>, array<i64: 2, 4, 6, 6>, array<i64: 5, 2, 4, 6>, array<i64: 2, 2, 4, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 45 "1.bn.output.inference" region "f_feature" dtype "f32" layer 1 shapes [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 3, 5, 8, 6>, array<i64: 1, 5, 8, 6>]
// CHECK-NEXT: tensor 46 "1.bn.weight.m" region "m_bn_weight"
// CHECK-NEXT: tensor 47 "1.bn.bias.m" region "m_bn_bias"
// CHECK-NEXT: tensor 48 "1.bn.output.grad" region "f_grad_slot" dtype "f32" layer 1 shapes [array<i64: 5, 4, 6, 6>, array<i64: 2, 4, 6, 6>, array<i64: 5, 2, 4, 6>, array<i64: 2, 2, 4, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 49 "2.output" region "f_feature" dtype "f32" layer 2 shapes [array<i64: 5, 1, 1, 6>, array<i64: 2, 1, 1, 6>, array<i64: 5, 1, 1, 6>, array<i64: 2, 1, 1, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 50 "2.output.inference" region "f_feature" dtype "f32" layer 2 shapes [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 3, 1, 1, 6>, array<i64: 1, 1, 1, 6>]
// CHECK-NEXT: tensor 51 "2.output.grad" region "f_grad_slot" dtype "f32" layer 2 shapes [array<i64: 5, 1, 1, 6>, array<i64: 2, 1, 1, 6>, array<i64: 5, 1, 1, 6>, array<i64: 2, 1, 1, 6>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: tensor 52 "3.fc.weight" region "w_fc_weight"
// CHECK-NEXT: tensor 53 "3.fc.weight.grad" region "g_fc_weight"
// CHECK-NEXT: tensor 54 "3.fc.bias" region "w_fc_bias"
// CHECK-NEXT: tensor 55 "3.fc.bias.grad" region "g_fc_bias"
// CHECK-NEXT: tensor 56 "3.fc.weight.m" region "m_fc_weight"
// CHECK-NEXT: tensor 57 "3.fc.bias.m" region "m_fc_bias"
// CHECK-NEXT: tensor 58 "3.fc.output.grad" region "f_grad_slot" dtype "f32" layer 3 shapes [array<i64: 5, 1, 1, 3>, array<i64: 2, 1, 1, 3>, array<i64: 5, 1, 1, 3>, array<i64: 2, 1, 1, 3>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// Kaiming normal, fan out 6*3*1 = 18, whatever the groups: sqrt(2/18); biases and FC weights uniform, 1/sqrt(fan in).
// CHECK-NEXT: param "0.conv.weight" tensor 23 grad 24 layout "conv" init "normal" scale 0.3333333{{[0-9]*}} logical [6, 3, 1, 1]
// CHECK-NEXT: param "0.conv.bias" tensor 25 grad 26 layout "vector" init "uniform" scale 0.5773502{{[0-9]*}} logical [1, 1, 1, 6]
// CHECK-NEXT: param "1.bn.weight" tensor 32 grad 33 layout "vector" init "ones" scale 0.000000e+00 logical [1, 1, 1, 6]
// CHECK-NEXT: param "1.bn.bias" tensor 34 grad 35 layout "vector" init "zeros"
// CHECK-NEXT: param "1.bn.running_mean" tensor 36 grad -1 layout "vector" init "zeros"
// CHECK-NEXT: param "1.bn.running_var" tensor 37 grad -1 layout "vector" init "ones"
// CHECK-NEXT: param "3.fc.weight" tensor 52 grad 53 layout "fc" init "uniform" scale 0.4082482{{[0-9]*}} logical [3, 1, 1, 6]
// CHECK-NEXT: param "3.fc.bias" tensor 54 grad 55 layout "vector" init "uniform" scale 0.4082482{{[0-9]*}} logical [1, 1, 1, 3]
// CHECK-NEXT: subgraph "transfer_a" graph 0 {

// -----

// Without options: two variants of batch 32. The FC behind a flatten and shape-preserving layers
// orders its columns by the extents before the flatten. Dropout needs seed and step, and its stream
// is its number among the dropouts. Fused layers are counted.
// CHECK-LABEL: tr.graph.program @head
// CHECK: variant "train_base" training batch 32 input [4, 5, 2]
// CHECK-NEXT: variant "val_base" batch 32 input [4, 5, 2]
// CHECK: tensor {{[0-9]+}} "momentum"
// CHECK-NEXT: tensor {{[0-9]+}} "seed" region "s_scalar_int32" dtype "i32" layer -1 shapes [array<i64: 1, 1, 1, 2>,
// CHECK-NEXT: tensor {{[0-9]+}} "step" region "s_scalar_int32"
// CHECK: tensor {{[0-9]+}} "3.mask" region "s_mask" dtype "u8" layer 3 shapes [array<i64: 32, 1, 1, 40>,
// CHECK: tensor {{[0-9]+}} "4.fc.weight" region "w_fc_weight" dtype "f32" layer 4 shapes [array<i64: 3, 4, 5, 2>,
// CHECK: param "4.fc.weight" {{.*}} logical [3, 4, 5, 2]
// CHECK: fusion "cbr" count 2
tr.arch.network @head classes 3 {
^bb0(%x: tensor<?x4x5x2xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x4x5x2xf32> -> tensor<?x4x5x2xf32>
  %1 = tr.arch.cbr %0 ["1.conv", "1.bn"] <out = 2, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu6> : tensor<?x4x5x2xf32> -> tensor<?x4x5x2xf32>
  %2 = tr.arch.flatten %1 ["2"] : tensor<?x4x5x2xf32> -> tensor<?x1x1x40xf32>
  %3 = tr.arch.dropout %2 ["3"] 0.5 : tensor<?x1x1x40xf32> -> tensor<?x1x1x40xf32>
  %4 = tr.arch.fc %3 ["4.fc"] out 3 bias false : tensor<?x1x1x40xf32> -> tensor<?x1x1x3xf32>
  %5 = tr.arch.softmax_ce %4 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %5 : tensor<?x1x1x3xf32>
}

// -----

// AdamW brings its scalars and second moments. Zero-gamma concerns the last normalisation of a
// residual branch, fused or not, and no other.
module attributes {tr.options = #tr.options<optimizer = adamw, zero_gamma = true>} {
  tr.arch.network @zero classes 4 {
  ^bb0(%x: tensor<?x3x3x4xf32>):
    %0 = tr.arch.block %x ["0.conv1", "0.bn1", "0.conv2", "0.bn2"] <basic_block, out = 4, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 first : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32>
    %1 = tr.arch.add2 %0 ["1"] : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32> shortcut {
    ^bb0(%a: tensor<?x3x3x4xf32>):
      %s = tr.arch.bn2d %a ["1.0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32>
      tr.arch.yield %s : tensor<?x3x3x4xf32>
    } stem {
    ^bb0(%a: tensor<?x3x3x4xf32>):
      %s = tr.arch.bn2d %a ["1.1.0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32>
      %t = tr.arch.bn2d %s ["1.1.1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32>
      tr.arch.yield %t : tensor<?x3x3x4xf32>
    }
    %2 = tr.arch.block %1 ["2.dw.conv", "2.dw.bn", "2.project.conv", "2.project.bn"] <inv_residual, out = 4, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x3x3x4xf32> -> tensor<?x3x3x4xf32>
    %3 = tr.arch.gap %2 ["3"] : tensor<?x3x3x4xf32> -> tensor<?x1x1x4xf32>
    %4 = tr.arch.softmax_ce %3 ["loss"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
    tr.arch.yield %4 : tensor<?x1x1x4xf32>
  }
}
// CHECK-LABEL: tr.graph.program @zero
// CHECK-NOT: "momentum"
// CHECK: tensor {{[0-9]+}} "beta1"
// CHECK-NEXT: tensor {{[0-9]+}} "beta2"
// CHECK-NEXT: tensor {{[0-9]+}} "adam_eps"
// CHECK-NEXT: tensor {{[0-9]+}} "bias_correction1"
// CHECK-NEXT: tensor {{[0-9]+}} "bias_correction2"
// CHECK-NEXT: tensor {{[0-9]+}} "adam_step" region "s_scalar_int32"
// CHECK-NEXT: tensor {{[0-9]+}} "folds" region "s_scalar_int32"
// CHECK-NEXT: tensor {{[0-9]+}} "0.conv1.weight" region "w_first_conv"
// CHECK: tensor {{[0-9]+}} "0.conv2.weight" region "w_first_conv"
// CHECK: tensor {{[0-9]+}} "0.conv1.weight.m" region "m_first_conv"
// CHECK-NEXT: tensor {{[0-9]+}} "0.conv1.weight.v" region "v_first_conv"
// CHECK: param "0.bn1.weight" {{.*}} init "ones"
// CHECK: param "0.bn2.weight" {{.*}} init "zeros"
// The stem comes before the shortcut, as in fused blocks.
// CHECK: param "1.1.0.bn.weight" {{.*}} init "ones"
// CHECK: param "1.1.1.bn.weight" {{.*}} init "zeros"
// CHECK: param "1.0.bn.weight" {{.*}} init "ones"
// CHECK: param "2.project.bn.weight" {{.*}} init "ones"
