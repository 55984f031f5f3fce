// SPDX-License-Identifier: Apache-2.0
//
// What layers are made of, in linalg.
#include "LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

#include <limits>

using namespace mlir;
using namespace tr;
using utils::IteratorType;

namespace {

SmallVector<int64_t> pooledShape(Value x, PoolAttr p) {
  ArrayRef<int64_t> in = TensorBuilder::shapeOf(x);
  return {in[0],
          trf::windowExtent(in[1], p.getKernel().h, p.getStride().h, p.getPad().h,
                            p.getDilation().h, p.getCeil(), p.getMore().h),
          trf::windowExtent(in[2], p.getKernel().w, p.getStride().w, p.getPad().w,
                            p.getDilation().w, p.getCeil(), p.getMore().w),
          in[3]};
}

} // namespace

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

Value LinalgBuilder::constant(double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(static_cast<float>(value)));
}

Value LinalgBuilder::empty(ArrayRef<int64_t> shape) {
  return tensor::EmptyOp::create(b, shape, b.getF32Type());
}

Value LinalgBuilder::filled(ArrayRef<int64_t> shape, double value) {
  return linalg::FillOp::create(b, constant(value), empty(shape)).getResult(0);
}

Value LinalgBuilder::start(ArrayRef<int64_t> shape, Value vector) {
  if (!vector)
    return filled(shape, 0);
  SmallVector<int64_t> others;
  for (int64_t i = 0; i + 1 < static_cast<int64_t>(shape.size()); ++i)
    others.push_back(i);
  return linalg::BroadcastOp::create(b, vector, empty(shape), others)->getResult(0);
}

Value LinalgBuilder::padded(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high, double value) {
  if (llvm::all_of(low, [](int64_t n) { return n == 0; }) &&
      llvm::all_of(high, [](int64_t n) { return n == 0; }))
    return x;
  SmallVector<int64_t> shape(shapeOf(x));
  SmallVector<OpFoldResult> lows, highs;
  for (size_t i = 0; i < shape.size(); ++i) {
    shape[i] += low[i] + high[i];
    lows.push_back(b.getIndexAttr(low[i]));
    highs.push_back(b.getIndexAttr(high[i]));
  }
  auto type = RankedTensorType::get(shape, b.getF32Type());
  return tensor::PadOp::create(b, type, x, lows, highs, constant(value));
}

Value LinalgBuilder::mapElements(Value x, ValueRange vectors, Body body) {
  int64_t rank = static_cast<int64_t>(shapeOf(x).size());
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  AffineMap last = AffineMap::get(rank, 0, b.getAffineDimExpr(rank - 1));
  SmallVector<AffineMap> maps = {whole};
  SmallVector<Value> inputs = {x};
  for (Value vector : vectors) {
    inputs.push_back(vector);
    maps.push_back(last);
  }
  maps.push_back(whole);
  SmallVector<IteratorType> loops(rank, IteratorType::parallel);
  return linalg::GenericOp::create(b, TypeRange{x.getType()}, inputs, ValueRange{empty(shapeOf(x))},
                                   maps, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange args) {
                                     linalg::YieldOp::create(inner, loc, body(inner, loc, args));
                                   })
      .getResult(0);
}

// start + sum of the products; the first `parallelLoops` loops are those of the result.
Value LinalgBuilder::multiplyAdd(ValueRange inputs, Value start, ArrayRef<AffineMap> maps,
                                 int64_t parallelLoops) {
  SmallVector<IteratorType> loops(maps.front().getNumDims(), IteratorType::reduction);
  std::fill_n(loops.begin(), parallelLoops, IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange{start.getType()}, inputs, ValueRange{start}, maps, loops,
             [](OpBuilder &inner, Location loc, ValueRange args) {
               Value product = arith::MulFOp::create(inner, loc, args[0], args[1]);
               linalg::YieldOp::create(
                   inner, loc, arith::AddFOp::create(inner, loc, args[2], product).getResult());
             })
      .getResult(0);
}

Value LinalgBuilder::combine(Value x, Value y, Body body) {
  ArrayRef<int64_t> shape = shapeOf(x)[1] == 1 && shapeOf(x)[2] == 1 ? shapeOf(y) : shapeOf(x);
  // (n, 1, 1, c) holds for the whole map.
  auto map = [&](Value value) {
    AffineExpr zero = b.getAffineConstantExpr(0);
    bool spread = shapeOf(value)[1] == 1 && shapeOf(value)[2] == 1;
    return AffineMap::get(4, 0,
                          {b.getAffineDimExpr(0), spread ? zero : b.getAffineDimExpr(1),
                           spread ? zero : b.getAffineDimExpr(2), b.getAffineDimExpr(3)},
                          b.getContext());
  };
  SmallVector<IteratorType> loops(4, IteratorType::parallel);
  Value result = empty(shape);
  return linalg::GenericOp::create(
             b, TypeRange{result.getType()}, ValueRange{x, y}, ValueRange{result},
             ArrayRef<AffineMap>{map(x), map(y), b.getMultiDimIdentityMap(4)}, loops,
             [&](OpBuilder &inner, Location loc, ValueRange args) {
               linalg::YieldOp::create(inner, loc, body(inner, loc, args));
             })
      .getResult(0);
}

Value LinalgBuilder::add(Value x, Value y) {
  return combine(x, y, [](OpBuilder &inner, Location loc, ValueRange args) -> Value {
    return arith::AddFOp::create(inner, loc, args[0], args[1]);
  });
}

Value LinalgBuilder::scale(Value x, Value y) {
  return combine(x, y, [](OpBuilder &inner, Location loc, ValueRange args) -> Value {
    return arith::MulFOp::create(inner, loc, args[0], args[1]);
  });
}

Value LinalgBuilder::concatenate(ValueRange values) {
  return tensor::ConcatOp::create(b, /*dim=*/3, values);
}

Value LinalgBuilder::padChannels(Value x, int64_t before, int64_t after) {
  return padded(x, {0, 0, 0, before}, {0, 0, 0, after}, 0);
}

Value LinalgBuilder::takeChannels(Value x, int64_t begin, int64_t count) {
  SmallVector<int64_t> shape(shapeOf(x));
  shape[3] = count;
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0)), sizes, strides(4, b.getIndexAttr(1));
  offsets[3] = b.getIndexAttr(begin);
  for (int64_t extent : shape)
    sizes.push_back(b.getIndexAttr(extent));
  return tensor::ExtractSliceOp::create(b, x, offsets, sizes, strides);
}

// The channels as groups x each, transposed.
Value LinalgBuilder::shuffleChannels(Value x, int64_t groups) {
  ArrayRef<int64_t> in = shapeOf(x);
  const int64_t each = in[3] / groups;
  SmallVector<ReassociationIndices> parts = {{0}, {1}, {2}, {3, 4}};
  auto split = RankedTensorType::get({in[0], in[1], in[2], groups, each}, b.getF32Type());
  Value apart = tensor::ExpandShapeOp::create(b, split, x, parts);
  Value turned = linalg::TransposeOp::create(b, apart, empty({in[0], in[1], in[2], each, groups}),
                                             ArrayRef<int64_t>{0, 1, 2, 4, 3})
                     ->getResult(0);
  return tensor::CollapseShapeOp::create(b, x.getType(), turned, parts);
}

Value LinalgBuilder::mapAxis(const AxisWeights &axis, int64_t dim, Value x) {
  SmallVector<int64_t> shape(shapeOf(x));
  shape[dim] = axis.out;
  auto type = RankedTensorType::get({axis.out, axis.in}, b.getF32Type());
  Value w =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<float>(axis.weights)));
  SmallVector<AffineExpr, 4> from;
  for (unsigned i = 0; i < 4; ++i)
    from.push_back(b.getAffineDimExpr(i == static_cast<unsigned>(dim) ? 4 : i));
  AffineMap input = AffineMap::get(5, 0, from, b.getContext());
  AffineMap weight =
      AffineMap::get(5, 0, {b.getAffineDimExpr(static_cast<unsigned>(dim)), b.getAffineDimExpr(4)},
                     b.getContext());
  AffineMap output = b.getMultiDimIdentityMap(5).dropResult(4);
  return multiplyAdd({x, w}, filled(shape, 0), {input, weight, output}, 4);
}

Value LinalgBuilder::resample(const AxisWeights &rows, const AxisWeights &columns, Value x) {
  return mapAxis(columns, 2, mapAxis(rows, 1, x));
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

Value LinalgBuilder::convolve(StringRef part, ConvAttr g, Value x) {
  ArrayRef<int64_t> in = shapeOf(x);
  Value w = parameter(part + ".weight",
                      {g.getOut(), g.getKernel().h, g.getKernel().w, in[3] / g.getGroups()});
  Value bias = g.getBias() ? parameter(part + ".bias", {g.getOut()}) : Value();
  SmallVector<int64_t> shape = {
      in[0],
      trf::windowExtent(in[1], g.getKernel().h, g.getStride().h, g.getPad().h, g.getDilation().h,
                        /*ceil=*/false, g.getMore().h),
      trf::windowExtent(in[2], g.getKernel().w, g.getStride().w, g.getPad().w, g.getDilation().w,
                        /*ceil=*/false, g.getMore().w),
      g.getOut()};
  Dims2 pad = g.getPad(), more = g.getMore();
  Value images = padded(x, {0, pad.h, pad.w, 0}, {0, pad.h + more.h, pad.w + more.w, 0}, 0);
  if (g.getGroups() != 1)
    return groupedConv(g, images, w, start(shape, bias));
  auto strides = b.getI64TensorAttr({g.getStride().h, g.getStride().w});
  auto dilations = b.getI64TensorAttr({g.getDilation().h, g.getDilation().w});
  Value init = start(shape, bias);
  return linalg::Conv2DNhwcFhwcOp::create(b, TypeRange{init.getType()}, ValueRange{images, w},
                                          ValueRange{init}, strides, dilations)
      .getResult(0);
}

Value LinalgBuilder::spread(Value x, Dims2 stride, ArrayRef<int64_t> low, ArrayRef<int64_t> shape) {
  SmallVector<OpFoldResult> offsets, sizes,
      strides = {b.getIndexAttr(1), b.getIndexAttr(stride.h), b.getIndexAttr(stride.w),
                 b.getIndexAttr(1)};
  for (int64_t offset : low)
    offsets.push_back(b.getIndexAttr(offset));
  for (int64_t extent : shapeOf(x))
    sizes.push_back(b.getIndexAttr(extent));
  return tensor::InsertSliceOp::create(b, x, filled(shape, 0), offsets, sizes, strides);
}

// y[n, h, w, g, o] = sum over ky, kx, i of the spread input [n, h + ky, w + kx, g, i] times the
// weight, turned round, of input (g, i). Margins of the spread input make the extents what they are
// to be; where the pad is larger than the window spans, rows and columns are cut off.
Value LinalgBuilder::convolveTransposed(StringRef part, ConvAttr g, ImageShape out, Value x) {
  SmallVector<int64_t> in(shapeOf(x));
  const int64_t groups = g.getGroups(), each = in[3] / groups, made = g.getOut() / groups;
  const Dims2 kernel = g.getKernel(), step = g.getDilation();
  const Dims2 reach = {step.h * (kernel.h - 1), step.w * (kernel.w - 1)};
  Value w = parameter(part + ".weight", {in[3], kernel.h, kernel.w, made});
  // Of the result before anything is cut off, with `reach` at either end.
  const int64_t rows = g.getPad().h + out.h + std::max<int64_t>(g.getPad().h + g.getMore().h, 0);
  const int64_t columns = g.getPad().w + out.w + std::max<int64_t>(g.getPad().w + g.getMore().w, 0);
  Value wide = spread(x, g.getStride(), {0, reach.h, reach.w, 0},
                      {in[0], rows + reach.h, columns + reach.w, in[3]});
  auto split = [&](Value value, ArrayRef<int64_t> shape, ArrayRef<ReassociationIndices> parts) {
    auto type = RankedTensorType::get(shape, b.getF32Type());
    return tensor::ExpandShapeOp::create(b, type, value, parts).getResult();
  };
  SmallVector<ReassociationIndices> last = {{0}, {1}, {2}, {3, 4}}, first = {{0, 1}, {2}, {3}, {4}};
  Value images = split(wide, {in[0], rows + reach.h, columns + reach.w, groups, each}, last);
  Value filters = split(w, {groups, each, kernel.h, kernel.w, made}, first);
  Value bias = g.getBias() ? parameter(part + ".bias", {g.getOut()}) : Value();
  Value init = split(start({in[0], rows, columns, g.getOut()}, bias),
                     {in[0], rows, columns, groups, made}, last);
  AffineExpr d[8];
  for (unsigned i = 0; i < 8; ++i)
    d[i] = b.getAffineDimExpr(i);
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(8, 0, results, b.getContext());
  };
  AffineExpr row = d[1] + reach.h - d[5] * step.h, column = d[2] + reach.w - d[6] * step.w;
  Value sum =
      multiplyAdd({images, filters}, init,
                  {map({d[0], row, column, d[3], d[7]}), map({d[3], d[7], d[5], d[6], d[4]}),
                   map({d[0], d[1], d[2], d[3], d[4]})},
                  5);
  auto whole = RankedTensorType::get({in[0], rows, columns, g.getOut()}, b.getF32Type());
  Value map4 = tensor::CollapseShapeOp::create(b, whole, sum, last);
  SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0), b.getIndexAttr(g.getPad().h),
                                       b.getIndexAttr(g.getPad().w), b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(in[0]), b.getIndexAttr(out.h),
                                     b.getIndexAttr(out.w), b.getIndexAttr(g.getOut())};
  return tensor::ExtractSliceOp::create(b, map4, offsets, sizes,
                                        SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
}

// With the channels of input and output split into groups: n, y, x, group, out | ky, kx, in.
Value LinalgBuilder::groupedConv(ConvAttr g, Value x, Value w, Value start) {
  int64_t groups = g.getGroups();
  auto split = [&](Value value, unsigned dim) {
    SmallVector<int64_t> shape(shapeOf(value));
    SmallVector<ReassociationIndices> parts;
    for (unsigned i = 0, next = 0; i < shape.size(); ++i) {
      parts.push_back({static_cast<int64_t>(next++)});
      if (i == dim)
        parts.back().push_back(static_cast<int64_t>(next++));
    }
    int64_t each = shape[dim] / groups;
    shape[dim] = groups;
    shape.insert(shape.begin() + dim + 1, each);
    auto type = RankedTensorType::get(shape, b.getF32Type());
    return std::make_pair(tensor::ExpandShapeOp::create(b, type, value, parts).getResult(), parts);
  };
  AffineExpr d[8];
  for (unsigned i = 0; i < 8; ++i)
    d[i] = b.getAffineDimExpr(i);
  AffineExpr row = d[1] * g.getStride().h + d[5] * g.getDilation().h;
  AffineExpr column = d[2] * g.getStride().w + d[6] * g.getDilation().w;
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(8, 0, results, b.getContext());
  };
  auto [result, parts] = split(start, 3);
  Value sum =
      multiplyAdd({split(x, 3).first, split(w, 0).first}, result,
                  {map({d[0], row, column, d[3], d[7]}), map({d[3], d[4], d[5], d[6], d[7]}),
                   map({d[0], d[1], d[2], d[3], d[4]})},
                  5);
  return tensor::CollapseShapeOp::create(b, start.getType(), sum, parts);
}

// Windows reach over the pad, and beyond it where extents are rounded up.
Value LinalgBuilder::paddedForWindows(PoolAttr p, Value x, double value) {
  SmallVector<int64_t> out = pooledShape(x, p);
  Dims2 pad = p.getPad();
  auto after = [](int64_t in, int64_t extent, int64_t kernel, int64_t stride, int64_t before,
                  int64_t more) {
    return std::max(before + more, (extent - 1) * stride + kernel - in - before);
  };
  Dims2 step = p.getDilation(), more = p.getMore();
  int64_t bottom = after(shapeOf(x)[1], out[1], step.h * (p.getKernel().h - 1) + 1, p.getStride().h,
                         pad.h, more.h);
  int64_t right = after(shapeOf(x)[2], out[2], step.w * (p.getKernel().w - 1) + 1, p.getStride().w,
                        pad.w, more.w);
  return padded(x, {0, pad.h, pad.w, 0}, {0, bottom, right, 0}, value);
}

Value LinalgBuilder::poolMax(PoolAttr p, Value x) {
  double least = -std::numeric_limits<double>::infinity();
  Value images = paddedForWindows(p, x, least);
  Value window = empty({p.getKernel().h, p.getKernel().w});
  Value init = filled(pooledShape(x, p), least);
  return linalg::PoolingNhwcMaxOp::create(
             b, TypeRange{init.getType()}, ValueRange{images, window}, ValueRange{init},
             b.getI64TensorAttr({p.getStride().h, p.getStride().w}),
             b.getI64TensorAttr({p.getDilation().h, p.getDilation().w}))
      .getResult(0);
}

Value LinalgBuilder::poolAverage(PoolAttr p, Value x) {
  ArrayRef<int64_t> in = shapeOf(x);
  SmallVector<int64_t> shape = pooledShape(x, p);
  Dims2 pad = p.getPad();
  Value images = paddedForWindows(p, x, 0);
  Value init = filled(shape, 0);
  Value sums =
      linalg::PoolingNhwcSumOp::create(
          b, TypeRange{init.getType()},
          ValueRange{images, empty({p.getKernel().h, p.getKernel().w})}, ValueRange{init},
          b.getI64TensorAttr({p.getStride().h, p.getStride().w}), b.getI64TensorAttr({1, 1}))
          .getResult(0);
  auto inside = [&](int64_t at, int64_t kernel, int64_t stride, int64_t padding, int64_t size,
                    int64_t more) {
    int64_t first = at * stride - padding;
    if (p.getCountPad())
      return std::min(first + kernel, size + padding + more) - first;
    return std::min(first + kernel, size) - std::max<int64_t>(first, 0);
  };
  SmallVector<float> counts;
  for (int64_t y = 0; y < shape[1]; ++y)
    for (int64_t column = 0; column < shape[2]; ++column)
      counts.push_back(static_cast<float>(
          inside(y, p.getKernel().h, p.getStride().h, pad.h, in[1], p.getMore().h) *
          inside(column, p.getKernel().w, p.getStride().w, pad.w, in[2], p.getMore().w)));
  auto type = RankedTensorType::get({shape[1], shape[2]}, b.getF32Type());
  Value count = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<float>(counts)));
  AffineMap whole = b.getMultiDimIdentityMap(4);
  AffineMap place =
      AffineMap::get(4, 0, {b.getAffineDimExpr(1), b.getAffineDimExpr(2)}, b.getContext());
  SmallVector<IteratorType> loops(4, IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange{sums.getType()}, ValueRange{sums, count}, ValueRange{empty(shape)},
             ArrayRef<AffineMap>{whole, place, whole}, loops,
             [](OpBuilder &inner, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   inner, loc, arith::DivFOp::create(inner, loc, args[0], args[1]).getResult());
             })
      .getResult(0);
}

Value LinalgBuilder::averageMaps(Value x) {
  ArrayRef<int64_t> in = shapeOf(x);
  AffineExpr n = b.getAffineDimExpr(0), c = b.getAffineDimExpr(3);
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(4),
                                 AffineMap::get(4, 0, {n, c}, b.getContext())};
  SmallVector<IteratorType> loops = {IteratorType::parallel, IteratorType::reduction,
                                     IteratorType::reduction, IteratorType::parallel};
  Value init = filled({in[0], in[3]}, 0);
  Value sums =
      linalg::GenericOp::create(
          b, TypeRange{init.getType()}, ValueRange{x}, ValueRange{init}, maps, loops,
          [](OpBuilder &inner, Location loc, ValueRange args) {
            linalg::YieldOp::create(
                inner, loc, arith::AddFOp::create(inner, loc, args[1], args[0]).getResult());
          })
          .getResult(0);
  Value scale = constant(1.0 / static_cast<double>(in[1] * in[2]));
  Value means = mapElements(sums, {}, [&](OpBuilder &inner, Location loc, ValueRange a) -> Value {
    return arith::MulFOp::create(inner, loc, a[0], scale);
  });
  auto type = RankedTensorType::get({in[0], 1, 1, in[3]}, b.getF32Type());
  SmallVector<ReassociationIndices> parts = {{0}, {1, 2, 3}};
  return tensor::ExpandShapeOp::create(b, type, means, parts);
}

Value LinalgBuilder::flatten(Value x) {
  ArrayRef<int64_t> in = shapeOf(x);
  int64_t features = in[1] * in[2] * in[3];
  auto flat = RankedTensorType::get({in[0], features}, b.getF32Type());
  SmallVector<ReassociationIndices> parts = {{0}, {1, 2, 3}};
  Value rows = tensor::CollapseShapeOp::create(b, flat, x, parts);
  auto type = RankedTensorType::get({in[0], 1, 1, features}, b.getF32Type());
  return tensor::ExpandShapeOp::create(b, type, rows, parts);
}

// (n, k) times (o, k) transposed.
Value LinalgBuilder::multiply(StringRef part, int64_t out, bool withBias, Value x) {
  SmallVector<int64_t> in(shapeOf(x));
  int64_t features = in[1] * in[2] * in[3];
  Value w = parameter(part + ".weight", {out, in[1], in[2], in[3]});
  Value bias = withBias ? parameter(part + ".bias", {out}) : Value();
  SmallVector<ReassociationIndices> parts = {{0}, {1, 2, 3}};
  auto toRows = [&](Value value, int64_t rows) -> Value {
    auto type = RankedTensorType::get({rows, features}, b.getF32Type());
    return tensor::CollapseShapeOp::create(b, type, value, parts);
  };
  AffineExpr n = b.getAffineDimExpr(0), o = b.getAffineDimExpr(1), k = b.getAffineDimExpr(2);
  auto map = [&](AffineExpr first, AffineExpr second) {
    return AffineMap::get(3, 0, {first, second}, b.getContext());
  };
  Value y = multiplyAdd({toRows(x, in[0]), toRows(w, out)}, start({in[0], out}, bias),
                        {map(n, k), map(o, k), map(n, o)}, 2);
  auto type = RankedTensorType::get({in[0], 1, 1, out}, b.getF32Type());
  return tensor::ExpandShapeOp::create(b, type, y, parts);
}
