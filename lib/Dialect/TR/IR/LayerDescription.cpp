// SPDX-License-Identifier: Apache-2.0
//
// The builder that layers describe themselves with.
#include "renaissance/Dialect/TR/IR/LayerDescription.h"

using namespace tr;
using plan::Region;

namespace {

KernelCall makeCall(plan::Kernel kernel, LayerDescription::Refs operands,
                    LayerDescription::Attrs attrs) {
  assert(plan::getInfo(kernel).operands.size() == operands.size() &&
         "operands differ from the kernel-op table");
  assert(plan::getInfo(kernel).attrs.size() == attrs.size() &&
         "attributes differ from the kernel-op table");
  return {kernel, llvm::SmallVector<TensorRef, 10>(operands),
          llvm::SmallVector<KernelAttr, 11>(attrs)};
}

// The kinds of W, G, M and V regions have one order, so a kind is an offset.
Region gradientRegion(Region weights) {
  return static_cast<Region>(static_cast<uint32_t>(Region::GBnBias) +
                             static_cast<uint32_t>(weights) -
                             static_cast<uint32_t>(Region::WBnBias));
}

} // namespace

TensorRef LayerDescription::tensor(const llvm::Twine &name, Region region, plan::DType dtype,
                                   TensorDims dims) {
  tensors.push_back({name.str(), region, dtype, dims});
  return {TensorRef::Own, static_cast<int32_t>(tensors.size() - 1), {}};
}

TensorRef LayerDescription::feature(const llvm::Twine &name, ImageShape shape) {
  return tensor(name, Region::FFeatureFp32, plan::DType::F32,
                {context.batch, shape.h, shape.w, shape.c});
}

TensorRef LayerDescription::trainingTensor(const llvm::Twine &name, Region region,
                                           plan::DType dtype, TensorDims dims) {
  return context.training ? tensor(name, region, dtype, dims) : absent();
}

TensorRef LayerDescription::trainingFeature(const llvm::Twine &name, ImageShape shape) {
  return trainingTensor(name, Region::FFeatureFp32, plan::DType::F32,
                        {context.batch, shape.h, shape.w, shape.c});
}

TensorRef LayerDescription::gradient(const llvm::Twine &name, ImageShape shape) {
  return trainingTensor(name, Region::FGradSlotFp32, plan::DType::F32,
                        {context.batch, shape.h, shape.w, shape.c});
}

TensorRef LayerDescription::channels(const llvm::Twine &name, Region region, int64_t count) {
  return tensor(name, region, plan::DType::F32, {1, 1, 1, count});
}

TensorRef LayerDescription::trainingChannels(const llvm::Twine &name, Region region,
                                             int64_t count) {
  return trainingTensor(name, region, plan::DType::F32, {1, 1, 1, count});
}

LayerDescription::Parameter LayerDescription::parameter(llvm::StringRef part, llvm::StringRef role,
                                                        Region region, TensorDims dims,
                                                        plan::ParamLayout layout, plan::Init init,
                                                        double scale) {
  std::string name = (part + "." + role).str();
  TensorRef value = tensor(name, region, plan::DType::F32, dims);
  TensorRef grad = trainingTensor(name + ".grad", gradientRegion(region), plan::DType::F32, dims);
  params.push_back({name, value.index, grad.index, layout, init, scale, dims});
  return {value, grad};
}

TensorRef LayerDescription::statistic(llvm::StringRef part, llvm::StringRef role, Region region,
                                      int64_t count, plan::Init init) {
  TensorRef value = channels(part + "." + role, region, count);
  params.push_back({tensors[value.index].name,
                    value.index,
                    /*grad=*/-1,
                    plan::ParamLayout::Vector,
                    init,
                    /*scale=*/0.0,
                    {1, 1, 1, count}});
  return value;
}

void LayerDescription::forward(plan::Kernel kernel, Refs operands, Attrs attrs) {
  if (context.training)
    forwardCalls.push_back(makeCall(kernel, operands, attrs));
}
void LayerDescription::backward(plan::Kernel kernel, Refs operands, Attrs attrs) {
  if (context.training)
    backwardCalls.push_back(makeCall(kernel, operands, attrs));
}
void LayerDescription::inference(plan::Kernel kernel, Refs operands, Attrs attrs) {
  inferenceCalls.push_back(makeCall(kernel, operands, attrs));
}
void LayerDescription::both(plan::Kernel kernel, Refs operands, Attrs attrs) {
  forward(kernel, operands, attrs);
  inference(kernel, operands, attrs);
}
void LayerDescription::rebuildOutput(plan::Kernel kernel, Refs operands, Attrs attrs) {
  assert(operands.back().kind == TensorRef::Own && "the copy is the layer's own");
  if (context.training)
    rebuildCall = makeCall(kernel, operands, attrs);
}
void LayerDescription::fold(plan::Kernel kernel, Refs operands, Attrs attrs) {
  foldCalls.push_back(makeCall(kernel, operands, attrs));
}
