// SPDX-License-Identifier: Apache-2.0
//
// The six variants from what a user says about batches, data set and resolutions.
#ifndef RENAISSANCE_CONVERSION_VARIANTSPECS_H
#define RENAISSANCE_CONVERSION_VARIANTSPECS_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

namespace tr {

struct VariantRequest {
  int64_t batch = 32;
  int64_t valBatch = 0;                                      ///< 0: as in training
  int64_t trainSamples = 0, valSamples = 0;                  ///< size of the data set; 0: any
  bool dropLast = false;                                     ///< no partial batch in training
  Dims2 trainResolution{}, lowResolution{}, valResolution{}; ///< 0x0: the input's own
  int64_t lowresEpoch = -1; ///< first epoch (0-based) at `lowResolution`; -1: never
};

/// The options attribute with the variants `train_base`, `train_last`, `train_lowres`,
/// `train_lowres_last`, `val_base`, `val_last`, in this order; they may coincide. Null after an
/// error: fewer samples than one batch under `dropLast`, or an attribute's own rule.
OptionsAttr getOptionsAttr(mlir::MLIRContext *context, trf::Optimizer optimizer, int64_t slices,
                           bool zeroGamma, trf::Target target, const VariantRequest &request,
                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tr

#endif // RENAISSANCE_CONVERSION_VARIANTSPECS_H
