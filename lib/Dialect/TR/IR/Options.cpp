// SPDX-License-Identifier: Apache-2.0
//
// `#tr.options`: its text, its rules, and how batches, data set and resolutions make variants.
#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tr {
namespace {

std::string toKeyword(std::string_view name) {
  std::string text(name);
  llvm::replace(text, '-', '_');
  return text;
}

const OptionRow *findRow(StringRef keyword) {
  for (const OptionRow &row : getOptionRows())
    if (row.use == OptionUse::Passes && toKeyword(row.name) == keyword)
      return &row;
  return nullptr;
}

// A word, a quoted string or a number. Words come first: `true` would be a number too.
ParseResult parseText(AsmParser &parser, std::string &text) {
  if (succeeded(parser.parseOptionalKeywordOrString(&text)))
    return success();
  int64_t number = 0;
  ParseResult result = parser.parseInteger(number);
  text = std::to_string(number);
  return result;
}

// Samples of the last batch of an epoch: what whole batches leave over, else a whole batch.
int64_t getLastBatch(int64_t samples, int64_t batch) {
  int64_t rest = samples % batch;
  return rest == 0 ? batch : rest;
}

ArrayAttr makeVariants(MLIRContext *context, const CompileOptions &options,
                       function_ref<InFlightDiagnostic()> emitError) {
  int64_t valBatch = options.valBatch == 0 ? options.batch : options.valBatch;
  int64_t last =
      options.dropLast ? options.batch : getLastBatch(options.trainSamples, options.batch);
  int64_t valLast = getLastBatch(options.valSamples, valBatch);
  const TrainResolution &train = options.trainResolution;
  Resolution low = train.lowEpoch < 0 ? train.base : train.low;
  SmallVector<Attribute> variants;
  for (const trf::StandardVariantRow &row : trf::kStandardVariants) {
    int64_t samples =
        row.trains ? (row.lastBatch ? last : options.batch) : (row.lastBatch ? valLast : valBatch);
    Resolution resolution = row.lowResolution ? low
                            : row.trains      ? train.base
                                              : options.valResolution;
    auto variant = VariantAttr::getChecked(emitError, context, toRef(row.name), row.trains, samples,
                                           Dims2{resolution.h, resolution.w});
    if (!variant)
      return {};
    variants.push_back(variant);
  }
  return ArrayAttr::get(context, variants);
}

// What setOption() would refuse; a program may have set the members itself.
LogicalResult checkRanges(function_ref<InFlightDiagnostic()> emitError,
                          const CompileOptions &options) {
  for (const OptionRow &row : getOptionRows()) {
    std::string text = getOption(options, row.name);
    CompileOptions scratch;
    if (text.empty() && getOption(scratch, row.name).empty())
      continue;
    if (std::string fault = setOption(scratch, row.name, text); !fault.empty())
      return emitError() << toKeyword(row.name) << ": " << fault;
  }
  return success();
}

} // namespace

llvm::hash_code hash_value(const CompileOptions &options) {
  llvm::hash_code hash(0);
  for (const OptionRow &row : getOptionRows())
    hash = llvm::hash_combine(hash, getOption(options, row.name));
  return hash;
}

OptionsAttr getOptions(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto options = op->getAttrOfType<OptionsAttr>(TRDialect::getOptionsAttrName()))
      return options;
    else if (!op->getParentOp())
      return OptionsAttr::get(op->getContext(), CompileOptions(), /*variants=*/{},
                              /*lowresEpoch=*/-1);
  return {};
}

OptionsAttr getOptionsAttr(MLIRContext *context, const CompileOptions &options,
                           function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkRanges(emitError, options)))
    return {};
  if (options.dropLast && options.trainSamples != 0 && options.trainSamples < options.batch) {
    emitError() << "expected at least one whole batch of " << options.batch
                << " in the training data, but got train-samples " << options.trainSamples
                << " with drop-last";
    return {};
  }
  ArrayAttr variants = makeVariants(context, options, emitError);
  if (!variants)
    return {};
  // From here on the variants say it.
  CompileOptions values = options;
  for (const OptionRow &row : getOptionRows())
    if (row.use == OptionUse::Variants)
      resetOption(values, row.name);
  return OptionsAttr::getChecked(emitError, context, values, variants,
                                 options.trainResolution.lowEpoch);
}

LogicalResult OptionsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  CompileOptions values, ArrayAttr variants, int64_t lowresEpoch) {
  if (failed(checkRanges(emitError, values)))
    return failure();
  if (lowresEpoch < -1 || lowresEpoch > kMostExtent)
    return emitError() << "expected lowres_epoch in [-1, " << kMostExtent << "], but got "
                       << lowresEpoch;
  if (variants)
    for (Attribute variant : variants)
      if (!isa<VariantAttr>(variant))
        return emitError() << "expected #tr.variant in variants, but got " << variant;
  return success();
}

// Another attribute of this name would be read as if there were none.
LogicalResult TRDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != getOptionsAttrName())
    return success();
  if (!isa<OptionsAttr>(attribute.getValue()))
    return op->emitError("expected #tr.options as attribute '")
           << getOptionsAttrName() << "', but got " << attribute.getValue();
  if (!isa<ModuleOp>(op))
    return op->emitError("expected attribute '")
           << getOptionsAttrName() << "' on a module, but got it on '" << op->getName() << "'";
  return success();
}

void OptionsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  const char *separator = "";
  auto printKey = [&](StringRef key) -> AsmPrinter & {
    printer << separator << key << " = ";
    separator = ", ";
    return printer;
  };
  CompileOptions defaults;
  for (const OptionRow &row : getOptionRows()) {
    std::string text = getOption(getValues(), row.name);
    if (text == getOption(defaults, row.name))
      continue;
    printKey(toKeyword(row.name));
    if (llvm::all_of(text, [](char c) { return llvm::isDigit(c); }))
      printer << text;
    else
      printer.printKeywordOrString(text);
  }
  if (getVariants())
    printKey("variants") << getVariants();
  if (getLowresEpoch() != -1)
    printKey("lowres_epoch") << getLowresEpoch();
  printer << '>';
}

Attribute OptionsAttr::parse(AsmParser &parser, Type) {
  CompileOptions values;
  ArrayAttr variants;
  int64_t lowresEpoch = -1;
  SMLoc loc = parser.getCurrentLocation();
  auto parseEntry = [&]() -> ParseResult {
    StringRef key;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (key == "variants")
      return parser.parseAttribute(variants);
    if (key == "lowres_epoch")
      return parser.parseInteger(lowresEpoch);
    const OptionRow *row = findRow(key);
    if (!row)
      return parser.emitError(keyLoc) << "expected a key of #tr.options, but got '" << key << "'";
    std::string text;
    SMLoc textLoc = parser.getCurrentLocation();
    if (parseText(parser, text))
      return failure();
    if (std::string fault = setOption(values, row->name, text); !fault.empty())
      return parser.emitError(textLoc) << key << ": " << fault;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseEntry))
    return {};
  return parser.getChecked<OptionsAttr>(loc, parser.getContext(), values, variants, lowresEpoch);
}

} // namespace tr
