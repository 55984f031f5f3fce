// SPDX-License-Identifier: Apache-2.0
//
// A network of the C++ interface in MLIR, and its diagnostics at the caller's lines.
#ifndef RENAISSANCE_LIB_BLUEPRINT_IMPORT_H
#define RENAISSANCE_LIB_BLUEPRINT_IMPORT_H

#include "renaissance/BluePrint/BluePrint.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace tr::dsl {

/// Collects errors and their notes, one line each, for as long as it lives.
class FaultCollector {
public:
  FaultCollector(mlir::MLIRContext &context, const BluePrint &network);
  std::string take() { return std::move(text); }

private:
  void add(mlir::Diagnostic &diagnostic, const char *kind);
  std::string placeOf(mlir::Location loc) const;

  const BluePrint &network;
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// The network as tr.bp; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> importNetwork(const BluePrint &network,
                                                mlir::MLIRContext &context);

} // namespace tr::dsl

#endif // RENAISSANCE_LIB_BLUEPRINT_IMPORT_H
