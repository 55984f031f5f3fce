// SPDX-License-Identifier: Apache-2.0
//
// Normalisations, activations and learned factors, in linalg.
#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace tr;
using utils::IteratorType;

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

// `part`.weight and `part`.bias, or nothing.
SmallVector<Value> LinalgBuilder::affineVectors(StringRef part, bool affine, Value x) {
  int64_t c = shapeOf(x)[3];
  if (!affine)
    return {};
  Value weight = parameter(part + ".weight", {c});
  return {weight, parameter(part + ".bias", {c})};
}

Value LinalgBuilder::affineChannels(ValueRange vectors, Value x) {
  if (vectors.empty())
    return x;
  return mapElements(x, vectors, [](OpBuilder &inner, Location loc, ValueRange a) -> Value {
    Value scaled = arith::MulFOp::create(inner, loc, a[0], a[1]);
    return arith::AddFOp::create(inner, loc, scaled, a[2]);
  });
}

// (x - mean) / sqrt(variance + eps).
static Value standardise(OpBuilder &inner, Location loc, Value x, Value mean, Value variance,
                         Value epsilon) {
  Value centred = arith::SubFOp::create(inner, loc, x, mean);
  Value sum = arith::AddFOp::create(inner, loc, variance, epsilon);
  return arith::DivFOp::create(inner, loc, centred, math::SqrtOp::create(inner, loc, sum));
}

Value LinalgBuilder::normalise(StringRef part, double eps, bool affine, Value x) {
  int64_t c = shapeOf(x)[3];
  SmallVector<Value> vectors = affineVectors(part, affine, x);
  Value mean = parameter(part + ".running_mean", {c});
  Value variance = parameter(part + ".running_var", {c});
  Value epsilon = constant(eps);
  Value y = mapElements(x, {mean, variance}, [&](OpBuilder &inner, Location loc, ValueRange a) {
    return standardise(inner, loc, a[0], a[1], a[2], epsilon);
  });
  return affineChannels(vectors, y);
}

Value LinalgBuilder::meanOf(Value x, ValueRange others, AffineMap kept, Body body) {
  ArrayRef<int64_t> shape = shapeOf(x);
  SmallVector<IteratorType> loops(shape.size(), IteratorType::reduction);
  SmallVector<int64_t> result;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (AffineExpr loop : kept.getResults()) {
    unsigned position = cast<AffineDimExpr>(loop).getPosition();
    loops[position] = IteratorType::parallel;
    result.push_back(shape[position]);
    count /= shape[position];
  }
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(shape.size())};
  SmallVector<Value> inputs = {x};
  for (Value other : others) {
    inputs.push_back(other);
    maps.push_back(kept);
  }
  maps.push_back(kept);
  Value share = constant(1.0 / static_cast<double>(count));
  Value start = filled(result, 0);
  return linalg::GenericOp::create(
             b, TypeRange{start.getType()}, inputs, ValueRange{start}, maps, loops,
             [&](OpBuilder &inner, Location loc, ValueRange a) {
               Value part = arith::MulFOp::create(inner, loc, body(inner, loc, a), share);
               linalg::YieldOp::create(
                   inner, loc, arith::AddFOp::create(inner, loc, a.back(), part).getResult());
             })
      .getResult(0);
}

Value LinalgBuilder::normaliseOwn(bool wholeMap, int64_t groups, double eps, Value x) {
  ArrayRef<int64_t> in = shapeOf(x);
  SmallVector<ReassociationIndices> parts = {{0}, {1}, {2}, {3, 4}};
  auto split = RankedTensorType::get({in[0], in[1], in[2], groups, in[3] / groups}, b.getF32Type());
  Value grouped = tensor::ExpandShapeOp::create(b, split, x, parts);
  AffineExpr n = b.getAffineDimExpr(0), h = b.getAffineDimExpr(1), w = b.getAffineDimExpr(2),
             group = b.getAffineDimExpr(3);
  AffineMap kept = wholeMap ? AffineMap::get(5, 0, {n, group}, b.getContext())
                            : AffineMap::get(5, 0, {n, h, w, group}, b.getContext());
  Value mean =
      meanOf(grouped, {}, kept, [](OpBuilder &, Location, ValueRange a) -> Value { return a[0]; });
  Value variance =
      meanOf(grouped, mean, kept, [](OpBuilder &inner, Location loc, ValueRange a) -> Value {
        Value d = arith::SubFOp::create(inner, loc, a[0], a[1]);
        return arith::MulFOp::create(inner, loc, d, d);
      });
  Value epsilon = constant(eps);
  AffineMap all = b.getMultiDimIdentityMap(5);
  SmallVector<IteratorType> loops(5, IteratorType::parallel);
  Value y =
      linalg::GenericOp::create(
          b, TypeRange{split}, ValueRange{grouped, mean, variance},
          ValueRange{empty(split.getShape())}, ArrayRef<AffineMap>{all, kept, kept, all}, loops,
          [&](OpBuilder &inner, Location loc, ValueRange a) {
            linalg::YieldOp::create(inner, loc, standardise(inner, loc, a[0], a[1], a[2], epsilon));
          })
          .getResult(0);
  return tensor::CollapseShapeOp::create(b, x.getType(), y, parts);
}

Value LinalgBuilder::normalisePixels(StringRef part, double eps, bool affine, Value x) {
  SmallVector<Value> vectors = affineVectors(part, affine, x);
  return affineChannels(vectors, normaliseOwn(/*wholeMap=*/false, /*groups=*/1, eps, x));
}

Value LinalgBuilder::normaliseGroups(StringRef part, int64_t groups, double eps, bool affine,
                                     Value x) {
  SmallVector<Value> vectors = affineVectors(part, affine, x);
  return affineChannels(vectors, normaliseOwn(/*wholeMap=*/true, groups, eps, x));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value LinalgBuilder::scaleChannels(StringRef part, Value x) {
  Value weight = parameter(part + ".weight", {shapeOf(x)[3]});
  return mapElements(x, weight, [](OpBuilder &inner, Location loc, ValueRange a) -> Value {
    return arith::MulFOp::create(inner, loc, a[0], a[1]);
  });
}

Value LinalgBuilder::activateBySlopes(StringRef part, bool shared, Value x) {
  int64_t c = shapeOf(x)[3];
  Value weight = parameter(part + ".weight", {shared ? 1 : c});
  if (shared) {
    Value slope = tensor::ExtractOp::create(
        b, weight, ValueRange{arith::ConstantIndexOp::create(b, 0).getResult()});
    weight = linalg::FillOp::create(b, slope, empty({c})).getResult(0);
  }
  Value zero = constant(0);
  return mapElements(x, weight, [&](OpBuilder &inner, Location loc, ValueRange a) -> Value {
    Value positive = arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OGT, a[0], zero);
    Value below = arith::MulFOp::create(inner, loc, a[0], a[1]);
    return arith::SelectOp::create(inner, loc, positive, a[0], below);
  });
}

namespace {

// The activations of one value.
class ActBuilder {
public:
  ActBuilder(OpBuilder &inner, Location loc, Value value) : i(loc, inner), v(value) {}

  Value build(Act act);

private:
  Value number(double value) {
    return arith::ConstantOp::create(i, i.getF32FloatAttr(static_cast<float>(value)));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(i, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(i, x, y); }
  Value divide(Value x, Value y) { return arith::DivFOp::create(i, x, y); }
  Value relu6(Value x) {
    return arith::MinimumFOp::create(i, arith::MaximumFOp::create(i, x, number(0)), number(6));
  }
  Value sigmoid(Value x) {
    Value power = math::ExpOp::create(i, arith::NegFOp::create(i, x));
    return divide(number(1), add(number(1), power));
  }
  // log(1 + exp(x)), without an exponential that overflows.
  Value softplus(Value x) {
    Value size = math::AbsFOp::create(i, x);
    Value power = math::ExpOp::create(i, arith::NegFOp::create(i, size));
    return add(arith::MaximumFOp::create(i, x, number(0)), math::Log1pOp::create(i, power));
  }
  Value hardsigmoid(Value x) { return divide(relu6(add(x, number(3))), number(6)); }
  Value orBelow(Value other) {
    Value positive = arith::CmpFOp::create(i, arith::CmpFPredicate::OGT, v, number(0));
    return arith::SelectOp::create(i, positive, v, other);
  }
  // Half of v * (1 + y).
  Value gate(Value y) { return multiply(multiply(v, number(0.5)), add(number(1), y)); }
  Value geluTanh() {
    Value cube = multiply(multiply(v, v), v);
    Value inside = add(v, multiply(cube, number(0.044715)));
    return gate(math::TanhOp::create(i, multiply(inside, number(0.79788456080286536))));
  }

  ImplicitLocOpBuilder i;
  Value v;
};

Value ActBuilder::build(Act act) {
  switch (act.kind) {
  case Activation::None:
    return v;
  case Activation::ReLU:
    return arith::MaximumFOp::create(i, v, number(0));
  case Activation::ReLU6:
    return relu6(v);
  case Activation::Tanh:
    return math::TanhOp::create(i, v);
  case Activation::SiLU:
    return multiply(v, sigmoid(v));
  case Activation::LeakyReLU:
    return orBelow(multiply(v, number(act.parameter)));
  case Activation::Hardswish:
    return multiply(v, hardsigmoid(v));
  case Activation::ELU:
    return orBelow(multiply(math::ExpM1Op::create(i, v), number(act.parameter)));
  case Activation::Sigmoid:
    return sigmoid(v);
  case Activation::GELU:
    return gate(math::ErfOp::create(i, multiply(v, number(0.70710678118654752))));
  case Activation::GELUTanh:
    return geluTanh();
  case Activation::Hardsigmoid:
    return hardsigmoid(v);
  case Activation::Mish:
    return multiply(v, math::TanhOp::create(i, softplus(v)));
  case Activation::Softplus:
    return softplus(v);
  }
  llvm_unreachable("all activations are handled");
}

} // namespace

Value LinalgBuilder::activate(Act act, Value x) {
  return mapElements(x, {}, [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
    return ActBuilder(inner, loc, args[0]).build(act);
  });
}
