// SPDX-License-Identifier: Apache-2.0
//
// Means over a grid and larger maps, both directions.
#include "reference/resample.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

template <AxisMap::Kind Of, int X, int Y> void forward(const Call &call) {
  resample(mapAxes(Of, call[X], call[Y]), view(call[X]), view(call[Y]));
}
template <AxisMap::Kind Of, int Dx, int Dy> void backward(const Call &call) {
  resampleGradient(mapAxes(Of, call[Dx], call[Dy]), view(call[Dy]), view(call[Dx]));
}

} // namespace

void addResampleKernels(const Registrar &kernels) {
  namespace mean = ops::adaptive_avgpool_fwd;
  namespace meanBwd = ops::adaptive_avgpool_bwd;
  namespace nearest = ops::upsample_nearest_fwd;
  namespace nearestBwd = ops::upsample_nearest_bwd;
  namespace linear = ops::upsample_bilinear_fwd;
  namespace linearBwd = ops::upsample_bilinear_bwd;
  kernels.add(mean::kOpcode, forward<AxisMap::Mean, mean::x, mean::y>);
  kernels.add(meanBwd::kOpcode, backward<AxisMap::Mean, meanBwd::dx, meanBwd::dy>);
  kernels.add(nearest::kOpcode, forward<AxisMap::Nearest, nearest::x, nearest::y>);
  kernels.add(nearestBwd::kOpcode, backward<AxisMap::Nearest, nearestBwd::dx, nearestBwd::dy>);
  kernels.add(linear::kOpcode, forward<AxisMap::Linear, linear::x, linear::y>);
  kernels.add(linearBwd::kOpcode, backward<AxisMap::Linear, linearBwd::dx, linearBwd::dy>);
}

} // namespace trk::reference
