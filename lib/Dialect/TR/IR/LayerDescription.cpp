// SPDX-License-Identifier: Apache-2.0
//
// The builder that layers describe themselves with.
#include "renaissance/Dialect/TR/IR/LayerDescription.h"

using namespace tr;
using trf::Role;

TensorRef LayerDescription::tensor(const llvm::Twine &name, trf::Region region, trf::DType dtype,
                                   TensorDims dims) {
  facts.tensors.push_back({name.str(), region, dtype, dims});
  return {TensorRef::Own, static_cast<int32_t>(facts.tensors.size() - 1)};
}

TensorRef LayerDescription::trainingTensor(const llvm::Twine &name, trf::Region region,
                                           trf::DType dtype, TensorDims dims) {
  return context.training ? tensor(name, region, dtype, dims) : absent();
}

TensorRef LayerDescription::feature(const llvm::Twine &name, ImageShape shape) {
  return tensor(name, {Role::Feature}, types().activation, batched(shape));
}

TensorRef LayerDescription::trainingFeature(const llvm::Twine &name, ImageShape shape) {
  return trainingTensor(name, {Role::Feature}, types().activation, batched(shape));
}

TensorRef LayerDescription::gradient(const llvm::Twine &name, ImageShape shape) {
  return trainingTensor(name, {Role::FeatureGrad}, types().activation, batched(shape));
}

TensorRef LayerDescription::declareOutput(llvm::StringRef path) {
  TensorRef y = feature(path + ".output", context.output);
  setOutput(y);
  return y;
}

TensorRef LayerDescription::channels(const llvm::Twine &name, Role role, int64_t count) {
  return tensor(name, {role}, types().statistic, {1, 1, 1, count});
}

TensorRef LayerDescription::trainingChannels(const llvm::Twine &name, Role role, int64_t count) {
  return trainingTensor(name, {role}, types().statistic, {1, 1, 1, count});
}

LayerDescription::Parameter LayerDescription::parameter(llvm::StringRef part, llvm::StringRef role,
                                                        trf::Group group, TensorDims dims,
                                                        trf::ParamLayout layout, trf::Init init,
                                                        double scale) {
  std::string name = (part + "." + role).str();
  TensorRef value = tensor(name, {Role::Weight, group}, types().statistic, dims);
  TensorRef grad = trainingTensor(name + ".grad", {Role::Gradient, group}, types().statistic, dims);
  facts.params.push_back({name, value.index, grad.index, layout, init, scale, dims});
  return {value, grad};
}

TensorRef LayerDescription::statistic(llvm::StringRef part, llvm::StringRef name, Role role,
                                      int64_t count, trf::Init init) {
  TensorRef value = channels(part + "." + name, role, count);
  facts.params.push_back({facts.tensors[value.index].name,
                          value.index,
                          /*grad=*/-1,
                          trf::ParamLayout::Vector,
                          init,
                          /*scale=*/0.0,
                          {1, 1, 1, count}});
  return value;
}
