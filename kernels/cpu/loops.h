// SPDX-License-Identifier: Apache-2.0
//
// The vectorised inner loops of the cpu backend. The files in loops/ are compiled
// once per instruction set; a Loops table holds one such compilation. They see
// plain pointers only: a shared inline function compiled for AVX-512 could
// otherwise be the copy that the linker keeps for every machine.
#ifndef TRK_CPU_LOOPS_H
#define TRK_CPU_LOOPS_H

#include "trk/op_table.h"

namespace trk::cpu {

// value = (x - mean) * scale + beta; with mean == null: value = x.
struct NormTerm {
  const float *x = nullptr, *mean = nullptr, *scale = nullptr, *beta = nullptr;
};

// y = act(x [+ shortcut]) on `rows` rows of `c` channels.
struct NormApply {
  NormTerm x, shortcut; // shortcut.x == null: absent
  float *y = nullptr;
  int64_t rows = 0, c = 0;
  Activation act{};
};

// With g = dy * act'(value(x)): sum_g = sum g, sum_gx = sum g * (x - mean).
struct NormReduce {
  const float *dy = nullptr;
  NormTerm x;
  double *sum_g = nullptr, *sum_gx = nullptr;
  float *work = nullptr; // 2 * c
  int64_t rows = 0, c = 0;
  Activation act{};
};

// dx = scale * (g - offset - (x - mean) * slope).
struct NormGradient {
  const float *dy = nullptr;
  NormTerm x;
  const float *offset = nullptr, *slope = nullptr;
  float *dx = nullptr;
  int64_t rows = 0, c = 0;
  Activation act{};
};

// With g = (dy [+ dy2]) * act'(y), y the output: writes g; sum_g = sum g, and sum_gx = sum g *
// (x - mean) of one input or two.
struct JoinReduce {
  struct Input {
    const float *x = nullptr, *mean = nullptr; // x == null: absent
    double *sum_gx = nullptr;
  };
  const float *dy = nullptr, *dy2 = nullptr, *y = nullptr; // dy2 may be null
  Input input, shortcut;
  float *g = nullptr;
  double *sum_g = nullptr;
  float *work = nullptr; // 3 * c
  int64_t rows = 0, c = 0;
  Activation act{};
};

// dx = scale * (g - offset - (x - mean) * slope) of two inputs.
struct JoinGradient {
  struct Input {
    const float *x = nullptr, *mean = nullptr, *scale = nullptr, *offset = nullptr,
                *slope = nullptr;
    float *dx = nullptr;
  };
  const float *g = nullptr;
  Input inputs[2];
  int64_t rows = 0, c = 0;
};

// Images [first, last) of a pooling. For max pooling behind a normalisation,
// `norm` is set and `ring` holds kernel_h activated rows.
struct Pool {
  const float *in = nullptr; // x, or dy in backward
  float *out = nullptr;      // y, or dx in backward
  void *index = nullptr;     // written in forward, read in backward; may be null in forward
  int index_bytes = 0;
  int64_t first = 0, last = 0;
  int64_t h = 0, w = 0, c = 0, oh = 0, ow = 0; // h, w: of x; oh, ow: of y
  int64_t kernel_h = 0, kernel_w = 0, stride_h = 0, stride_w = 0, pad_h = 0, pad_w = 0;
  bool normalise = false;
  NormTerm norm;
  Activation act{};
  float *ring = nullptr;
};

// C = A * B, or C += A * B. A is m x k with strides. B is cut into panels of Loops::panel
// columns: element (p, j) of a panel is at p * panel + j. C has rows of stride c_row and
// panels of columns c_panel apart: a dense matrix (c_panel = panel), or panels like those
// of B (c_row = panel), of which the last must be whole in memory.
struct PanelProduct {
  const float *a = nullptr;
  int64_t a_row = 0, a_col = 0;
  const float *b = nullptr;
  int64_t b_panel = 0; // floats from one panel to the next
  float *c = nullptr;
  int64_t c_row = 0, c_panel = 0;
  int64_t m = 0, n = 0, k = 0;
  bool accumulate = false;
};

// A 3x3 convolution of stride 1 in Winograd's form: x (n, h, w, c), y (n, oh, ow, k),
// in tiles of 4x4 outputs that are numbered through all images.
struct WinogradShape {
  int64_t h = 0, w = 0, c = 0, oh = 0, ow = 0, k = 0;
  int64_t pad_h = 0, pad_w = 0;
  int64_t tiles_h = 0, tiles_w = 0;
};
inline constexpr int kWinogradPoints = 36;
// One matrix per point, cut into panels of columns: element (row, col) of point i is at
// i * point + col / Loops::panel * panel + row * row + col % Loops::panel.
struct WinogradMatrix {
  float *data = nullptr;
  int64_t point = 0, panel = 0, row = 0;
};

struct Sgd {
  float lr, momentum, decay;
};
struct AdamW {
  float beta1, beta2, rest1, rest2; // rest = 1 - beta
  float eps, keep;                  // keep = 1 - lr * decay
  float rate, inv_correction2;      // rate = lr / correction1
};

struct Loops {
  // Elements.
  void (*act)(Activation act, const float *x, float *y, int64_t count);
  void (*add)(Activation act, const float *a, const float *b, float *y, int64_t count);
  void (*act_bwd)(Activation act, const float *dy, const float *x, float *dx, int64_t count);
  void (*mask)(const float *x, const uint8_t *mask, float factor, float *y, int64_t count);

  // Rows of channels. Sums are exact to a few units in the last place: float
  // within a block of rows, double across blocks.
  // mean and m2 (sum of squared differences from the mean) of `rows` rows and of `before` rows
  // that they hold already; work: 3 * c floats.
  void (*stats)(const float *x, int64_t before, int64_t rows, int64_t c, double *mean, double *m2,
                float *work);
  // Sums of `c` columns of a matrix with row stride `stride`; work: c floats.
  void (*column_sums)(const float *x, int64_t rows, int64_t c, int64_t stride, double *sums,
                      float *work);
  void (*norm_apply)(const NormApply &args);
  void (*norm_reduce)(const NormReduce &args);
  void (*norm_gradient)(const NormGradient &args);
  void (*join_reduce)(const JoinReduce &args);
  void (*join_gradient)(const JoinGradient &args);
  // y = value[c] in each of `rows` rows.
  void (*broadcast)(const float *value, float *y, int64_t rows, int64_t c);

  void (*max_pool)(const Pool &args);
  void (*max_pool_bwd)(const Pool &args);
  void (*avg_pool)(const Pool &args);
  void (*avg_pool_bwd)(const Pool &args);

  // Matrix products; columns of a panel, and rows that one register tile takes.
  int panel, tile_rows;
  void (*multiply_panels)(const PanelProduct &args);
  // Panels of the k x n matrix whose element (p, j) is from[p * row + j * column], where
  // one of the strides is 1. Columns beyond n are zero or not written.
  void (*pack_panels)(const float *from, int64_t row, int64_t column, int64_t k, int64_t n,
                      float *to);

  // Winograd's transforms. Tiles [first, first + count) of x or dy are rows of `to`,
  // channels its columns.
  void (*winograd_input)(const WinogradShape &s, const float *x, int64_t first, int64_t count,
                         const WinogradMatrix &to);
  void (*winograd_output_gradient)(const WinogradShape &s, const float *dy, int64_t first,
                                   int64_t count, const WinogradMatrix &to);
  // y = transform + bias; bias may be null. The last panel of `from` must be whole.
  void (*winograd_output)(const WinogradShape &s, const WinogradMatrix &from, const float *bias,
                          int64_t first, int64_t count, float *y);
  // Rows [first, last) of the weights' matrices: row c, column k; mirrored, for the
  // gradient of the input: row k, column c.
  void (*winograd_weights)(const WinogradShape &s, const float *w, int64_t first, int64_t last,
                           const WinogradMatrix &to);
  void (*winograd_weights_mirrored)(const WinogradShape &s, const float *w, int64_t first,
                                    int64_t last, const WinogradMatrix &to);
  // dw of rows k in [first, last) from the sum of `count` matrices laid out as `from`.
  void (*winograd_weight_gradient)(const WinogradShape &s, const WinogradMatrix &from,
                                   const float *const *terms, int count, int64_t first,
                                   int64_t last, float *dw);

  // Parameters.
  bool (*all_finite)(const float *x, int64_t count);
  void (*sgd)(const Sgd &s, float *w, const float *g, float *m, int64_t count);
  void (*adamw)(const AdamW &s, float *w, const float *g, float *m, float *v, int64_t count);
  // sum += the other terms, in order.
  void (*accumulate)(float *sum, const float *const *terms, int term_count, int64_t count);
};

enum class Isa { Baseline, V3, V4 }; // x86-64, x86-64-v3 (AVX2), x86-64-v4 (AVX-512)

bool isaSupported(Isa isa);
const Loops &loopsFor(Isa isa);
// The best one that this machine supports.
const Loops &loops();

// Activations without a vector form, in place on a few values.
void activateLanes(Activation act, float *values, int count);
// values = act'(values)
void gradientLanes(Activation act, float *values, int count);

} // namespace trk::cpu

#endif // TRK_CPU_LOOPS_H
