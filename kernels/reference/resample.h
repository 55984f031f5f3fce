// SPDX-License-Identifier: Apache-2.0
//
// Maps of maps that are linear along both axes, as templates over the scalar type.
#ifndef TRK_REFERENCE_RESAMPLE_H
#define TRK_REFERENCE_RESAMPLE_H

#include "common/axis_map.h"
#include "reference/pool.h"

namespace trk::reference {

template <typename T> void resample(const MapAxes &axes, const View<T> &x, const View<T> &y) {
  forCoords(y, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t out) {
    const AxisMap::Span rows = axes.h.inputs(oh), columns = axes.w.inputs(ow);
    double sum = 0;
    for (int64_t h = rows.begin; h < rows.end; ++h)
      for (int64_t w = columns.begin; w < columns.end; ++w)
        sum += axes.h.weight(oh, h) * axes.w.weight(ow, w) * double(x.at(x.pixel(n, h, w), c));
    y.at(out, c) = T(sum);
  });
}

template <typename T>
void resampleGradient(const MapAxes &axes, const View<T> &dy, const View<T> &dx) {
  forCoords(dx, [&](int64_t n, int64_t h, int64_t w, int64_t c, int64_t in) {
    const AxisMap::Span rows = axes.h.outputs(h), columns = axes.w.outputs(w);
    double sum = 0;
    for (int64_t oh = rows.begin; oh < rows.end; ++oh)
      for (int64_t ow = columns.begin; ow < columns.end; ++ow)
        sum += axes.h.weight(oh, h) * axes.w.weight(ow, w) * double(dy.at(dy.pixel(n, oh, ow), c));
    dx.at(in, c) = T(sum);
  });
}

} // namespace trk::reference

#endif // TRK_REFERENCE_RESAMPLE_H
