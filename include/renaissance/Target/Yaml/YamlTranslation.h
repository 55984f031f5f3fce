// SPDX-License-Identifier: Apache-2.0
//
// tr.arch as YAML and back; docs/yaml.md describes the format. The two are inverse.
#ifndef RENAISSANCE_TARGET_YAML_YAMLTRANSLATION_H
#define RENAISSANCE_TARGET_YAML_YAMLTRANSLATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace tr {

/// Writes every network of `module`. Fails on what the format cannot hold, at the op.
llvm::LogicalResult archToYaml(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Reads the main buffer of `sources`. Null after an error, located in the text. The result is
/// verified.
mlir::OwningOpRef<mlir::ModuleOp> yamlToArch(llvm::SourceMgr &sources, mlir::MLIRContext *context);

/// Registers --arch-to-yaml and --yaml-to-arch with a translation driver.
void registerYamlTranslations();

} // namespace tr

#endif // RENAISSANCE_TARGET_YAML_YAMLTRANSLATION_H
