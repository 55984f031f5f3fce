// SPDX-License-Identifier: Apache-2.0
//
// How far a library's FP32 result may lie from the reference:
//   |got - expected| <= element * |expected| + largest * max|expected| + absolute
// with max over the output tensor. The test data is of order 1. An op that is not
// listed must match bit for bit, and so must every integer output.
#ifndef TRK_TEST_TOLERANCES_H
#define TRK_TEST_TOLERANCES_H

#include "trk/kernel.h"

namespace trk::test {

struct Tolerance {
  double element = 0, largest = 0, absolute = 0;
};

struct OpTolerance {
  Opcode op;
  Tolerance tolerance;
};

// One rounding of each operation, and polynomials of a few units in the last place.
inline constexpr Tolerance kElementwise = {2e-6, 0, 1e-6};
// Long sums in any order; Winograd forms of a convolution are inside.
inline constexpr Tolerance kProducts = {0, 1e-5, 1e-6};
inline constexpr Tolerance kReduction = {2e-6, 4e-6, 1e-6};

inline constexpr OpTolerance kTolerances[] = {
    {Opcode::conv_fwd, kProducts},
    {Opcode::conv_inf, kProducts},
    {Opcode::conv_stats_fwd, {1e-5, 1e-5, 1e-6}},
    {Opcode::bn_stats, {4e-6, 2e-6, 1e-6}},
    {Opcode::bn_apply, kElementwise},
    {Opcode::bn_apply_add, kElementwise},
    {Opcode::bn_apply_add_bn, kElementwise},
    {Opcode::bn_apply_pool, kElementwise},
    {Opcode::act_fwd, kElementwise},
    {Opcode::add_fwd, kElementwise},
    {Opcode::avgpool_fwd, kReduction},
    {Opcode::gap_fwd, kReduction},
    {Opcode::adaptive_avgpool_fwd, kReduction},
    {Opcode::upsample_bilinear_fwd, kReduction},
    {Opcode::fc_fwd, kProducts},
    {Opcode::dropout_fwd, kElementwise},
    {Opcode::softmax_ce_fwd, kElementwise},
    {Opcode::conv_bwd_data, kProducts},
    {Opcode::conv_bwd_weight, kProducts},
    {Opcode::bn_bwd_reduce, {0, 4e-6, 2e-6}},
    {Opcode::bn_bwd_apply, {2e-6, 1e-6, 1e-6}},
    {Opcode::join_bwd_reduce, {2e-6, 4e-6, 2e-6}},
    {Opcode::join_bwd_apply, {2e-6, 1e-6, 1e-6}},
    {Opcode::act_bwd, kElementwise},
    {Opcode::mul_bwd, kReduction},
    {Opcode::maxpool_bwd, kElementwise},
    {Opcode::avgpool_bwd, kElementwise},
    {Opcode::gap_bwd, {2e-7, 0, 0}},
    {Opcode::adaptive_avgpool_bwd, kReduction},
    {Opcode::upsample_nearest_bwd, kReduction},
    {Opcode::upsample_bilinear_bwd, kReduction},
    {Opcode::bias_sum, {0, 4e-6, 2e-6}},
    {Opcode::fc_bwd_data, kProducts},
    {Opcode::fc_bwd_weight, kProducts},
    {Opcode::dropout_bwd, kElementwise},
    {Opcode::softmax_ce_bwd, {2e-6, 0, 2e-7}},
    {Opcode::bn_fold, kElementwise},
    {Opcode::bn_inf, kElementwise},
    {Opcode::bn_inf_pool, kElementwise},
    {Opcode::prelu_bwd, kReduction},
    {Opcode::scale_bwd, kReduction},
    {Opcode::layer_norm_fwd, {2e-6, 1e-6, 1e-6}},
    {Opcode::layer_norm_bwd, kReduction},
    {Opcode::group_norm_fwd, {2e-6, 1e-6, 1e-6}},
    {Opcode::group_norm_bwd, kReduction},
    {Opcode::bn_apply_gap, kReduction},
    {Opcode::gate_bwd, kElementwise},
    {Opcode::range_sgd, {4e-7, 0, 2e-7}},
    {Opcode::range_adamw, {1e-6, 0, 3e-7}},
    {Opcode::adam_step, {2e-7, 0, 0}},
    {Opcode::accum_metrics, {2e-7, 0, 0}},
};

inline Tolerance toleranceFor(Opcode op) {
  for (const OpTolerance &entry : kTolerances)
    if (entry.op == op)
      return entry.tolerance;
  return Tolerance();
}

} // namespace trk::test

#endif // TRK_TEST_TOLERANCES_H
