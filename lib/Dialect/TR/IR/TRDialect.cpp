// SPDX-License-Identifier: Apache-2.0
//
// The `tr` dialect: attributes, enumerations and interfaces. Each op family is
// registered from its own file, so that a change to one rebuilds one.
#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/TRInterfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "renaissance/Dialect/TR/IR/TRDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "renaissance/Dialect/TR/IR/TRAttrs.cpp.inc"

#include "renaissance/Dialect/TR/IR/TRInterfaces.cpp.inc"

namespace tr {

template <> FailureOr<Act> parseSpelling<Act>(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<Activation> kind = parseSpelling<Activation>(parser);
  if (failed(kind) || failed(parser.parseOptionalLParen()))
    return failed(kind) ? FailureOr<Act>() : FailureOr<Act>(Act(*kind));
  double parameter = 0;
  int64_t whole = 0;
  if (OptionalParseResult integer = parser.parseOptionalInteger(whole); integer.has_value())
    parameter = static_cast<double>(whole);
  else if (parser.parseFloat(parameter))
    return failure();
  if (parser.parseRParen())
    return failure();
  const trf::ActivationRow &row = trf::row(*kind);
  Act act(*kind, static_cast<float>(parameter));
  if (!row.hasParameter())
    return parser.emitError(loc) << "expected no parameter of " << spell(*kind);
  if (!act.isValid())
    return parser.emitError(loc) << "expected a " << toRef(row.parameter) << " of " << spell(*kind)
                                 << " in [0, " << static_cast<int64_t>(trf::kMostActParameter)
                                 << "], but got " << parameter;
  return act;
}

namespace {
LogicalResult checkAtLeast(function_ref<InFlightDiagnostic()> emitError, StringRef what,
                           int64_t value, int64_t least) {
  if (value >= least && value <= kMostExtent)
    return success();
  return emitError() << "expected " << what << " in [" << least << ", " << kMostExtent
                     << "], but got " << value;
}

LogicalResult checkAtLeast(function_ref<InFlightDiagnostic()> emitError, StringRef what,
                           Dims2 value, int64_t least) {
  if (failed(checkAtLeast(emitError, (what + " height").str(), value.h, least)))
    return failure();
  return checkAtLeast(emitError, (what + " width").str(), value.w, least);
}
} // namespace

void TRDialect::initialize() {
  registerAttributes();
  registerBPOps();
  registerArchOps();
  registerGraphOps();
}

void TRDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "renaissance/Dialect/TR/IR/TRAttrs.cpp.inc"
      >();
}

std::string toString(ImageShape shape) {
  return (Twine(shape.h) + "x" + Twine(shape.w) + "x" + Twine(shape.c)).str();
}

ImageShape getImageShape(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return {tensor.getDimSize(1), tensor.getDimSize(2), tensor.getDimSize(3)};
}

// The pad of the other end.
static LogicalResult checkMore(function_ref<InFlightDiagnostic()> emitError, Dims2 pad,
                               Dims2 more) {
  if (more.h < -kMostExtent || more.w < -kMostExtent || more.h > kMostExtent ||
      more.w > kMostExtent)
    return emitError() << "expected more of a pad in [-" << kMostExtent << ", " << kMostExtent
                       << "], but got [" << more.h << ", " << more.w << "]";
  return checkAtLeast(emitError, "pad at the end", Dims2{pad.h + more.h, pad.w + more.w}, 0);
}

LogicalResult ConvAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t out,
                               Dims2 kernel, Dims2 stride, Dims2 pad, Dims2 dilation,
                               int64_t groups, bool, Dims2 more) {
  if (failed(checkAtLeast(emitError, "output channels", out, 1)) ||
      failed(checkAtLeast(emitError, "kernel", kernel, 1)) ||
      failed(checkAtLeast(emitError, "stride", stride, 1)) ||
      failed(checkAtLeast(emitError, "pad", pad, 0)) ||
      failed(checkAtLeast(emitError, "dilation", dilation, 1)) ||
      failed(checkAtLeast(emitError, "groups", groups, 1)) ||
      failed(checkMore(emitError, pad, more)))
    return failure();
  if (out % groups != 0)
    return emitError() << "expected output channels divisible by groups " << groups << ", but got "
                       << out;
  return success();
}

LogicalResult PoolAttr::verify(function_ref<InFlightDiagnostic()> emitError, Dims2 kernel,
                               Dims2 stride, Dims2 pad, bool, Dims2 more, Dims2 dilation, bool) {
  if (failed(checkAtLeast(emitError, "kernel", kernel, 1)) ||
      failed(checkAtLeast(emitError, "stride", stride, 1)) ||
      failed(checkAtLeast(emitError, "pad", pad, 0)) || failed(checkMore(emitError, pad, more)) ||
      failed(checkAtLeast(emitError, "dilation", dilation, 1)))
    return failure();
  // A window of padding alone would have no value.
  const Dims2 span = {dilation.h * (kernel.h - 1) + 1, dilation.w * (kernel.w - 1) + 1};
  const Dims2 most = {pad.h + std::max<int64_t>(more.h, 0), pad.w + std::max<int64_t>(more.w, 0)};
  if (most.h >= span.h || most.w >= span.w)
    return emitError() << "expected pad smaller than kernel [" << span.h << ", " << span.w
                       << "], but got [" << most.h << ", " << most.w << "]";
  return success();
}

LogicalResult VariantAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                  bool, int64_t batch, Dims2 resolution) {
  if (name.empty())
    return emitError() << "expected a variant name, but got an empty one";
  if (failed(checkAtLeast(emitError, "batch", batch, 1)))
    return failure();
  if (resolution == Dims2{})
    return success();
  return checkAtLeast(emitError, "resolution", resolution, 1);
}

LogicalResult detail::checkExtents(ImageShape shape, function_ref<InFlightDiagnostic()> emitError) {
  int64_t elements = 1;
  for (int64_t extent : {shape.h, shape.w, shape.c}) {
    if (extent < 1)
      return emitError() << "expected extents of at least 1, but got " << toString(shape);
    // No product is formed that could overflow: elements < 2^31 and extent < 2^31.
    if (extent > kMostExtent || (elements *= extent) > kMostExtent)
      return emitError() << "expected fewer than " << kMostExtent + 1 << " elements, but got "
                         << toString(shape);
  }
  return success();
}

LogicalResult detail::checkLayerType(Type type, function_ref<InFlightDiagnostic()> emitError) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != 4 || !tensor.getElementType().isF32() || tensor.getEncoding())
    return emitError() << "expected tensor<?xHxWxCxf32>, but got " << type;
  if (!tensor.isDynamicDim(0))
    return emitError() << "expected a symbolic batch, but got " << type;
  ImageShape known = getImageShape(tensor);
  for (int64_t *extent : {&known.h, &known.w, &known.c})
    if (ShapedType::isDynamic(*extent))
      *extent = 1;
  return checkExtents(known, emitError);
}

StringRef detail::getLayerKind(Operation *op) {
  return op->getName().getStringRef().rsplit('.').second;
}

InFlightDiagnostic emitLayerError(Operation *op, StringRef variant) {
  InFlightDiagnostic diagnostic = op->emitError();
  if (auto layer = dyn_cast<LayerOpInterface>(op))
    diagnostic << layer.getLayerKind() << " layer '" << layer.getPath() << "': ";
  else
    diagnostic << "op '" << op->getName() << "': ";
  if (!variant.empty())
    diagnostic << "under variant '" << variant << "': ";
  return diagnostic;
}

SmallVector<Value, 2> getLayerInputs(LayerOpInterface layer) {
  auto branches = dyn_cast<JoinOpInterface>(layer.getOperation());
  if (!branches)
    return {layer->getOperand(0)};
  SmallVector<Value, 2> inputs;
  for (Region *branch : branches.getBranches())
    inputs.push_back(branch->front().getTerminator()->getOperand(0));
  return inputs;
}

LogicalResult detail::verifyBranches(Operation *op) {
  auto branches = cast<JoinOpInterface>(op);
  if (op->getNumRegions() == 0)
    return op->emitOpError("expected at least one branch, but got none");
  if (op->getNumOperands() == 0)
    return op->emitOpError("expected an operand that the branches read, but got none");
  Type type = op->getOperand(0).getType();
  for (Region *branch : branches.getBranches()) {
    std::string name = branches.getBranchName(branch);
    if (!branch->hasOneBlock())
      return op->emitOpError("expected one block in ") << name;
    Block &block = branch->front();
    if (block.getNumArguments() != 1 || block.getArgument(0).getType() != type)
      return op->emitOpError("expected ") << name << " to have one argument of type " << type;
    if (block.empty() || !isa<arch::YieldOp>(block.back()))
      return op->emitOpError("expected a tr.arch.yield at the end of ") << name;
  }
  return success();
}

LogicalResult detail::verifyLayer(Operation *op) {
  auto layer = cast<LayerOpInterface>(op);
  auto emit = [&] { return op->emitOpError(); };
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return op->emitOpError("expected an operand and one result, but got ")
           << op->getNumOperands() << " and " << op->getNumResults();
  for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()})
    if (failed(checkLayerType(type, emit)))
      return failure();
  auto parts = op->getAttrOfType<ArrayAttr>("parts");
  size_t count = layer.countParts(), found = parts ? parts.size() : 0;
  if (found != count)
    return op->emitOpError("expected ") << count << " parts, but got " << found;
  if (failed(layer.checkFields(emit)))
    return failure();
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto output = cast<RankedTensorType>(op->getResult(0).getType());
  // What branches give is for shape inference; extents that are not inferred yet are too.
  if (isa<JoinOpInterface>(op) ||
      llvm::any_of(input.getShape().drop_front(), ShapedType::isDynamic))
    return success();
  ImageShape in = getImageShape(input);
  FailureOr<ImageShape> out = layer.inferOutputShape(in, emit);
  if (failed(out) || failed(checkExtents(*out, emit)))
    return failure();
  int64_t expected[] = {out->h, out->w, out->c};
  for (int i = 0; i < 3; ++i)
    if (!output.isDynamicDim(i + 1) && output.getDimSize(i + 1) != expected[i])
      return op->emitOpError("expected result extents ")
             << toString(*out) << ", but got " << output;
  return success();
}

} // namespace tr

FailureOr<tr::Dims2> FieldParser<tr::Dims2>::parse(AsmParser &parser) {
  tr::Dims2 dims;
  if (parser.parseLSquare() || parser.parseInteger(dims.h) || parser.parseComma() ||
      parser.parseInteger(dims.w) || parser.parseRSquare())
    return failure();
  return dims;
}
