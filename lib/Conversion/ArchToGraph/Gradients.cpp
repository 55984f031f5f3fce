// SPDX-License-Identifier: Apache-2.0
//
// One walk against the order of the layers: when a layer is reached, all readers
// of its result have been.
#include "Gradients.h"

using namespace tr;

namespace {

bool owns(int32_t value, GradientRef ref) { return ref.value == value; }

// Decides where a value's gradient is once all parts are known.
void finish(int32_t value, ValueGradient &gradient) {
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

GradientRoutes tr::routeGradients(const Network &network, const std::vector<bool> &needsGrad) {
  GradientRoutes routes;
  routes.values.resize(network.valueCount);
  routes.inputs.resize(network.nodes.size());
  for (size_t layer = network.nodes.size(); layer-- > 0;) {
    const NetworkNode &node = network.nodes[layer];
    ValueGradient &output = routes.values[node.output];
    if (needsGrad[node.output] && !output.parts.empty())
      finish(node.output, output);
    for (unsigned i = 0; i < node.getInputCount(); ++i) {
      int32_t input = node.inputs[i];
      if (!needsGrad[input])
        continue;
      ValueGradient &gradient = routes.values[input];
      GradientRef part = output.total;
      if (node.layer) {
        part = {input, gradient.ownCount++};
        routes.inputs[layer] = part;
      }
      gradient.parts.push_back(part);
    }
  }
  return routes;
}
