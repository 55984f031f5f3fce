// SPDX-License-Identifier: Apache-2.0
//
// Which scalars a plan has follows from its optimizer, or from it training at all.
#include "session/scalar_names.h"

#include "base/text.h"
#include "session/scalar_limits.h"
#include "trf/regions.h"

namespace trrt {

using namespace trf;

std::vector<std::string> scalarNames(const Plan &plan) {
  std::vector<std::string> names;
  for (const SharedTensorRow &row : kSharedTensors)
    if (isSettable(row.value) && plan.findTensor(row.value) != kNone)
      names.emplace_back(row.name);
  return names;
}

// Null where scalars of this name belong to no optimizer alone.
static const OptimizerRow *findOwner(std::string_view scalar) {
  for (const SharedTensorRow &tensor : kSharedTensors)
    if (tensor.name == scalar && tensor.when == ThereWhen::SGD)
      return &row(Optimizer::SGD);
    else if (tensor.name == scalar && tensor.when == ThereWhen::AdamW)
      return &row(Optimizer::AdamW);
  return nullptr;
}

static bool isOfTraining(std::string_view scalar) {
  for (const SharedTensorRow &tensor : kSharedTensors)
    if (tensor.name == scalar)
      return tensor.when == ThereWhen::Trains || findOwner(scalar);
  return false;
}

std::string missingScalarText(const Plan &plan, std::string_view name) {
  const std::vector<std::string> known = scalarNames(plan);
  const std::string quoted = "'" + printable(std::string(name)) + "'";
  const std::string has = "; the plan has " + (known.empty() ? "none" : joined(known, ", "));
  if (isOfTraining(name) && plan.findTensor(SharedTensor::Lr) == kNone)
    return "the plan does not train, so it has no scalar " + quoted + has;
  if (const OptimizerRow *owner = findOwner(name); owner && owner->value != plan.optimizer)
    return "the plan's optimizer " + std::string(trf::name(plan.optimizer)) + " has no scalar " +
           quoted + ", which is of " + std::string(owner->name) + has;
  return "the plan has no scalar " + quoted + didYouMean(std::string(name), known) + has;
}

} // namespace trrt
