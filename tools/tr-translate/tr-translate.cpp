// SPDX-License-Identifier: Apache-2.0
//
// Translates between the project's file formats and MLIR.
#include "Translations.h"

#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"
#include "support/UsageExit.h"
#include "support/Version.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  tr::UsageExit usageExit;
  tr::setVersion("tr-translate");
  tr::registerBlueprintTranslations();
  tr::registerDotTranslation();
  tr::registerPlanTranslations();
  tr::registerTableReference();
  tr::registerYamlTranslations();
  return failed(mlir::mlirTranslateMain(argc, argv, "Renaissance translation driver"));
}
