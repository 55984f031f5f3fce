// SPDX-License-Identifier: Apache-2.0
//
// The vectorised inner loops of the cpu library. The files in loops/ are compiled once for
// each row of trk/cpu_targets.h; a Loops table holds one such compilation. They see plain
// pointers only: a shared inline function compiled for AVX-512 could otherwise be the copy
// that the linker keeps for every machine.
#ifndef TRK_CPU_LOOPS_H
#define TRK_CPU_LOOPS_H

#include "trf/enums.h"

namespace trk::cpu {

using trf::Act;
using trf::Activation;

// Rows of channels, a row for each pixel: that of pixel p begins at data + p * pitch.
struct Pixels {
  float *data = nullptr;
  int64_t pitch = 0;
};
struct ConstPixels {
  const float *data = nullptr; // null: absent
  int64_t pitch = 0;
};

// value = (x - mean) * scale + beta; with mean == null: value = x.
struct NormTerm {
  ConstPixels x;
  const float *mean = nullptr, *scale = nullptr, *beta = nullptr;
};

// y = act(x [+ shortcut]) on `rows` rows of `c` channels.
struct NormApply {
  NormTerm x, shortcut; // shortcut.x may be absent
  Pixels y;
  int64_t rows = 0, c = 0;
  Act act{};
};

// With g = dy * act'(value(x)): sumG = sum g, sumGx = sum g * (x - mean).
struct NormReduce {
  ConstPixels dy;
  NormTerm x;
  double *sumG = nullptr, *sumGx = nullptr;
  float *work = nullptr; // 2 * c
  int64_t rows = 0, c = 0;
  Act act{};
};

// dx = scale * (g - offset - (x - mean) * slope).
struct NormGradient {
  ConstPixels dy;
  NormTerm x;
  const float *offset = nullptr, *slope = nullptr;
  Pixels dx;
  int64_t rows = 0, c = 0;
  Act act{};
};

// With g = (dy [+ dy2]) * act'(y), y the output: writes g; sumG = sum g, and sumGx = sum g *
// (x - mean) of one input or two.
struct JoinReduce {
  struct Input {
    ConstPixels x;
    const float *mean = nullptr;
    double *sumGx = nullptr;
  };
  ConstPixels dy, dy2, y; // dy2 may be absent
  Input input, shortcut;  // shortcut.x may be absent
  Pixels g;
  double *sumG = nullptr;
  float *work = nullptr; // 3 * c
  int64_t rows = 0, c = 0;
  Act act{};
};

// dx = scale * (g - offset - (x - mean) * slope) of two inputs.
struct JoinGradient {
  struct Input {
    ConstPixels x;
    const float *mean = nullptr, *scale = nullptr, *offset = nullptr, *slope = nullptr;
    Pixels dx;
  };
  ConstPixels g;
  Input inputs[2];
  int64_t rows = 0, c = 0;
};

// Images [first, last) of a pooling. For max pooling of a normalised input, `norm` is set
// and `ring` holds spanH() activated rows.
struct Pool {
  ConstPixels in;        // x, or dy in backward
  Pixels out;            // y, or dx in backward
  void *index = nullptr; // written in forward, read in backward; may be null in forward
  int indexBytes = 0;
  int64_t first = 0, last = 0;
  int64_t h = 0, w = 0, c = 0, oh = 0, ow = 0; // h, w: of x; oh, ow: of y
  int64_t kernelH = 0, kernelW = 0, strideH = 0, strideW = 0, padH = 0, padW = 0;
  int64_t dilationH = 1, dilationW = 1; // of max pooling
  int64_t endH = 0, endW = 0;           // pads after the input
  bool countPad = false;                // of average pooling
  bool normalise = false;
  NormTerm norm;
  Act act{};
  float *ring = nullptr;

  int64_t spanH() const { return dilationH * (kernelH - 1) + 1; }
};

// An output coordinate of a linear map along an axis: `count` input coordinates from `first` on.
struct Tap {
  int64_t first = 0, count = 0;
  const float *weights = nullptr;
};
// Rows [first, last) of all rows (n, oh) of the output of a map that is linear along both axes.
struct Resample {
  ConstPixels in;
  Pixels out;
  int64_t h = 0, w = 0, oh = 0, ow = 0, c = 0; // h, w: of in
  const Tap *rows = nullptr, *columns = nullptr;
  int64_t first = 0, last = 0;
};

// C = A * B, or C += A * B. A is m x k with strides. B is cut into panels of Loops::panel
// columns: element (p, j) of a panel is at p * panel + j. C has rows of stride cRow and
// panels of columns cPanel apart: plain rows (cPanel = panel), or panels like those of B
// (cRow = panel).
struct PanelProduct {
  const float *a = nullptr;
  int64_t aRow = 0, aCol = 0;
  const float *b = nullptr;
  int64_t bPanel = 0; // floats from one panel to the next
  float *c = nullptr;
  int64_t cRow = 0, cPanel = 0;
  int64_t m = 0, n = 0, k = 0;
  bool accumulate = false;
  bool wholePanels = false; // C is panels, and the last one has all its columns in memory
};

// A 3x3 convolution of stride 1 in Winograd's form: x (n, h, w, c), y (n, oh, ow, k),
// in tiles of 4x4 outputs that are numbered through all images.
struct WinogradShape {
  int64_t h = 0, w = 0, c = 0, oh = 0, ow = 0, k = 0;
  int64_t padH = 0, padW = 0;
  int64_t tilesH = 0, tilesW = 0;
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
  float rate, invCorrection2;       // rate = lr / correction1
};

// Of y = map * values, one row of values for all rows: sums = sum dy * map, and if dmap is there,
// dmap = dy * values, which may lie on dy.
struct SpreadGradient {
  ConstPixels dy, map;
  const float *values = nullptr;
  Pixels dmap;
  double *sums = nullptr;
  float *work = nullptr; // c
  int64_t rows = 0, c = 0;
};

// Of y = x > 0 ? x : slope * x: sums = sum x > 0 ? 0 : dy * x, and if dx is there it is made, which
// may lie on dy.
struct PreluGradient {
  ConstPixels dy, x;
  const float *slopes = nullptr;
  Pixels dx;
  double *sums = nullptr;
  float *work = nullptr; // c
  int64_t rows = 0, c = 0;
};

// Each row over its channels: y = gamma * (x - mean) * invStd + beta. mean and invStd have a number
// for each row; either may be null.
struct LayerNorm {
  ConstPixels x;
  const float *gamma = nullptr, *beta = nullptr;
  Pixels y;
  float *mean = nullptr, *invStd = nullptr;
  int64_t rows = 0, c = 0;
  double eps = 0;
};

// sumG = sum dy, sumGx = sum dy * (x - mean) * invStd, and if dx is there it is made, which may lie
// on dy.
struct LayerNormGradient {
  ConstPixels dy, x;
  const float *mean = nullptr, *invStd = nullptr, *gamma = nullptr;
  Pixels dx;
  double *sumG = nullptr, *sumGx = nullptr;
  float *work = nullptr; // 2 * c
  int64_t rows = 0, c = 0;
};

// dx = dy * scale - offset - (x - mean) * slope.
struct GroupGradient {
  ConstPixels dy, x;
  const float *mean = nullptr, *scale = nullptr, *offset = nullptr, *slope = nullptr;
  Pixels dx;
  int64_t rows = 0, c = 0;
};

// Gradient of a depthwise convolution's weights, from some images.
struct DepthwiseGradient {
  ConstPixels x, dy; // at the first image
  int64_t images = 0, h = 0, w = 0, c = 0, oh = 0, ow = 0;
  int64_t kernelH = 0, kernelW = 0, strideH = 0, strideW = 0, padH = 0, padW = 0;
  int64_t dilationH = 0, dilationW = 0;
  // Outputs [first, last) of a row see the input through column k of the window.
  const int64_t *first = nullptr, *last = nullptr;
  float *dw = nullptr; // kernelH x kernelW x c
};

struct Loops {
  // Elements: `count` of each of `rows` rows, which are one and the same at a pitch of 0. Those of
  // a mask lie without gaps.
  void (*act)(Act act, ConstPixels x, Pixels y, int64_t rows, int64_t count);
  void (*add)(Act act, ConstPixels a, ConstPixels b, Pixels y, int64_t rows, int64_t count);
  void (*mul)(ConstPixels a, ConstPixels b, Pixels y, int64_t rows, int64_t count);
  // da = dy * b and db = dy * a, of which one may lie on dy.
  void (*mulBwd)(ConstPixels dy, ConstPixels a, ConstPixels b, Pixels da, Pixels db, int64_t rows,
                 int64_t count);
  void (*actBwd)(Act act, ConstPixels dy, ConstPixels x, Pixels dx, int64_t rows, int64_t count);
  void (*mask)(ConstPixels x, const uint8_t *mask, float factor, Pixels y, int64_t rows,
               int64_t count);

  // Rows of channels. Sums are exact to a few units in the last place: float
  // within a block of rows, double across blocks.
  // mean and m2 (sum of squared differences from the mean) of `rows` rows and of `before` rows
  // that they hold already; work: 3 * c floats.
  void (*stats)(ConstPixels x, int64_t before, int64_t rows, int64_t c, double *mean, double *m2,
                float *work);
  // Sums of `c` columns; work: c floats.
  void (*columnSums)(ConstPixels x, int64_t rows, int64_t c, double *sums, float *work);
  void (*spreadGradient)(const SpreadGradient &args);
  void (*normApply)(const NormApply &args);
  void (*normReduce)(const NormReduce &args);
  void (*normGradient)(const NormGradient &args);
  void (*joinReduce)(const JoinReduce &args);
  void (*joinGradient)(const JoinGradient &args);
  // One slope for each channel.
  void (*prelu)(ConstPixels x, const float *slopes, Pixels y, int64_t rows, int64_t c);
  void (*preluBwd)(const PreluGradient &args);
  void (*layerNorm)(const LayerNorm &args);
  void (*layerNormBwd)(const LayerNormGradient &args);
  void (*groupGradient)(const GroupGradient &args);
  // y = value[c] in each of `rows` rows.
  void (*broadcast)(const float *value, Pixels y, int64_t rows, int64_t c);

  void (*maxPool)(const Pool &args);
  void (*maxPoolBwd)(const Pool &args);
  void (*avgPool)(const Pool &args);
  void (*avgPoolBwd)(const Pool &args);
  void (*resample)(const Resample &args);
  // The first maximum of each column and its row; `index` may be null.
  void (*columnMaxima)(ConstPixels x, int64_t rows, int64_t c, float *maxima, int32_t *index);
  // y = value[c] in row index[c], else 0.
  void (*scatterRows)(const float *value, const int32_t *index, Pixels y, int64_t rows, int64_t c);
  // Element i * streams + s of each row of y is element s * (c / streams) + i of x.
  void (*interleave)(ConstPixels x, Pixels y, int64_t rows, int64_t c, int64_t streams);

  // Matrix products; columns of a panel, and rows that one register tile takes.
  int panel, tileRows;
  void (*multiplyPanels)(const PanelProduct &args);
  // Panels of the k x n matrix whose element (p, j) is from[p * row + j * column], where
  // one of the strides is 1. Columns beyond n are zero or not written.
  void (*packPanels)(const float *from, int64_t row, int64_t column, int64_t k, int64_t n,
                     float *to);

  // Winograd's transforms. Tiles [first, first + count) of x or dy are rows of `to`,
  // channels its columns.
  void (*winogradInput)(const WinogradShape &s, ConstPixels x, int64_t first, int64_t count,
                        const WinogradMatrix &to);
  void (*winogradOutputGradient)(const WinogradShape &s, ConstPixels dy, int64_t first,
                                 int64_t count, const WinogradMatrix &to);
  // y = transform + bias; bias may be null. The last panel of `from` must be whole.
  void (*winogradOutput)(const WinogradShape &s, const WinogradMatrix &from, const float *bias,
                         int64_t first, int64_t count, Pixels y);
  // Rows [first, last) of the weights' matrices: row c, column k; mirrored, for the
  // gradient of the input: row k, column c.
  void (*winogradWeights)(const WinogradShape &s, const float *w, int64_t first, int64_t last,
                          const WinogradMatrix &to);
  void (*winogradWeightsMirrored)(const WinogradShape &s, const float *w, int64_t first,
                                  int64_t last, const WinogradMatrix &to);
  // dw of rows k in [first, last) from the sum of `count` matrices laid out as `from`.
  void (*winogradWeightGradient)(const WinogradShape &s, const WinogradMatrix &from,
                                 const float *const *terms, int count, int64_t first, int64_t last,
                                 float *dw);

  // Adds to dw.
  void (*depthwiseWeightGradient)(const DepthwiseGradient &args);

  // Parameters.
  bool (*allFinite)(const float *x, int64_t count);
  void (*sgd)(const Sgd &s, float *w, const float *g, float *m, int64_t count);
  void (*adamw)(const AdamW &s, float *w, const float *g, float *m, float *v, int64_t count);
  // sum += the other terms, in order.
  void (*accumulate)(float *sum, const float *const *terms, int termCount, int64_t count);
};

// The compilation for a target that this CPU serves.
const Loops &loopsFor(trf::Target target);
// The best one for this CPU.
const Loops &loops();

} // namespace trk::cpu

#endif // TRK_CPU_LOOPS_H
