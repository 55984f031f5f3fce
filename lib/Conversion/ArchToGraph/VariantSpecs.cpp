// SPDX-License-Identifier: Apache-2.0
//
// Batches and resolutions of the six variants.
#include "renaissance/Conversion/VariantSpecs.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tr;

// Samples of the last batch of an epoch: what whole batches leave over, else a whole batch.
static int64_t getLastBatch(int64_t samples, int64_t batch) {
  int64_t rest = samples % batch;
  return rest == 0 ? batch : rest;
}

static ArrayAttr getVariantSpecs(MLIRContext *context, const VariantRequest &request,
                                 function_ref<InFlightDiagnostic()> emitError) {
  int64_t batch = request.batch;
  int64_t valBatch = request.valBatch == 0 ? batch : request.valBatch;
  if (batch < 1 || valBatch < 1 || request.trainSamples < 0 || request.valSamples < 0) {
    emitError() << "expected batches of at least 1 and sample counts of at least 0, but got batch "
                << batch << ", val-batch " << valBatch << ", train-samples " << request.trainSamples
                << ", val-samples " << request.valSamples;
    return {};
  }
  if (request.dropLast && request.trainSamples != 0 && request.trainSamples < batch) {
    emitError() << "expected at least one whole batch of " << batch
                << " in the training data, but got train-samples " << request.trainSamples
                << " with drop-last";
    return {};
  }
  int64_t last = request.dropLast ? batch : getLastBatch(request.trainSamples, batch);
  int64_t valLast = getLastBatch(request.valSamples, valBatch);
  Dims2 low = request.lowresEpoch < 0 ? request.trainResolution : request.lowResolution;
  SmallVector<Attribute> variants;
  for (const trf::StandardVariantRow &row : trf::kStandardVariants) {
    int64_t samples =
        row.trains ? (row.lastBatch ? last : batch) : (row.lastBatch ? valLast : valBatch);
    Dims2 resolution = row.lowResolution ? low
                       : row.trains      ? request.trainResolution
                                         : request.valResolution;
    auto variant = VariantAttr::getChecked(emitError, context, toRef(row.name), row.trains, samples,
                                           resolution);
    if (!variant)
      return {};
    variants.push_back(variant);
  }
  return ArrayAttr::get(context, variants);
}

OptionsAttr tr::getOptionsAttr(MLIRContext *context, trf::Optimizer optimizer, int64_t slices,
                               bool zeroGamma, trf::Target target, const VariantRequest &request,
                               function_ref<InFlightDiagnostic()> emitError) {
  ArrayAttr variants = getVariantSpecs(context, request, emitError);
  if (!variants)
    return {};
  return OptionsAttr::getChecked(emitError, context, optimizer, slices, zeroGamma, variants,
                                 request.trainSamples, request.valSamples, request.lowresEpoch,
                                 request.dropLast, target);
}
