// SPDX-License-Identifier: Apache-2.0
//
// One walk against the order of the layers: when a layer is reached, all readers
// of its result have been.
#include "GradientRoutes.h"

using namespace tr;

namespace {

bool owns(ValueId value, GradientRef ref) { return ref.value == value; }

// Decides where a value's gradient is once all parts are known.
void finishRoute(ValueId value, ValueGradient &gradient) {
  if (gradient.parts.size() == 1) {
    gradient.total = gradient.parts[0];
    return;
  }
  gradient.total = {value, 0};
  llvm::SmallVector<GradientRef, 2> rest;
  for (GradientRef part : gradient.parts)
    if (!(owns(value, part) && part.part == 0))
      rest.push_back(part);
  // Without a part of its own the first sum makes the tensor.
  if (gradient.ownCount == 0) {
    gradient.ownCount = 1;
    gradient.sums.push_back({rest[0], rest[1]});
    rest.erase(rest.begin(), rest.begin() + 2);
  }
  for (GradientRef part : rest)
    gradient.sums.push_back({gradient.total, part});
}

} // namespace

GradientRoutes tr::routeGradients(const Network &network,
                                  const IdVector<LayerId, LayerDescription> &descriptions,
                                  const IdVector<ValueId, char> &needsGrad) {
  GradientRoutes routes;
  routes.values = IdVector<ValueId, ValueGradient>(network.producers.size());
  routes.inputs = decltype(routes.inputs)(network.nodes.size());
  for (size_t position = network.nodes.size(); position-- > 0;) {
    LayerId layer = network.layerAt(position);
    const NetworkNode &node = network.nodes[layer];
    ValueGradient &output = routes.values[node.output];
    if (needsGrad[node.output] && !output.parts.empty())
      finishRoute(node.output, output);
    for (ValueId input : node.inputs) {
      GradientRef &part = routes.inputs[layer].emplace_back();
      if (!needsGrad[input])
        continue;
      ValueGradient &gradient = routes.values[input];
      part = descriptions[layer].getFacts().passesGradient
                 ? output.total
                 : GradientRef{input, gradient.ownCount++};
      gradient.parts.push_back(part);
    }
  }
  return routes;
}
